// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Numbers as people read them, and axes that do not jump. The Python twin is units.py.

/** @param {number} value @returns {string} at most three significant digits, no exponent */
function digits(value) {
  const size = Math.abs(value);
  const decimals = size >= 99.95 || size === 0 ? 0 : size >= 9.995 ? 1 : 2;
  const text = value.toFixed(decimals);
  return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
}

/** @param {number} value @param {[number, string][]} units largest first */
function inUnits(value, units) {
  const [factor, unit] = units.find(([factor]) => Math.abs(value) >= 0.9995 * factor) ?? units[units.length - 1];
  return unit ? `${digits(value / factor)} ${unit}` : digits(value / factor);
}

/** @param {number | null | undefined} seconds @returns {string} such as "12 µs", "1.8 ms"; a dash for none */
export function duration(seconds) {
  if (seconds == null || Number.isNaN(seconds)) return "–";
  return inUnits(seconds, [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]]);
}

/** @param {number} value @returns {string} such as "12.4 k" */
export function threeDigits(value) {
  return inUnits(value, [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]]);
}

/** @param {number} count @returns {string} such as "3.1 MiB" */
export function byteSize(count) {
  return inUnits(count, [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]]);
}

/** @param {number} share part of one */
export function percent(share) {
  return share > 0 && share < 0.01 ? "<1 %" : `${Math.round(share * 100)} %`;
}

/** @param {number} place @returns {string} such as "3rd" */
export function ordinal(place) {
  const ending = place % 100 >= 11 && place % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th");
  return `${place}${ending}`;
}

/** @param {number} count @param {string} noun */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const LADDER = [1, 2, 5, 10];

/** @param {number} value @returns {number} the next of 1, 2, 5 × 10ⁿ from `value` up */
export function roundUp(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
  return power * LADDER.find((step) => step * power >= value * (1 - 1e-9));
}

/** @param {number} top @param {number} most @returns {number[]} round values from 0 to `top`, at most `most` above 0 */
export function ticks(top, most) {
  const step = roundUp(top / most);
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, i) => i * step);
}

/** The top of an axis: grows at once, and shrinks only after the values were small for a while. */
export class AxisTop {
  /** @param {number} patience_s */
  constructor(patience_s = 5) {
    this.patience_s = patience_s;
    this.top = 0;
    this.smallSince = null;
  }

  /** @param {number} value largest value shown @param {number} now_s @returns {number} */
  update(value, now_s) {
    const wanted = roundUp(value * 1.08);
    if (wanted >= this.top || this.top === 0) {
      this.top = wanted;
      this.smallSince = null;
    } else if (value > 0.4 * this.top) {
      this.smallSince = null;
    } else {
      this.smallSince ??= now_s;
      if (now_s - this.smallSince > this.patience_s) {
        this.top = wanted;
        this.smallSince = null;
      }
    }
    return this.top;
  }
}
