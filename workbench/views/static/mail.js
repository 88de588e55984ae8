// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The post of a page: frames of several views come in one message, and one answer goes back for all of them. Each answer
// makes the kernel busy for a moment, which the notebook shows by drawing its icons anew: answers are seldom.

const ANSWER_EVERY_MS = 1000;

export class Mail {
  /** @param {() => number} [now] milliseconds */
  constructor(now = () => performance.now()) {
    Object.assign(this, { now, boxes: new Map(), arrived: new Map(), hidden: new Map(), answeredAt: -Infinity });
  }

  /** Hands the messages to a model, and those that come with another's, to `take`.
   *  @param {any} model @param {(header: any, buffers: DataView[]) => void} take */
  open(model, take) {
    const uid = model.get("uid");
    this.boxes.set(uid, take);
    model.on("msg:custom", (header, buffers) => {
      if (header.kind === "several") this._hand(header.parts, buffers);
      else take(header, buffers);
      this._answer(model);
    });
  }

  close(model) {
    this.boxes.delete(model.get("uid"));
  }

  /** A frame is here. @param {string} uid @param {number} seq @param {boolean} isHidden whether nobody sees it */
  frame(uid, seq, isHidden) {
    this.arrived.set(uid, [seq, isHidden]);
  }

  _hand(parts, buffers) {
    let at = 0;
    for (const { uid, count, header } of parts) {
      const own = buffers.slice(at, at + count);
      at += count;
      this.boxes.get(uid)?.(header, own);
    }
  }

  _answer(model) {
    const isNews = [...this.arrived].some(([uid, [, isHidden]]) => this.hidden.get(uid) !== isHidden);
    if (!this.arrived.size || (!isNews && this.now() - this.answeredAt < ANSWER_EVERY_MS)) return;
    this.answeredAt = this.now();
    for (const [uid, [, isHidden]] of this.arrived) this.hidden.set(uid, isHidden);
    model.send({ kind: "ack", frames: [...this.arrived].map(([uid, [seq, isHidden]]) => [uid, seq, isHidden]) });
    this.arrived.clear();
  }
}

/** @returns {Mail} the page's own: each widget is a module of its own, so the page itself has to keep it */
export function mailOfPage() {
  return (globalThis[Symbol.for("workbench.mail")] ??= new Mail());
}
