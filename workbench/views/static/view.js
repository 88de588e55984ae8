// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// One view of a dashboard, on one canvas: it draws in one pass, when there is something new.
import { Bar } from "./bar.js";
import { AxisTop } from "./numbers.js";
import { Closeup } from "./closeup.js";
import { sharedOf } from "./connection.js";
import { make } from "./elements.js";
import { Hands, KEY_WORDS } from "./hands.js";
import { drawHead } from "./head.js";
import { hitWords } from "./hits.js";
import { contains, layout } from "./layout.js";
import { Pen, readTheme } from "./pen.js";
import { Tip } from "./pinned.js";
import { sceneOf, usedPools } from "./scene.js";
import { drawTiles } from "./tiles.js";
import { drawAxis, drawMemory, drawQueue, drawStates, drawWhy } from "./strips.js";
import { drawLanes, sliceScale } from "./lanes.js";
import { factLines, Spoken } from "./spoken.js";
import { Spikes } from "./spikes.js";
import { TransportBar } from "./transport.js";
import { stateWords } from "./words.js";

const THEME_EVERY_MS = 500;
const SLOW_TICK_MS = 1000;

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
    this.hits = [];
    this.isVisible = true;
    this.draws = 0;
    this.drawMs = 0;
    this.bornAt = performance.now();
    this.themeAt = -Infinity;
    this._build(element);
    this._listen();
    this.wake();
  }

  /** Draws soon; at most once a frame of the display. */
  wake() {
    if (this.request || !this.isVisible) return;
    this.request = requestAnimationFrame(() => {
      this.request = 0;
      const begun = performance.now();
      this._draw();
      this.drawMs += performance.now() - begun;
    });
  }

  close() {
    this.state.views.delete(this);
    this.seen.disconnect();
    this.sized.disconnect();
    clearInterval(this.ticker);
    cancelAnimationFrame(this.request);
    this.model.off("change:is_live", this.onLive);
  }

  _build(element) {
    element.classList.add("workbench-dashboard");
    element.dataset.lmSuppressShortcuts = "true";
    this.element = element;
    this.canvas = make("canvas", "workbench-canvas", { tabIndex: 0 });
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-keyshortcuts", "Space ArrowLeft ArrowRight ArrowUp ArrowDown + - c 0 Escape");
    this.canvas.setAttribute("aria-description", KEY_WORDS);
    element.append(this.canvas);
    this.bar = new Bar(element, this);
    this.tip = new Tip(element, () => this.pin(null));
    this.spoken = new Spoken(element);
    this.transport = new TransportBar(element, (content) => this.model.send(content));
    this.context = this.canvas.getContext("2d", { alpha: false });
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
  _draw() {
    const width = Math.round(this.element.clientWidth);
    if (width < 50) return;
    this._refreshTheme();
    this._watchSpikes();
    const store = this.frozen?.store ?? this.state.store;
    const { totals } = store;
    this.layout = layout(Math.max(width, 320), Math.min(totals?.facts.instances.length ?? 1, 16), usedPools(totals).length);
    const pen = this._prepared(this.layout);
    this.hits = [];
    this.scene = totals ? this._scene(store) : null;
    const words = this._stateWords(store);
    drawHead(pen, this.layout, store, words, this.canvas);
    if (this.scene) this._drawBody(pen, words);
    this._drawTip();
    this.transport.show(store.transport, store.overview, this.theme, this.palette);
    this.bar.showWindow(store.window_s, Boolean(store.transport) || this.model.get("is_page"));
    if (this.scene) this.spoken.say(factLines(this.scene, this.palette), performance.now());
    this.draws++;
    this.element.dataset.draws = String(this.draws);
  }

  _scene(store) {
    const at_ms = this.frozen?.at_ms ?? performance.now();
    const isHeld = Boolean(this.frozen || this.hands.isOverLanes() || ["batch", "request"].includes(this.pinned?.hit.kind));
    const { w } = this.layout.wedge;
    return sceneOf(store, this.closeup.update(store, w, at_ms, isHeld), w);
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

  _drawBody(pen, words) {
    const { scene, layout, tops, hits } = this;
    drawTiles(pen, scene, layout, tops, hits);
    drawWhy(pen, scene, layout, hits);
    drawQueue(pen, scene, layout, tops, hits);
    drawStates(pen, scene, layout, hits);
    drawMemory(pen, scene, layout, tops, hits);
    drawAxis(pen, scene, layout);
    drawLanes(pen, scene, layout, this.pinned?.hit, hits);
    if (this.frozen) pen.text(KEY_WORDS, layout.wedge.x + layout.wedge.w, layout.closeAxis.y + 30, { align: "right", colour: pen.theme.faint, size: 10.5, most: layout.wedge.w });
    this._drawPointer(pen);
    // Old news look old.
    const top = layout.tiles[0].y - 6;
    if (words && !this.frozen) pen.fill(0, top, layout.width, layout.height - top, pen.theme.background, 0.45);
  }

  _drawPointer(pen) {
    const { hands } = this;
    const strips = this.stripsRect();
    const { pointer, marked } = hands;
    if (marked) pen.fill(marked.x, strips.y, marked.w, strips.h, pen.theme.text, 0.18);
    else if (pointer && contains(strips, pointer.x, pointer.y)) pen.hairline(pointer.x, strips.y, pointer.x, strips.y + strips.h, pen.theme.faint);
  }

  _prepared({ width, height }) {
    const ratio = window.devicePixelRatio || 1;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== h) {
      Object.assign(this.canvas, { width: w, height: h });
      Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    }
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const pen = new Pen(this.context, this.theme, ratio, this.palette);
    pen.fill(0, 0, width, height, this.theme.background);
    return pen;
  }

  _refreshTheme() {
    const now = performance.now();
    if (now - this.themeAt < THEME_EVERY_MS) return;
    this.themeAt = now;
    this.theme = readTheme(this.element);
  }

  _drawTip() {
    const { pointer } = this.hands;
    const asked = this.pinned ?? (pointer && { hit: this.hands.hit(), ...pointer });
    const words = asked?.hit && this.scene ? hitWords(this.scene, this.palette, asked.hit, asked.x) : null;
    this.tip.show(words, asked, Boolean(this.pinned), this.layout.width, this.layout.height);
  }

  // --- places
  lanesRect() {
    const { wedge, closeAxis } = this.layout;
    return { x: wedge.x, y: wedge.y, w: wedge.w, h: closeAxis.y + closeAxis.h - wedge.y };
  }

  stripsRect() {
    const { queue, axis } = this.layout;
    return { ...queue, h: axis.y + axis.h - queue.y };
  }
}
