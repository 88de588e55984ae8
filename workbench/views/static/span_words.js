// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// What linked spans mean, in words: a request in its sequence, an ensemble's request with its steps.
import { SEQUENCE_END, SEQUENCE_START, waitParts } from "./chains.js";
import { counted, duration, ordinal } from "./numbers.js";
import { statusName } from "./request.js";
import { depthOf, inOrder } from "./trees.js";
import { agoWords, stepsWords, whyWords } from "./words.js";

const WAITED_FOR = {
  slot: "until its sequence had a slot",
  previous: "until the request before it was done",
  batch: "for its batch",
};

/** @param {any} span @param {any} batch that it ran in, or nothing where that is not drawn @param {any[]} run its sequence, as far as known
 *  @returns {{title: string, lines: string[], bars: any[]}} */
export function spanWords(span, batch, run, reason, facts, now_s, { waiting, text }) {
  const flags = flagWords(span.flags);
  const title = `sequence ${span.label} · its ${ordinal(span.position + 1)} request${flags} · slot ${span.slot} · ${agoWords(now_s - span.arrival)}`;
  const parts = waitParts(span);
  const total = span.start - span.arrival;
  const why = batch ? `: ${whyWords(batch, reason, facts)}` : "";
  const waits = parts.map(({ name, from, to }) => `${duration(to - from)} ${WAITED_FOR[name]}`).join(", ");
  const lines = [
    parts.length ? `waited ${duration(total)}: ${waits}${parts[parts.length - 1].name === "batch" ? why : ""}` : "did not wait",
    batch ? `then ran ${batch.count > 1 ? `with ${counted(batch.count - 1, "other")}` : "alone"} on ${facts.instances[span.lane] ?? `instance ${span.lane}`}: ${stepsWords(batch)}` : `then ran for ${duration(span.end - span.start)}`,
    runWords(span, run),
  ];
  const scale = Math.max(span.end - span.arrival, 1e-9);
  const bar = (label, from, to, colour, opacity) => ({
    label, words: duration(to - from), parts: [{ offset: (from - span.arrival) / scale, share: (to - from) / scale, colour, opacity }],
  });
  const bars = [...parts.map(({ name, from, to }) => bar(WAIT_BARS[name], from, to, waiting, 0.9)), bar("ran", span.start, span.end, text, 0.7)];
  return { title, lines, bars };
}

const WAIT_BARS = { slot: "··· for a slot", previous: "– – for the one before", batch: "— for its batch" };

function flagWords(flags) {
  if (flags & SEQUENCE_START && flags & SEQUENCE_END) return ", its only one";
  if (flags & SEQUENCE_START) return ", its start";
  return flags & SEQUENCE_END ? ", its end" : "";
}

function runWords(span, run) {
  if (run.length < 2) return "no other request of it is known in this window";
  const [first, last] = [run[0], run[run.length - 1]];
  const took = duration(last.end - first.arrival);
  return `${counted(run.length, "request")} of it in this window: the ${ordinal(first.position + 1)} to the ${ordinal(last.position + 1)}, ${took} in all`;
}

/** @param {import("./trees.js").Tree} tree @param {any} node the step that is meant, or nothing for the whole
 *  @returns {{title: string, lines: string[], bars: any[]}} */
export function treeWords(tree, node, facts, now_s, { waiting, text }) {
  const { root } = tree;
  const total = Math.max(root.end - root.arrival, 1e-9);
  const nodes = inOrder(tree);
  const failed = root.status ? `, and failed: ${statusName(root.status)}` : "";
  const title = `request ${root.serial} · ${duration(total)} through ${counted(tree.nodes.filter(({ parent }) => parent < 0).length, "step")}${failed} · ${agoWords(now_s - root.arrival)}`;
  const lines = [slowestWords(tree, total), ...nodes.map((one) => `${one === node ? "▸ " : ""}${nodeWords(tree, one, facts)}`)];
  const bars = nodes.map((one) => ({
    label: `${one.step} ${one.model}`,
    words: duration(one.end - one.arrival),
    parts: [
      { offset: (one.arrival - root.arrival) / total, share: (one.start - one.arrival) / total, colour: waiting, opacity: 0.9 },
      { offset: (one.start - root.arrival) / total, share: (one.end - one.start) / total, colour: text, opacity: 0.7 },
    ],
  }));
  return { title, lines, bars };
}

/** The step that took longest, and whether it waited or ran. */
function slowestWords({ nodes }, total) {
  const own = nodes.filter(({ parent }) => parent < 0);
  if (!own.length) return "none of its steps is known in this window";
  const slowest = own.reduce((most, node) => (node.end - node.arrival > most.end - most.arrival ? node : most));
  const waited = slowest.start - slowest.arrival;
  const isWait = slowest.count > 0 && waited > (slowest.end - slowest.arrival) / 2;
  return `longest in step ${slowest.step} (${slowest.model}): ${duration(slowest.end - slowest.arrival)} of ${duration(total)}${isWait ? ", most of it waiting" : ""}`;
}

function nodeWords(tree, node, facts) {
  const indent = "· ".repeat(depthOf(tree, node));
  const name = `${indent}step ${node.step} (${node.model})`;
  const failed = node.status ? `, ${statusName(node.status)}` : "";
  if (!node.count) return `${name}: ${duration(node.end - node.arrival)}${node.lane < 0 && tree.nodes.some(({ parent }) => parent === node.index) ? " through steps of its own" : ", on no instance"}${failed}`;
  const others = node.count > 1 ? `with ${counted(node.count - 1, "other")}` : "alone";
  return `${name}: waited ${duration(node.start - node.arrival)}, ran ${duration(node.end - node.start)} ${others} on ${facts.instances[node.lane] ?? "an instance"}${failed}`;
}
