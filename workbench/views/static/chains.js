// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Requests of sequences: the spans of one sequence in the order in which they came. Plain values.

const MOST_SPANS = 65536;
export const SEQUENCE_START = 1;
export const SEQUENCE_END = 2;

/** @typedef {{label: string, lane: number, batch: number, arrival: number, start: number, end: number, serial: number,
 *            position: number, flags: number, slot: number, got_slot: number, before: number}} Span */

const SPAN_TIMES = ["arrival", "start", "end", "got_slot", "before"];

export class Chains {
  /** @param {string[]} columns */
  constructor(columns = []) {
    this.columns = columns;
    this.clear();
  }

  clear() {
    /** @type {Map<string, Span[]>} */
    this.byLabel = new Map();
    this.count = 0;
  }

  /** @param {Float32Array} table @param {string[]} labels that the table counts in */
  put(table, labels, base_s, base_serial) {
    const width = this.columns.length;
    for (let at = 0; width && at + width <= table.length; at += width) {
      const span = {};
      this.columns.forEach((name, k) => (span[name] = table[at + k] + (SPAN_TIMES.includes(name) ? base_s : 0)));
      span.serial += base_serial;
      span.label = labels[span.label];
      this._add(span);
    }
  }

  _add(span) {
    const known = this.byLabel.get(span.label);
    if (!known) this.byLabel.set(span.label, [span]);
    else {
      // Frames bring them in order, save those of different threads.
      let to = known.length;
      while (to > 0 && known[to - 1].start > span.start) to--;
      known.splice(to, 0, span);
    }
    this.count++;
  }

  /** Lets go of what is older than the window, or too much. */
  forget(before_s) {
    if (this.count > MOST_SPANS) before_s = Math.max(before_s, this._middle());
    for (const [label, spans] of this.byLabel) {
      const kept = spans[0].end >= before_s ? spans : spans.filter((span) => span.end >= before_s);
      this.count -= spans.length - kept.length;
      if (!kept.length) this.byLabel.delete(label);
      else if (kept !== spans) this.byLabel.set(label, kept);
    }
  }

  _middle() {
    const ends = [...this.byLabel.values()].flat().map((span) => span.end).sort((a, b) => a - b);
    return ends[ends.length >> 1];
  }

  /** @returns {Span[]} those that overlap a time, with their waits */
  between(from_s, to_s) {
    const found = [];
    for (const spans of this.byLabel.values()) {
      for (let i = spans.length - 1; i >= 0 && spans[i].end >= from_s; i--) if (spans[i].start <= to_s) found.push(spans[i]);
    }
    return found;
  }

  /** @returns {Chains} as it is now, whatever comes later */
  copy() {
    const copy = Object.assign(Object.create(Chains.prototype), this);
    copy.byLabel = new Map([...this.byLabel].map(([label, spans]) => [label, [...spans]]));
    return copy;
  }

  /** @param {Span} span @returns {Span[]} all of its sequence that are known: an id may be used for one after the other */
  runOf(span) {
    const spans = this.byLabel.get(span.label) ?? [];
    const at = spans.indexOf(span);
    if (at < 0) return [span];
    let [first, last] = [at, at];
    while (first > 0 && isNextOf(spans[first - 1], spans[first])) first--;
    while (last < spans.length - 1 && isNextOf(spans[last], spans[last + 1])) last++;
    return spans.slice(first, last + 1);
  }
}

function isNextOf(before, after) {
  return after.position > before.position && !(before.flags & SEQUENCE_END);
}

/** @param {Span[]} spans @returns {[Span, Span][]} each with the next of its sequence, where that is known */
export function linksOf(spans) {
  const byKey = new Map(spans.map((span) => [`${span.label}/${span.lane}/${span.position}`, span]));
  const links = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const next = byKey.get(`${span.label}/${span.lane}/${span.position + 1}`);
    if (next && next.start > span.start && !(span.flags & SEQUENCE_END)) links.push([span, next]);
  }
  return links;
}

/** @param {Span} span @returns {{name: string, from: number, to: number}[]} the parts of its wait, those that are none left out */
export function waitParts(span) {
  const gotSlot = Math.min(Math.max(span.got_slot, span.arrival), span.start);
  const before = Number.isNaN(span.before) ? gotSlot : Math.min(Math.max(span.before, gotSlot), span.start);
  return [
    { name: "slot", from: span.arrival, to: gotSlot },
    { name: "previous", from: gotSlot, to: before },
    { name: "batch", from: before, to: span.start },
  ].filter(({ from, to }) => to - from > 1e-9);
}
