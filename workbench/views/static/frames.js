// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// One clock for all views of a page: what has to be drawn is drawn together, so that the browser puts the page together once.

export class Frames {
  /** @param {(call: () => void) => void} [request] calls back before the display's next frame
   *  @param {(call: () => void, ms: number) => void} [later] @param {() => number} [now] milliseconds */
  constructor(request = (call) => requestAnimationFrame(call), later = (call, ms) => setTimeout(call, ms), now = () => performance.now()) {
    Object.assign(this, { request, later, now, waiting: new Set(), beating: new Map(), beats: new WeakMap(), isAsked: false, timedFor: Infinity });
  }

  /** Draws soon, once, however often it is asked for. @param {() => void} draw */
  ask(draw) {
    this.waiting.add(draw);
    if (this.isAsked) return;
    this.isAsked = true;
    this.request(() => this._tick());
  }

  /** Draws with the next beat, a multiple of `period_ms`: those that move alike move together. Whoever was late for its last
   *  one is not late for the next. */
  beat(draw, period_ms) {
    const current = Math.floor(this.now() / period_ms + 1e-6);
    const last = this.beats.get(draw);
    const next = last < current ? current : current + 1;
    this.beats.set(draw, next);
    this.beating.set(draw, next * period_ms);
    this._time();
  }

  /** @param {() => void} draw what is not drawn any more */
  forget(draw) {
    this.waiting.delete(draw);
    this.beating.delete(draw);
  }

  /** A timer for whoever is next. */
  _time() {
    const next = Math.min(...this.beating.values());
    if (!(next < this.timedFor)) return;
    this.timedFor = next;
    this.later(() => this._beat(), Math.max(next - this.now(), 0));
  }

  _beat() {
    this.timedFor = Infinity;
    for (const [draw, due] of [...this.beating]) {
      if (due > this.now() + 1) continue;
      this.beating.delete(draw);
      this.ask(draw);
    }
    this._time();
  }

  _tick() {
    this.isAsked = false;
    const due = [...this.waiting];
    this.waiting.clear();
    for (const draw of due) draw();
  }
}

/** @returns {Frames} the page's own: each widget is a module of its own, so the page itself has to keep it */
export function framesOfPage() {
  return (globalThis[Symbol.for("workbench.frames")] ??= new Frames());
}
