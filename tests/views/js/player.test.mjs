// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Film, Player, filmsOf } from "../../../workbench/views/static/player.js";
import { timeWords } from "../../../workbench/views/static/transport.js";

const frames = Array.from({ length: 101 }, (_, i) => ({ at_s: i / 5, header: { kind: "frame", seq: i + 1 }, buffers: [] }));
const film = () => new Film(frames, 20, 4);

function played(at_s = 10) {
  const heard = [];
  const player = new Player(film(), (header) => heard.push(header));
  player.seek(at_s);
  heard.length = 0;
  return { player, heard, frames: () => heard.filter((header) => header.kind === "frame") };
}

test("a jump tells the window that ends there, as a whole one", () => {
  const { player, frames } = played();
  player.seek(12);
  const told = frames();
  assert.equal(told[0].is_whole, true);
  assert.ok(told.slice(1).every((header) => !header.is_whole));
  assert.deepEqual([told[0].seq, told.at(-1).seq], [Math.round((12 - 5) * 5) + 1, 61]);
});

test("playing tells what is new and no more", () => {
  const { player, frames } = played();
  player.obey({ action: "play" });
  player.advance(1);
  assert.deepEqual(frames().map(({ seq }) => seq), [52, 53, 54, 55, 56]);
});

test("it plays as fast as it is told and stops at the end", () => {
  const { player } = played();
  player.obey({ action: "speed", value: 5 });
  player.obey({ action: "play" });
  player.advance(1);
  assert.equal(player.at_s, 15);
  player.advance(10);
  assert.deepEqual([player.at_s, player.is_playing], [20, false]);
});

test("played at its end it begins anew", () => {
  const { player } = played(20);
  player.obey({ action: "play" });
  assert.deepEqual([player.at_s, player.is_playing], [0, true]);
});

test("paused it tells nothing", () => {
  const { player, heard } = played();
  player.advance(1);
  assert.equal(heard.length, 0);
});

test("a page's data are read as Python wrote them", () => {
  const message = new TextEncoder().encode(JSON.stringify({ kind: "frame", seq: 1, sizes: [4] }).padEnd(40));
  const told = new Uint8Array(4 + 40 + 4);
  new DataView(told.buffer).setUint32(0, 40, true);
  told.set(message, 4);
  told[44] = 7;
  const head = { span_s: 2, window_s: 10, films: [{ name: "m", overview: { answered: [] }, frames: [[0.5, told.length]] }] };
  const text = new TextEncoder().encode(JSON.stringify(head).padEnd(200));
  const data = new Uint8Array(4 + text.length + told.length);
  new DataView(data.buffer).setUint32(0, text.length, true);
  data.set(text, 4);
  data.set(told, 4 + text.length);
  const { films } = filmsOf(data.buffer);
  const [frame] = films[0].film.frames;
  assert.deepEqual([films[0].name, frame.at_s, frame.header.seq, [...frame.buffers[0]]], ["m", 0.5, 1, [7, 0, 0, 0]]);
});

test("times of a short recording have hundredths", () => {
  assert.equal(timeWords({ at_s: 1.234, span_s: 6.3 }), "1.23 of 6.3 s");
  assert.equal(timeWords({ at_s: 1.234, span_s: 60 }), "1.2 of 60 s");
});
