// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The four tiles: a number first, big; its trend beside it.
import { counted, duration, percent, threeDigits } from "./numbers.js";
import { drawBand, drawSizeOutlines, latencyBandWords, rateBandWords } from "./predicted.js";
import { statusName } from "./request.js";
import { largest, valuesOf } from "./scene.js";

function title(pen, words, rect, note = "", colour = pen.theme.faint) {
  const width = pen.text(words, rect.x, rect.y + 10, { colour: pen.theme.faint });
  if (note && pen.widthOf(note) <= rect.w - width - 8) {
    pen.text(note, rect.x + rect.w, rect.y + 10, { colour, align: "right", weight: colour === pen.theme.faint ? 400 : 600 });
  }
}

function big(pen, words, unit, rect) {
  const width = pen.text(words, rect.x, rect.y + 38, { size: 24, weight: 600, colour: pen.theme.ink });
  return width + pen.text(unit, rect.x + width + 5, rect.y + 38, { size: 12, colour: pen.theme.faint }) + 5;
}

/** Where a trend stands: the lower part of a tile. */
function trendRect(rect) {
  return { x: rect.x, y: rect.y + 50, w: rect.w, h: rect.h - 50 };
}

function trendPoints(scene, values, rect, top) {
  const { bins, bin_s, from_s, to_s } = scene;
  return values.map((value, i) => [
    rect.x + (((bins[i] + 0.5) * bin_s - from_s) / (to_s - from_s)) * rect.w,
    rect.y + rect.h * (1 - value / top),
  ]);
}

function drawRate(pen, scene, rect, tops, hits) {
  const { totals } = scene;
  title(pen, "answered", rect, `offered ${threeDigits(totals.offered_per_s)}/s`);
  const [number, unit = ""] = threeDigits(totals.answered_per_s).split(" ");
  const width = big(pen, number, `${unit}/s`, rect);
  const lost = totals.refused_per_s + totals.failed_per_s;
  let lostHit = null;
  if (lost > 0) {
    const spot = { x: rect.x + width + 12, y: rect.y + 22, w: rect.w - width - 12, h: 22 };
    pen.text(lostWords(totals), spot.x, rect.y + 38, { colour: pen.palette.alarm, weight: 600, most: spot.w });
    lostHit = { ...spot, kind: "words", words: lostDetails(totals) };
  }
  const trend = trendRect(rect);
  const answered = valuesOf(scene, "answered");
  const refused = valuesOf(scene, "refused");
  const { prediction, bin_s } = scene.store;
  const most = largest(answered.map((value, i) => value + (refused[i] || 0)));
  const top = tops.rate.update(Math.max(most, (prediction?.throughput[1] ?? 0) * bin_s), scene.now_s);
  pen.clip(trend, () => {
    const points = trendPoints(scene, answered, trend, top);
    pen.area(points, trend.y + trend.h, pen.theme.text, 0.12);
    pen.line(points, pen.theme.text, 1.5);
    const barWidth = Math.max((trend.w / answered.length) * 0.8, 1);
    trendPoints(scene, refused, trend, top).forEach(([x, y], i) => {
      if (refused[i] > 0) pen.fill(x - barWidth / 2, y, barWidth, trend.y + trend.h - y, pen.palette.alarm, 0.9);
    });
  });
  if (prediction) drawBand(pen, trend, prediction.throughput.map((value) => value * bin_s), top, pen.theme.text, rateBandWords(prediction.throughput));
  pen.hairline(trend.x, trend.y + trend.h, trend.x + trend.w, trend.y + trend.h);
  hits.push({ ...rect, kind: "bin" });
  if (lostHit) hits.push(lostHit);
}

/** By the status that they got, the most frequent first. */
function lostDetails({ lost = [], covered_s }) {
  const lines = lost.flatMap(({ status, refused, failed }) => [
    ...(refused ? [`${refused} refused: ${statusName(status)}${WHY_REFUSED[status] ?? ""}`] : []),
    ...(failed ? [`${failed} failed: ${statusName(status)}`] : []),
  ]);
  return { title: `lost in ${duration(covered_s)}`, lines };
}

const WHY_REFUSED = { 5: ", the queue was full or they waited too long", 8: ", whoever asked went away" };

function lostWords({ refused_per_s, failed_per_s }) {
  const words = [];
  if (refused_per_s > 0) words.push(`${threeDigits(refused_per_s)}/s refused`);
  if (failed_per_s > 0) words.push(`${threeDigits(failed_per_s)}/s failed`);
  return `▲ ${words.join(", ")}`;
}

function drawLatency(pen, scene, rect, tops, hits) {
  const { totals, facts } = scene;
  const hasP99 = totals.latency.p99 != null;
  const objective = facts.objective_p99_ms == null ? null : facts.objective_p99_ms / 1e3;
  const isOver = Boolean(hasP99 && objective && totals.latency.p99 > objective);
  const [median, medianUnit] = split(duration(totals.latency.p50));
  const [p99, unit] = hasP99 ? split(duration(totals.latency.p99)) : ["", ""];
  const same = unit === medianUnit || !hasP99;
  const p95 = totals.latency.p95 != null ? `${inUnit(totals.latency.p95, unit)} / ` : "";
  const figures = (middle) => (hasP99 ? `${median}${same ? "" : ` ${medianUnit}`} / ${middle}${p99}` : median);
  const isRoomy = pen.widthOf(figures(p95), 24, 600) + 24 <= rect.w;
  const words = figures(isRoomy ? p95 : "");
  const hasP95 = hasP99 && isRoomy && p95;
  const note = objectiveWords(objective, isOver);
  title(pen, hasP95 ? "latency  p50 / p95 / p99" : "latency  p50 / p99", rect, note, isOver ? pen.palette.alarm : undefined);
  const width = big(pen, words, hasP99 ? unit : medianUnit, rect);
  if (!hasP99 && totals.latency.count) pen.text("p99: n < 368", rect.x + width + 12, rect.y + 38, { colour: pen.theme.faint });
  const trend = trendRect(rect);
  const [p50s, p99s] = [valuesOf(scene, "latency_p50"), valuesOf(scene, "latency_p99")];
  const { prediction } = scene.store;
  const predicted = prediction && !prediction.is_overloaded ? prediction : null;
  const top = tops.latency.update(Math.max(largest(p50s), largest(p99s), objective ?? 0, predicted?.p99_s[1] ?? 0), scene.now_s);
  pen.clip(trend, () => {
    pen.area(trendPoints(scene, p50s, trend, top), trend.y + trend.h, pen.theme.text, 0.12);
    pen.line(trendPoints(scene, p50s, trend, top), pen.theme.text, 1, 0.6);
    pen.line(trendPoints(scene, p99s, trend, top), pen.theme.ink, 1.75);
    if (objective) {
      const y = trend.y + trend.h * (1 - objective / top);
      pen.dashed(trend.x, y, trend.x + trend.w, y, pen.palette.alarm, 1);
    }
  });
  if (predicted) {
    drawBand(pen, trend, predicted.p50_s, top, pen.theme.text, latencyBandWords("p50", predicted.p50_s));
    drawBand(pen, trend, predicted.p99_s, top, pen.theme.ink, latencyBandWords("p99", predicted.p99_s));
  }
  pen.hairline(trend.x, trend.y + trend.h, trend.x + trend.w, trend.y + trend.h);
  hits.push({ ...rect, kind: "bin" });
}

function objectiveWords(objective, isOver) {
  if (!objective) return "";
  return isOver ? `▲ over ${duration(objective)}` : `objective ${duration(objective)}`;
}

/** @returns {string} seconds as a figure in the unit of its neighbour; with its own unit where that is another */
function inUnit(seconds, unit) {
  const [figure, own] = split(duration(seconds));
  return own === unit ? figure : `${figure} ${own}`;
}

/** @param {string} words "1.8 ms" @returns {string[]} */
function split(words) {
  const at = words.lastIndexOf(" ");
  return at < 0 ? [words, ""] : [words.slice(0, at), words.slice(at + 1)];
}

const STEPS = ["queue", "input", "compute", "output"];

/** Of an ensemble: how long each step takes, and how much of it its requests wait. */
function drawSteps(pen, { totals, facts }, rect, hits) {
  title(pen, "where the time goes", rect, totals.latency.count ? `mean ${duration(totals.mean_s)}` : "");
  const steps = totals.steps.map((step, i) => ({ ...step, number: i, name: facts.steps[i], all_s: step.wait_s + step.rest_s }));
  const longest = Math.max(...steps.map(({ all_s }) => all_s), 1e-9);
  const shown = steps.length > 4 ? [...steps].sort((a, b) => b.all_s - a.all_s).slice(0, 4).sort((a, b) => a.number - b.number) : steps;
  const bar = { x: rect.x + 84, w: rect.w - 84 - 58 };
  shown.forEach((step, i) => {
    const y = rect.y + 20 + i * 18.5;
    const isMost = step.all_s === longest && step.count > 0;
    const look = { size: 12, colour: isMost ? pen.theme.ink : pen.theme.faint, weight: isMost ? 600 : 400 };
    pen.text(`${step.number} ${step.name}`, rect.x, y + 11, { ...look, most: 78 });
    const waiting = (bar.w * step.wait_s) / longest;
    pen.fill(bar.x, y + 2, waiting, 11, pen.palette.waiting, isMost ? 0.9 : pen.palette.waiting_opacity + 0.2);
    pen.fill(bar.x + waiting, y + 2, (bar.w * step.rest_s) / longest, 11, pen.theme.text, 0.85);
    pen.hairline(bar.x, y + 1, bar.x, y + 14);
    pen.text(step.count ? duration(step.all_s) : "–", rect.x + rect.w, y + 11, { ...look, align: "right" });
    hits.push({ x: rect.x, y, w: rect.w, h: 18, kind: "words", words: meanStepWords(step) });
  });
}

function meanStepWords({ number, name, count, wait_s, rest_s, all_s }) {
  const lines = [`waits ${duration(wait_s)} (grey) and runs ${duration(rest_s)} (dark), over ${counted(count, "request")}`];
  return { title: `step ${number}, ${name}: ${duration(all_s)} on average`, lines };
}

function drawSplit(pen, scene, rect, tops, hits) {
  const { totals } = scene;
  if (totals.steps?.length) return drawSteps(pen, scene, rect, hits);
  title(pen, "where the time goes", rect, totals.latency.count ? `mean ${duration(totals.mean_s)}` : "");
  const most = Math.max(...totals.shares);
  const bar = { x: rect.x + 66, w: rect.w - 66 - 42 };
  STEPS.forEach((name, i) => {
    const y = rect.y + 20 + i * 18.5;
    const share = totals.shares[i];
    const isMost = share === most && share > 0;
    const colour = isMost ? pen.theme.ink : pen.theme.faint;
    const weight = isMost ? 600 : 400;
    pen.text(name, rect.x, y + 11, { size: 12, colour, weight });
    if (name === "queue") pen.fill(bar.x, y + 2, bar.w * share, 11, pen.palette.waiting, isMost ? 0.9 : pen.palette.waiting_opacity + 0.2);
    else pen.fill(bar.x, y + 2, bar.w * share, 11, pen.theme.text, name === "compute" ? 0.85 : 0.5);
    pen.hairline(bar.x, y + 1, bar.x, y + 14);
    pen.text(percent(share), rect.x + rect.w, y + 11, { size: 12, colour, weight, align: "right" });
    hits.push({ x: rect.x, y, w: rect.w, h: 18, kind: "words", words: stepWords(name, share, totals) });
  });
}

const MEANING = {
  queue: "waiting in the queue, for a batch or for a free instance",
  input: "gathering inputs, before compute begins",
  compute: "in the model itself",
  output: "writing and sending outputs",
};

function stepWords(name, share, totals) {
  return { title: `${name}: ${percent(share)} of the mean latency`, lines: [`${duration(share * totals.mean_s)} ${MEANING[name]}`] };
}

function drawSizes(pen, scene, rect, tops, hits) {
  const { totals, facts } = scene;
  const reasons = pen.palette.reasons;
  const total = totals.by_reason.reduce((sum, count) => sum + count, 0);
  title(pen, "batch size and why it left", rect, total ? `mean ${threeDigits(totals.mean_rows)}` : "");
  const words = { x: rect.x + rect.w * 0.4, w: rect.w * 0.6 };
  const chart = { x: rect.x, y: rect.y + 18, w: rect.w * 0.35, h: rect.h - 18 - 14 };
  const { sizes } = totals;
  const top = Math.max(...sizes.map((bar) => bar.by_reason.reduce((sum, n) => sum + n, 0)), 1);
  const step = chart.w / Math.max(sizes.length, 1);
  sizes.forEach((bar, i) => {
    let y = chart.y + chart.h;
    const count = bar.by_reason.reduce((sum, n) => sum + n, 0);
    bar.by_reason.forEach((n, code) => {
      const h = (n / top) * chart.h;
      y -= h;
      pen.reasonBar(chart.x + i * step, y, Math.max(step - 2, 1), h, reasons[code]);
    });
    const label = bar.first === bar.last ? `${bar.first}` : `${bar.first}–${bar.last}`;
    const isLabelled = sizes.length <= 8 || i === 0 || i === sizes.length - 1 || (i + 1) % 4 === 0;
    const align = i === 0 && step < 14 ? "left" : i === sizes.length - 1 && label.length > 3 ? "right" : "center";
    const x = chart.x + i * step + { left: 0, center: (step - 2) / 2, right: step - 2 }[align];
    if (isLabelled) pen.text(sizes.length > 8 ? `${bar.last}` : label, x, rect.y + rect.h - 1, { colour: pen.theme.faint, align, size: 10 });
    hits.push({ x: chart.x + i * step, y: chart.y, w: step, h: chart.h + 14, kind: "words", words: sizeWords(bar, count, total, reasons) });
  });
  const { prediction } = scene.store;
  if (prediction) drawSizeOutlines(pen, chart, prediction.sizes, sizes, step, Math.max(top / Math.max(total, 1), largest(Object.values(prediction.sizes))));
  pen.hairline(chart.x, chart.y + chart.h, chart.x + chart.w, chart.y + chart.h);
  const present = totals.by_reason.map((count, code) => ({ count, reason: reasons[code] })).filter(({ count }) => count > 0);
  present.sort((a, b) => b.count - a.count).slice(0, 4).forEach(({ count, reason }, i) => {
    const y = chart.y + 9 + i * 18.5;
    pen.glyph(reason.shape, words.x + 5, y - 4, 9, reason.colour);
    const share = percent(count / total);
    const colour = i ? pen.theme.text : pen.theme.ink;
    pen.text(share, words.x + words.w, y, { size: 12, align: "right", weight: i ? 400 : 600, colour });
    pen.text(reason.words, words.x + 15, y, { size: 12, weight: i ? 400 : 600, colour, most: words.w - 15 - 38 });
  });
  if (!total) pen.text("no batch yet", chart.x, chart.y + chart.h - 8, { colour: pen.theme.faint });
}

function sizeWords(bar, count, total, reasons) {
  const rows = bar.first === bar.last ? counted(bar.first, "row") : `${bar.first} to ${bar.last} rows`;
  const lines = bar.by_reason
    .map((n, code) => ({ n, code }))
    .filter(({ n }) => n > 0)
    .map(({ n, code }) => `${reasons[code].words}: ${n}`);
  return { title: `batches of ${rows}: ${percent(total ? count / total : 0)} (${count})`, lines };
}

/** Each is drawn by `draw(pen, scene, rect, tops, hits)`; trends have news with every bin, the others with new totals. */
export const TILES = [
  { draw: drawRate, isTrend: true },
  { draw: drawLatency, isTrend: true },
  { draw: drawSplit, isTrend: false },
  { draw: drawSizes, isTrend: false },
];
