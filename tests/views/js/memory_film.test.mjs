// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryFilm } from "../../../workbench/views/static/memory_film.js";
import { takeLook } from "../../../workbench/views/static/memory_store.js";
import { Clock } from "../../../workbench/views/static/clock.js";

const looks = [0.5, 1, 1.5].map((at_s, seq) => ({ at_s, header: { kind: "memory", seq, now_s: at_s }, buffers: [] }));

test("a page shows the look that was told last, once", () => {
  const told = [];
  const film = new MemoryFilm(looks, ({ seq }) => told.push(seq));
  for (const at_s of [0, 0.2, 0.6, 1, 1.2, 9, 0.7]) film.show(at_s);
  assert.deepEqual(told, [0, 1, 2, 0]);
});

test("a look takes the place of the one before, and every view hears of it", () => {
  let heard = 0;
  const store = { look: null, heardAt: null, views: new Set([{ news: () => heard++ }]), clock: new Clock() };
  takeLook(store, { now_s: 5, sentence: "a" }, [new Uint8Array(new Float64Array([1, 2]).buffer)], 10);
  takeLook(store, { now_s: 3, sentence: "b" }, [], 20);
  assert.deepEqual([heard, store.look.sentence, store.clock.at(20)], [2, "b", 3]);
});
