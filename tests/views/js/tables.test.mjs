// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Bins, Ring, floats } from "../../../workbench/views/static/tables.js";

const rowsOf = (ring) => {
  const found = [];
  ring.newestFirst((rows, at) => found.push([...rows.slice(at, at + ring.width)]));
  return found;
};

test("floats at an odd place of a message are copied to where they can be read", () => {
  const bytes = new Uint8Array(9);
  new DataView(bytes.buffer).setFloat32(1, 2.5, true);
  new DataView(bytes.buffer).setFloat32(5, -1, true);
  assert.deepEqual([...floats(new DataView(bytes.buffer, 1, 8))], [2.5, -1]);
});

test("a ring adds the base to its times alone", () => {
  const ring = new Ring(["lane", "start"], ["start"], 8);
  ring.push(Float32Array.of(1, 0.5, 2, 0.75), 1000);
  assert.deepEqual(rowsOf(ring), [[2, 1000.75], [1, 1000.5]]);
});

test("a full ring forgets its oldest rows", () => {
  const ring = new Ring(["n"], [], 3);
  ring.push(Float32Array.of(1, 2), 0);
  ring.push(Float32Array.of(3, 4), 0);
  assert.deepEqual(rowsOf(ring), [[4], [3], [2]]);
});

test("a table larger than its ring leaves its newest rows", () => {
  const ring = new Ring(["n"], [], 2);
  ring.push(Float32Array.of(1, 2, 3, 4, 5), 0);
  assert.deepEqual(rowsOf(ring), [[5], [4]]);
});

test("a visit ends when the visitor has seen enough", () => {
  const ring = new Ring(["n"], [], 4);
  ring.push(Float32Array.of(1, 2, 3), 0);
  const seen = [];
  ring.newestFirst((rows, at) => seen.push(rows[at]) < 2);
  assert.deepEqual(seen, [3, 2]);
});

test("a copy of a ring keeps what it had when more comes", () => {
  const ring = new Ring(["n"], [], 2);
  ring.push(Float32Array.of(1, 2), 0);
  const copy = ring.copy();
  ring.push(Float32Array.of(3, 4), 0);
  assert.deepEqual(rowsOf(copy), [[2], [1]]);
});

test("a bin that is told again is replaced", () => {
  const bins = new Bins(["index", "answered"], 16);
  bins.put(Float32Array.of(0, 5, 1, 6), 1_000_000_000);
  bins.put(Float32Array.of(0, 7), 1_000_000_001);
  assert.deepEqual([bins.get(1_000_000_000, 1), bins.get(1_000_000_001, 1)], [5, 7]);
});

test("a bin that was never told, or is too old, is not a number", () => {
  const bins = new Bins(["index", "answered"], 4);
  bins.put(Float32Array.of(0, 5), 10);
  bins.put(Float32Array.of(0, 6), 14);
  assert.deepEqual([bins.get(10, 1), bins.get(11, 1), bins.get(14, 1)], [NaN, NaN, 6]);
});
