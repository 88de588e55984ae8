// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Parallel coordinates: an axis for each field and result, a line for each candidate.
import { RESULTS, crossings, extent, isChosen, short } from "./sweep_rows.js";

const SIZE = { width: 760, height: 230, top: 26, bottom: 22, side: 46 };
const SVG = "http://www.w3.org/2000/svg";

function shape(tag, attributes, text = "") {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.textContent = text;
  return element;
}

const yOf = (share) => SIZE.height - SIZE.bottom - share * (SIZE.height - SIZE.top - SIZE.bottom);
const shareOf = (y) => (SIZE.height - SIZE.bottom - y) / (SIZE.height - SIZE.top - SIZE.bottom);

export function extentsOf(rows) {
  return Object.fromEntries(RESULTS.map(({ name }) => [name, extent(rows, name)]));
}

/** @param {{rows: object[], axes: object[], selected: string, brushes: object}} state @returns {SVGElement} */
export function lines(state, on) {
  const { rows, axes, brushes } = state;
  const extents = extentsOf(rows);
  const svg = shape("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, class: "workbench-sweep-lines", role: "img" });
  const count = axes.length + 3;
  const xOf = (k) => SIZE.side + (k * (SIZE.width - 2 * SIZE.side)) / Math.max(count - 1, 1);
  const order = (row) => (row.id === state.selected ? 3 : row.best ? 2 : row.kind === "measured" ? 1 : 0);
  for (const row of [...rows].sort((a, b) => order(a) - order(b))) {
    const at = crossings(row, axes, extents);
    if (at.includes(null)) continue;
    const points = at.map((share, k) => `${xOf(k).toFixed(1)},${yOf(share).toFixed(1)}`).join(" ");
    const faded = isChosen(row, axes, extents, brushes) ? "" : " faded";
    const selected = row.id === state.selected ? " selected" : "";
    const kind = `${row.kind}${row.best ? " best" : ""}${row.feasible ? "" : " missed"}${selected}${faded}`;
    const line = shape("polyline", { points, class: kind, "data-id": row.id });
    line.append(shape("title", {}, `${row.id}: ${short(row.gain)}`));
    line.addEventListener("pointerenter", () => on.select(row.id));
    svg.append(line);
  }
  [...axes, ...RESULTS.slice(0, 3)].forEach((axis, k) => svg.append(...axisOf(axis, k, xOf(k), extents, brushes, on)));
  return svg;
}

function axisOf(axis, number, x, extents, brushes, on) {
  const parts = [
    shape("line", { x1: x, x2: x, y1: yOf(0), y2: yOf(1), class: "axis" }),
    shape("text", { x, y: 12, class: "name" }, axis.words),
  ];
  const ticks = axis.values
    ? axis.values.map((value, k) => [axis.values.length > 1 ? k / (axis.values.length - 1) : 0.5, value])
    : extents[axis.name].map((value, k) => [k, short(value)]);
  for (const [share, words] of ticks) parts.push(shape("text", { x: x + 4, y: yOf(share) + 3, class: "tick" }, words));
  const grip = shape("rect", { x: x - 9, y: yOf(1) - 4, width: 18, height: yOf(0) - yOf(1) + 8, class: "grip" });
  if (brushes[number]) {
    const [low, high] = brushes[number];
    parts.push(shape("rect", { x: x - 6, y: yOf(high), width: 12, height: yOf(low) - yOf(high), class: "brush" }));
  }
  brushing(grip, number, on);
  return [...parts, grip];
}

/** A drag along an axis chooses the candidates that cross it there; a click takes the choice away. */
function brushing(grip, number, on) {
  const place = (event) => {
    const box = grip.ownerSVGElement.getBoundingClientRect();
    return Math.min(1.02, Math.max(-0.02, shareOf(((event.clientY - box.top) * SIZE.height) / box.height)));
  };
  grip.addEventListener("pointerdown", (down) => {
    const begin = place(down);
    const end = (up) => {
      window.removeEventListener("pointerup", end);
      const [low, high] = [begin, place(up)].sort((a, b) => a - b);
      on.brush(number, high - low < 0.03 ? null : [low, high]);
    };
    window.addEventListener("pointerup", end);
    down.preventDefault();
  });
}
