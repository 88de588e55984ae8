// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// What is drawn, as plain values: the part of a store that a view shows at one moment.

import { linksOf } from "./chains.js";
import { decimate } from "./decimate.js";

/** @typedef {ReturnType<typeof sceneOf>} Scene */

/** @param {import("./store.js").Store} store @param {{from_s: number, to_s: number}} slice of the close-up
 *  @param {number} width of the close-up @param {number} columns device pixels of the long axis: time goes on by whole ones
 *  @param {number} [now_s] between two news it goes on */
export function sceneOf(store, slice, width, columns, now_s = store.now_s) {
  const { bin_s, window_s } = store;
  const step_s = window_s / columns;
  const to_s = stepOf(store, columns, now_s) * step_s;
  const { batches, arrivals, spans, links, trees } = detailOf(store, slice, width);
  return {
    now_s,
    from_s: to_s - window_s,
    to_s,
    bin_s,
    step_s,
    bins: binsBetween(store, to_s - window_s, to_s),
    store,
    slice,
    batches,
    arrivals,
    spans,
    links,
    trees,
    marks: store.marks.filter((mark) => mark.when_s >= to_s - window_s),
    totals: store.totals,
    facts: store.totals.facts,
  };
}

/** @returns {number} how many device pixels the long axis has moved since the clock began */
export function stepOf({ clock, bin_s, window_s }, columns, now_s) {
  return Math.floor(((now_s - clock.lag_s(bin_s)) * columns) / window_s);
}

/** The same scene, up to a later time. @param {Scene} scene @returns {Scene} */
export function widened(scene, by_s) {
  const to_s = scene.to_s + by_s;
  return { ...scene, to_s, bins: binsBetween(scene.store, scene.from_s, to_s) };
}

const details = new WeakMap();

/** What the close-up shows; a slice that is held is looked up once. */
function detailOf(store, slice, width) {
  if (!details.has(slice)) {
    const { from_s, to_s } = slice;
    const batches = decimate(store.batchesBetween(from_s, to_s), from_s, to_s, width);
    const linked = linkedOf(store, batches, slice);
    details.set(slice, { batches, arrivals: store.arrivalsBetween(slice.from_s, slice.to_s), ...linked });
  }
  return details.get(slice);
}

/** Requests of sequences in batches that are drawn by themselves, and the ensemble's requests. */
function linkedOf(store, batches, { from_s, to_s }) {
  const single = new Set(batches.filter(({ merged }) => !merged).map(({ lane, batch }) => `${lane}/${batch}`));
  const spans = store.chains.between(from_s, to_s).filter(({ lane, batch }) => single.has(`${lane}/${batch}`));
  return { spans, links: linksOf(spans), trees: store.trees.between(from_s, to_s) };
}

/** @returns {number[]} numbers of the bins that show in a time; one more at each side so that lines reach the edges */
function binsBetween(store, from_s, to_s) {
  const first = Math.floor(from_s / store.bin_s) - 1;
  const last = Math.min(Math.floor(to_s / store.bin_s) + 1, store.bins.last);
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, i) => first + i);
}

/** @returns {number[]} numbers of the pools that ever held something, at most four; a pool that nobody uses says nothing */
export function usedPools(totals) {
  const used = (totals?.pools ?? []).map((pool, number) => (pool.peak_byte_size || pool.fallbacks || pool.failures ? number : -1));
  return used.filter((number) => number >= 0).slice(0, 4);
}

/** Values of a column over the bins. @param {Scene} scene @returns {number[]} */
export function valuesOf({ store, bins }, name) {
  const column = store.bins.column(name);
  return bins.map((index) => store.bins.get(index, column));
}

/** @param {number[]} values @returns {number} the largest that is a number, or 0 */
export function largest(values) {
  return values.reduce((most, value) => (value > most ? value : most), 0);
}

/** What tests read of a picture. @param {Scene} scene */
export function summaryOf(scene, layout) {
  return {
    seq: scene.store.seq,
    now_s: scene.now_s,
    width: layout.width,
    height: layout.height,
    facts: scene.facts,
    totals: scene.totals,
    slice: scene.slice,
    batches: scene.batches.map(({ lane, start, end, rows, reason, merged }) => ({ lane, start, end, rows, reason, merged })),
    bins: scene.bins.filter((index) => !Number.isNaN(scene.store.bins.get(index, 0))).length,
    answered: valuesOf(scene, "answered"),
    queue_p99: valuesOf(scene, "queue_p99"),
    spans: scene.spans.map(({ label, position, flags, slot, lane, start, end }) => ({ label, position, flags, slot, lane, start, end })),
    links: scene.links.length,
    trees: scene.trees.map(({ root, nodes }) => ({ serial: root.serial, steps: nodes.map(({ step, lane, model }) => ({ step, lane, model })) })),
    waiting: Object.fromEntries([...scene.store.queues].map(([level, bins]) => [level, scene.bins.map((index) => bins.get(index, 2)).filter((value) => !Number.isNaN(value))])),
    marks: scene.marks.length,
    gaps: scene.store.gaps,
    dropped: scene.store.dropped,
    prediction: scene.store.prediction,
  };
}
