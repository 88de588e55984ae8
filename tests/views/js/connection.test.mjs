// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { forget, sharedOf } from "../../../workbench/views/static/connection.js";

const TABLES = {
  bins: ["index", "answered"],
  batches: ["lane", "arrival", "start", "compute_start", "compute_end", "end", "count", "rows", "reason", "batch"],
  requests: ["lane", "arrival", "start", "batch"],
  pools: ["index", "pool", "live", "reserved"],
};
const EMPTY = Array.from({ length: 4 }, () => new DataView(new ArrayBuffer(0)));

globalThis.document = { hidden: false };

/** A model as anywidget hands it out: each caller has a proxy of its own. */
function fakeModel(uid, saved = null) {
  const model = { listeners: [], sent: [] };
  return {
    model,
    proxy: () => ({
      get: (name) => ({ uid, tables: TABLES, saved })[name],
      on: (name, listener) => name === "msg:custom" && model.listeners.push(listener),
      send: (content) => model.sent.push(content),
    }),
    tell: (header, buffers = EMPTY) => model.listeners.forEach((listener) => listener(header, buffers)),
  };
}

function frame(seq) {
  return {
    kind: "frame", seq, now_s: seq, base_s: 0, bin_s: 0.1, window_s: 10, first_bin: 0, thinned: false, batch_total: 0,
    whole_from_s: 0, dropped: 0, marks: [], is_whole: false,
  };
}

test("all views of a model share one store and one listener", () => {
  const { model, proxy } = fakeModel("a");
  assert.equal(sharedOf(proxy()), sharedOf(proxy()));
  assert.equal(model.listeners.length, 1);
});

test("a frame wakes every view and is acknowledged with whether anyone looks", () => {
  const { model, proxy, tell } = fakeModel("b");
  const state = sharedOf(proxy());
  let woken = 0;
  for (const isVisible of [false, true]) state.views.add({ isVisible, news: () => woken++ });
  tell(frame(1));
  assert.equal(woken, 2);
  assert.deepEqual(model.sent, [{ kind: "ack", frames: [["b", 1, false]] }]);
});

test("a picture that nobody sees says so", () => {
  const { model, proxy, tell } = fakeModel("c");
  sharedOf(proxy()).views.add({ isVisible: false, news() {} });
  tell(frame(1));
  assert.deepEqual(model.sent[0].frames, [["c", 1, true]]);
});

test("a saved picture is there without a kernel, until one speaks", () => {
  const text = JSON.stringify({ ...frame(0), totals: { saved: true }, sizes: [0, 0, 0, 0] }).padEnd(400);
  const bytes = new Uint8Array(404);
  new DataView(bytes.buffer).setUint32(0, 400, true);
  bytes.set(new TextEncoder().encode(text), 4);
  const { proxy, tell } = fakeModel("d", new DataView(bytes.buffer));
  const state = sharedOf(proxy());
  assert.deepEqual([state.isSaved, state.store.totals], [true, { saved: true }]);
  tell(frame(1));
  assert.equal(state.isSaved, false);
});

test("a model that is gone is forgotten", () => {
  const { proxy } = fakeModel("e");
  const before = sharedOf(proxy());
  forget(proxy());
  assert.notEqual(sharedOf(proxy()), before);
});
