// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { queueFigures, queueRows, queueRowWords, queueValues } from "../../../workbench/views/static/queue_rows.js";
import { Bins } from "../../../workbench/views/static/tables.js";

function queuesOf(lengths) {
  return new Map(Object.entries(lengths).map(([level, values]) => {
    const bins = new Bins(["index", "level", "length"], 64);
    values.forEach((value, index) => value != null && bins.put(Float32Array.of(index, Number(level), value), 0));
    return [Number(level), bins];
  }));
}

const sceneOf = (lengths) => ({ bins: [0, 1, 2], store: { queues: queuesOf(lengths) } });

test("each level has a row, in the order of the levels; with one queue there is none", () => {
  const queues = queuesOf({ 3: [1], 1: [0] });
  assert.deepEqual(queueRows(queues, { priority_levels: 3 }).map(({ name }) => name), ["priority 1", "priority 3"]);
  assert.deepEqual(queueRows(queues, { priority_levels: 0 }), []);
  assert.deepEqual(queueRows(queues, undefined), []);
});

test("beyond four levels the last row has the rest", () => {
  const rows = queueRows(queuesOf({ 1: [1], 2: [1], 3: [1], 4: [2], 9: [3] }), { priority_levels: 9 });
  assert.deepEqual(rows.map(({ name }) => name), ["priority 1", "priority 2", "priority 3", "priority 4–9"]);
  assert.deepEqual(queueValues(sceneOf({ 4: [2, 1, 0], 9: [3, null, 0] }), rows[3]), [5, 1, 0]);
});

test("a row says how many wait now and waited at most, and nothing where nobody looked", () => {
  const scene = sceneOf({ 2: [4, 9, 3], 1: [0, null, 0] });
  const [high, low] = queueRows(scene.store.queues, { priority_levels: 2 });
  assert.deepEqual(queueFigures(scene, low), { now: 3, most: 9 });
  assert.deepEqual(queueRowWords(scene, low, 1, "1 s ago"), {
    title: "priority 2, 1 s ago",
    lines: ["priority 2: up to 9 waited", "3 wait now, at most 9 in this window; levels of a lower number go first"],
  });
  assert.equal(queueRowWords(scene, high, 1, "now").lines[0], "priority 1: nobody looked");
});
