// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// What the kernel told: frames in, tables out. One store per dashboard, shared by all its views.
import { Chains } from "./chains.js";
import { Clock } from "./clock.js";
import { Bins, Ring, floats } from "./tables.js";
import { Trees } from "./trees.js";

const BATCHES = 65536;
const REQUESTS = 65536;
const BINS = 512;
const MARKS = 100;
// Executions are told in the order of their ends, save those of different threads and those kept for being slow.
const OUT_OF_ORDER_S = 1;
// A time that two frames told is the same but for the last digits of float32.
const SAME_S = 1e-5;

/** @typedef {{lane: number, arrival: number, start: number, compute_start: number, compute_end: number, end: number,
 *            count: number, rows: number, reason: number, batch: number}} Batch */

export class Store {
  /** @param {Record<string, string[]>} tables names of the columns of each table */
  constructor(tables) {
    this.batches = new Ring(tables.batches, ["arrival", "start", "compute_start", "compute_end", "end"], BATCHES);
    this.requests = new Ring(tables.requests, ["arrival", "start", "end"], REQUESTS);
    this.bins = new Bins(tables.bins, BINS);
    this.poolColumns = tables.pools;
    // A notebook that was saved by an older version has none of these.
    this.chains = new Chains(tables.chains);
    this.trees = new Trees(tables.trees);
    this.clock = new Clock();
    this.reset();
    this.heardAt = null;
    this.transport = this.overview = this.prediction = null;
    this.gaps = 0;
  }

  reset() {
    this.epoch = (this.epoch ?? 0) + 1;
    this.clock.reset();
    for (const table of [this.batches, this.requests, this.bins, this.chains, this.trees]) table.clear();
    this.pools = new Map();
    this.queues = new Map();
    this.marks = [];
    this.totals = null;
    this.wholes = [];
    this.seq = 0;
    this.told = 0;
    this.now_s = 0;
    this.window_s = 10;
    this.bin_s = 0.1;
    this.dropped = 0;
  }

  /** @param {any} header @param {(DataView | Uint8Array)[]} buffers in the order of the tables
   *  @param {number} at_ms clock of the browser */
  take(header, buffers, at_ms) {
    if (header.transport) this._follow(header.transport, at_ms);
    if (header.overview) this.overview = header.overview;
    if (header.prediction !== undefined) this.prediction = header.prediction;
    if (header.kind !== "frame") return;
    // Forgetting and filling in one step: nothing is drawn in between.
    if (header.is_whole) this.reset();
    if (this.seq && header.seq !== this.seq + 1) this.gaps++;
    this._noteWhole(header);
    const { seq, now_s, window_s, bin_s, dropped } = header;
    Object.assign(this, { seq, now_s, window_s, bin_s, dropped, heardAt: at_ms });
    this.clock.tell(now_s, at_ms);
    const [bins, batches, requests, pools, ...linked] = buffers.map(floats);
    if (bins.length || pools.length || header.marks.length) this.told = seq;
    this.bins.put(bins, header.first_bin);
    this.batches.push(batches, header.base_s);
    this.requests.push(requests, header.base_s, header.base_serial);
    this._putPools(pools, header.first_bin);
    if (linked.length) this._putLinked(linked, header);
    if (header.totals) this.totals = header.totals;
    this.marks = [...this.marks, ...header.marks].filter((mark) => mark.when_s > now_s - 2 * window_s).slice(-MARKS);
  }

  /** @returns {Batch[]} executions that overlap the time from `from_s` to `to_s`, newest first, at most `most` */
  batchesBetween(from_s, to_s, most = BATCHES) {
    const { columns } = this.batches;
    const start = columns.indexOf("start");
    const end = columns.indexOf("end");
    const found = [];
    this.batches.newestFirst((rows, at) => {
      if (rows[at + end] >= from_s && rows[at + start] <= to_s) found.push(asObject(columns, rows, at));
      return found.length < most && rows[at + end] > from_s - OUT_OF_ORDER_S;
    });
    return found;
  }

  /** @returns {Map<string, number[]>} arrivals of the requests of each execution that started in this time */
  arrivalsBetween(from_s, to_s) {
    const found = new Map();
    const places = placesIn(this.requests.columns);
    this.requests.newestFirst((rows, at) => {
      const start = rows[at + places.start];
      if (start < from_s || start > to_s) return;
      const key = `${rows[at + places.lane]}/${rows[at + places.batch]}`;
      if (!found.has(key)) found.set(key, []);
      found.get(key).push(rows[at + places.arrival]);
    });
    return found;
  }

  /** @returns {any[]} the requests of an execution that are known, first come first */
  membersOf({ lane, batch, start }) {
    const { columns } = this.requests;
    const places = placesIn(columns);
    const found = [];
    this.requests.newestFirst((rows, at) => {
      const isSame = rows[at + places.lane] === lane && rows[at + places.batch] === batch;
      if (isSame && Math.abs(rows[at + places.start] - start) < SAME_S) found.push(asObject(columns, rows, at));
    });
    return found.sort((a, b) => a.arrival - b.arrival);
  }

  /** @returns {Store} as it is now, whatever comes later */
  copy() {
    const copy = Object.assign(Object.create(Store.prototype), this, { clock: this.clock.copy() });
    for (const name of ["batches", "requests", "bins", "chains", "trees"]) copy[name] = this[name].copy();
    for (const name of ["pools", "queues"]) copy[name] = new Map([...this[name]].map(([number, bins]) => [number, bins.copy()]));
    return copy;
  }

  /** The clock of a replay. */
  _follow(transport, at_ms) {
    this.transport = transport;
    this.clock.run(transport.is_playing ? transport.speed : 0, at_ms);
  }

  _putPools(table, first) {
    const width = this.poolColumns.length;
    for (let at = 0; at + width <= table.length; at += width) {
      const pool = table[at + 1];
      if (!this.pools.has(pool)) this.pools.set(pool, new Bins(["index", "live", "reserved"], BINS));
      this.pools.get(pool).put(Float32Array.of(table[at], table[at + 2], table[at + 3]), first);
    }
  }

  /** Requests of sequences, an ensemble's requests, and how many wait at each priority level. */
  _putLinked([chains, trees, queues], { labels, tree_models, base_s, base_serial, base_tree, first_bin, now_s, window_s }) {
    this.chains.put(chains, labels, base_s, base_serial);
    this.trees.put(trees, tree_models, base_s, base_tree);
    for (const linked of [this.chains, this.trees]) linked.forget(now_s - 2 * window_s);
    for (let at = 0; at + 3 <= queues.length; at += 3) {
      const level = queues[at + 1];
      // A bin that is not over yet waits for the next one to be drawn.
      if (!(first_bin + queues[at] <= this.queues.get(level)?.last)) this.told = this.seq;
      if (!this.queues.has(level)) this.queues.set(level, new Bins(["index", "level", "length"], BINS));
      this.queues.get(level).put(queues.subarray(at, at + 3), first_bin);
    }
  }

  /** A frame that was thinned has all batches from `whole_from_s` on; others join the time before. */
  _noteWhole({ now_s, whole_from_s, batch_total, base_s, ...header }) {
    const last = this.wholes[this.wholes.length - 1];
    if (!header.thinned && last && this.seq) last.to = now_s;
    else this.wholes.push({ from: batch_total ? whole_from_s : now_s, to: now_s });
    this.wholes = this.wholes.filter((whole) => whole.to > now_s - 2 * (header.window_s ?? 10)).slice(-400);
  }
}

/** @returns {any} a row of a table by names */
function asObject(columns, rows, at) {
  const row = {};
  for (let k = 0; k < columns.length; k++) row[columns[k]] = rows[at + k];
  return row;
}

/** @returns {Record<string, number>} where each column stands */
function placesIn(columns) {
  return Object.fromEntries(columns.map((name, k) => [name, k]));
}

/** @param {DataView} bytes what Python's `wire.packed` made @returns {{header: any, buffers: Uint8Array[]} | null} */
export function unpacked(bytes) {
  if (!bytes || bytes.byteLength < 8) return null;
  const length = bytes.getUint32(0, true);
  const whole = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = JSON.parse(new TextDecoder().decode(whole.subarray(4, 4 + length)));
  let at = 4 + length;
  const buffers = header.sizes.map((size) => whole.subarray(at, (at += size)));
  return { header, buffers };
}
