// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// What a mark means, in the words of someone who serves models.
import { byteSize, counted, duration, percent, threeDigits } from "./numbers.js";

const SIZED = (facts) => (facts.max_batch_size > 1 ? ` of ${facts.max_batch_size}` : "");

/** @type {Record<string, (batch: any, facts: any) => string>} */
const WHY = {
  none: (batch, facts) => `${counted(batch.rows, "row")}${SIZED(facts)}; no reason was given`,
  direct: () => "went straight to the instance: this model has no dynamic batching",
  full: (batch, facts) => `${batch.rows}${SIZED(facts)} rows came, so it left full`,
  preferred: (batch) => `${counted(batch.rows, "row")} came, a preferred size`,
  delay_expired: (batch, facts) =>
    `${batch.rows}${SIZED(facts)} rows came, then the delay of ${duration(facts.max_queue_delay_microseconds / 1e6)} ended`,
  instance_free: (batch, facts) => `left with ${batch.rows}${SIZED(facts)} rows as soon as this instance was free`,
  shape_mismatch: (batch, facts) => `left with ${batch.rows}${SIZED(facts)} rows: the next request had another shape`,
  custom: (batch) => `the model's own batching rule closed it at ${counted(batch.rows, "row")}`,
  sequence: (batch) => `one step of ${counted(batch.count, "sequence")}`,
  shutdown: (batch) => `sent with ${counted(batch.rows, "row")} because the model is being unloaded`,
  cached: () => "answered out of the response cache, without a batch",
};

/** @returns {{title: string, lines: string[]}} */
export function batchWords(batch, reason, facts, now_s, arrivals = []) {
  const waited = duration(batch.start - batch.arrival);
  const why = whyWords(batch, reason, facts);
  const instance = facts.instances[batch.lane] ?? `instance ${batch.lane}`;
  const lines = [`waited ${waited} for its batch: ${why}`, ...waitsWords(batch, reason, arrivals), stepsWords(batch)];
  return { title: `${counted(batch.rows, "row")} on ${instance} · ${reason.words} · ${agoWords(now_s - batch.start)}`, lines };
}

/** Why a batch left, as the end of a sentence. */
export function whyWords(batch, reason, facts) {
  return (WHY[reason.name] ?? WHY.none)(batch, facts);
}

/** Of several batches that stand too close to be drawn apart. */
export function mergedWords(block, reason, facts, now_s) {
  const instance = facts.instances[block.lane] ?? `instance ${block.lane}`;
  return {
    title: `${block.merged} batches on ${instance} · ${agoWords(now_s - block.start)}`,
    lines: [
      `in ${duration(block.end - block.start)}, busy ${percent(block.busy_share)} of it, ${threeDigits(block.rows)} rows on average`,
      `mostly: ${reason.words}; the longest wait was ${duration(block.longest_wait_s)}`,
      "click to look closer",
    ],
  };
}

/** How long each waited, where the arrivals of all are known, and whether the batch as a whole had to wait for an instance. */
function waitsWords(batch, reason, arrivals) {
  if (arrivals.length < batch.count) return [];
  const waits = arrivals.map((arrival) => Math.max(batch.start - arrival, 0));
  const [shortest, longest] = [Math.min(...waits), Math.max(...waits)];
  const lines = batch.count > 1 ? [`its ${batch.count} requests waited ${duration(shortest)} to ${duration(longest)}`] : [];
  const isComplete = ["full", "preferred", "direct"].includes(reason.name);
  if (isComplete && shortest > 0.05 * longest && shortest > 5e-5) lines.push(`complete, it waited ${duration(shortest)} for a free instance`);
  return lines;
}

/** How long it executed, step by step. */
export function stepsWords(batch) {
  const execution = duration(batch.end - batch.start);
  const hasCompute = batch.compute_start >= batch.start && batch.compute_end > batch.compute_start;
  if (!hasCompute) return `executed for ${execution}`;
  const [input, compute, output] = [
    batch.compute_start - batch.start, batch.compute_end - batch.compute_start, batch.end - batch.compute_end,
  ].map(duration);
  return `executed for ${execution}: input ${input}, compute ${compute}, output ${output}`;
}

/** @param {number} seconds */
export function agoWords(seconds) {
  return seconds < 0.05 ? "now" : `${duration(seconds)} ago`;
}

/** @param {(name: string) => number} value of a bin's column @returns {{title: string, lines: string[]}} */
export function binWords(value, bin_s, ago_s, p99_span_s) {
  const lines = [`${threeDigits(value("answered") / bin_s)} answers/s`];
  if (value("refused") > 0) lines.push(`${counted(value("refused"), "request")} refused`);
  if (value("failed") > 0) lines.push(`${counted(value("failed"), "request")} failed`);
  if (value("answered") > 0) {
    lines.push(`waited ${duration(value("queue_p50"))} (median)${p95Words(value("queue_p95"))}${p99Words(value("queue_p99"))}`);
    lines.push(`latency ${duration(value("latency_p50"))} (median)${p95Words(value("latency_p95"))}${p99Words(value("latency_p99"))}`);
    if (p99_span_s > bin_s) lines.push(`p99 is taken over ${duration(p99_span_s)}`);
  }
  return { title: `${duration(bin_s)}, ${agoWords(ago_s)}`, lines };
}

function p95Words(seconds) {
  return seconds > 0 ? `, p95 ${duration(seconds)}` : "";
}

function p99Words(seconds) {
  return Number.isNaN(seconds) ? ", p99: n < 368" : `, p99 ${duration(seconds)}`;
}

/** @returns {{title: string, lines: string[]}} */
export function reasonWords(counts, reasons, ago_s) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const lines = counts
    .map((count, code) => ({ count, reason: reasons[code] }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .map(({ count, reason }) => `${reason.words}: ${percent(count / total)} (${count})`);
  return { title: `why ${counted(total, "batch").replace(/batchs$/, "batches")} left, ${agoWords(ago_s)}`, lines };
}

/** @returns {{title: string, lines: string[]}} */
export function poolWords(pool, live, reserved, ago_s) {
  const lines = [`${byteSize(live)} in use, ${byteSize(reserved)} reserved, most ever ${byteSize(pool.peak_byte_size)}`];
  if (pool.limit_byte_size) lines.push(`may hold ${byteSize(pool.limit_byte_size)}`);
  if (pool.fallbacks) lines.push(`was full ${counted(pool.fallbacks, "time")}: another pool helped out`);
  if (pool.failures) lines.push(`${counted(pool.failures, "allocation")} failed`);
  return { title: `${pool.name}, ${agoWords(ago_s)}`, lines };
}

/** What the dashboard says instead of its sentence when it has no news. @returns {string | null} */
export function stateWords({ hasFrame, silent_s, isLive, isSaved }) {
  if (isSaved) return "A saved picture: no kernel answers. Run this cell again to watch live.";
  if (!hasFrame) return silent_s > 3 ? "No kernel answers. Run this cell again to watch." : "Waiting for the first news from the kernel.";
  if (!isLive) return "Stopped: this is the last look. Run this cell again to go on.";
  if (silent_s > 3) return `No news for ${Math.round(silent_s)} s: the kernel is held up, or gone. Interrupt it, or run this cell again.`;
  return null;
}
