// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Closeup } from "../../../workbench/views/static/closeup.js";
import { decimate } from "../../../workbench/views/static/decimate.js";
import { nearestRequest, timesOf } from "../../../workbench/views/static/near.js";
import { memberBars, requestWords } from "../../../workbench/views/static/request.js";
import { Spikes, spikeOf } from "../../../workbench/views/static/spikes.js";
import { textOf } from "../../../workbench/views/static/pinned.js";
import { ordinal } from "../../../workbench/views/static/numbers.js";

const batchAt = (start, changes = {}) => ({
  lane: 0, batch: 1, arrival: start - 0.001, start, compute_start: start, compute_end: start + 0.0005, end: start + 0.0005,
  count: 4, rows: 4, reason: 4, ...changes,
});
const many = Array.from({ length: 20_000 }, (_, i) => batchAt(i * 0.0005, { batch: i, lane: i % 2 })).reverse();

test("few batches stay as they are", () => {
  assert.equal(decimate(many.slice(0, 300), 0, 10, 800).length, 300);
});

test("many batches become few blocks that tell of all of them", () => {
  const blocks = decimate(many, 0, 10, 800);
  assert.ok(blocks.length < 700, `${blocks.length}`);
  assert.equal(blocks.reduce((sum, block) => sum + (block.merged ?? 1), 0), 20_000);
  assert.ok(blocks.every((block, i) => i === 0 || blocks[i - 1].start >= block.start));
});

test("the longest wait and the longest execution stay batches of their own", () => {
  const waited = batchAt(5.00001, { arrival: 2, batch: 77_777 });
  const slow = batchAt(6.00001, { end: 6.004, batch: 88_888 });
  const blocks = decimate([...many, waited, slow], 0, 10, 800);
  for (const extreme of [waited, slow]) assert.ok(blocks.includes(extreme));
});

test("a block is as busy as its batches were, and knows the longest wait in it", () => {
  const [block] = decimate(many, 0, 10, 400).filter((one) => one.merged > 5);
  assert.ok(block.busy_share > 0.4 && block.busy_share <= 1);
  assert.ok(Math.abs(block.longest_wait_s - 0.001) < 1e-9);
  assert.deepEqual([block.rows, block.reason], [4, 4]);
});

const layout = { lanes: [{ x: 100, y: 50, w: 1000, h: 62, fan: 34 }], wedge: { x: 100, y: 20, w: 1000, h: 26 }, queue: { x: 100, w: 1000 } };
const scene = {
  slice: { from_s: 0, to_s: 1 }, from_s: 0, to_s: 10, batches: [batchAt(0.5, { batch: 9 })], arrivals: new Map([["0/9", [0.1, 0.3]]]),
};

test("the wait whose line passes nearest is found, and none far from any", () => {
  assert.equal(nearestRequest(scene, layout, 201, 50).arrival, 0.1);
  assert.equal(nearestRequest(scene, layout, 500, 67).arrival, 0.3);
  assert.equal(nearestRequest(scene, layout, 100 + 450, 55), null);
  assert.equal(nearestRequest(scene, layout, 201, 100), null);
});

test("a stretch of the long axis is a time, whichever way it was marked", () => {
  assert.deepEqual(timesOf(scene, layout, 300, 200), [1, 2]);
});

test("a close-up shows what is asked for, down to microseconds", () => {
  const closeup = new Closeup();
  closeup.show(2, 3);
  closeup.zoom(1e-9, 2.5, 10);
  assert.ok(closeup.slice.to_s - closeup.slice.from_s < 3e-6);
  assert.ok(Math.abs((closeup.slice.from_s + closeup.slice.to_s) / 2 - 2.5) < 1e-9);
  closeup.zoom(1e12, 2.5, 10);
  assert.ok(Math.abs(closeup.slice.to_s - closeup.slice.from_s - 10) < 1e-9);
});

const REASON = { name: "delay_expired", words: "delay expired" };
const FACTS = { instances: ["instance 0"], max_batch_size: 8, max_queue_delay_microseconds: 2000 };
const members = [0.498, 0.499].map((arrival, i) => ({ arrival, start: 0.5, end: 0.503, serial: 41 + i, rows: 1, priority: i, status: 0 }));
const two = batchAt(0.5, { arrival: 0.498, count: 2, rows: 2, compute_start: 0.5001, compute_end: 0.5029, end: 0.503 });

test("a request says what it waited for, with whom it ran and where its time went", () => {
  const { title, lines, bars } = requestWords(two, members, 0.499, REASON, FACTS, 1, { waiting: "grey", text: "ink" });
  assert.match(title, /^request 42 · priority 1 · 501 ms ago/);
  assert.equal(lines[0], "waited 1 ms, the 2nd of 2 to come: 2 of 8 rows came, then the delay of 2 ms ended");
  assert.match(lines[1], /^then ran with 1 other on instance 0: executed for 3 ms: input 100 µs, compute 2.8 ms/);
  assert.equal(lines[2], "answered 4 ms after it came");
  assert.deepEqual(bars.map(({ label }) => label), ["queue", "input", "compute", "output"]);
  assert.ok(Math.abs(bars.reduce((sum, { parts }) => sum + parts[0].share, 0) - 1) < 1e-9);
});

test("a request that failed says so", () => {
  const failed = [{ ...members[0], status: 2 }];
  assert.match(requestWords(two, failed, 0.498, REASON, FACTS, 1, {}).lines[2], /and failed: INTERNAL$/);
});

test("a batch has a bar for each request, and says how many more there are", () => {
  const bars = memberBars(two, Array.from({ length: 15 }, () => members[0]), { waiting: "grey" });
  assert.deepEqual([bars.length, bars.at(-1).label], [13, "and 3 more"]);
});

test("what is copied has all that is shown", () => {
  assert.equal(textOf({ title: "a", lines: ["b"], bars: [{ label: "c", words: "d" }] }), "a\nb\nc: d");
});

test("a spike is a p99 far above what was usual, once there is a usual", () => {
  const usual = Array.from({ length: 30 }, (_, index) => ({ index, value_s: 0.002 }));
  assert.equal(spikeOf([...usual, { index: 30, value_s: 0.005 }]), null);
  assert.deepEqual(spikeOf([...usual, { index: 30, value_s: 0.02 }]), { index: 30, value_s: 0.02, usual_s: 0.002 });
  assert.equal(spikeOf([{ index: 1, value_s: 0.001 }, { index: 2, value_s: 1 }]), null);
});

test("nobody who did not ask is held, nor again at once", () => {
  const bins = { last: 30, column: () => 0, get: (index) => (index === 30 ? 0.05 : 0.002) };
  const store = { totals: {}, bins, window_s: 10, bin_s: 0.1 };
  const spikes = new Spikes();
  assert.equal(spikes.find(store, 0), null);
  spikes.isWanted = true;
  assert.match(spikes.find(store, 0).words, /p99 rose from 2 ms to 50 ms/);
  spikes.rest(0);
  assert.equal(spikes.find(store, 1000), null);
});

test("places are counted as in speech", () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 21, 102, 113].map(ordinal), ["1st", "2nd", "3rd", "4th", "11th", "12th", "21st", "102nd", "113th"]);
});
