// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// What the hands do on a dashboard: point, pin, pause, zoom, pan, step from batch to batch, copy.
import { isSame } from "./lanes.js";
import { contains, lanesRect, stripsRect } from "./layout.js";
import { nearestSpan } from "./linked.js";
import { nearestRequest, timesOf } from "./near.js";
import { enterLinked, stepLinked } from "./stepping.js";

const ZOOM_PER_KEY = 0.6;
const PAN_PER_KEY = 0.25;
const CLICK_PX = 3;

export class Hands {
  /** @param {import("./view.js").DashboardView} view */
  constructor(view) {
    this.view = view;
    this.pointer = null;
    this.drag = null;
    const { canvas } = view;
    canvas.addEventListener("pointermove", (event) => this._move(event));
    canvas.addEventListener("pointerleave", () => this._leave());
    canvas.addEventListener("pointerdown", (event) => this._press(event));
    canvas.addEventListener("pointerup", (event) => this._release(event));
    canvas.addEventListener("pointercancel", () => (this.drag = null));
    canvas.addEventListener("dblclick", () => this._reset());
    canvas.addEventListener("wheel", (event) => this._wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this._key(event));
  }

  /** @returns {{x: number, w: number} | null} the stretch of the long axis that is being marked */
  get marked() {
    if (this.drag?.kind !== "mark" || !this.drag.hasMoved) return null;
    const [from, to] = [this.drag.x, this.pointer.x].sort((a, b) => a - b);
    return { x: from, w: to - from };
  }

  /** What lies under the pointer. */
  hit() {
    return this.pointer && this.hitAt(this.pointer.x, this.pointer.y);
  }

  hitAt(x, y) {
    const { hits, scene, layout } = this.view;
    const found = [...hits].reverse().find((hit) => contains(hit, x, y)) ?? null;
    if (!scene || (found && found.kind !== "batch")) return found;
    const span = nearestSpan(scene, layout, x, y);
    if (span && this.isOverLanes()) return span;
    if (found && y >= layout.lanes[found.batch.lane].y + layout.lanes[found.batch.lane].fan) return found;
    return nearestRequest(scene, layout, x, y) ?? found;
  }

  isOverLanes() {
    return Boolean(this.pointer && this.view.layout && contains(lanesRect(this.view.layout), this.pointer.x, this.pointer.y));
  }

  _move({ offsetX: x, offsetY: y, buttons }) {
    if (this.drag && buttons) this._drag(x);
    this.pointer = { x, y };
    this.view.wake();
  }

  _leave() {
    this.pointer = null;
    this.view.wake();
  }

  _press({ offsetX: x, offsetY: y, pointerId }) {
    if (!this.view.scene) return;
    const kind = contains(lanesRect(this.view.layout), x, y) ? "pan" : contains(stripsRect(this.view.layout), x, y) ? "mark" : "none";
    this.drag = { kind, x, from: x, hasMoved: false };
    if (kind !== "none") this.view.canvas.setPointerCapture?.(pointerId);
  }

  _drag(x) {
    const { drag, view } = this;
    if (Math.abs(x - drag.from) < CLICK_PX && !drag.hasMoved) return;
    drag.hasMoved = true;
    if (drag.kind !== "pan") return;
    view.freeze();
    const { from_s, to_s } = view.closeup.slice;
    view.closeup.pan(((drag.x - x) / view.layout.wedge.w) * (to_s - from_s));
    drag.x = x;
  }

  _release({ offsetX: x, offsetY: y }) {
    const { drag, view } = this;
    this.drag = null;
    if (!view.scene || !drag) return;
    if (drag.hasMoved && drag.kind === "mark") view.lookAt(...timesOf(view.scene, view.layout, drag.from, x));
    else if (!drag.hasMoved) this._click(x, y);
    view.wake();
  }

  _click(x, y) {
    const { view } = this;
    const hit = this.hitAt(x, y);
    if (hit?.kind === "batch" && hit.batch.merged) return view.lookAt(...around(hit.batch));
    view.pin(hit ? { hit, x, y } : null);
    if (hit && view.frozen && contains(stripsRect(view.layout), x, y)) view.closeup.moveTo(timesOf(view.scene, view.layout, x, x)[0]);
  }

  /** A page scrolls on where the picture is live; it zooms where it is paused, or with the key that zooms pages. */
  _wheel(event) {
    const { view } = this;
    if (!view.scene || !(view.frozen || event.ctrlKey || event.metaKey)) return;
    const { offsetX: x, offsetY: y } = event;
    const isOverLanes = contains(lanesRect(view.layout), x, y);
    if (!isOverLanes && !contains(stripsRect(view.layout), x, y)) return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return this._pan(event.deltaX / view.layout.wedge.w);
    const { from_s, to_s } = view.closeup.slice;
    const { wedge } = view.layout;
    const centre_s = isOverLanes ? from_s + ((x - wedge.x) / wedge.w) * (to_s - from_s) : timesOf(view.scene, view.layout, x, x)[0];
    this._zoom(Math.exp(event.deltaY * 0.002), centre_s);
  }

  _zoom(factor, centre_s) {
    const { view } = this;
    view.freeze();
    const { from_s, to_s } = view.closeup.slice;
    view.closeup.zoom(factor, centre_s ?? (from_s + to_s) / 2, view.scene.store.window_s);
    view.wake();
  }

  _pan(share) {
    const { view } = this;
    view.freeze();
    const { from_s, to_s } = view.closeup.slice;
    view.closeup.pan(share * (to_s - from_s));
    view.wake();
  }

  _reset() {
    this.view.closeup.zoom_s = null;
    this.view.closeup.slice = null;
    this.view.wake();
  }

  _key(event) {
    const act = event.shiftKey && SHIFTED[event.key] ? SHIFTED[event.key] : KEYS[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || (!this.view.scene && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    act(this);
    this.view.wake();
  }

  /** Pins the batch before or after the pinned one on its lane, or the one beside it on another lane. */
  step(by, lanes = 0) {
    const { view } = this;
    const { scene } = view;
    if (stepLinked(view, by, lanes)) return;
    const singles = scene.batches.filter((batch) => !batch.merged);
    if (!singles.length) return;
    const at = view.pinned?.hit.batch;
    const lane = Math.min(Math.max((at?.lane ?? singles[0].lane) + lanes, 0), view.layout.lanes.length - 1);
    const next = neighbour(singles.filter((batch) => batch.lane === lane), at, by);
    if (!next) return;
    this._bringIntoView(next);
    view.pinBatch(next);
  }

  _bringIntoView({ start, end }) {
    const { closeup, frozen } = this.view;
    const { from_s, to_s } = closeup.slice;
    if (frozen && (start < from_s || end > to_s)) closeup.moveTo((start + end) / 2);
  }
}

function around({ start, end }) {
  const margin = Math.max(end - start, 1e-5);
  return [start - margin, end + margin];
}

/** @returns {any} the batch `by` places on; the nearest in time where `at` is on another lane */
function neighbour(batches, at, by) {
  const ordered = batches.sort((a, b) => a.start - b.start);
  const now = ordered.findIndex((batch) => isSame(batch, at));
  if (now >= 0) return ordered[Math.min(Math.max(now + by, 0), ordered.length - 1)];
  if (!at) return ordered[ordered.length - 1];
  return ordered.reduce((best, batch) => (Math.abs(batch.start - at.start) < Math.abs(best.start - at.start) ? batch : best), ordered[0]);
}

/** @type {Record<string, (hands: Hands) => void>} */
const KEYS = {
  Escape: (hands) => hands.view.pin(null),
  " ": (hands) => hands.view.togglePause(),
  ArrowLeft: (hands) => hands.step(-1),
  ArrowRight: (hands) => hands.step(1),
  ArrowUp: (hands) => hands.step(0, -1),
  ArrowDown: (hands) => hands.step(0, 1),
  "+": (hands) => hands._zoom(ZOOM_PER_KEY),
  "=": (hands) => hands._zoom(ZOOM_PER_KEY),
  "-": (hands) => hands._zoom(1 / ZOOM_PER_KEY),
  0: (hands) => hands._reset(),
  Enter: (hands) => enterLinked(hands.view),
  c: (hands) => hands.view.copy(),
};
const SHIFTED = {
  ArrowLeft: (hands) => hands._pan(-PAN_PER_KEY),
  ArrowRight: (hands) => hands._pan(PAN_PER_KEY),
};
export const KEY_WORDS = "space pauses · + − zoom · drag or shift ←→ pans · ←→ ↑↓ batches · enter follows links · c copies · 0 resets";
