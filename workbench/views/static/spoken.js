// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The facts of the picture as a list for screen readers: the same numbers, in the same words.
import { make } from "./elements.js";
import { byteSize, counted, duration, percent, threeDigits } from "./numbers.js";
import { queueFigures, queueRows } from "./queue_rows.js";
import { usedPools } from "./scene.js";

const EVERY_MS = 3000;

export class Spoken {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.list = make("ul", "workbench-spoken");
    this.list.setAttribute("aria-label", "what the picture shows");
    this.saidAt = -Infinity;
    parent.append(this.list);
  }

  /** Seldom, so that a reader gets to the end of it. @param {string[]} lines */
  say(lines, at_ms) {
    if (at_ms - this.saidAt < EVERY_MS) return;
    this.saidAt = at_ms;
    const text = lines.join("\n");
    if (text === this.text) return;
    this.text = text;
    this.list.replaceChildren(...lines.map((line) => make("li", "", { textContent: line })));
  }
}

/** @param {any} scene @param {any} palette @returns {string[]} */
export function factLines(scene, palette) {
  const { totals, facts } = scene;
  const steps = ["queue", "input", "compute", "output"].map((name, i) => `${name} ${percent(totals.shares[i])}`);
  const total = totals.by_reason.reduce((sum, count) => sum + count, 0);
  const reasons = totals.by_reason
    .map((count, code) => ({ count, words: palette.reasons[code].words }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .map(({ count, words }) => `${words} ${percent(count / total)}`);
  const { p50, p95, p99 } = totals.latency;
  return [
    facts.headline,
    totals.sentence,
    `${threeDigits(totals.answered_per_s)} answers a second, ${threeDigits(totals.offered_per_s)} offered, ${threeDigits(totals.refused_per_s)} refused, ${threeDigits(totals.failed_per_s)} failed`,
    `latency: median ${duration(p50)}, p95 ${duration(p95)}, p99 ${duration(p99)}`,
    totals.steps?.length
      ? `mean latency ${duration(totals.mean_s)} through ${counted(totals.steps.length, "step")}: ${totals.steps.map(({ wait_s, rest_s }, i) => `step ${i}, ${facts.steps[i]}, waits ${duration(wait_s)} and runs ${duration(rest_s)}`).join("; ")}`
      : `mean latency ${duration(totals.mean_s)}: ${steps.join(", ")}`,
    total ? `batches: ${threeDigits(totals.mean_rows)} rows on average; ${reasons.join(", ")}` : "no batch",
    `${facts.queue_length} waiting now`,
    ...queueLines(scene),
    ...linkLines(scene),
    ...facts.instances.slice(0, totals.busy.length).map((name, i) => `${name} busy ${percent(totals.busy[i])}`),
    ...usedPools(totals).map((number) => poolLine(totals.pools[number])),
  ];
}

/** How many wait at each priority level. */
function queueLines(scene) {
  return queueRows(scene.store.queues, scene.facts).map((row) => {
    const { now, most } = queueFigures(scene, row);
    return `${row.name}: ${now} waiting now, at most ${most} in this window`;
  });
}

/** What is linked in the close-up, and how one gets to it. */
function linkLines({ spans, trees }) {
  const labels = [...new Set(spans.map(({ label }) => label))];
  const named = labels.slice(0, 8).join(", ");
  return [
    ...(labels.length ? [`close up, ${counted(spans.length, "request")} of ${counted(labels.length, "sequence")}: ${named}${labels.length > 8 ? " and more" : ""}; the enter key goes into them`] : []),
    ...(trees.length ? [`close up, ${counted(trees.length, "request")} of the ensemble with their steps; the enter key goes into them`] : []),
  ];
}

function poolLine({ name, live_byte_size, limit_byte_size, fallbacks, failures }) {
  const limit = limit_byte_size ? ` of ${byteSize(limit_byte_size)}` : "";
  const trouble = `${fallbacks ? `, fell back ${fallbacks} times` : ""}${failures ? `, failed ${failures} times` : ""}`;
  return `${name}: ${byteSize(live_byte_size)}${limit} in use${trouble}`;
}
