// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// What the two views of a sweep share: columns, places on axes, order and choice of rows.

/** @typedef {{id: string, kind: string, places: number[], gain?: number, p99?: number}} SweepRow */

export const RESULTS = [
  { name: "gain", words: "score" },
  { name: "throughput", words: "answers/s" },
  { name: "p99", words: "p99 ms" },
  { name: "batch", words: "mean batch" },
];

/** @param {SweepRow[]} rows @param {string} name @returns {[number, number]} smallest and largest, never the same */
export function extent(rows, name) {
  const values = rows.map((row) => row[name]).filter(Number.isFinite);
  if (!values.length) return [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

/** Where a row crosses each axis, 0 at the bottom and 1 at the top; null where it has no value. */
export function crossings(row, axes, extents) {
  const fields = axes.map((axis, k) => (axis.values.length > 1 ? row.places[k] / (axis.values.length - 1) : 0.5));
  const results = RESULTS.slice(0, 3).map(({ name }) => {
    const [low, high] = extents[name];
    return Number.isFinite(row[name]) ? (row[name] - low) / (high - low) : null;
  });
  return [...fields, ...results];
}

/** Rows by a column, those without a value last; a column is a field's number or a result's name. */
export function sorted(rows, column, isDescending) {
  const value = (row) => (typeof column === "number" ? row.places[column] : row[column]);
  const sign = isDescending ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (Number.isFinite(a) !== Number.isFinite(b)) return Number.isFinite(a) ? -1 : 1;
    return Number.isFinite(a) ? sign * (a - b) : 0;
  });
}

/** Whether a row lies within every brush; a brush is [low, high] on the axis of its number. */
export function isChosen(row, axes, extents, brushes) {
  const at = crossings(row, axes, extents);
  return Object.entries(brushes).every(([axis, [low, high]]) => at[axis] !== null && at[axis] >= low && at[axis] <= high);
}

/** At most three digits. */
export function short(value) {
  if (!Number.isFinite(value)) return "";
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}
