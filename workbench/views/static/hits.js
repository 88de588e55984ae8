// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// What lies under the pointer, in words.
import { memberBars, requestWords } from "./request.js";
import { laneFacts } from "./lane_facts.js";
import { batchOf, litOf } from "./linked.js";
import { queueRowWords } from "./queue_rows.js";
import { spanWords, treeWords } from "./span_words.js";
import { agoWords, batchWords, binWords, mergedWords, poolWords, reasonWords } from "./words.js";

/** @param {any} scene @param {any} palette @param {any} hit a place that was drawn @param {number} x of the pointer
 *  @returns {{title: string, lines: string[]} | null} */
export function hitWords(scene, palette, hit, x) {
  if (hit.kind === "words") return hit.words;
  if (hit.kind === "batch") return wordsOfBatch(scene, palette, hit.batch);
  if (hit.kind === "request") return wordsOfRequest(scene, palette, hit);
  if (hit.kind === "span" || hit.kind === "tree") return wordsOfLinked(scene, palette, litOf(scene, hit));
  if (hit.kind === "mark") return { title: hit.mark.words, lines: [`${hit.mark.count} ×, at ${clockTime(scene.now_s - hit.mark.when_s)}`] };
  return wordsOfTime(scene, palette, hit, scene.from_s + ((x - hit.x) / hit.w) * (scene.to_s - scene.from_s));
}

function wordsOfBatch(scene, palette, batch) {
  const reason = palette.reasons[batch.reason] ?? palette.reasons[0];
  const facts = laneFacts(scene.facts, batch.lane);
  if (batch.merged) return mergedWords(batch, reason, facts, scene.now_s);
  const members = membersOf(scene, batch);
  const words = batchWords(batch, reason, facts, scene.now_s, members.map(({ arrival }) => arrival));
  return { ...words, bars: memberBars(batch, members, { waiting: palette.waiting }) };
}

function wordsOfRequest(scene, palette, { batch, arrival }) {
  const reason = palette.reasons[batch.reason] ?? palette.reasons[0];
  const lit = litOf(scene, { kind: "request", batch, arrival });
  if (lit?.run) return wordsOfLinked(scene, palette, lit);
  const colours = { waiting: palette.waiting, text: "currentColor" };
  const words = requestWords(batch, membersOf(scene, batch), arrival, reason, laneFacts(scene.facts, batch.lane), scene.now_s, colours);
  if (!lit) return words;
  const whole = treeWords(lit.tree, lit.node, scene.facts, scene.now_s, colours);
  return { ...words, lines: [...words.lines, `it is step ${lit.node.step} of ${whole.title.split(" · ").slice(0, 2).join(", ")}`] };
}

const known = new WeakMap();

/** Looked up once for each batch that is asked for. */
function membersOf(scene, batch) {
  if (!known.has(batch)) known.set(batch, scene.store.membersOf(batch));
  return known.get(batch);
}

/** Of all that is lit: a request in its sequence, or an ensemble's with its steps. */
function wordsOfLinked(scene, palette, { span, run, tree, node }) {
  const colours = { waiting: palette.waiting, text: "currentColor" };
  if (tree) return treeWords(tree, node, scene.facts, scene.now_s, colours);
  const batch = batchOf(scene, span);
  const reason = palette.reasons[batch?.reason] ?? palette.reasons[0];
  return spanWords(span, batch, run, reason, laneFacts(scene.facts, span.lane), scene.now_s, colours);
}

function wordsOfTime(scene, palette, hit, time_s) {
  const index = Math.floor(time_s / scene.bin_s);
  const ago_s = Math.max(scene.to_s - time_s, 0);
  const { bins, pools } = scene.store;
  const value = (name) => bins.get(index, bins.column(name));
  if (hit.kind === "level") return queueRowWords(scene, hit.row, index, agoWords(ago_s));
  if (hit.kind === "pool") {
    const held = pools.get(hit.number);
    return poolWords(scene.totals.pools[hit.number], held?.get(index, 1) || 0, held?.get(index, 2) || 0, ago_s);
  }
  if (Number.isNaN(value("answered"))) return null;
  if (hit.kind === "why") return reasonWords(palette.reasons.map((_, code) => value(`reason_${code}`)), palette.reasons, ago_s);
  return binWords(value, scene.bin_s, ago_s, scene.totals.p99_span_s);
}

/** @param {number} ago_s @returns {string} a time of day */
function clockTime(ago_s) {
  return new Date(Date.now() - ago_s * 1e3).toLocaleTimeString();
}
