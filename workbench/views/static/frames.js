// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// One clock for all views of a page: what has news is drawn together, so that the browser puts the page together once.

// News of several views come one after the other; a frame waits this long for the last of them.
const GATHER_MS = 10;

export class Frames {
  /** @param {(call: () => void) => void} [request] calls back before the display's next frame @param {() => number} [now] milliseconds */
  constructor(request = (call) => requestAnimationFrame(call), now = () => performance.now()) {
    Object.assign(this, { request, now, waiting: new Set(), isAsked: false, since: 0 });
  }

  /** Draws soon, once, however often it is asked for. @param {() => void} draw */
  ask(draw) {
    this.waiting.add(draw);
    if (this.isAsked) return;
    this.isAsked = true;
    this.since = this.now();
    this.request(() => this._tick());
  }

  /** @param {() => void} draw what is not drawn any more */
  forget(draw) {
    this.waiting.delete(draw);
  }

  _tick() {
    if (this.now() - this.since < GATHER_MS) return void this.request(() => this._tick());
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
