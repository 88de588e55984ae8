// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// One view of a dashboard, on one canvas: it is drawn when there is something new, and only what is new.
import { Bar } from "./bar.js";
import { AxisTop } from "./numbers.js";
import { Closeup } from "./closeup.js";
import { sharedOf } from "./connection.js";
import { make } from "./elements.js";
import { framesOfPage } from "./frames.js";
import { Hands, KEY_WORDS } from "./hands.js";
import { hitWords } from "./hits.js";
import { layout } from "./layout.js";
import { devicePlace } from "./moving.js";
import { Theme } from "./pen.js";
import { Picture } from "./picture.js";
import { Tip } from "./pinned.js";
import { sceneOf, stepOf, usedPools } from "./scene.js";
import { sliceScale } from "./lanes.js";
import { litOf } from "./linked.js";
import { queueRows } from "./queue_rows.js";
import { factLines, Spoken } from "./spoken.js";
import { Spikes } from "./spikes.js";
import { TransportBar } from "./transport.js";
import { stateWords } from "./words.js";

const SLOW_TICK_MS = 1000;
// Without news for so long, time stands.
const STILL_AFTER_MS = 1000;

export class DashboardView {
  constructor(model, element) {
    this.model = model;
    this.state = sharedOf(model);
    this.palette = model.get("palette");
    this.closeup = new Closeup();
    this.spikes = new Spikes();
    this.tops = { rate: new AxisTop(), latency: new AxisTop(), queue: new AxisTop(), pools: [], newTop: () => new AxisTop() };
    this.frozen = null;
    this.pinned = null;
    this.isVisible = true;
    this.draws = 0;
    this.drawMs = 0;
    this.frames = framesOfPage();
    this.frame = () => this._frame();
    this.bornAt = performance.now();
    this._build(element);
    this._listen();
    this.wake();
  }

  /** Draws soon, together with the page's other views. */
  wake() {
    this.hasNews = true;
    if (this.isVisible) this.frames.ask(this.frame);
  }

  /** The kernel spoke: a picture that moves is drawn with its next beat anyway. */
  news() {
    if (this.isMoving && this.frames.beating.has(this.frame)) this.hasNews = true;
    else this.wake();
  }

  /** Whether time goes on in the picture. */
  get isMoving() {
    const { store } = this.state;
    return this.isVisible && !this.frozen && store.clock.speed > 0 && performance.now() - store.heardAt < STILL_AFTER_MS;
  }

  /** @returns {any[]} what can be pointed at, the uppermost last */
  get hits() {
    return this.picture.hits;
  }

  close() {
    this.state.views.delete(this);
    this.seen.disconnect();
    this.sized.disconnect();
    clearInterval(this.ticker);
    this.frames.forget(this.frame);
    this.model.off("change:is_live", this.onLive);
  }

  _build(element) {
    element.classList.add("workbench-dashboard");
    element.dataset.lmSuppressShortcuts = "true";
    this.element = element;
    this.canvas = make("canvas", "workbench-canvas", { tabIndex: 0 });
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-keyshortcuts", "Space ArrowLeft ArrowRight ArrowUp ArrowDown Enter + - c 0 Escape");
    this.canvas.setAttribute("aria-description", KEY_WORDS);
    element.append(this.canvas);
    this.theme = new Theme(element);
    this.bar = new Bar(element, this);
    this.tip = new Tip(element, () => this.pin(null));
    this.spoken = new Spoken(element);
    this.transport = new TransportBar(element, (content) => this.model.send(content));
    this.picture = new Picture(this.canvas, this.palette, this.tops);
    this.hands = new Hands(this);
  }

  _listen() {
    this.state.views.add(this);
    this.seen = new IntersectionObserver((entries) => {
      this.isVisible = entries[entries.length - 1].isIntersecting;
      this.wake();
    });
    this.seen.observe(this.canvas);
    this.sized = new ResizeObserver(() => this.wake());
    this.sized.observe(this.element);
    this.ticker = setInterval(() => this.wake(), SLOW_TICK_MS);
    this.onLive = () => this.wake();
    this.model.on("change:is_live", this.onLive);
  }

  // --- what hands and buttons ask for
  togglePause() {
    if (this.frozen) this._goOn();
    else this.freeze();
    this.wake();
  }

  /** The picture stays as it is, so that one can look closer. @param {string} [why] */
  freeze(why = "") {
    if (this.frozen) return;
    this.frozen = { store: this.state.store.copy(), at_ms: performance.now(), why };
    this.bar.showPaused(true);
  }

  _goOn() {
    this.frozen = null;
    this.closeup.zoom_s = null;
    this.spikes.rest(performance.now());
    this.bar.showPaused(false);
  }

  pin(pinned) {
    this.pinned = pinned;
    this.wake();
  }

  pinBatch(batch) {
    const rect = this.layout.lanes[batch.lane];
    const x = sliceScale(this.scene, this.layout.wedge)(batch.start);
    this.pin({ hit: { kind: "batch", batch }, x: Math.min(Math.max(x, rect.x), rect.x + rect.w), y: rect.y + rect.fan });
  }

  /** Shows a stretch of time close up. */
  lookAt(from_s, to_s) {
    this.freeze();
    this.closeup.show(from_s, to_s);
    this.wake();
  }

  copy() {
    this.tip.copy();
  }

  /** Pauses where nearly all requests suddenly take much longer. @param {boolean} isWanted */
  holdSpikes(isWanted) {
    this.spikes.isWanted = isWanted;
  }

  setWindow(seconds) {
    this.model.send({ kind: "window", value: seconds });
  }

  // --- drawing
  _frame() {
    const begun = performance.now();
    // Where nothing moved by a pixel the picture is as it has to be.
    if (this.hasNews || this._step() !== this.step) this._draw();
    else this.draws++;
    this.drawMs += performance.now() - begun;
    if (this.isMoving) this.frames.beat(this.frame, 1000 / (this.model.get("frames_per_s") ?? 30));
  }

  /** @returns {number | null} what changes when time moved the picture by a pixel */
  _step() {
    const { store } = this.state;
    return this.frozen || !this.scene ? null : stepOf(store, this._columns(), store.clock.at(performance.now()));
  }

  _columns() {
    return devicePlace(this.layout, window.devicePixelRatio || 1).w;
  }

  _draw() {
    this.hasNews = false;
    const width = Math.round(this.element.clientWidth);
    if (width < 50) return;
    this._watchSpikes();
    const store = this.frozen?.store ?? this.state.store;
    const { totals } = store;
    this.layout = layout(Math.max(width, 320), Math.min(totals?.facts.instances.length ?? 1, 16), usedPools(totals).length, {
      levels: queueRows(store.queues, totals?.facts).length,
      hasRoots: Boolean(totals?.facts.steps?.length),
    });
    this.scene = totals ? this._scene(store) : null;
    this.step = this._step();
    this.picture.draw(this._look(store));
    this._drawTip();
    this.transport.show(store.transport, store.overview, this.theme.now(), this.palette);
    this.bar.showWindow(store.window_s, Boolean(store.transport) || this.model.get("is_page"));
    if (this.scene) this.spoken.say(factLines(this.scene, this.palette), performance.now());
    this.draws++;
  }

  /** @returns {import("./picture.js").Look} */
  _look(store) {
    const { scene, layout } = this;
    const { pointer, marked } = this.hands;
    return { store, scene, layout, theme: this.theme.now(), words: this._stateWords(store), isFrozen: Boolean(this.frozen), chosen: this.pinned?.hit, lit: scene && litOf(scene, this.pinned?.hit ?? this.hands.hit()), pointer, marked };
  }

  _scene(store) {
    const at_ms = this.frozen?.at_ms ?? performance.now();
    const isHeld = Boolean(this.frozen || this.hands.isOverLanes() || ["batch", "request", "span", "tree"].includes(this.pinned?.hit.kind));
    const { w } = this.layout.wedge;
    return sceneOf(store, this.closeup.update(store, w, at_ms, isHeld), w, this._columns(), store.clock.at(at_ms));
  }

  _watchSpikes() {
    const found = this.frozen ? null : this.spikes.find(this.state.store, performance.now());
    if (!found) return;
    this.freeze(found.words);
    this.closeup.show(found.from_s, found.to_s);
  }

  _stateWords(store) {
    if (this.frozen) return this.frozen.why || null;
    if (this.model.get("is_page")) return null;
    const since = store.heardAt ?? this.bornAt;
    return stateWords({
      hasFrame: Boolean(store.totals),
      silent_s: (performance.now() - since) / 1e3,
      isLive: this.model.get("is_live"),
      isSaved: this.state.isSaved && !this.model.get("is_live"),
    });
  }

  _drawTip() {
    const { pointer } = this.hands;
    const asked = this.pinned ?? (pointer && { hit: this.hands.hit(), ...pointer });
    const words = asked?.hit && this.scene ? hitWords(this.scene, this.palette, asked.hit, asked.x) : null;
    // What is lit lies to both sides of what is meant: the words go above the lanes.
    const isLinked = ["span", "tree"].includes(asked?.hit?.kind);
    const at = isLinked ? { ...asked, y: (this.layout.roots ?? this.layout.wedge).y } : asked;
    this.tip.show(words, at, Boolean(this.pinned), this.layout.width, isLinked ? 0 : this.layout.height);
  }
}
