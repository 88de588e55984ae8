// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// From request to request by the keyboard: along a sequence, through the steps of an ensemble's request.
import { litOf, spanLevel } from "./linked.js";
import { sliceScale } from "./lanes.js";
import { inOrder } from "./trees.js";

/** Goes from what is pinned into what is linked: a batch's sequences, a batch's or the newest request of the ensemble.
 *  @param {any} view @returns {boolean} whether there was something to go into */
export function enterLinked(view) {
  const { scene, pinned } = view;
  const hit = pinned?.hit;
  const lit = litOf(scene, hit);
  if (lit && hit.kind === "request") return pinLinked(view, lit.run ? { kind: "span", span: lit.span } : { kind: "tree", ...lit });
  const batch = hit?.batch;
  const spans = scene.spans.filter((span) => (batch ? span.lane === batch.lane && span.batch === batch.batch : true)).sort((a, b) => a.slot - b.slot);
  if (spans.length) return pinLinked(view, { kind: "span", span: spans[0] });
  const trees = batch ? scene.trees.filter(({ nodes }) => nodes.some((node) => node.lane === batch.lane && node.batch === batch.batch)) : scene.trees;
  return trees.length > 0 && pinLinked(view, { kind: "tree", tree: trees[trees.length - 1], node: null });
}

/** @param {number} by @param {number} across @returns {boolean} whether what is pinned is linked */
export function stepLinked(view, by, across) {
  const hit = view.pinned?.hit;
  if (hit?.kind === "span") return stepAlong(view, hit.span, by, across);
  if (hit?.kind === "tree") return stepThrough(view, hit, by, across);
  return false;
}

function stepAlong(view, span, by, across) {
  const { scene } = view;
  const run = scene.store.chains.runOf(span);
  const beside = scene.spans.filter((one) => one.lane === span.lane && one.batch === span.batch).sort((a, b) => a.slot - b.slot);
  const next = across ? neighbourOf(beside, span, across) : neighbourOf(run, span, by);
  return pinLinked(view, { kind: "span", span: next });
}

function stepThrough(view, { tree, node }, by, across) {
  const trees = view.scene.trees;
  if (across) return pinLinked(view, { kind: "tree", tree: neighbourOf(trees, tree, across), node: null });
  const steps = [null, ...inOrder(tree)];
  return pinLinked(view, { kind: "tree", tree, node: neighbourOf(steps, node ?? null, by) });
}

function neighbourOf(all, one, by) {
  const at = all.indexOf(one);
  return at < 0 ? one : all[Math.min(Math.max(at + by, 0), all.length - 1)];
}

/** Pins it where it is drawn, and brings it into view where the picture is paused. */
function pinLinked(view, hit) {
  const { layout, closeup, frozen } = view;
  const at = hit.span ?? hit.node ?? hit.tree.root;
  const { from_s, to_s } = closeup.slice;
  if (frozen && (at.arrival < from_s || at.end > to_s)) closeup.moveTo((at.arrival + at.end) / 2);
  const x = sliceScale({ slice: closeup.slice }, layout.wedge)(hit.span ? at.start : at.arrival);
  const y = hit.span ? spanLevel(view.scene, layout)(at) : (layout.lanes[at.lane] ?? layout.roots ?? layout.wedge).y;
  view.pin({ hit, x: Math.min(Math.max(x, layout.wedge.x), layout.wedge.x + layout.wedge.w), y });
  return true;
}
