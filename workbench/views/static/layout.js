// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Where everything stands, for a width from 600 to 1,600 pixels. Pure geometry.

const PAD = 12;
const GAP = 28;
const TILE = 92;
const GUTTER = 106;
const LABELS = 88;
const POOL = 30;
const FLAG = 6;
const TITLE = 22;
const LEVEL = 22;
const ROOTS = 44;

/** @typedef {{x: number, y: number, w: number, h: number}} Rect */

/** @param {number} width @param {number} laneCount @param {number} poolCount
 *  @param {{levels?: number, hasRoots?: boolean}} more priority levels whose queues are shown; whether an ensemble's requests are */
export function layout(width, laneCount, poolCount, { levels: levelCount = 0, hasRoots = false } = {}) {
  const isNarrow = width < 860;
  const sentence = { x: PAD, y: 32, w: width - 2 * PAD, h: isNarrow ? 36 : 18 };
  const tiles = tileRects(width, sentence.y + sentence.h + 14, isNarrow ? 2 : 4);
  const plot = { x: PAD + GUTTER, w: width - 2 * PAD - GUTTER - LABELS };
  let y = tiles[3].y + TILE + 34;
  const queue = { ...plot, y, h: 84 };
  y += queue.h + 12;
  if (levelCount) y += 14;
  const levels = Array.from({ length: levelCount }, (_, i) => ({ ...plot, y: y + i * (LEVEL + 6), h: LEVEL }));
  y += levelCount * (LEVEL + 6) + (levelCount ? 4 : 0);
  const why = { ...plot, y, h: 26 };
  y += why.h + 10;
  const pools = Array.from({ length: poolCount }, (_, i) => ({ ...plot, y: y + i * (POOL + 8), h: POOL }));
  y += poolCount * (POOL + 8);
  const axis = { ...plot, y, h: 16 };
  y += axis.h;
  const wedge = { ...plot, y, h: 26 };
  y += wedge.h + 4;
  const roots = hasRoots ? { ...plot, y, h: ROOTS } : null;
  if (hasRoots) y += ROOTS + 6;
  const lane = laneSize(laneCount);
  const lanes = Array.from({ length: laneCount }, (_, i) => ({
    x: wedge.x, w: wedge.w, y: y + i * (lane.fan + lane.block + lane.gap), h: lane.fan + lane.block, fan: lane.fan,
  }));
  y += laneCount * (lane.fan + lane.block + lane.gap);
  const closeAxis = { x: wedge.x, w: wedge.w, y, h: 18 };
  return { width, height: y + closeAxis.h + 18, pad: PAD, sentence, tiles, queue, levels, roots, why, pools, axis, wedge, lanes, closeAxis };
}

/** The last tile has the most words. */
const SHARES = [0.9, 1, 1, 1.4];

function tileRects(width, top, perRow) {
  const room = width - 2 * PAD - GAP * (perRow - 1);
  const total = perRow === 4 ? SHARES.reduce((sum, share) => sum + share, 0) : 2;
  let x = PAD;
  return SHARES.map((share, i) => {
    if (i % perRow === 0) x = PAD;
    const w = (room * (perRow === 4 ? share : 1)) / total;
    const rect = { x, y: top + Math.floor(i / perRow) * (TILE + 18), w, h: TILE };
    x += w + GAP;
    return rect;
  });
}

function laneSize(count) {
  if (count <= 2) return { fan: 34, block: 28, gap: 12 };
  if (count <= 4) return { fan: 20, block: 22, gap: 8 };
  if (count <= 8) return { fan: 10, block: 18, gap: 5 };
  return { fan: 0, block: Math.max(6, Math.floor(240 / count) - 2), gap: 2 };
}

// --- places of what is drawn together

/** @returns {Rect} name, configuration and the sentence */
export function headRect({ width, tiles }) {
  return { x: 0, y: 0, w: width, h: tiles[0].y - 6 };
}

/** @returns {Rect} a tile and what hangs over its edges */
export function tileRect({ x, y, w, h }) {
  return { x: x - 4, y: y - 6, w: w + 8, h: h + 12 };
}

/** @returns {Rect} the strips with their axis */
export function stripsRect({ queue, axis }) {
  return { ...queue, h: axis.y + axis.h - queue.y };
}

/** @returns {Rect} where the strips' curves and marks stand; their flags stick out above */
export function stripsPlot({ queue, axis }) {
  return { x: queue.x, y: queue.y - FLAG, w: queue.w, h: axis.y - queue.y + FLAG };
}

/** @returns {Rect[]} what stands around the strips: title, names, figures, axis */
export function stripWordsRects(layout) {
  const { width, queue, axis } = layout;
  const plot = stripsPlot(layout);
  const right = plot.x + plot.w;
  return [
    { x: 0, y: queue.y - TITLE, w: width, h: TITLE - FLAG },
    { x: 0, y: plot.y, w: plot.x, h: plot.h },
    { x: right, y: plot.y, w: width - right, h: plot.h },
    { x: 0, y: axis.y, w: width, h: axis.h - 1 },
  ];
}

/** @returns {Rect} between the long axis and the close-up */
export function wedgeRect({ axis, wedge }) {
  const y = axis.y + axis.h - 1;
  return { ...wedge, y, h: wedge.y + wedge.h - y };
}

/** @returns {Rect} what hands move in the close-up */
export function lanesRect({ wedge, closeAxis }) {
  return { ...wedge, h: closeAxis.y + closeAxis.h - wedge.y };
}

/** @returns {Rect[]} the close-up and its names */
export function lanesRects(layout) {
  const { width, height, wedge } = layout;
  const { y, h } = wedgeRect(layout);
  const bottom = y + h;
  return [{ x: 0, y, w: wedge.x, h }, { x: 0, y: bottom, w: width, h: height - bottom }];
}

/** @param {Rect} rect */
export function contains({ x, y, w, h }, px, py) {
  return px >= x && px <= x + w && py >= y && py <= y + h;
}
