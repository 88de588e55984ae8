// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// What was never measured, drawn so that nobody takes it for measured: pale, dashed, and called predicted.
import { duration, threeDigits } from "./numbers.js";

const LEAST_PX = 3;

/** A band over a trend. @param {{x: number, y: number, w: number, h: number}} rect @param {[number, number]} band @param {number} top of the axis */
export function drawBand(pen, rect, [low, high], top, colour, words) {
  const y = (value) => rect.y + rect.h * (1 - Math.min(value / top, 1));
  const upper = y(high);
  const h = Math.max(y(low) - upper, LEAST_PX);
  pen.fill(rect.x, upper, rect.w, h, colour, pen.palette.predicted_opacity);
  pen.dashed(rect.x, upper, rect.x + rect.w, upper, colour, 1);
  pen.dashed(rect.x, upper + h, rect.x + rect.w, upper + h, colour, 1);
  const width = pen.widthOf(words, 10);
  const base = upper - rect.y > 12 ? upper - 2 : upper + h + 9;
  pen.fill(rect.x + 2, base - 9, width + 4, 11, pen.theme.background, 0.8);
  pen.text(words, rect.x + 4, base, { size: 10, colour: pen.theme.text });
}

/** Dashed outlines over the bars of the measured batch sizes. @param {number} step width of a bar @param {number} most share of the tallest one */
export function drawSizeOutlines(pen, chart, sizes, bars, step, most) {
  const { g } = pen;
  g.save();
  g.setLineDash([3, 2]);
  g.strokeStyle = pen.theme.ink;
  g.lineWidth = 1;
  bars.forEach((bar, i) => {
    const share = Object.entries(sizes).reduce((sum, [rows, part]) => (rows >= bar.first && rows <= bar.last ? sum + part : sum), 0);
    const h = Math.min(share / most, 1) * chart.h;
    if (h < 1) return;
    g.globalAlpha = pen.palette.predicted_opacity;
    g.fillStyle = pen.theme.ink;
    g.fillRect(chart.x + i * step, chart.y + chart.h - h, Math.max(step - 2, 1), h);
    g.globalAlpha = 1;
    g.strokeRect(chart.x + i * step, chart.y + chart.h - h, Math.max(step - 2, 1), h);
  });
  g.restore();
}

export function latencyBandWords(name, [low, high]) {
  const [a, b] = [duration(low), duration(high)];
  return `predicted ${name} ${a === b ? a : `${a} – ${b}`}`;
}

export function rateBandWords([low]) {
  return `predicted ${threeDigits(low)}/s`;
}
