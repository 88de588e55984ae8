// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The close-up: which slice of time the lanes show, so that single batches can be seen.
import { roundUp } from "./numbers.js";

const PIXELS_PER_BATCH = 70;
const SHORTEST_S = 2e-6;
const FOLLOW_FROM_S = 2;
export const HOLD_MS = 2500;

/** @param {{lane: number, start: number}[]} batches @returns {number} seconds between starts on the busiest lane; NaN if unknown */
export function startPeriod(batches) {
  const lanes = new Map();
  for (const { lane, start } of batches) {
    const seen = lanes.get(lane) ?? { count: 0, first: Infinity, last: -Infinity };
    lanes.set(lane, {
      count: seen.count + 1,
      first: Math.min(seen.first, start),
      last: Math.max(seen.last, start),
    });
  }
  const periods = [...lanes.values()].filter((l) => l.count > 2).map((l) => (l.last - l.first) / (l.count - 1));
  return periods.length ? Math.min(...periods) : NaN;
}

/** @param {number} period_s @param {number} wait_s typical wait of a request @param {number} width pixels
 *  @param {number} window_s @param {number} [previous_s] kept while it is not far off */
export function closeupSpan(period_s, wait_s, width, window_s, previous_s) {
  if (!(period_s > 0)) return previous_s || window_s / 10;
  const batches = Math.max(width / PIXELS_PER_BATCH, 4);
  const wanted = Math.max(period_s * batches, Math.min(1.5 * (wait_s || 0), 2 * period_s * batches));
  if (previous_s && previous_s > 0.5 * wanted && previous_s < 2.5 * wanted) return previous_s;
  return Math.min(Math.max(roundUp(wanted), SHORTEST_S), window_s);
}

/** @param {{from: number, to: number}[]} wholes times without a gap, ascending @param {number} edge_s newest time that is known
 *  @returns {{from_s: number, to_s: number}} the newest slice of `span_s` without a gap, or the longest there is */
export function newestSlice(wholes, edge_s, span_s) {
  for (let i = wholes.length - 1; i >= 0; i--) {
    const to_s = Math.min(wholes[i].to, edge_s);
    if (to_s - wholes[i].from >= span_s) return { from_s: to_s - span_s, to_s };
  }
  return { from_s: edge_s - span_s, to_s: edge_s };
}

/** Decides when the slice moves: long slices follow, short ones are held, so that eyes can read them. */
export class Closeup {
  constructor() {
    this.span_s = 0;
    this.zoom_s = null;
    this.slice = null;
    this.takenAt = -Infinity;
    this.epoch = null;
  }

  /** @param {import("./store.js").Store} store @param {number} width @param {number} at_ms @param {boolean} isHeld */
  update(store, width, at_ms, isHeld) {
    const follows = this.span_s >= FOLLOW_FROM_S;
    const isSame = this.slice && this.epoch === store.epoch;
    if (isSame && (isHeld || (!follows && at_ms - this.takenAt < HOLD_MS && this.slice.to_s <= store.now_s))) return this.slice;
    const recent = store.batchesBetween(store.now_s - Math.max(1, store.window_s / 5), store.now_s, 2000);
    const longest = recent.reduce((most, batch) => Math.max(most, batch.end - batch.start), 0);
    const edge_s = store.now_s - Math.min(longest, store.window_s / 4) - 0.06;
    const newest = recent.reduce((last, batch) => Math.max(last, batch.end), -Infinity);
    const wait_s = store.totals?.queue.p50;
    this.span_s = this.zoom_s ?? closeupSpan(startPeriod(recent), wait_s, width, store.window_s, this.span_s);
    this.slice = newestSlice(store.wholes, edge_s, this.span_s);
    // After the load ended its last batches stay in sight.
    if (newest < this.slice.from_s) this.slice = newestSlice(store.wholes, newest, this.span_s);
    this.takenAt = at_ms;
    this.epoch = store.epoch;
    return this.slice;
  }

  /** Shows another time or another span; `factor` above 1 shows more. */
  zoom(factor, centre_s, window_s) {
    const { from_s, to_s } = this.slice;
    const span = Math.min(Math.max((to_s - from_s) * factor, SHORTEST_S), window_s);
    const share = (centre_s - from_s) / (to_s - from_s);
    this.zoom_s = this.span_s = span;
    this.slice = { from_s: centre_s - share * span, to_s: centre_s + (1 - share) * span };
  }

  /** Exactly this stretch, or the shortest one around its middle. */
  show(from_s, to_s) {
    const span = Math.max(to_s - from_s, SHORTEST_S);
    const middle = (from_s + to_s) / 2;
    this.zoom_s = this.span_s = span;
    this.slice = { from_s: middle - span / 2, to_s: middle + span / 2 };
  }

  /** @param {number} by_s */
  pan(by_s) {
    this.slice = { from_s: this.slice.from_s + by_s, to_s: this.slice.to_s + by_s };
  }

  /** @param {number} centre_s */
  moveTo(centre_s) {
    this.pan(centre_s - (this.slice.from_s + this.slice.to_s) / 2);
  }
}
