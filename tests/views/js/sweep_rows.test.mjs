// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { crossings, extent, isChosen, short, sorted } from "../../../workbench/views/static/sweep_rows.js";

const AXES = [{ values: ["1", "8", "16"] }, { values: ["0"] }];
const EXTENTS = { gain: [0, 100], throughput: [0, 100], p99: [0, 10] };
const row = (place, gain) => ({ id: `${place}`, places: [place, 0], gain, throughput: gain, p99: 5 });

test("a row crosses each axis in proportion, an axis of one value in its middle", () => {
  assert.deepEqual(crossings(row(1, 50), AXES, EXTENTS), [0.5, 0.5, 0.5, 0.5, 0.5]);
  assert.deepEqual(crossings(row(2, 100), AXES, EXTENTS), [1, 0.5, 1, 1, 0.5]);
});

test("what was refused crosses no axis of results", () => {
  assert.deepEqual(crossings({ places: [0, 0] }, AXES, EXTENTS).slice(2), [null, null, null]);
});

test("an extent has a width also where all are alike or none is known", () => {
  assert.deepEqual(extent([row(0, 3), row(1, 3)], "gain"), [2.5, 3.5]);
  assert.deepEqual(extent([{ places: [] }], "gain"), [0, 1]);
  assert.deepEqual(extent([row(0, 3), { gain: null }, row(1, 9)], "gain"), [3, 9]);
});

test("rows sort by a result or by a field, those without a value last", () => {
  const rows = [row(2, 5), { places: [1, 0] }, row(0, 9)];
  assert.deepEqual(sorted(rows, "gain", true).map((one) => one.places[0]), [0, 2, 1]);
  assert.deepEqual(sorted(rows, 0, false).map((one) => one.places[0]), [0, 1, 2]);
});

test("a row is chosen that lies within every brush", () => {
  assert.ok(isChosen(row(1, 50), AXES, EXTENTS, {}));
  assert.ok(isChosen(row(1, 50), AXES, EXTENTS, { 0: [0.4, 0.6], 2: [0, 0.5] }));
  assert.ok(!isChosen(row(1, 50), AXES, EXTENTS, { 0: [0.4, 0.6], 2: [0.6, 1] }));
  assert.ok(!isChosen({ places: [1, 0] }, AXES, EXTENTS, { 2: [0, 1] }));
});

test("numbers have three digits at most", () => {
  assert.equal(short(12345.6), "12,346");
  assert.equal(short(0.12345), "0.123");
  assert.equal(short(null), "");
});
