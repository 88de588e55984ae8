// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// A part of a picture that is drawn again only when what it shows became another.

/** @typedef {{x: number, y: number, w: number, h: number}} Rect */

export class Piece {
  constructor() {
    this.key = null;
    this.hits = [];
  }

  /** What was drawn is gone. */
  reset() {
    this.key = null;
  }

  /** @param {import("./pen.js").Pen} pen @param {Rect[]} rects its places; a single one is never drawn over
   *  @param {any[]} key what it shows @param {(hits: any[]) => void} paint @returns {boolean} whether it was drawn */
  draw(pen, rects, key, paint) {
    if (isSameKey(this.key, key)) return false;
    this.key = key;
    this.hits = [];
    const places = rects.map((rect) => outward(rect, pen.ratio));
    for (const { x, y, w, h } of places) pen.fill(x, y, w, h, pen.theme.background);
    if (places.length === 1) pen.clip(places[0], () => paint(this.hits));
    else paint(this.hits);
    return true;
  }
}

/** @param {any[] | null} a @param {any[]} b @returns {boolean} */
export function isSameKey(a, b) {
  return a !== null && a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}

/** @param {Rect} rect @param {number} ratio @returns {Rect} the same with its edges between device pixels, none smaller */
export function outward({ x, y, w, h }, ratio) {
  const left = Math.floor(x * ratio) / ratio;
  const top = Math.floor(y * ratio) / ratio;
  return { x: left, y: top, w: Math.ceil((x + w) * ratio) / ratio - left, h: Math.ceil((y + h) * ratio) / ratio - top };
}
