// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The strips that share the long time axis: queue delay, why batches left, memory.
import { byteSize, duration, ticks } from "./numbers.js";
import { largest, usedPools, valuesOf } from "./scene.js";

/** @returns {(time_s: number) => number} where a time stands in a strip */
export function timeScale(scene, rect) {
  const { from_s, to_s } = scene;
  return (time_s) => rect.x + ((time_s - from_s) / (to_s - from_s)) * rect.w;
}

function gutter(pen, words, rect, y, options = {}) {
  pen.text(words, rect.x - 12, y, { align: "right", colour: pen.theme.faint, most: 102, ...options });
}

/** Two points a bin: p99 windows are drawn as the steps that they are. */
function steps(scene, values, x, y) {
  return scene.bins.flatMap((index, i) => {
    const at = y(values[i]);
    return [[x(index * scene.bin_s), at], [x((index + 1) * scene.bin_s), at]];
  });
}

/** What stands beside the strips: their names, the figures at the right, the axis. */
export function drawStripWords(pen, scene, layout, tops, hits) {
  drawQueueWords(pen, scene, layout, tops, hits);
  gutter(pen, "why batches left", layout.why, layout.why.y + layout.why.h / 2 + 4);
  hits.push({ ...layout.why, kind: "why" });
  usedPools(scene.totals).forEach((number, row) => drawPoolWords(pen, scene, layout.pools[row], number, hits));
  drawAxis(pen, scene, layout);
}

/** What moves with time. */
export function drawStripCurves(pen, scene, layout, tops, hits) {
  drawQueue(pen, scene, layout, tops);
  drawWhy(pen, scene, layout);
  drawStates(pen, scene, layout, hits);
  usedPools(scene.totals).forEach((number, row) => drawPool(pen, scene, layout.pools[row], number, tops, hits));
}

/** @returns {{delay_s: number, p50s: number[], p95s: number[], p99s: number[], top: number}} what the queue's strip shows */
function queueOf(scene, tops) {
  const { facts } = scene;
  const delay_s = facts.dynamic ? facts.max_queue_delay_microseconds / 1e6 : 0;
  const [p50s, p95s, p99s] = ["queue_p50", "queue_p95", "queue_p99"].map((name) => valuesOf(scene, name));
  const top = tops.queue.update(Math.max(largest(p50s), largest(p99s), delay_s, 1e-6), scene.now_s);
  return { delay_s, p50s, p95s, p99s, top };
}

function drawQueue(pen, scene, layout, tops) {
  const rect = layout.queue;
  const { delay_s, p50s, p95s, p99s, top } = queueOf(scene, tops);
  const x = timeScale(scene, rect);
  const y = (seconds) => rect.y + rect.h * (1 - seconds / top);
  for (const value of ticks(top, 3)) pen.hairline(rect.x, y(value), rect.x + rect.w, y(value));
  pen.clip({ ...rect, y: rect.y - 2, h: rect.h + 2 }, () => {
    const median = p50s.map((value, i) => [x((scene.bins[i] + 0.5) * scene.bin_s), y(value)]);
    pen.area(median, rect.y + rect.h, pen.palette.waiting, pen.palette.waiting_opacity);
    pen.line(steps(scene, p95s, x, y), pen.theme.text, 1, 0.45);
    pen.line(steps(scene, p99s, x, y), pen.theme.ink, 1.75);
    drawRefusals(pen, scene, rect, x);
  });
  if (delay_s > 0) pen.dashed(rect.x, y(delay_s), rect.x + rect.w, y(delay_s), pen.palette.reasons[4].colour);
}

function drawQueueWords(pen, scene, layout, tops, hits) {
  const rect = layout.queue;
  const { facts, totals } = scene;
  const { delay_s, p50s, p95s, p99s, top } = queueOf(scene, tops);
  const y = (seconds) => rect.y + rect.h * (1 - seconds / top);
  const used = pen.text("queue delay", layout.pad, rect.y - 9, { colour: pen.theme.text, weight: 600, size: 12 });
  const note = priorityWords(totals) ?? `how long ${facts.steps?.length ? "the steps' requests" : "requests"} wait before they execute`;
  pen.text(note, layout.pad + used + 8, rect.y - 9, { colour: pen.theme.faint, most: rect.w - 100 });
  if (facts.queue_length) {
    pen.text(`${facts.queue_length.toLocaleString("en")} waiting now`, rect.x + rect.w, rect.y - 9, { align: "right", weight: 600 });
  }
  for (const value of ticks(top, 3)) gutter(pen, value ? duration(value) : "0", rect, y(value) + 4);
  drawQueueLabels(pen, rect, y, delay_s, [lastKnown(p50s), lastKnown(p95s), lastKnown(p99s)], totals);
  hits.push({ ...rect, kind: "bin" });
}

/** @returns {string | null} the mean wait of each priority, where there are several */
export function priorityWords({ priorities = [] }) {
  if (!priorities.length) return null;
  return `mean wait by priority: ${priorities.map(({ priority, wait_s }) => `${priority}: ${duration(wait_s)}`).join(" · ")}`;
}

/** When the model was loaded, became ready, was unloaded: a flag on the long axis. */
function drawStates(pen, scene, layout, hits) {
  const { queue, axis } = layout;
  const x = timeScale(scene, queue);
  for (const mark of scene.marks.filter(({ kind }) => kind === "state")) {
    const at = x(mark.when_s);
    if (at < queue.x || at > queue.x + queue.w) continue;
    pen.hairline(at, queue.y, at, axis.y, pen.theme.faint);
    pen.polygon([[at, queue.y - 6], [at + 9, queue.y - 3], [at, queue.y]], pen.theme.text);
    hits.push({ x: at - 4, y: queue.y - 8, w: 14, h: 12, kind: "mark", mark });
  }
}

/** Names of the lines at their right ends, apart from each other. */
function drawQueueLabels(pen, rect, y, delay_s, [p50_s, p95_s, p99_s], totals) {
  const labels = [];
  if (delay_s > 0) labels.push({ y: y(delay_s), words: `delay ${duration(delay_s)}`, colour: pen.palette.reasons[4].colour, weight: 600 });
  if (p99_s != null) labels.push({ y: y(p99_s), words: `p99 ${duration(p99_s)}`, colour: pen.theme.ink });
  else if (totals.latency.count) labels.push({ y: rect.y + 8, words: "p99: n < 368", colour: pen.theme.faint });
  if (p95_s != null) labels.push({ y: y(p95_s), words: `p95 ${duration(p95_s)}`, colour: pen.theme.faint });
  if (p50_s != null) labels.push({ y: y(p50_s), words: `p50 ${duration(p50_s)}`, colour: pen.theme.faint });
  for (const label of spread(labels, 13, rect.y + 4, rect.y + rect.h)) {
    pen.text(label.words, rect.x + rect.w + 6, label.y + 4, { size: 10.5, colour: label.colour, weight: label.weight ?? 400, most: 82 });
  }
}

/** @param {{y: number}[]} labels @returns {any[]} the same, at least `gap` apart, between `top` and `bottom` */
export function spread(labels, gap, top, bottom) {
  const placed = [...labels].sort((a, b) => a.y - b.y).map((label) => ({ ...label }));
  placed.forEach((label, i) => (label.y = Math.max(label.y, i ? placed[i - 1].y + gap : top)));
  for (let i = placed.length - 1; i >= 0; i--) {
    placed[i].y = Math.min(placed[i].y, i === placed.length - 1 ? bottom : placed[i + 1].y - gap);
  }
  return placed;
}

function lastKnown(values) {
  for (let i = values.length - 1; i >= 0 && i > values.length - 60; i--) if (!Number.isNaN(values[i])) return values[i];
  return null;
}

function drawRefusals(pen, scene, rect, x) {
  const refused = valuesOf(scene, "refused");
  refused.forEach((count, i) => {
    if (!(count > 0)) return;
    const at = x(scene.bins[i] * scene.bin_s);
    pen.fill(at, rect.y - 2, Math.max(x((scene.bins[i] + 1) * scene.bin_s) - at, 1.5), 5, pen.palette.alarm);
  });
}

function drawWhy(pen, scene, layout) {
  const rect = layout.why;
  const x = timeScale(scene, rect);
  const perReason = pen.palette.reasons.map((_, code) => valuesOf(scene, `reason_${code}`));
  pen.clip(rect, () => {
    scene.bins.forEach((index, i) => {
      const total = perReason.reduce((sum, values) => sum + (values[i] || 0), 0);
      if (!total) return;
      const left = pen.snap(x(index * scene.bin_s));
      const width = pen.snap(x((index + 1) * scene.bin_s)) - left;
      let y = rect.y + rect.h;
      perReason.forEach((values, code) => {
        const h = ((values[i] || 0) / total) * rect.h;
        y -= h;
        pen.reasonBar(left, y, width, h, pen.palette.reasons[code]);
      });
    });
  });
  pen.hairline(rect.x, rect.y + rect.h, rect.x + rect.w, rect.y + rect.h);
}

function drawPool(pen, scene, rect, number, tops, hits) {
  const pool = scene.totals.pools[number];
  const bins = scene.store.pools.get(number);
  const live = scene.bins.map((index) => bins?.get(index, 1) ?? NaN);
  const reserved = scene.bins.map((index) => bins?.get(index, 2) ?? NaN);
  const limit = pool.limit_byte_size;
  const needed = Math.max(largest(live), largest(reserved), pool.reserved_byte_size, 1);
  const isLimitShown = limit > 0 && limit <= 6 * needed;
  tops.pools[number] ??= tops.newTop();
  const top = isLimitShown ? limit * 1.05 : tops.pools[number].update(needed, scene.now_s);
  const x = timeScale(scene, rect);
  const y = (bytes) => rect.y + rect.h * (1 - bytes / top);
  const middle = (values) => values.map((value, i) => [x((scene.bins[i] + 0.5) * scene.bin_s), y(value)]);
  pen.clip(rect, () => {
    pen.area(middle(live), rect.y + rect.h, pen.theme.text, 0.3);
    pen.line(middle(reserved), pen.theme.faint, 1);
  });
  if (isLimitShown) pen.dashed(rect.x, y(limit), rect.x + rect.w, y(limit), pen.theme.faint, 1);
  pen.hairline(rect.x, rect.y + rect.h, rect.x + rect.w, rect.y + rect.h);
  const marks = scene.marks.filter((mark) => mark.pool === number);
  marks.forEach((mark) => drawMark(pen, mark, rect, x, hits));
  if (marks.length) labelMarks(pen, marks, rect, x);
}

function drawPoolWords(pen, scene, rect, number, hits) {
  const pool = scene.totals.pools[number];
  const limit = pool.limit_byte_size;
  gutter(pen, pool.name, rect, rect.y + rect.h / 2 + 4);
  const size = limit ? `${byteSize(pool.live_byte_size)} of` : byteSize(pool.live_byte_size);
  pen.text(size, rect.x + rect.w + 6, rect.y + 12, { size: 10.5, most: 82 });
  pen.text(limit ? byteSize(limit) : "in use", rect.x + rect.w + 6, rect.y + 25, { size: 10.5, colour: pen.theme.faint, most: 82 });
  hits.push({ ...rect, kind: "pool", number });
}

/** The word beside the marks: after the last one, or before the first where there is no room. */
function labelMarks(pen, marks, rect, x) {
  const times = marks.map((mark) => x(mark.when_s));
  const total = marks.reduce((sum, mark) => sum + mark.count, 0);
  const words = `${marks.some((mark) => mark.kind === "allocation_failed") ? "no memory" : "fell back"} ${total} ×`;
  const last = Math.max(...times);
  const options = { size: 10.5, weight: 600, colour: pen.palette.alarm };
  const width = pen.widthOf(words, options.size, options.weight);
  const isRight = last + width + 12 < rect.x + rect.w;
  const at = isRight ? last + 9 : Math.max(Math.min(...times) - 9, rect.x + width + 4);
  pen.fill((isRight ? at : at - width) - 2, rect.y - 5, width + 4, 12, pen.theme.background, 0.85);
  pen.text(words, at, rect.y + 4, { ...options, align: isRight ? "left" : "right" });
}

function drawMark(pen, mark, rect, x, hits) {
  const at = x(mark.when_s);
  if (at < rect.x || at > rect.x + rect.w) return;
  pen.polygon([[at - 5, rect.y - 3], [at + 5, rect.y - 3], [at, rect.y + 6]], pen.palette.alarm);
  hits.push({ x: at - 6, y: rect.y - 5, w: 12, h: 14, kind: "mark", mark });
}

function drawAxis(pen, scene, layout) {
  const rect = layout.axis;
  const x = timeScale(scene, rect);
  const window_s = scene.to_s - scene.from_s;
  for (const ago of ticks(window_s, rect.w > 500 ? 5 : 3)) {
    const at = x(scene.to_s - ago);
    const align = ago === 0 ? "right" : ago >= window_s * 0.999 ? "left" : "center";
    pen.text(ago ? `−${duration(ago)}` : "now", at, rect.y + 12, { align, colour: pen.theme.faint, size: 10.5 });
  }
}
