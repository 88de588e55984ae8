// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Four canvases as large as those of benchmarks/views.py, in each of which a rectangle is filled in every frame: what the
// browser can do at all. `element` is the cell's output.
element.style.cssText = "display: grid; grid-template-columns: 1fr 1fr";
const contexts = [718, 718, 718, 186].map((height) => {
  const place = Object.assign(document.createElement("div"), { className: "workbench-dashboard" });
  const canvas = Object.assign(document.createElement("canvas"), { width: 734, height });
  canvas.style.cssText = "display: block; image-rendering: pixelated";
  place.append(canvas);
  element.append(place);
  place.workbench = { view: { draws: 0, isVisible: true } };
  return [canvas.getContext("2d", { alpha: false }), place.workbench.view];
});

function draw() {
  for (const [context, view] of contexts) {
    context.fillStyle = view.draws++ % 2 ? "#dddddd" : "#eeeeee";
    context.fillRect(106, 20, 540, 160);
  }
  requestAnimationFrame(draw);
}

requestAnimationFrame(draw);
