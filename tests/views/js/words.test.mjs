// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { batchWords, reasonWords, stateWords } from "../../../workbench/views/static/words.js";

const FACTS = { max_batch_size: 8, max_queue_delay_microseconds: 2000, instances: ["instance 0"] };
const BATCH = { lane: 0, arrival: 10, start: 10.0019, compute_start: 10.002, compute_end: 10.004, end: 10.0041, count: 7, rows: 7 };
const words = (name, changes = {}) => batchWords({ ...BATCH, ...changes }, { name, words: name }, FACTS, 11).lines[0];

test("a batch says that the delay ended, and how many rows came", () => {
  assert.equal(words("delay_expired"), "waited 1.9 ms for its batch: 7 of 8 rows came, then the delay of 2 ms ended");
});

test("a complete batch that still waited says so", () => {
  const late = batchWords({ ...BATCH, count: 2, rows: 8 }, { name: "full", words: "full" }, FACTS, 11, [10, 10.001]).lines;
  assert.deepEqual(late.slice(0, 3), [
    "waited 1.9 ms for its batch: 8 of 8 rows came, so it left full",
    "its 2 requests waited 900 µs to 1.9 ms",
    "complete, it waited 900 µs for a free instance",
  ]);
});

test("every reason has words of its own", () => {
  const names = ["direct", "full", "preferred", "delay_expired", "instance_free", "shape_mismatch", "custom", "sequence", "shutdown", "cached"];
  const said = new Set(names.map((name) => words(name)));
  assert.equal(said.size, names.length);
});

test("a reason of a later version still has words", () => {
  assert.match(words("teleported"), /no reason was given/);
});

test("a model that does not batch says nothing of a largest batch", () => {
  const lines = batchWords({ ...BATCH, rows: 1, count: 1 }, { name: "none", words: "none" }, { ...FACTS, max_batch_size: 0 }, 11).lines;
  assert.match(lines[0], /: 1 row;/);
});

test("a batch whose backend gives no compute stamps says its execution alone", () => {
  const lines = batchWords({ ...BATCH, compute_start: -10, compute_end: -10 }, { name: "full", words: "full" }, FACTS, 11).lines;
  assert.equal(lines[1], "executed for 2.2 ms");
});

test("reasons are told by share, the largest first", () => {
  const { title, lines } = reasonWords([0, 1, 3], [{}, { words: "direct" }, { words: "full" }], 1);
  assert.equal(title, "why 4 batches left, 1 s ago");
  assert.deepEqual(lines, ["full: 75 % (3)", "direct: 25 % (1)"]);
});

test("each state without news says what to do", () => {
  const live = { hasFrame: true, silent_s: 0, isLive: true, isSaved: false };
  assert.equal(stateWords(live), null);
  for (const state of [{ isSaved: true }, { hasFrame: false, silent_s: 9 }, { isLive: false }, { silent_s: 9 }]) {
    assert.match(stateWords({ ...live, ...state }), /[Rr]un this cell again/);
  }
});
