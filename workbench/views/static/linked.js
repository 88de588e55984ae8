// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Linked spans on the lanes: a line from request to request of a sequence, and an ensemble's requests above their steps.
import { SEQUENCE_END, SEQUENCE_START, waitParts } from "./chains.js";
import { sliceScale } from "./lanes.js";
import { duration } from "./numbers.js";
import { stepAt, treeRows } from "./trees.js";

const MOST_LINES = 400;
const MOST_DROPS = 150;
const REACH = 6;
const SEQUENCE_REASON = 8;
const LEAST_ROW = 4;

/** What is lit: all that belongs to what the pointer, or the pin, is on. @returns {any} a chain, a tree, or nothing */
export function litOf(scene, hit) {
  if (hit?.kind === "span") return { span: hit.span, run: scene.store.chains.runOf(hit.span) };
  if (hit?.kind === "tree") return { tree: hit.tree, node: hit.node };
  if (hit?.kind !== "request") return null;
  const span = scene.spans.find((one) => one.lane === hit.batch.lane && one.batch === hit.batch.batch && Math.abs(one.arrival - hit.arrival) < 1e-5);
  return span ? litOf(scene, { kind: "span", span }) : stepAt(scene.trees, hit.batch, hit.arrival);
}

/** @returns {string} what is lit, for those who draw only what changed */
export function litKey(lit) {
  if (!lit) return "";
  return lit.run ? `${lit.span.label}/${lit.span.serial}/${lit.run.length}` : `${lit.tree.root.serial}/${lit.node?.index ?? ""}`;
}

/** @param {any} lit as `litOf` has it */
export function drawLinked(pen, scene, layout, lit, hits) {
  const { wedge, closeAxis } = layout;
  const place = { x: wedge.x, y: wedge.y, w: wedge.w, h: closeAxis.y - wedge.y };
  if (layout.roots) drawRoots(pen, scene, layout, hits);
  pen.clip(place, () => drawChains(pen, scene, layout));
  if (!lit) return;
  if (lit.run) drawLitChain(pen, scene, layout, lit);
  else drawLitTree(pen, scene, layout, lit);
}

/** @returns {(span: any) => number} where a request of a sequence stands in its batch, by its slot */
export function spanLevel(scene, layout) {
  const slots = Math.max(scene.facts.max_batch_size, 1, ...scene.spans.map(({ slot }) => slot + 1));
  return ({ lane, slot }) => {
    const rect = layout.lanes[lane];
    return rect.y + rect.fan + ((rect.h - rect.fan) * (slot + 0.5)) / slots;
  };
}

function drawChains(pen, scene, layout) {
  const x = sliceScale(scene, layout.wedge);
  const level = spanLevel(scene, layout);
  const colour = pen.palette.reasons[SEQUENCE_REASON].colour;
  if (scene.links.length > MOST_LINES) return;
  for (const [span, next] of scene.links) {
    if (!layout.lanes[span.lane]) continue;
    pen.line([[x(span.end), level(span)], [x(next.start), level(next)]], colour, 1, 0.9);
  }
  for (const span of scene.spans) if (layout.lanes[span.lane]) drawKnot(pen, span, x(span.start), level(span), 2.2);
}

/** A request of a sequence: a triangle where it starts, a square where it ends, a dot between. */
function drawKnot(pen, { flags }, x, y, r) {
  const shape = flags & SEQUENCE_START ? "triangle" : flags & SEQUENCE_END ? "square" : "circle";
  pen.glyph(shape, x + r + 1.5, y, 2 * r + 3, pen.theme.background);
  pen.glyph(shape, x + r + 1.5, y, 2 * r, pen.theme.ink);
}

/** What does not belong to what is lit becomes pale. */
function fade(pen, scene, layout, keeps) {
  const { wedge, closeAxis } = layout;
  const x = sliceScale(scene, wedge);
  let top = layout.roots?.y ?? layout.lanes[0].y;
  for (const [lane, rect] of layout.lanes.entries()) {
    pen.fill(rect.x, top, rect.w, rect.y + rect.fan - top, pen.theme.background, 0.65);
    top = rect.y + rect.h;
    const kept = keeps.filter((one) => one.lane === lane).map((one) => [x(one.start), x(one.end)]).sort((a, b) => a[0] - b[0]);
    let from = rect.x;
    for (const [left, right] of [...kept, [rect.x + rect.w, rect.x + rect.w]]) {
      if (left > from) pen.fill(from, rect.y + rect.fan, Math.min(left, rect.x + rect.w) - from, rect.h - rect.fan, pen.theme.background, 0.72);
      from = Math.max(from, right);
    }
  }
  return { x, place: { x: wedge.x, y: (layout.roots ?? wedge).y, w: wedge.w, h: closeAxis.y - (layout.roots ?? wedge).y } };
}

function drawLitChain(pen, scene, layout, { span, run }) {
  const shown = run.filter((one) => layout.lanes[one.lane] && one.end >= scene.slice.from_s && one.arrival <= scene.slice.to_s);
  const { x, place } = fade(pen, scene, layout, shown);
  const level = spanLevel(scene, layout);
  pen.clip(place, () => {
    run.forEach((one, i) => {
      const next = run[i + 1];
      if (next && layout.lanes[next.lane]) pen.line([[x(one.end), level(one)], [x(next.start), level(next)]], pen.theme.ink, 1.75);
    });
    for (const one of shown) {
      pen.line([[x(one.start), level(one)], [x(one.end), level(one)]], pen.theme.ink, one === span ? 3 : 1.75);
      drawWait(pen, one, layout.lanes[one.lane], x);
      drawKnot(pen, one, x(one.start), level(one), 3.5);
    }
    nameEnds(pen, shown, x, level, place);
  });
}

/** "start" and "end" beside those that bear the flags. */
function nameEnds(pen, shown, x, level, place) {
  for (const one of shown) {
    const word = one.flags & SEQUENCE_START ? "start" : one.flags & SEQUENCE_END ? "end" : "";
    if (!word) continue;
    const at = word === "start" ? x(one.start) - 5 : x(one.end) + 5;
    const width = pen.widthOf(word, 10.5, 600);
    const left = Math.min(Math.max(word === "start" ? at - width : at, place.x + 1), place.x + place.w - width - 1);
    pen.fill(left - 2, level(one) - 7, width + 4, 13, pen.theme.background, 0.85);
    pen.text(word, left, level(one) + 4, { size: 10.5, weight: 600, colour: pen.theme.ink });
  }
}

const WAIT_DASHES = { slot: [1.5, 3], previous: [5, 3], batch: [] };

/** Its way from arrival to batch: dotted until its sequence had a slot, dashed for the request before, whole for its batch. */
function drawWait(pen, span, rect, x) {
  if (!rect.fan) return;
  const { g } = pen;
  const [from, to] = [x(span.arrival), x(span.start)];
  const y = (at) => rect.y + (to > from ? ((at - from) / (to - from)) * rect.fan : rect.fan);
  g.save();
  g.strokeStyle = pen.theme.ink;
  g.lineWidth = 2;
  for (const part of waitParts(span)) {
    g.setLineDash(WAIT_DASHES[part.name]);
    g.beginPath();
    g.moveTo(x(part.from), y(x(part.from)));
    g.lineTo(x(part.to), y(x(part.to)));
    g.stroke();
  }
  g.restore();
}

/** The rows of an ensemble's requests. @returns {(tree: any) => {y: number, h: number}} */
function rootRows({ trees }, { roots }) {
  const count = Math.floor(roots.h / LEAST_ROW);
  const rows = treeRows(trees, count);
  const used = Math.min(Math.max(...rows, 0) + 1, count);
  const pitch = Math.min(roots.h / used, 9);
  const row = new Map(trees.map((tree, i) => [tree, rows[i]]));
  return (tree) => ({ y: roots.y + roots.h - ((row.get(tree) ?? 0) + 1) * pitch, h: Math.max(pitch - 1.5, 2) });
}

function drawRoots(pen, scene, layout, hits) {
  const { roots } = layout;
  const x = sliceScale(scene, roots);
  const place = rootRows(scene, layout);
  pen.text("requests", roots.x - 12, roots.y + roots.h / 2, { align: "right" });
  pen.text("of the ensemble", roots.x - 12, roots.y + roots.h / 2 + 13, { align: "right", size: 9.5, colour: pen.theme.faint, most: 96 });
  const hasDrops = scene.trees.reduce((sum, { nodes }) => sum + nodes.length, 0) <= MOST_DROPS;
  pen.clip({ ...roots, h: layout.closeAxis.y - roots.y }, () => {
    for (const tree of scene.trees) {
      const { y, h } = place(tree);
      const [left, right] = [Math.max(x(tree.root.arrival), roots.x), Math.min(x(tree.root.end), roots.x + roots.w)];
      pen.fill(left, y, Math.max(right - left, 1.5), h, tree.root.status ? pen.palette.alarm : pen.theme.text, tree.root.status ? 0.9 : 0.45);
      hits.push({ x: left - 1, y: y - 0.75, w: Math.max(right - left, 1.5) + 2, h: h + 1.5, kind: "tree", tree, node: null });
      if (hasDrops) drawDrops(pen, tree, layout, x, y + h, pen.theme.faint, 0.5, 0.35);
    }
  });
  if (!scene.trees.length) pen.text("no request ended in this time", roots.x + roots.w / 2, roots.y + roots.h / 2, { align: "center", colour: pen.theme.faint });
}

/** From the request down to where each of its steps begins to wait. */
function drawDrops(pen, tree, layout, x, from, colour, width, opacity) {
  for (const node of tree.nodes) {
    const rect = layout.lanes[node.lane];
    if (rect) pen.line([[x(node.arrival), from], [x(node.arrival), rect.y + (rect.fan ? 0 : rect.h / 2)]], colour, width, opacity);
  }
}

function drawLitTree(pen, scene, layout, { tree, node }) {
  const ran = tree.nodes.filter((one) => layout.lanes[one.lane]);
  const { x, place } = fade(pen, scene, layout, ran);
  const { ink } = pen.theme;
  const { g } = pen;
  pen.clip(place, () => {
    const bar = layout.roots && scene.trees.includes(tree) ? rootRows(scene, layout)(tree) : null;
    if (bar) {
      pen.fill(x(tree.root.arrival), bar.y, Math.max(x(tree.root.end) - x(tree.root.arrival), 2), bar.h, tree.root.status ? pen.palette.alarm : ink);
      drawDrops(pen, tree, layout, x, bar.y + bar.h, ink, 1.5, 1);
    }
    for (const one of ran) {
      const rect = layout.lanes[one.lane];
      pen.line([[x(one.arrival), rect.y], [x(one.start), rect.y + rect.fan]], ink, 2);
      g.strokeStyle = ink;
      g.lineWidth = one === node ? 3 : 2;
      g.strokeRect(x(one.start), rect.y + rect.fan, Math.max(x(one.end) - x(one.start), 2), rect.h - rect.fan);
      nameStep(pen, one, x, rect, place);
    }
  });
}

function nameStep(pen, node, x, rect, place) {
  if (rect.fan < 13) return;
  const words = `step ${node.step}: waited ${duration(node.start - node.arrival)}, ran ${duration(node.end - node.start)}`;
  const width = pen.widthOf(words, 10.5, 600);
  const left = Math.min(Math.max(x(node.start) + 3, place.x + 2), place.x + place.w - width - 2);
  pen.fill(left - 2, rect.y + rect.fan - 14, width + 4, 13, pen.theme.background, 0.85);
  pen.text(words, left, rect.y + rect.fan - 4, { size: 10.5, weight: 600, colour: pen.theme.ink });
}

/** @returns {{kind: "span", span: any} | null} the request of a sequence whose knot, or line to the next, lies within a few pixels */
export function nearestSpan(scene, layout, px, py) {
  if (!scene.spans.length) return null;
  const x = sliceScale(scene, layout.wedge);
  const level = spanLevel(scene, layout);
  let best = { distance: REACH, span: null };
  const look = (span, distance) => {
    if (distance < best.distance) best = { distance, span };
  };
  for (const span of scene.spans) if (layout.lanes[span.lane]) look(span, Math.hypot(x(span.start) + 3.5 - px, level(span) - py));
  if (scene.links.length <= MOST_LINES) for (const [span, next] of scene.links) {
    if (layout.lanes[span.lane]) look(next, distanceTo(px, py, x(span.end), level(span), x(next.start), level(next)));
  }
  return best.span && { kind: "span", span: best.span };
}

function distanceTo(px, py, x1, y1, x2, y2) {
  const length = Math.max((x2 - x1) ** 2 + (y2 - y1) ** 2, 1e-9);
  const share = Math.min(Math.max(((px - x1) * (x2 - x1) + (py - y1) * (y2 - y1)) / length, 0), 1);
  return Math.hypot(x1 + share * (x2 - x1) - px, y1 + share * (y2 - y1) - py);
}

/** @returns {any} the batch that a request of a sequence ran in, where it is drawn by itself */
export function batchOf(scene, { lane, batch, start }) {
  return scene.batches.find((one) => !one.merged && one.lane === lane && one.batch === batch && Math.abs(one.start - start) < 1e-5);
}
