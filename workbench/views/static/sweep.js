// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// A sweep while it runs: table and parallel coordinates over one state.
import { lines } from "./sweep_lines.js";
import { table } from "./sweep_table.js";

function render({ model, el }) {
  const state = { rows: [], axes: [], selected: "", brushes: {}, column: "gain", isDescending: true };
  const head = Object.assign(document.createElement("div"), { className: "workbench-sweep-head" });
  const top = document.createElement("div");
  const bottom = Object.assign(document.createElement("div"), { className: "workbench-sweep-scroll" });
  el.classList.add("workbench-sweep");
  el.replaceChildren(head, top, bottom);
  const on = {
    select(id) {
      if (id === state.selected) return;
      state.selected = id;
      mark(el, id);
    },
    brush(axis, range) {
      if (range) state.brushes[axis] = range;
      else delete state.brushes[axis];
      draw();
    },
    sort(column) {
      state.isDescending = column === state.column ? !state.isDescending : true;
      state.column = column;
      draw();
    },
  };
  function draw() {
    Object.assign(state, { rows: model.get("rows"), axes: model.get("axes") });
    head.replaceChildren(
      Object.assign(document.createElement("b"), { textContent: model.get("title") }),
      Object.assign(document.createElement("span"), { textContent: model.get("words") }),
    );
    top.replaceChildren(lines(state, on));
    bottom.replaceChildren(table(state, on));
    mark(el, state.selected);
  }
  model.on("change:rows", draw);
  draw();
  return () => model.off("change:rows", draw);
}

/** Selection changes classes alone: drawing anew under the pointer would select for ever. */
function mark(el, id) {
  for (const line of el.querySelectorAll("[data-id]")) line.classList.toggle("selected", line.dataset.id === id);
}

export default { render };
