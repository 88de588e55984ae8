// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Closeup, HOLD_MS, closeupSpan, newestSlice, startPeriod } from "../../../workbench/views/static/closeup.js";

const lane = (number, period, count) => Array.from({ length: count }, (_, i) => ({ lane: number, start: i * period }));

/** A store with batches of 2 ms, every 4 ms. */
function busyStore(now_s) {
  const batches = lane(0, 0.004, 200).map((batch) => ({ ...batch, start: now_s - batch.start, end: now_s - batch.start + 0.002 }));
  return {
    now_s, epoch: 1, window_s: 10, totals: { queue: { p50: 0.001 } }, wholes: [{ from: now_s - 10, to: now_s }], batchesBetween: () => batches,
  };
}

test("the busiest lane sets the period", () => {
  assert.ok(Math.abs(startPeriod([...lane(0, 0.01, 20), ...lane(1, 0.002, 20)]) - 0.002) < 1e-12);
});

test("too few batches have no period", () => {
  assert.ok(Number.isNaN(startPeriod(lane(0, 1, 2))));
});

test("the span shows batches wide enough to read, in a round number", () => {
  assert.equal(closeupSpan(0.004, 0, 1050, 10), 0.1);
});

test("the span shows long waits too, up to twice as much", () => {
  assert.equal(closeupSpan(0.004, 0.06, 1050, 10), 0.1);
  assert.equal(closeupSpan(0.004, 5, 1050, 10), 0.2);
});

test("the span stays while it is not far off", () => {
  assert.equal(closeupSpan(0.006, 0, 1050, 10, 0.1), 0.1);
  assert.equal(closeupSpan(0.04, 0, 1050, 10, 0.1), 1);
});

test("the span is never more than the window", () => {
  assert.equal(closeupSpan(3, 0, 1050, 10), 10);
});

test("a slice has no gap where there is a time without one", () => {
  const wholes = [{ from: 0, to: 5 }, { from: 5.9, to: 6 }];
  assert.deepEqual(newestSlice(wholes, 6, 1), { from_s: 4, to_s: 5 });
});

test("a slice ends where everything is known", () => {
  assert.deepEqual(newestSlice([{ from: 0, to: 6 }], 5.5, 1), { from_s: 4.5, to_s: 5.5 });
});

test("a short slice is held so that eyes can read it, then renewed", () => {
  const closeup = new Closeup();
  const first = closeup.update(busyStore(100), 1000, 0, false);
  assert.equal(closeup.update(busyStore(101), 1000, HOLD_MS - 1, false), first);
  assert.notEqual(closeup.update(busyStore(102.6), 1000, HOLD_MS + 1, false), first);
});

test("a slice that is held by a hand stays", () => {
  const closeup = new Closeup();
  const first = closeup.update(busyStore(100), 1000, 0, false);
  assert.equal(closeup.update(busyStore(200), 1000, 100 * HOLD_MS, true), first);
});

test("a slice of an earlier kernel is not held", () => {
  const closeup = new Closeup();
  const first = closeup.update(busyStore(100), 1000, 0, false);
  assert.notEqual(closeup.update(busyStore(5), 1000, 1, false), first);
});

test("a slice of another source is not held", () => {
  const closeup = new Closeup();
  const first = closeup.update(busyStore(100), 1000, 0, false);
  assert.notEqual(closeup.update({ ...busyStore(100), epoch: 2 }, 1000, 1, true), first);
});

test("zooming keeps the time under the pointer where it is", () => {
  const closeup = new Closeup();
  closeup.update(busyStore(100), 1000, 0, false);
  const { from_s, to_s } = closeup.slice;
  const pointed = from_s + 0.25 * (to_s - from_s);
  closeup.zoom(0.5, pointed, 10);
  const share = (pointed - closeup.slice.from_s) / (closeup.slice.to_s - closeup.slice.from_s);
  assert.ok(Math.abs(share - 0.25) < 1e-6);
});
