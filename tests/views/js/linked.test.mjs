// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Chains, linksOf, waitParts } from "../../../workbench/views/static/chains.js";
import { batchOf, litKey, litOf, nearestSpan, spanLevel } from "../../../workbench/views/static/linked.js";
import { spanWords, treeWords } from "../../../workbench/views/static/span_words.js";
import { enterLinked, stepLinked } from "../../../workbench/views/static/stepping.js";
import { Store } from "../../../workbench/views/static/store.js";
import { inOrder, stepAt, treeRows, Trees } from "../../../workbench/views/static/trees.js";

const CHAIN = ["lane", "batch", "arrival", "start", "end", "serial", "label", "position", "flags", "slot", "got_slot", "before"];
const TREE = ["tree", "parent", "step", "lane", "batch", "arrival", "start", "end", "status", "count", "reason", "model", "serial"];
const QUEUE = ["index", "level", "length"];

/** A row of a chain, as a frame brings it: eighths of a second are exact in float32. */
const row = (label, position, start, { flags = 0, slot = 0, lane = 0, got = 0, before = NaN, batch = position } = {}) =>
  [lane, batch, start - 0.125, start, start + 0.0625, position, label, position, flags, slot, got, before];

function chainsOf(...rows) {
  const chains = new Chains(CHAIN);
  chains.put(Float32Array.from(rows.flat()), ["a", "b"], 100, 1000);
  return chains;
}

test("the requests of a sequence are a run, in the order in which they started, whichever frame brought them", () => {
  const chains = chainsOf(row(0, 1, 2), row(1, 0, 1.5), row(0, 0, 1, { flags: 1 }));
  chains.put(Float32Array.from(row(0, 2, 3, { flags: 2 })), ["a"], 100, 1000);
  const [first] = chains.byLabel.get("a");
  assert.deepEqual(chains.runOf(first).map(({ position, start, serial }) => [position, start, serial]), [[0, 101, 1000], [1, 102, 1001], [2, 103, 1002]]);
});

test("an id that is used again is another sequence", () => {
  const chains = chainsOf(row(0, 0, 1, { flags: 1 }), row(0, 1, 2, { flags: 2 }), row(0, 0, 3, { flags: 1 }), row(0, 1, 4));
  const spans = chains.byLabel.get("a");
  assert.deepEqual(spans.map((span) => chains.runOf(span).length), [2, 2, 2, 2]);
  assert.notEqual(chains.runOf(spans[1])[0], chains.runOf(spans[2])[0]);
});

test("lines lead to the next request alone: not over one that is missing, nor from an end to the next start", () => {
  const chains = chainsOf(row(0, 0, 1), row(0, 1, 2), row(0, 3, 3, { flags: 2 }), row(1, 0, 1), row(1, 1, 2));
  const links = linksOf(chains.between(100, 104)).map(([a, b]) => `${a.label}${a.position}-${b.label}${b.position}`);
  assert.deepEqual(links.sort(), ["a0-a1", "b0-b1"]);
});

test("what is older than the window is forgotten, and a copy keeps it", () => {
  const chains = chainsOf(row(0, 0, 1), row(0, 1, 5));
  const copy = chains.copy();
  chains.forget(103);
  assert.deepEqual([chains.count, chains.byLabel.get("a").length, copy.byLabel.get("a").length], [1, 1, 2]);
  chains.forget(200);
  assert.equal(chains.byLabel.size, 0);
});

test("a wait falls into the parts that were waited for: a slot, the request before, the batch", () => {
  const span = { arrival: 1, start: 10, got_slot: 3, before: 7 };
  assert.deepEqual(waitParts(span), [{ name: "slot", from: 1, to: 3 }, { name: "previous", from: 3, to: 7 }, { name: "batch", from: 7, to: 10 }]);
  assert.deepEqual(waitParts({ ...span, got_slot: 0.5, before: NaN }), [{ name: "batch", from: 1, to: 10 }]);
  assert.deepEqual(waitParts({ ...span, got_slot: 99 }), [{ name: "slot", from: 1, to: 10 }]);
});

const layout = {
  lanes: [{ x: 100, y: 100, w: 1000, h: 62, fan: 34 }, { x: 100, y: 170, w: 1000, h: 62, fan: 34 }],
  wedge: { x: 100, y: 60, w: 1000, h: 26 }, roots: { x: 100, y: 80, w: 1000, h: 44 },
};
const facts = { max_batch_size: 4, instances: ["instance 0", "instance 1"], steps: [], lanes: [] };

function sceneWith(chains, trees = new Trees(TREE)) {
  const spans = chains.between(100, 110);
  const batches = spans.map((span) => ({ ...span, count: 2, rows: 2, reason: 8, compute_start: span.start, compute_end: span.end }));
  return {
    slice: { from_s: 100, to_s: 110 }, now_s: 111, facts, spans, links: linksOf(spans), batches,
    trees: trees.between(100, 110), store: { chains, trees },
  };
}

test("the pointer finds a request by its knot, the next one by the line to it, and nothing far from both", () => {
  const scene = sceneWith(chainsOf(row(0, 0, 1, { slot: 1 }), row(0, 1, 5, { slot: 1 })));
  const [first, second] = scene.store.chains.byLabel.get("a");
  const y = spanLevel(scene, layout)(first);
  assert.equal(y, 100 + 34 + (28 * 1.5) / 4);
  assert.equal(nearestSpan(scene, layout, 204, y).span, first);
  assert.equal(nearestSpan(scene, layout, 400, y).span, second);
  assert.equal(nearestSpan(scene, layout, 400, y + 20), null);
});

test("a request lights the whole of its sequence", () => {
  const scene = sceneWith(chainsOf(row(0, 0, 1), row(0, 1, 5), row(1, 0, 2)));
  const [first] = scene.store.chains.byLabel.get("a");
  const lit = litOf(scene, { kind: "request", batch: { lane: 0, batch: 0 }, arrival: first.arrival });
  assert.deepEqual(lit.run.map(({ position }) => position), [0, 1]);
  assert.equal(litOf(scene, { kind: "bin" }), null);
  assert.notEqual(litKey(lit), litKey(litOf(scene, { kind: "span", span: scene.spans[2] })));
});

test("a request of a sequence is told with its place, flags, slot and what it waited for", () => {
  const scene = sceneWith(chainsOf(row(0, 0, 1, { flags: 1 }), row(0, 1, 2, { flags: 2, slot: 3, got: 1, before: 1.9375 })));
  const span = scene.store.chains.byLabel.get("a")[1];
  const reason = { name: "sequence", words: "sequence" };
  const { title, lines } = spanWords(span, batchOf(scene, span), scene.store.chains.runOf(span), reason, facts, 102, { waiting: "grey", text: "ink" });
  assert.equal(title, "sequence a · its 2nd request, its end · slot 3 · 125 ms ago");
  assert.equal(lines[0], "waited 125 ms: 62.5 ms until the request before it was done, 62.5 ms for its batch: one step of 2 sequences");
  assert.match(lines[1], /^then ran with 1 other on instance 0: executed for 62.5 ms/);
  assert.match(lines[2], /^2 requests of it in this window: the 1st to the 2nd/);
});

/** An ensemble's request of two steps, the second an ensemble of one step. */
function someTrees() {
  const trees = new Trees(TREE);
  const rows = [
    [0, -1, -1, -1, 0, 1, 1, 5, 0, 0, 0, 0, 7],
    [0, 0, 0, 0, 3, 1, 1.5, 2, 0, 4, 4, 1, 0],
    [0, 0, 1, -1, 0, 2, 2, 5, 0, 0, 0, 3, 0],
    [0, 2, 0, 1, 9, 2, 4, 5, 0, 1, 1, 2, 0],
    [1, -1, -1, -1, 0, 3, 3, 6, 2, 0, 0, 0, 8],
  ];
  trees.put(Float32Array.from(rows.flat()), ["whole", "resize", "classify", "inner"], 100, 40);
  return trees;
}

test("an ensemble's requests bring their steps, those within a step behind it", () => {
  const [first, second] = someTrees().between(100, 110);
  assert.deepEqual([first.root.serial, second.root.serial, second.nodes.length, second.root.status], [47, 48, 0, 2]);
  assert.deepEqual(inOrder(first).map(({ step, model, parent }) => [step, model, parent]), [[0, "resize", -1], [1, "inner", -1], [0, "classify", 1]]);
  assert.equal(stepAt([first], { lane: 1, batch: 9 }, 102).node.model, "classify");
  assert.equal(stepAt([first], { lane: 1, batch: 9 }, 103), null);
});

test("requests that overlap stand in rows of their own", () => {
  const tree = (arrival, end) => ({ root: { arrival, end } });
  assert.deepEqual(treeRows([tree(0, 4), tree(1, 2), tree(3, 6), tree(4, 5), tree(4.5, 9)], 3), [0, 1, 1, 0, 2]);
  assert.deepEqual(treeRows([tree(0, 4), tree(1, 4), tree(2, 4), tree(3, 4)], 2), [0, 1, 1, 1]);
});

test("an ensemble's request tells which step took longest, and each step's waiting and running", () => {
  const [tree] = someTrees().between(100, 110);
  const { title, lines, bars } = treeWords(tree, tree.nodes[0], { ...facts, instances: ["resize", "classify"] }, 106, { waiting: "grey", text: "ink" });
  assert.equal(title, "request 47 · 4 s through 2 steps · 5 s ago");
  assert.equal(lines[0], "longest in step 1 (inner): 3 s of 4 s");
  assert.equal(lines[1], "▸ step 0 (resize): waited 500 ms, ran 500 ms with 3 others on resize");
  assert.equal(lines[2], "step 1 (inner): 3 s through steps of its own");
  assert.equal(lines[3], "· step 0 (classify): waited 2 s, ran 1 s alone on classify");
  assert.deepEqual(bars[2].parts.map(({ offset, share }) => [offset, share]), [[0.25, 0.5], [0.75, 0.25]]);
});

function viewOf(scene) {
  const view = { scene, layout, pinned: null, frozen: null, closeup: { slice: scene.slice }, pin: (pinned) => (view.pinned = pinned) };
  return view;
}

test("the enter key goes from a batch into its sequences, arrows along one and across", () => {
  const scene = sceneWith(chainsOf(row(0, 0, 1, { slot: 1, batch: 5 }), row(0, 1, 3, { slot: 1, batch: 6 }), row(1, 0, 1, { slot: 0, batch: 5 })));
  const view = viewOf(scene);
  view.pinned = { hit: { kind: "batch", batch: { lane: 0, batch: 5, start: 101 } } };
  assert.ok(enterLinked(view));
  assert.equal(view.pinned.hit.span.label, "b");
  stepLinked(view, 0, 1);
  assert.equal(view.pinned.hit.span.label, "a");
  stepLinked(view, 1, 0);
  assert.deepEqual([view.pinned.hit.span.label, view.pinned.hit.span.position], ["a", 1]);
  stepLinked(view, 1, 0);
  assert.equal(view.pinned.hit.span.position, 1);
});

test("the enter key goes into the newest request of an ensemble, arrows through its steps and to its neighbours", () => {
  const view = viewOf(sceneWith(new Chains(CHAIN), someTrees()));
  assert.ok(enterLinked(view));
  assert.deepEqual([view.pinned.hit.tree.root.serial, view.pinned.hit.node], [48, null]);
  stepLinked(view, 0, -1);
  stepLinked(view, 1, 0);
  assert.deepEqual([view.pinned.hit.tree.root.serial, view.pinned.hit.node.model], [47, "resize"]);
  stepLinked(view, 1, 0);
  stepLinked(view, 1, 0);
  stepLinked(view, 1, 0);
  assert.equal(view.pinned.hit.node.model, "classify");
});

test("without anything linked, arrows and the enter key do what they did", () => {
  const view = viewOf(sceneWith(new Chains(CHAIN)));
  assert.equal(enterLinked(view), false);
  assert.equal(stepLinked(view, 1, 0), false);
});

test("a store takes what is linked, and one of an older notebook does without", () => {
  const tables = { bins: ["index"], batches: [], requests: [], pools: ["index", "pool", "live", "reserved"] };
  const header = {
    kind: "frame", seq: 1, now_s: 102, base_s: 100, base_serial: 0, base_tree: 0, bin_s: 0.1, window_s: 10, first_bin: 1000,
    thinned: false, batch_total: 0, whole_from_s: 0, dropped: 0, marks: [], labels: ["a"], tree_models: [],
  };
  const bytes = (...numbers) => new DataView(Float32Array.from(numbers).buffer);
  const store = new Store({ ...tables, chains: CHAIN, trees: TREE, queues: QUEUE });
  store.take(header, [bytes(), bytes(), bytes(), bytes(), bytes(...row(0, 0, 1)), bytes(), bytes(0, 2, 7, 1, 2, 9)], 0);
  assert.deepEqual([store.chains.count, store.queues.get(2).get(1001, 2)], [1, 9]);
  const old = new Store(tables);
  old.take(header, [bytes(), bytes(), bytes(), bytes()], 0);
  assert.equal(old.chains.count, 0);
});
