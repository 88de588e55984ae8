// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Store, unpacked } from "../../../workbench/views/static/store.js";

const TABLES = {
  bins: ["index", "answered", "refused"],
  batches: ["lane", "arrival", "start", "compute_start", "compute_end", "end", "count", "rows", "reason", "batch"],
  requests: ["lane", "arrival", "start", "batch"],
  pools: ["index", "pool", "live", "reserved"],
};
const view = (...numbers) => new DataView(Float32Array.from(numbers).buffer);
const EMPTY = [view(), view(), view(), view()];

function frame(seq, changes = {}) {
  return {
    kind: "frame", seq, now_s: 100 + seq, base_s: 100, bin_s: 0.1, window_s: 10, first_bin: 1000, thinned: false,
    batch_total: 0, whole_from_s: 0, dropped: 0, marks: [], ...changes,
  };
}

test("a frame's batches are found by the time that they overlap", () => {
  const store = new Store(TABLES);
  const batches = view(0, 0.1, 0.2, 0.2, 0.3, 0.4, 2, 2, 4, 1, 1, 0.5, 0.6, 0.6, 0.7, 0.8, 3, 3, 2, 1);
  store.take(frame(1), [view(), batches, view(), view()], 0);
  const found = store.batchesBetween(100.3, 100.5).map(({ lane, rows, reason }) => ({ lane, rows, reason }));
  assert.deepEqual(found, [{ lane: 0, rows: 2, reason: 4 }]);
});

test("arrivals are grouped by the execution that they waited for", () => {
  const store = new Store(TABLES);
  store.take(frame(1), [view(), view(), view(0, 0.25, 0.5, 7, 0, 0.125, 0.5, 7, 1, 0.25, 0.5, 7), view()], 0);
  assert.deepEqual(Object.fromEntries(store.arrivalsBetween(100, 101)), { "0/7": [100.125, 100.25], "1/7": [100.25] });
});

test("a whole window replaces everything that came before, in one step", () => {
  const store = new Store(TABLES);
  store.take(frame(1, { totals: { old: true } }), [view(0, 5, 0), ...EMPTY.slice(1)], 0);
  store.take(frame(2, { is_whole: true, totals: { old: false } }), [view(1, 6, 0), ...EMPTY.slice(1)], 1);
  assert.deepEqual([store.bins.get(1000, 1), store.bins.get(1001, 1), store.totals.old, store.gaps], [NaN, 6, false, 0]);
});

test("messages that are not known change nothing", () => {
  const store = new Store(TABLES);
  store.take(frame(1), [view(0, 5, 0), ...EMPTY.slice(1)], 0);
  store.take({ kind: "moo" }, [], 1);
  assert.equal(store.bins.get(1000, 1), 5);
});

test("a frame that is missing is counted", () => {
  const store = new Store(TABLES);
  for (const seq of [1, 2, 5, 6]) store.take(frame(seq), EMPTY, 0);
  assert.equal(store.gaps, 1);
});

test("frames that are whole join into one time without a gap", () => {
  const store = new Store(TABLES);
  for (const seq of [1, 2, 3]) store.take(frame(seq), EMPTY, 0);
  assert.deepEqual(store.wholes, [{ from: 101, to: 103 }]);
});

test("a frame that was thinned is whole only from where it says", () => {
  const store = new Store(TABLES);
  store.take(frame(1), EMPTY, 0);
  store.take(frame(2, { thinned: true, batch_total: 900, whole_from_s: 101.8 }), EMPTY, 0);
  assert.deepEqual(store.wholes[1], { from: 101.8, to: 102 });
});

test("a copy stays as it is when more frames come", () => {
  const store = new Store(TABLES);
  store.take(frame(1), [view(0, 5, 0), view(), view(), view(0, 0, 10, 20)], 0);
  const copy = store.copy();
  store.take(frame(2), [view(0, 9, 0), view(), view(), view(0, 0, 30, 40)], 1);
  assert.deepEqual([copy.seq, copy.bins.get(1000, 1), copy.pools.get(0).get(1000, 1)], [1, 5, 10]);
});

test("a saved message is unpacked into its header and tables", () => {
  let text = JSON.stringify({ seq: 0, sizes: [4, 8] });
  text = text.padEnd(Math.ceil(text.length / 4) * 4);
  const bytes = new Uint8Array(4 + text.length + 12);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(new TextEncoder().encode(text), 4);
  bytes[bytes.length - 1] = 9;
  const { header, buffers } = unpacked(new DataView(bytes.buffer));
  assert.deepEqual([header.seq, buffers.map((buffer) => buffer.length), buffers[1][7]], [0, [4, 8], 9]);
});

test("nothing saved is nothing unpacked", () => {
  assert.equal(unpacked(new DataView(new ArrayBuffer(0))), null);
  assert.equal(unpacked(null), null);
});
