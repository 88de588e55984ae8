// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { AxisTop, byteSize, duration, percent, roundUp, threeDigits, ticks } from "../../../workbench/views/static/numbers.js";

test("a duration has the unit that fits its size, and three digits at most", () => {
  const said = [0, 4.2e-8, 1.25e-5, 0.0018, 0.123456, 0.99996, 2.345, 12.34, 345.6].map(duration);
  assert.deepEqual(said, ["0 ns", "42 ns", "12.5 µs", "1.8 ms", "123 ms", "1 s", "2.35 s", "12.3 s", "346 s"]);
});

test("a duration that is not known is a dash", () => {
  assert.deepEqual([null, undefined, NaN].map(duration), ["–", "–", "–"]);
});

test("a number is never written with an exponent", () => {
  assert.deepEqual([0, 0.5, 9.99, 99.4, 999.6, 12_400, 1.2e6, 3e9].map(threeDigits), ["0", "0.5", "9.99", "99.4", "1 k", "12.4 k", "1.2 M", "3 G"]);
});

test("bytes count in powers of two", () => {
  assert.deepEqual([0, 512, 1024, 3.1 * 2 ** 20, 2 ** 30].map(byteSize), ["0 B", "512 B", "1 KiB", "3.1 MiB", "1 GiB"]);
});

test("a share that is there but small is not said to be zero", () => {
  assert.deepEqual([0, 0.004, 0.625, 1].map(percent), ["0 %", "<1 %", "63 %", "100 %"]);
});

test("rounding up goes along 1, 2, 5", () => {
  assert.deepEqual([0.7, 1, 1.1, 2.1, 5.1, 100, 101].map(roundUp), [1, 1, 2, 5, 10, 100, 200]);
});

test("ticks are round, start at zero and stay below the top", () => {
  assert.deepEqual(ticks(5, 3), [0, 2, 4]);
  assert.deepEqual(ticks(10, 5), [0, 2, 4, 6, 8, 10]);
});

test("an axis grows at once", () => {
  const axis = new AxisTop();
  axis.update(3, 0);
  assert.equal(axis.update(30, 0.1), 50);
});

test("an axis shrinks only after its values were small for a while", () => {
  const axis = new AxisTop(5);
  axis.update(90, 0);
  assert.deepEqual([1, 3, 5.9, 6.1].map((now) => axis.update(10, now)), [100, 100, 100, 20]);
});

test("an axis that sees a large value again waits anew", () => {
  const axis = new AxisTop(5);
  axis.update(90, 0);
  axis.update(10, 1);
  axis.update(80, 4);
  assert.equal(axis.update(10, 7), 100);
});
