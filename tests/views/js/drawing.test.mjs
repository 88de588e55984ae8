// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Frames } from "../../../workbench/views/static/frames.js";
import { headRect, lanesRects, layout, stripsPlot, stripWordsRects, tileRect, wedgeRect } from "../../../workbench/views/static/layout.js";
import { Moving, devicePlace } from "../../../workbench/views/static/moving.js";
import { Piece, outward } from "../../../workbench/views/static/pieces.js";
import { Pen } from "../../../workbench/views/static/pen.js";
import { sceneOf } from "../../../workbench/views/static/scene.js";
import { Store } from "../../../workbench/views/static/store.js";

/** A canvas context that only remembers what was asked of it. */
function context() {
  const calls = [];
  const told = new Proxy({ calls }, {
    get: (target, name) => (name in target ? target[name] : (...given) => calls.push([name, ...given])),
    set: (target, name, value) => ((target[name] = value), true),
  });
  return told;
}

const theme = { background: "#fff", text: "#333", faint: "#666", line: "#ddd", font: "sans" };
const penOn = (g, ratio = 1) => new Pen(g, theme, ratio, {});

/** A page whose display the test moves. */
function page() {
  const asked = [];
  const frames = new Frames((call) => asked.push(call));
  const show = () => asked.splice(0).forEach((call) => call());
  return { frames, show, asked };
}

test("views that ask before the display's next frame are drawn in it, each once", () => {
  const { frames, show } = page();
  const drawn = [];
  const [one, other] = ["one", "other"].map((name) => () => drawn.push(name));
  for (const draw of [one, other, one]) frames.ask(draw);
  assert.deepEqual(drawn, []);
  show();
  assert.deepEqual(drawn, ["one", "other"]);
  show();
  assert.equal(drawn.length, 2, "nothing new, nothing drawn");
});

test("what moves is drawn with the next beat, all of one pace in one frame", () => {
  const clock = { ms: 1_005 };
  const [asked, timers, drawn] = [[], [], []];
  const frames = new Frames((call) => asked.push(call), (call, ms) => timers.push({ call, at: clock.ms + ms }), () => clock.ms);
  const [one, other] = ["one", "other"].map((name) => () => drawn.push(name));
  frames.beat(one, 100);
  clock.ms = 1_050;
  frames.beat(other, 100);
  assert.deepEqual(timers.map(({ at }) => at), [1_100], "one timer for all");
  clock.ms = 1_100;
  timers.shift().call();
  assert.equal(asked.length, 1);
  asked.shift()();
  assert.deepEqual(drawn, ["one", "other"]);
  frames.beat(one, 100);
  frames.forget(one);
  clock.ms = timers.at(-1).at;
  timers.pop().call();
  assert.equal(asked.length, 0);
});

test("no beat is drawn twice, whatever its period", () => {
  const clock = { ms: 12_345.6 };
  const timers = [];
  const frames = new Frames((call) => call(), (call, ms) => timers.push({ call, at: clock.ms + ms }), () => clock.ms);
  let drawn = 0;
  const draw = () => {
    drawn++;
    frames.beat(draw, 1000 / 30);
  };
  frames.beat(draw, 1000 / 30);
  const until = clock.ms + 10_000;
  for (let next = timers.pop(); next.at < until; next = timers.pop()) {
    clock.ms = Math.max(clock.ms, next.at);
    next.call();
  }
  assert.ok(Math.abs(drawn - 300) <= 1, `${drawn} in ten seconds`);
});

test("a picture that is drawn late for its beat is there for the next one", () => {
  const clock = { ms: 1_000 };
  const timers = [];
  const frames = new Frames((call) => call(), (call, ms) => timers.push({ call, at: clock.ms + ms }), () => clock.ms);
  const draw = () => {
    clock.ms += 95;
    frames.beat(draw, 100);
  };
  frames.beat(draw, 100);
  for (let i = 0; i < 5; i++) {
    const { call, at } = timers.pop();
    clock.ms = Math.max(at, clock.ms) + 30;
    call();
  }
  assert.ok(clock.ms < 1_800, `five beats took until ${clock.ms}`);
});

test("what asks while it is drawn is drawn in the next frame", () => {
  const { frames, show } = page();
  let count = 0;
  const again = () => ++count < 3 && frames.ask(again);
  frames.ask(again);
  for (let frame = 0; frame < 10; frame++) show();
  assert.equal(count, 3);
});

test("a view that went away is not drawn", () => {
  const { frames, show } = page();
  const gone = () => assert.fail("drawn after it was forgotten");
  frames.ask(gone);
  frames.forget(gone);
  show(20);
});

test("a piece is drawn when what it shows became another, and after it was wiped", () => {
  const piece = new Piece();
  const g = context();
  const totals = {};
  const draw = (...key) => piece.draw(penOn(g), [{ x: 0, y: 0, w: 10, h: 10 }], key, (hits) => hits.push({ kind: "bin" }));
  assert.deepEqual([draw(totals, NaN), draw(totals, NaN), draw({}, NaN), draw({}, 1)], [true, false, true, true]);
  assert.equal(piece.hits.length, 1, "what could be pointed at before is forgotten");
  piece.reset();
  assert.equal(draw(totals, 1), true);
});

test("a piece's ground reaches to whole device pixels", () => {
  assert.deepEqual(outward({ x: 1.2, y: 2, w: 3, h: 1.5 }, 2), { x: 1, y: 2, w: 3.5, h: 1.5 });
});

test("pieces and strips cover the picture without covering each other", () => {
  for (const [width, lanes, pools] of [[600, 1, 0], [860, 2, 1], [1100, 4, 2], [1600, 16, 4]]) {
    const all = layout(width, lanes, pools);
    const rects = [headRect(all), ...all.tiles.map(tileRect), stripsPlot(all), ...stripWordsRects(all), wedgeRect(all), ...lanesRects(all)];
    const overlap = (a, b) => a.x < b.x + b.w - 1e-9 && b.x < a.x + a.w - 1e-9 && a.y < b.y + b.h - 1e-9 && b.y < a.y + a.h - 1e-9;
    rects.forEach((a, i) => rects.slice(i + 1).forEach((b) => assert.ok(!overlap(a, b), `${width}: ${JSON.stringify([a, b])}`)));
    const below = rects.reduce((most, { y, h }) => Math.max(most, y + h), 0);
    assert.equal(below, all.height);
  }
});

const places = layout(900, 2, 1);

function storeAt(now_s, seq) {
  const store = new Store({ bins: ["index", "answered"], batches: ["lane"], requests: ["lane"], pools: ["index", "pool", "live", "reserved"] });
  return Object.assign(store, { now_s, seq });
}

function sceneAt(now_s, ratio = 1) {
  const store = storeAt(now_s, 1);
  store.totals = { facts: {} };
  return sceneOf(store, { from_s: 0, to_s: 1 }, places.wedge.w, devicePlace(places, ratio).w);
}

/** Strips that are shown at several times. */
function shown(ratio, ...times) {
  const g = context();
  const own = context();
  const moving = new Moving(() => ({ getContext: () => own }));
  let painted = 0;
  const shifts = times.map((now_s) => {
    moving.show(penOn(g, ratio), sceneAt(now_s, ratio), places, ["told"], (_pen, _scene, _layout, hits) => (painted++, hits.push({ x: 300, kind: "mark" })));
    return g.calls.filter(([name]) => name === "drawImage").at(-1)[2];
  });
  return { shifts, painted, moving, g };
}

test("between two bins the strips are shifted by whole pixels, and not drawn again", () => {
  for (const ratio of [1, 1.5, 2]) {
    const { shifts, painted } = shown(ratio, 100, 100.033, 100.066, 100.1);
    assert.equal(painted, 1);
    assert.ok(shifts.every(Number.isInteger), `${shifts}`);
    const pixels = (devicePlace(places, ratio).w * 0.1) / 10;
    assert.ok(Math.abs(shifts.at(-1) - pixels) <= 1, `${shifts} of ${pixels}`);
  }
});

test("strips that were not drawn far enough ahead, or whose time went back, are drawn again", () => {
  assert.equal(shown(1, 100, 100.5).painted, 2);
  assert.equal(shown(1, 100, 99).painted, 2);
});

test("what can be pointed at moves along with the strips", () => {
  const { moving, shifts } = shown(2, 100, 100.1);
  assert.equal(moving.hits[0].x, 300 - shifts.at(-1) / 2);
});

test("a picture of the same time has the same pixels, whenever it is drawn", () => {
  const [early, late] = [sceneAt(100), sceneAt(100.033)];
  const columns = (late.to_s - early.to_s) / early.step_s;
  assert.ok(Math.abs(columns - Math.round(columns)) < 1e-6);
  assert.ok(100 - early.store.clock.lag_s(0.1) - early.to_s < early.step_s);
});

test("new bins are new strips, batches alone are not", () => {
  const store = storeAt(0, 0);
  const bytes = (values) => new DataView(Float32Array.from(values).buffer);
  const frame = (seq, bins) => store.take({ kind: "frame", seq, now_s: seq, window_s: 10, bin_s: 0.1, base_s: 0, first_bin: 0, marks: [] }, [bytes(bins), bytes([1]), bytes([]), bytes([])], 0);
  frame(1, [0, 5]);
  frame(2, []);
  assert.equal(store.told, 1);
  frame(3, [1, 6]);
  assert.equal(store.told, 3);
});
