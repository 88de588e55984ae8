// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// How many wait at each priority level: a small picture for each, all on one scale, so that they can be compared.
import { largest } from "./scene.js";
import { timeScale } from "./strips.js";

const MOST_ROWS = 4;

/** @typedef {{name: string, levels: number[]}} QueueRow */

/** @param {Map<number, any>} queues bins by level @param {any} facts @returns {QueueRow[]} a row a level; beyond four, the last has the rest */
export function queueRows(queues, facts) {
  if (!(facts?.priority_levels > 1)) return [];
  const levels = [...queues.keys()].sort((a, b) => a - b);
  const alone = levels.length > MOST_ROWS ? levels.slice(0, MOST_ROWS - 1) : levels;
  const rest = levels.slice(alone.length);
  const rows = alone.map((level) => ({ name: `priority ${level}`, levels: [level] }));
  return rest.length ? [...rows, { name: `priority ${rest[0]}–${rest[rest.length - 1]}`, levels: rest }] : rows;
}

/** @param {QueueRow} row @returns {number[]} the longest queue in each bin; NaN where nobody looked */
export function queueValues({ store, bins }, { levels }) {
  return bins.map((index) => {
    const known = levels.map((level) => store.queues.get(level).get(index, 2)).filter((value) => !Number.isNaN(value));
    return known.length ? known.reduce((sum, value) => sum + value, 0) : NaN;
  });
}

/** @returns {number} the top of the axis that all rows share */
function topOf(scene, rows, tops) {
  tops.waiting ??= tops.newTop();
  return tops.waiting.update(Math.max(...rows.map((row) => largest(queueValues(scene, row))), 4), scene.now_s);
}

/** The curves, as high as many wait. */
export function drawQueueRows(pen, scene, layout, tops) {
  const rows = queueRows(scene.store.queues, scene.facts);
  const top = rows.length ? topOf(scene, rows, tops) : 1;
  rows.forEach((row, i) => {
    const rect = layout.levels[i];
    if (!rect) return;
    const x = timeScale(scene, rect);
    const values = queueValues(scene, row);
    const points = values.flatMap((value, k) => [0, 1].map((side) => [x((scene.bins[k] + side) * scene.bin_s), rect.y + rect.h * (1 - value / top)]));
    pen.clip(rect, () => {
      pen.area(points, rect.y + rect.h, pen.palette.waiting, pen.palette.waiting_opacity);
      pen.line(points, pen.theme.ink, 1.25);
    });
    pen.hairline(rect.x, rect.y + rect.h, rect.x + rect.w, rect.y + rect.h);
  });
}

/** Names at the left, how many wait now and at most at the right. */
export function drawQueueRowWords(pen, scene, layout, hits) {
  queueRows(scene.store.queues, scene.facts).forEach((row, i) => {
    const rect = layout.levels[i];
    if (!rect) return;
    const { now, most } = queueFigures(scene, row);
    const middle = rect.y + rect.h / 2;
    pen.text(row.name, rect.x - 12, middle + 4, { align: "right", colour: pen.theme.faint, most: 102 });
    const used = pen.text(now.toLocaleString("en"), rect.x + rect.w + 6, middle + 4, { weight: 600, size: 12, colour: now ? pen.theme.ink : pen.theme.faint });
    pen.text(`most ${most.toLocaleString("en")}`, rect.x + rect.w + 12 + used, middle + 4, { size: 10, colour: pen.theme.faint, most: Math.max(80 - used, 10) });
    hits.push({ ...rect, kind: "level", row });
  });
  const [first] = layout.levels;
  if (first) pen.text("waiting", layout.pad, first.y - 6, { weight: 600, size: 12 });
}

/** @returns {{now: number, most: number}} of a row: at the last look, and in the window */
export function queueFigures(scene, row) {
  const known = queueValues(scene, row).filter((value) => !Number.isNaN(value));
  return { now: known[known.length - 1] ?? 0, most: largest(known) };
}

/** @returns {{title: string, lines: string[]}} */
export function queueRowWords(scene, row, index, ago) {
  const lines = row.levels.map((level) => {
    const value = scene.store.queues.get(level)?.get(index, 2);
    return Number.isNaN(value) ? `priority ${level}: nobody looked` : `priority ${level}: up to ${value.toLocaleString("en")} waited`;
  });
  const { now, most } = queueFigures(scene, row);
  const order = row.levels[0] === 1 ? "level 1 goes first" : "levels of a lower number go first";
  return { title: `${row.name}, ${ago}`, lines: [...lines, `${now.toLocaleString("en")} wait now, at most ${most.toLocaleString("en")} in this window; ${order}`] };
}
