// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The close-up: a lane for each instance, a block for each batch, a fan of those who waited for it.
import { laneFacts } from "./lane_facts.js";
import { duration, percent, roundUp } from "./numbers.js";
import { inkOn } from "./pen.js";
import { timeScale } from "./strips.js";

const MOST_WAIT_LINES = 1500;

/** @param {any} chosen what is pinned: a batch, or a request of one */
export function drawLanes(pen, scene, layout, chosen, hits) {
  const pinned = chosen?.batch;
  layout.lanes.forEach((rect, lane) => drawLaneLabel(pen, scene, rect, lane));
  const scale = sliceScale(scene, layout.wedge);
  const oldestFirst = [...scene.batches].reverse();
  let lines = MOST_WAIT_LINES;
  const { wedge, closeAxis } = layout;
  pen.clip({ x: wedge.x, y: wedge.y, w: wedge.w, h: closeAxis.y - wedge.y }, () => {
    for (const batch of oldestFirst) {
      const rect = layout.lanes[batch.lane];
      if (rect?.fan) lines -= drawFan(pen, scene, batch, rect, scale, lines);
    }
  });
  for (const batch of oldestFirst) {
    const rect = layout.lanes[batch.lane];
    if (rect && batch.merged) drawMerged(pen, scene, batch, rect, scale, hits);
    else if (rect) drawBlock(pen, scene, batch, rect, scale, isSame(batch, pinned), hits);
  }
  if (chosen?.kind === "request") drawChosen(pen, layout, chosen, scale);
  layout.lanes.forEach((rect, lane) => drawLongWait(pen, scene, rect, lane));
  drawCloseAxis(pen, scene, layout);
  if (!scene.batches.length) drawIdle(pen, scene, layout);
}

export function isSame(a, b) {
  return Boolean(a && b && a.lane === b.lane && a.batch === b.batch && a.start === b.start);
}

/** @returns {(time_s: number) => number} where a time stands in the close-up */
export function sliceScale({ slice }, rect) {
  return (time_s) => rect.x + ((time_s - slice.from_s) / (slice.to_s - slice.from_s)) * rect.w;
}

/** @returns {{left: number, shown: number} | null} where the close-up stands on the long axis, unless it is most of it */
export function slicePlace(scene, { queue }) {
  const x = timeScale(scene, queue);
  const clamp = (value) => Math.min(Math.max(value, queue.x), queue.x + queue.w);
  const [left, right] = [clamp(x(scene.slice.from_s)), clamp(x(scene.slice.to_s))];
  const shown = Math.max(right - left, 2);
  return !scene.batches.length || shown > 0.6 * queue.w ? null : { left, shown };
}

/** Marks the close-up on the strips. */
export function drawSlice(pen, { left, shown }, { queue, axis }) {
  pen.fill(left, queue.y, shown, axis.y - queue.y, pen.theme.text, shown < 20 ? 0.14 : 0.06);
  for (const x of shown < 20 ? [] : [left, left + shown]) pen.hairline(x, queue.y, x, axis.y, pen.theme.faint);
}

/** Ties the close-up to its place on the long axis. */
export function drawWedge(pen, { left, shown }, { wedge, axis }) {
  const bottom = wedge.y + wedge.h;
  pen.polygon([[left, axis.y + axis.h - 1], [left + shown, axis.y + axis.h - 1], [wedge.x + wedge.w, bottom], [wedge.x, bottom]], pen.theme.text, 0.09);
}

function drawLaneLabel(pen, scene, rect, lane) {
  const busy = scene.totals.busy[lane] ?? 0;
  const name = scene.facts.instances[lane] ?? `${lane}`;
  const middle = rect.y + rect.fan + (rect.h - rect.fan) / 2;
  const options = { align: "right", most: 102 };
  if (rect.h < 14) return pen.text(name, rect.x - 12, middle + 4, { ...options, size: 9, colour: pen.theme.faint });
  pen.text(name, rect.x - 12, middle + 4, options);
  pen.text(`busy ${percent(busy)}`, rect.x + rect.w + 6, middle + 4, { size: 10.5, colour: busy >= 0.9 ? pen.theme.ink : pen.theme.faint, weight: busy >= 0.9 ? 600 : 400 });
}

/** @returns {number} lines that were drawn */
function drawFan(pen, scene, batch, rect, x, most) {
  if (batch.merged) return 0;
  const start = x(batch.start);
  const foot = rect.y + rect.fan;
  const arrivals = scene.arrivals.get(`${batch.lane}/${batch.batch}`) ?? [batch.arrival];
  const newest = arrivals.reduce((latest, at) => Math.max(latest, at), batch.arrival);
  // Long waits lie over each other, many deep: the deeper, the fainter.
  const fade = Math.min(1, (2 * (batch.end - batch.start)) / Math.max(batch.start - batch.arrival, 1e-9));
  pen.polygon([[x(batch.arrival), rect.y], [x(newest), rect.y], [start, foot]], pen.palette.waiting, Math.max(0.2 * fade, 0.03));
  if (arrivals.length > most || fade < 0.15) return 0;
  const { g } = pen;
  g.strokeStyle = pen.palette.waiting;
  g.globalAlpha = (pen.palette.waiting_opacity + 0.15) * fade;
  g.lineWidth = 1;
  g.beginPath();
  for (const arrival of arrivals) {
    g.moveTo(x(arrival), rect.y);
    g.lineTo(start, foot);
  }
  g.stroke();
  g.globalAlpha = 1;
  return arrivals.length;
}

/** The wait of the request that is pinned, from its arrival to its batch. */
function drawChosen(pen, layout, { batch, arrival }, x) {
  const rect = layout.lanes[batch.lane];
  const { wedge, closeAxis } = layout;
  pen.clip({ ...wedge, h: closeAxis.y - wedge.y }, () => {
    pen.line([[x(arrival), rect.y], [x(batch.start), rect.y + rect.fan]], pen.theme.ink, 2);
  });
}

/** Where those who waited came long before the close-up begins, a fan shows nothing: words do. */
function drawLongWait(pen, scene, rect, lane) {
  if (rect.fan < 16) return;
  const waits = scene.batches.filter((batch) => batch.lane === lane).map((batch) => batch.start - batch.arrival);
  const middle = waits.sort((a, b) => a - b)[waits.length >> 1];
  if (!(middle > scene.slice.to_s - scene.slice.from_s)) return;
  pen.fill(rect.x, rect.y + 4, rect.w, rect.fan - 6, pen.palette.waiting, 0.16);
  const words = `← they came before this close-up: each waited about ${duration(middle)}`;
  pen.text(words, rect.x + 6, rect.y + rect.fan / 2 + 5, { colour: pen.theme.text, most: rect.w - 12 });
}

function drawBlock(pen, scene, batch, rect, x, isPinned, hits) {
  const reason = pen.palette.reasons[batch.reason] ?? pen.palette.reasons[0];
  const left = Math.max(x(batch.start), rect.x);
  const right = Math.min(x(batch.end), rect.x + rect.w);
  const w = Math.max(right - left - (right - left > 6 ? 1 : 0), 1);
  const y = rect.y + rect.fan;
  const h = rect.h - rect.fan;
  const fill = Math.min(batch.rows / Math.max(laneFacts(scene.facts, batch.lane).max_batch_size, 1), 1);
  pen.fill(left, y, w, h, reason.colour, 0.22);
  pen.reasonBar(left, y + h * (1 - fill), w, h * fill, reason);
  if (w >= 10 && h >= 14) drawBlockWords(pen, batch, reason, left, y, w, h, fill);
  if (isPinned) {
    pen.g.strokeStyle = pen.theme.ink;
    pen.g.lineWidth = 2;
    pen.g.strokeRect(left, y, w, h);
  }
  hits.push({ x: left, y: rect.y, w: Math.max(w, 3), h: rect.h, kind: "batch", batch });
}

/** Batches too close to be told apart: as dark as the instance was busy, as high as they were full. */
function drawMerged(pen, scene, block, rect, x, hits) {
  const reason = pen.palette.reasons[block.reason] ?? pen.palette.reasons[0];
  const left = Math.max(x(block.start), rect.x);
  const w = Math.max(Math.min(x(block.end), rect.x + rect.w) - left, 1);
  const [y, h] = [rect.y + rect.fan, rect.h - rect.fan];
  const fill = Math.min(block.rows / Math.max(laneFacts(scene.facts, block.lane).max_batch_size, 1), 1);
  pen.fill(left, y, w, h, reason.colour, 0.15);
  pen.fill(left, y + h * (1 - fill), w, h * fill, reason.colour, 0.25 + 0.65 * block.busy_share);
  hits.push({ x: left - 1, y: rect.y, w: Math.max(w, 3), h: rect.h, kind: "batch", batch: block });
}

function drawBlockWords(pen, batch, reason, left, y, w, h, fill) {
  const isInside = fill * h >= 13;
  const colour = isInside ? inkOn(reason.colour) : pen.theme.ink;
  const base = isInside ? y + h - 4 : y + h * (1 - fill) - 3;
  const hasGlyph = w >= 34;
  if (hasGlyph) pen.glyph(reason.shape, left + 10, base - 4, 8, isInside ? colour : reason.colour);
  const words = w >= 120 ? `${batch.rows} · ${reason.words}` : `${batch.rows}`;
  const room = w - (hasGlyph ? 20 : 3);
  if (pen.widthOf(words, 11, 600) <= room) pen.text(words, left + (hasGlyph ? 19 : Math.min(5, w / 6)), base, { colour, weight: 600 });
}

function drawCloseAxis(pen, scene, layout) {
  const rect = layout.closeAxis;
  const { from_s, to_s } = scene.slice;
  const span = to_s - from_s;
  pen.hairline(rect.x, rect.y, rect.x + rect.w, rect.y);
  const step = roundUp(span / (rect.w > 700 ? 8 : 5));
  const last = Math.floor(span / step + 1e-9);
  for (let i = 0; i <= last; i++) {
    const at = rect.x + ((i * step) / span) * rect.w;
    pen.hairline(at, rect.y, at, rect.y + 4);
    const align = i === 0 ? "left" : at > rect.x + rect.w - 20 ? "right" : "center";
    pen.text(i ? duration(i * step) : "0", at, rect.y + 14, { align, colour: pen.theme.faint, size: 10.5 });
  }
  pen.text("batches", layout.pad, layout.wedge.y + 6, { weight: 600, size: 12 });
  const words = `${duration(span)}, close up`;
  pen.text(words, layout.pad, layout.wedge.y + 20, { colour: pen.theme.faint });
}

function drawIdle(pen, scene, layout) {
  const rect = layout.lanes[0];
  pen.text("no batch in this time", rect.x + rect.w / 2, rect.y + rect.h / 2 + 4, { align: "center", colour: pen.theme.faint });
}
