// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// When a live picture should hold by itself: the newest p99 is far above what the window had before.
import { duration } from "./numbers.js";

const FACTOR = 3;
const FEWEST_BINS = 20;
const LEAST_S = 1e-3;
const REST_MS = 5000;

export class Spikes {
  constructor() {
    this.isWanted = false;
    this.restUntil = -Infinity;
  }

  /** Not again at once, after somebody let it go on. */
  rest(at_ms) {
    this.restUntil = at_ms + REST_MS;
  }

  /** @param {import("./store.js").Store} store @param {number} at_ms
   *  @returns {{words: string, from_s: number, to_s: number} | null} what rose, and when */
  find(store, at_ms) {
    if (!this.isWanted || at_ms < this.restUntil || !store.totals) return null;
    const found = spikeOf(p99sOf(store));
    if (!found) return null;
    const at_s = found.index * store.bin_s;
    const words = `Held: p99 rose from ${duration(found.usual_s)} to ${duration(found.value_s)}. Space goes on.`;
    return { words, from_s: at_s - store.bin_s, to_s: at_s + store.bin_s };
  }
}

function p99sOf({ bins, window_s, bin_s }) {
  const column = bins.column("latency_p99");
  const first = bins.last - Math.round(window_s / bin_s);
  const found = [];
  for (let index = first; index <= bins.last; index++) {
    const value_s = bins.get(index, column);
    if (!Number.isNaN(value_s)) found.push({ index, value_s });
  }
  return found;
}

/** @param {{index: number, value_s: number}[]} known p99 by bin, oldest first
 *  @returns {{index: number, value_s: number, usual_s: number} | null} the newest, where it is far above the median */
export function spikeOf(known) {
  if (known.length < FEWEST_BINS) return null;
  const newest = known[known.length - 1];
  const before = known.slice(0, -1).map(({ value_s }) => value_s).sort((a, b) => a - b);
  const usual_s = before[before.length >> 1];
  return newest.value_s > Math.max(FACTOR * usual_s, LEAST_S) ? { ...newest, usual_s } : null;
}
