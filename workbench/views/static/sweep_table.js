// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The table of trials: sorted by a click on a heading, one selection with the lines.
import { extentsOf } from "./sweep_lines.js";
import { RESULTS, isChosen, short, sorted } from "./sweep_rows.js";

const MOST_ROWS = 60;

function cell(tag, text, className = "") {
  return Object.assign(document.createElement(tag), { textContent: text, className });
}

export function table(state, on) {
  const { rows, axes, brushes } = state;
  const extents = extentsOf(rows);
  const element = Object.assign(document.createElement("table"), { className: "workbench-sweep-table" });
  element.append(heading(state, on));
  const chosen = rows.filter((row) => isChosen(row, axes, extents, brushes));
  for (const row of sorted(chosen, state.column, state.isDescending).slice(0, MOST_ROWS)) {
    element.append(line(row, axes, state.selected, on));
  }
  return element;
}

function heading(state, on) {
  const head = document.createElement("tr");
  const columns = [...state.axes.map((axis, k) => [k, axis.words]), ...RESULTS.map(({ name, words }) => [name, words])];
  for (const [column, words] of columns) {
    const arrow = column === state.column ? (state.isDescending ? " ▾" : " ▴") : "";
    const th = cell("th", words + arrow);
    th.addEventListener("click", () => on.sort(column));
    head.append(th);
  }
  head.append(cell("th", ""));
  return head;
}

function line(row, axes, selected, on) {
  const marks = `${row.kind}${row.best ? " best" : ""}${row.id === selected ? " selected" : ""}`;
  const tr = Object.assign(document.createElement("tr"), { className: marks });
  tr.dataset.id = row.id;
  axes.forEach((axis, k) => tr.append(cell("td", axis.values[row.places[k]])));
  const width = Number.isFinite(row.low) && Number.isFinite(row.high) ? ` (${short(row.low)}–${short(row.high)})` : "";
  for (const { name } of RESULTS) tr.append(cell("td", short(row[name]) + (name === "gain" ? width : ""), "number"));
  const flag = row.kind === "predicted" ? "predicted" : row.steady === false ? `flagged: ${row.remark}` : row.remark;
  tr.append(cell("td", row.best && !flag ? "best so far" : flag ?? ""));
  tr.addEventListener("pointerenter", () => on.select(row.id));
  return tr;
}
