// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// One clock for all views of a page: what has news is drawn together, so that the browser puts the page together once. Their
// news come together, too (mail.js): nothing waits for more than the display's next frame.

export class Frames {
  /** @param {(call: () => void) => void} [request] calls back before the display's next frame */
  constructor(request = (call) => requestAnimationFrame(call)) {
    Object.assign(this, { request, waiting: new Set(), isAsked: false });
  }

  /** Draws soon, once, however often it is asked for. @param {() => void} draw */
  ask(draw) {
    this.waiting.add(draw);
    if (this.isAsked) return;
    this.isAsked = true;
    this.request(() => this._tick());
  }

  /** @param {() => void} draw what is not drawn any more */
  forget(draw) {
    this.waiting.delete(draw);
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
