// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Elements of the page beside the canvas.

export function make(tag, className, properties = {}) {
  return Object.assign(document.createElement(tag), { className, ...properties });
}

export function button(words, title, onclick) {
  return make("button", "workbench-button", { textContent: words, title, onclick, type: "button" });
}

/** Moves a tip beside a point, inside a place of the given size. */
export function placeBeside(tip, x, y, width, height) {
  const left = Math.min(x + 14, width - tip.offsetWidth - 8);
  const isBelow = y + 16 + tip.offsetHeight < height;
  tip.style.left = `${Math.max(left, 4)}px`;
  tip.style.top = `${isBelow ? y + 16 : Math.max(y - tip.offsetHeight - 10, 2)}px`;
}

/** Gives a canvas a size in points, where it has another. @returns {number} device pixels in a point */
export function sized(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  // Whoever sets the size of a canvas empties it.
  if (canvas.width !== w || canvas.height !== h) {
    Object.assign(canvas, { width: w, height: h });
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  }
  return ratio;
}

/** Hands a canvas to the user as a PNG file. */
export function saveCanvas(canvas, name) {
  canvas.toBlob((blob) => {
    const link = make("a", "", { href: URL.createObjectURL(blob), download: `${name}.png` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });
}
