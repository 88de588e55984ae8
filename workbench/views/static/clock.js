// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// What time it is between two news: the kernel tells them ten times a second, a picture moves on more often.

export const NEWS_EVERY_S = 0.1;
// The kernel may be late, beside a cell that computes. Later than this, and the picture stands until it speaks again.
const LATE_S = 0.15;
// How fast a guess that ran ahead is taken back; one that ran behind is put right at once.
const BACK = 0.05;

export class Clock {
  constructor() {
    this.speed = 1;
    this.reset();
  }

  /** What was told before is of another time. */
  reset() {
    this.told_s = null;
    this.shown_s = -Infinity;
  }

  /** News: it was `now_s` there when they were sent. @param {number} now_s @param {number} at_ms clock of the browser */
  tell(now_s, at_ms) {
    if (now_s < this.told_s) this.reset();
    const offset_s = now_s - (this.speed * at_ms) / 1e3;
    const isBehind = this.told_s === null || offset_s > this.offset_s;
    this.offset_s = isBehind ? offset_s : this.offset_s + BACK * (offset_s - this.offset_s);
    this.told_s = now_s;
  }

  /** A replay that stands has the speed 0. @param {number} speed @param {number} at_ms */
  run(speed, at_ms) {
    if (speed === this.speed) return;
    if (this.told_s !== null) this.offset_s = this.at(at_ms) - (speed * at_ms) / 1e3;
    this.speed = speed;
  }

  /** @param {number} at_ms @returns {number} the time now; it never runs back */
  at(at_ms) {
    if (this.told_s === null) return 0;
    const guess_s = this.offset_s + (this.speed * at_ms) / 1e3;
    const last_s = this.told_s + (NEWS_EVERY_S + LATE_S) * this.speed;
    this.shown_s = Math.max(this.shown_s, Math.min(guess_s, last_s));
    return this.shown_s;
  }

  /** @param {number} bin_s @returns {number} how far behind a picture stays, so that news are there before it needs them */
  lag_s(bin_s) {
    return 0.05 + bin_s + (NEWS_EVERY_S + 0.05) * Math.max(this.speed, 1);
  }

  /** @returns {Clock} */
  copy() {
    return Object.assign(new Clock(), this);
  }
}
