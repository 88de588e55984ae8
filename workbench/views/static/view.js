// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// One view of a dashboard, on one canvas: it draws in one pass, when there is something new.
import { AxisTop } from "./numbers.js";
import { Closeup } from "./closeup.js";
import { sharedOf } from "./connection.js";
import { button, make, placeBeside, saveCanvas } from "./elements.js";
import { hitWords } from "./hits.js";
import { contains, layout } from "./layout.js";
import { Pen, readTheme } from "./pen.js";
import { sceneOf, usedPools } from "./scene.js";
import { drawTiles } from "./tiles.js";
import { drawAxis, drawMemory, drawQueue, drawWhy, timeScale } from "./strips.js";
import { drawLanes, isSame, sliceScale } from "./lanes.js";
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
    this.tops = { rate: new AxisTop(), latency: new AxisTop(), queue: new AxisTop(), pools: [], newTop: () => new AxisTop() };
    this.frozen = null;
    this.pinned = null;
    this.pointer = null;
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
    this.tip = make("div", "workbench-tip", { hidden: true });
    this.tip.setAttribute("role", "status");
    this.pause = button("pause", "The picture stays as it is (space)", () => this.togglePause());
    const save = button("png", "Save this picture", () => saveCanvas(this.canvas, this.scene?.facts.name ?? "dashboard"));
    const bar = make("div", "workbench-bar");
    bar.append(this.pause, save);
    element.append(this.canvas, bar, this.tip);
    this.transport = new TransportBar(element, (content) => this.model.send(content));
    this.context = this.canvas.getContext("2d", { alpha: false });
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
    const { canvas } = this;
    canvas.addEventListener("pointermove", (event) => this._point(event));
    canvas.addEventListener("pointerleave", () => ((this.pointer = this.dragFrom = null), this.wake()));
    canvas.addEventListener("pointerdown", (event) => this._press(event));
    canvas.addEventListener("pointerup", (event) => this._release(event));
    canvas.addEventListener("wheel", (event) => this._wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this._key(event));
  }

  // --- what the hands do
  togglePause() {
    this.frozen = this.frozen ? null : { store: this.state.store.copy(), at_ms: performance.now() };
    this.pause.textContent = this.frozen ? "go on" : "pause";
    if (!this.frozen) this.closeup.zoom_s = null;
    this.wake();
  }

  _point({ offsetX, offsetY, buttons }) {
    if (this.frozen && buttons && this.dragFrom && contains(this._lanesRect(), offsetX, offsetY)) {
      const { from_s, to_s } = this.closeup.slice;
      this.closeup.pan(((this.dragFrom.x - offsetX) / this.layout.wedge.w) * (to_s - from_s));
      this.dragFrom = { ...this.dragFrom, x: offsetX, hasMoved: true };
    }
    this.pointer = { x: offsetX, y: offsetY };
    this.wake();
  }

  _press({ offsetX, offsetY }) {
    this.dragFrom = { x: offsetX, y: offsetY, hasMoved: false };
  }

  _release({ offsetX, offsetY }) {
    const wasDrag = this.dragFrom?.hasMoved;
    this.dragFrom = null;
    if (wasDrag || !this.scene) return;
    const hit = this._hitAt(offsetX, offsetY);
    this.pinned = hit ? { hit, x: offsetX, y: offsetY } : null;
    if (hit && this.frozen && ["bin", "why", "pool"].includes(hit.kind)) this.closeup.moveTo(this._timeAt(offsetX));
    this.wake();
  }

  _wheel(event) {
    if (!this.frozen || !contains(this._lanesRect(), event.offsetX, event.offsetY)) return;
    event.preventDefault();
    const { from_s, to_s } = this.closeup.slice;
    const { x, w } = this.layout.wedge;
    const centre_s = from_s + ((event.offsetX - x) / w) * (to_s - from_s);
    this.closeup.zoom(Math.exp(event.deltaY * 0.002), centre_s, this.scene.store.window_s);
    this.wake();
  }

  _key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") this.pinned = null;
    else if (event.key === " ") this.togglePause();
    else if (step) this._step(step);
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.wake();
  }

  /** Pins the batch before or after the pinned one on its lane. */
  _step(by) {
    if (!this.scene?.batches.length) return;
    const at = this.pinned?.hit.batch;
    const lane = at?.lane ?? this.scene.batches[0].lane;
    const onLane = this.scene.batches.filter((batch) => batch.lane === lane).sort((a, b) => a.start - b.start);
    const now = onLane.findIndex((batch) => isSame(batch, at));
    const next = onLane[now < 0 ? onLane.length - 1 : Math.min(Math.max(now + by, 0), onLane.length - 1)];
    const rect = this.layout.lanes[lane];
    if (next) this.pinned = { hit: { kind: "batch", batch: next }, x: sliceScale(this.scene, this.layout.wedge)(next.start), y: rect.y + rect.fan };
  }

  // --- drawing
  _draw() {
    const width = Math.round(this.element.clientWidth);
    if (width < 50) return;
    this._refreshTheme();
    const store = this.frozen?.store ?? this.state.store;
    const { totals } = store;
    this.layout = layout(Math.max(width, 320), Math.min(totals?.facts.instances.length ?? 1, 16), usedPools(totals).length);
    const pen = this._prepared(this.layout);
    this.hits = [];
    this.scene = totals ? this._scene(store) : null;
    this._drawHead(pen, store);
    if (this.scene) this._drawBody(pen);
    this._drawTip();
    this.transport.show(store.transport, store.overview, this.theme, this.palette);
    this.draws++;
    this.element.dataset.draws = String(this.draws);
  }

  _scene(store) {
    const at_ms = this.frozen?.at_ms ?? performance.now();
    const overLanes = this.pointer && this.layout && contains(this._lanesRect(), this.pointer.x, this.pointer.y);
    const isHeld = Boolean(this.frozen || overLanes || this.pinned?.hit.kind === "batch");
    return sceneOf(store, this.closeup.update(store, this.layout.wedge.w, at_ms, isHeld));
  }

  _drawHead(pen, store) {
    const { layout } = this;
    const facts = store.totals?.facts;
    const words = this._stateWords(store);
    const room = layout.width - 2 * layout.pad - 110;
    const used = facts ? pen.text(facts.name, layout.pad, 20, { size: 15, weight: 600, colour: pen.theme.ink }) : 0;
    if (facts) pen.text(facts.headline, layout.pad + used + 10, 20, { size: 12, colour: pen.theme.faint, most: room - used - 10 });
    const sentence = words ?? this._sentence(store);
    const isAlarm = !words && store.dropped > 0;
    pen.paragraph(sentence, layout.sentence, {
      size: 13, weight: 500, colour: isAlarm ? pen.palette.alarm : pen.theme.ink, lines: layout.sentence.h > 20 ? 2 : 1,
    });
    const label = `${facts?.name ?? "dashboard"}: ${sentence}`;
    if (this.canvas.getAttribute("aria-label") !== label) this.canvas.setAttribute("aria-label", label);
  }

  _sentence({ totals, dropped }) {
    if (!dropped) return totals?.sentence ?? "";
    return `▲ ${dropped.toLocaleString("en")} events were lost: figures are too low. ${totals?.sentence ?? ""}`;
  }

  _stateWords(store) {
    if (this.frozen || this.model.get("is_page")) return null;
    const since = store.heardAt ?? this.bornAt;
    return stateWords({
      hasFrame: Boolean(store.totals),
      silent_s: (performance.now() - since) / 1e3,
      isLive: this.model.get("is_live"),
      isSaved: this.state.isSaved && !this.model.get("is_live"),
    });
  }

  _drawBody(pen) {
    const { scene, layout, tops, hits } = this;
    drawTiles(pen, scene, layout, tops, hits);
    drawWhy(pen, scene, layout, hits);
    drawQueue(pen, scene, layout, tops, hits);
    drawMemory(pen, scene, layout, tops, hits);
    drawAxis(pen, scene, layout);
    drawLanes(pen, scene, layout, this.pinned?.hit.batch, hits);
    this._drawPointerLine(pen);
    if (this._stateWords(scene.store)) this._veil(pen);
  }

  /** Old news look old. */
  _veil(pen) {
    const top = this.layout.tiles[0].y - 6;
    pen.fill(0, top, this.layout.width, this.layout.height - top, pen.theme.background, 0.45);
  }

  _drawPointerLine(pen) {
    const { pointer, layout } = this;
    const strips = { ...layout.queue, h: layout.axis.y - layout.queue.y };
    if (pointer && contains(strips, pointer.x, pointer.y)) pen.hairline(pointer.x, strips.y, pointer.x, strips.y + strips.h, pen.theme.faint);
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

  // --- what the pointer asks
  _drawTip() {
    const asked = this.pinned ?? (this.pointer && { hit: this._hitAt(this.pointer.x, this.pointer.y), ...this.pointer });
    const words = asked?.hit && this.scene ? hitWords(this.scene, this.palette, asked.hit, asked.x) : null;
    this.tip.hidden = !words;
    this.tip.classList.toggle("workbench-pinned", Boolean(this.pinned));
    if (!words) return;
    const text = [words.title, ...words.lines].join("\n");
    if (this.tip.innerText !== text) this.tip.replaceChildren(make("b", "", { textContent: words.title }), ...words.lines.map((line) => make("div", "", { textContent: line })));
    placeBeside(this.tip, asked.x, asked.y, this.layout.width, this.layout.height);
  }

  _hitAt(x, y) {
    for (let i = this.hits.length - 1; i >= 0; i--) if (contains(this.hits[i], x, y)) return this.hits[i];
    return null;
  }

  _timeAt(x) {
    const { queue } = this.layout;
    return this.scene.from_s + ((x - queue.x) / queue.w) * (this.scene.to_s - this.scene.from_s);
  }

  _lanesRect() {
    const { wedge, closeAxis } = this.layout;
    return { x: wedge.x, y: wedge.y, w: wedge.w, h: closeAxis.y + closeAxis.h - wedge.y };
  }
}
