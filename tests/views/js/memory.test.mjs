// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { blockKey, blocksOf, memoryLayout, memoryWords, ownerColour, poolsOf } from "../../../workbench/views/static/memory_map.js";

const pool = (name, changes = {}) => ({
  name, live_byte_size: 1024, reserved_byte_size: 4096, peak_byte_size: 2048, limit_byte_size: 0, allocations: 3, fallbacks: 0,
  failures: 0, fragmentation: 0.25, memory_type: "CPU", ...changes,
});
const columns = ["pool", "slab", "offset", "byte_size", "model", "instance", "tensor", "is_free", "count"];
const look = {
  first_bin: 100, bin_s: 0.1, pools: [pool("host pool"), pool("unused", { peak_byte_size: 0 })],
  models: ["", "embed v1"], tensors: ["", "OUTPUT0"], slabs: [[0, 0, 4096], [0, 1, 2048]], hidden_slabs: [[0, 3]],
  block_columns: columns, tables: [Float64Array.of(0, 0, 10, 20, 1, 0, 11, 20, 0, 1, 5, 5), Float64Array.of(0, 0, 0, 1024, 1, 0, 1, 0, 1, 0, 0, 1024, 3072, 0, -1, 0, 1, 1)],
};

test("a pool that nobody used has no row, slabs are to scale", () => {
  const { rows } = memoryLayout(1000, look);
  assert.deepEqual(rows.map(({ number, hidden }) => [number, hidden]), [[0, 3]]);
  const [first, second] = rows[0].slabs;
  assert.ok(Math.abs(first.w - 2 * second.w) < 1e-9);
});

test("in a narrow place the blocks stand under the time", () => {
  const [row] = memoryLayout(500, look).rows;
  assert.ok(row.map.y > row.time.y + row.time.h);
});

test("blocks have names", () => {
  const [held, free] = blocksOf(look);
  assert.deepEqual([held.byte_size, held.is_free, free.is_free, blockKey(held), blockKey(null)], [1024, false, true, "0/0/0", null]);
});

test("a pool's time is its own", () => {
  const { times, live } = poolsOf(look, 0);
  assert.deepEqual([live, times.map((time) => Number(time.toFixed(3)))], [[10, 11], [10.05, 10.15]]);
});

test("a block says who holds it, and for which tensor", () => {
  const { title, lines } = memoryWords(look, { kind: "block", block: blocksOf(look)[0] });
  assert.equal(title, "1 KiB");
  assert.deepEqual(lines.slice(0, 2), ["held by embed v1, instance 0", "holds tensor OUTPUT0"]);
});

test("a block of no model says so", () => {
  const block = { ...blocksOf(look)[0], model: 0, instance: -1, tensor: 0, count: 4 };
  const { lines } = memoryWords(look, { kind: "block", block });
  assert.match(lines[0], /no model/);
  assert.equal(lines[2], "4 blocks beside each other");
});

test("models have hues, nobody is grey", () => {
  const palette = { owners: ["a", "b"], waiting: "grey" };
  assert.deepEqual([0, 1, 2, 3].map((model) => ownerColour(model, palette)), ["grey", "a", "b", "a"]);
});
