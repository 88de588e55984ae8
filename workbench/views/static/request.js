// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// One request explained: what it waited for, with whom it ran, and where its time went.
import { counted, duration, ordinal } from "./numbers.js";
import { agoWords, stepsWords, whyWords } from "./words.js";

const MOST_BARS = 12;

/** @param {any} batch @param {any[]} members requests of the batch, first come first @param {number} arrival of the one that is meant
 *  @returns {{title: string, lines: string[], bars: any[]}} */
export function requestWords(batch, members, arrival, reason, facts, now_s, colours) {
  const at = members.findIndex((member) => member.arrival === arrival);
  const request = at >= 0 ? members[at] : { arrival, start: batch.start, end: batch.end };
  const name = request.serial == null ? "a request" : `request ${request.serial}`;
  const came = batch.count > 1 && at >= 0 ? `, the ${ordinal(at + 1)} of ${batch.count} to come` : "";
  const others = batch.count > 1 ? `with ${counted(batch.count - 1, "other")}` : "alone";
  const instance = facts.instances[batch.lane] ?? `instance ${batch.lane}`;
  const lines = [
    `waited ${duration(request.start - arrival)}${came}: ${whyWords(batch, reason, facts)}`,
    `then ran ${others} on ${instance}: ${stepsWords(batch)}`,
    `answered ${duration(request.end - arrival)} after it came${request.status ? `, and failed: ${STATUS[request.status] ?? request.status}` : ""}`,
  ];
  return { title: `${name}${extras(request)} · ${agoWords(now_s - arrival)}`, lines, bars: lifeBars(request, batch, colours) };
}

const STATUS = ["OK", "UNKNOWN", "INTERNAL", "NOT_FOUND", "INVALID_ARG", "UNAVAILABLE", "UNSUPPORTED", "ALREADY_EXISTS", "CANCELLED"];

/** @param {number} code @returns {string} */
export function statusName(code) {
  return STATUS[code] ?? `status ${code}`;
}

function extras({ rows, priority }) {
  return `${rows > 1 ? ` · ${counted(rows, "row")}` : ""}${priority ? ` · priority ${priority}` : ""}`;
}

/** The four steps of its life, on one scale. */
function lifeBars(request, batch, { waiting, text }) {
  const total = Math.max(request.end - request.arrival, 1e-9);
  const hasCompute = batch.compute_start >= batch.start && batch.compute_end > batch.compute_start;
  const steps = hasCompute
    ? [["input", batch.start, batch.compute_start], ["compute", batch.compute_start, batch.compute_end], ["output", batch.compute_end, batch.end]]
    : [["execution", batch.start, batch.end]];
  return [["queue", request.arrival, batch.start], ...steps].map(([label, from, to]) => ({
    label,
    words: duration(Math.max(to - from, 0)),
    parts: [{ offset: (from - request.arrival) / total, share: Math.max(to - from, 0) / total, colour: label === "queue" ? waiting : text, opacity: label === "compute" ? 0.9 : 0.6 }],
  }));
}

/** A bar for each request of a batch: how long it waited, on the scale of the longest wait. @returns {any[]} */
export function memberBars(batch, members, { waiting }) {
  const longest = Math.max(batch.start - batch.arrival, 1e-9);
  const shown = members.slice(0, MOST_BARS).map((member) => ({
    label: member.serial == null ? "request" : `${member.serial}${member.priority ? ` p${member.priority}` : ""}`,
    words: `${duration(member.start - member.arrival)}${member.rows > 1 ? `, ${member.rows} rows` : ""}${member.status ? `, ${statusName(member.status)}` : ""}`,
    parts: [{ offset: Math.max((member.arrival - batch.arrival) / longest, 0), share: Math.min((member.start - member.arrival) / longest, 1), colour: waiting }],
  }));
  const rest = members.length - shown.length;
  return rest > 0 ? [...shown, { label: `and ${rest} more`, words: "", parts: [] }] : shown;
}
