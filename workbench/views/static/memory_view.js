// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Memory pools on one canvas: a row for each pool, its time at the left, its blocks at the right.
import { make, sized } from "./elements.js";
import { framesOfPage } from "./frames.js";
import { contains } from "./layout.js";
import { blockKey, blocksOf, memoryLayout, memoryWords, ownerColour, poolsOf } from "./memory_map.js";
import { AxisTop, byteSize, duration, percent, threeDigits, ticks } from "./numbers.js";
import { Pen, Theme } from "./pen.js";
import { Tip } from "./pinned.js";
import { Spoken } from "./spoken.js";
import { stateWords } from "./words.js";

const TICK_MS = 1000;

export class MemoryCanvas {
  constructor(model, store, element) {
    Object.assign(this, { model, store, element, hits: [], pinned: null, pointer: null, isVisible: true, draws: 0 });
    this.palette = model.get("palette");
    this.tops = [];
    this.bornAt = performance.now();
    element.classList.add("workbench-dashboard", "workbench-memory");
    element.dataset.lmSuppressShortcuts = "true";
    this.canvas = make("canvas", "workbench-canvas", { tabIndex: 0 });
    this.canvas.setAttribute("role", "img");
    element.append(this.canvas);
    this.tip = new Tip(element, () => this._pin(null));
    this.spoken = new Spoken(element);
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.theme = new Theme(element);
    this.frames = framesOfPage();
    this.frame = () => this._frame();
    this._listen();
    this.wake();
  }

  wake() {
    if (this.isVisible) this.frames.ask(this.frame);
  }

  /** The kernel spoke: a picture that moves is drawn with its next beat anyway. */
  news() {
    if (!this.frames.beating.has(this.frame)) this.wake();
  }

  close() {
    this.store.views.delete(this);
    this.seen.disconnect();
    this.sized.disconnect();
    clearInterval(this.ticker);
    this.frames.forget(this.frame);
  }

  /** What tests read. */
  summary() {
    const { look } = this.store;
    if (!look) return null;
    const blocks = blocksOf(look);
    return {
      sentence: look.sentence, pools: look.pools, marks: look.marks.length, blocks: blocks.length,
      owners: [...new Set(blocks.filter((block) => !block.is_free).map((block) => look.models[block.model] ?? ""))],
      hits: this.hits.filter(({ kind }) => kind === "block").map(({ x, y, w, h }) => ({ x, y, w, h })),
    };
  }

  _listen() {
    this.store.views.add(this);
    this.seen = new IntersectionObserver((entries) => {
      this.isVisible = entries[entries.length - 1].isIntersecting;
      this.wake();
    });
    this.seen.observe(this.canvas);
    this.sized = new ResizeObserver(() => this.wake());
    this.sized.observe(this.element);
    this.ticker = setInterval(() => this.wake(), TICK_MS);
    const { canvas } = this;
    canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => this._point({ x: offsetX, y: offsetY }));
    canvas.addEventListener("pointerleave", () => this._point(null));
    canvas.addEventListener("click", ({ offsetX, offsetY }) => this._click(offsetX, offsetY));
    canvas.addEventListener("keydown", (event) => this._key(event));
  }

  _point(pointer) {
    this.pointer = pointer;
    this.wake();
  }

  _click(x, y) {
    const hit = this._hitAt(x, y);
    this._pin(hit ? { hit, x, y } : null);
  }

  _pin(pinned) {
    this.pinned = pinned;
    this.wake();
  }

  /** Arrows go from block to block. */
  _key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") this._pin(null);
    else if (event.key === "c") this.tip.copy();
    else if (step) this._step(step);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  _step(by) {
    const blocks = this.hits.filter(({ kind, block }) => kind === "block" && !block.is_free);
    if (!blocks.length) return;
    const now = blocks.findIndex(({ block }) => blockKey(block) === blockKey(this.pinned?.hit.block));
    const next = blocks[now < 0 ? 0 : Math.min(Math.max(now + by, 0), blocks.length - 1)];
    this._pin({ hit: next, x: next.x + next.w / 2, y: next.y + next.h });
  }

  _hitAt(x, y) {
    return [...this.hits].reverse().find((hit) => contains(hit, x, y)) ?? null;
  }

  _frame() {
    this._draw();
    const { heardAt } = this.store;
    if (this.isVisible && performance.now() - heardAt < TICK_MS) this.frames.beat(this.frame, 1000 / (this.model.get("frames_per_s") ?? 5));
  }

  _draw() {
    const width = Math.round(this.element.clientWidth);
    if (width < 50) return;
    const { look } = this.store;
    this.layout = memoryLayout(Math.max(width, 320), look);
    const pen = this._prepared(this.layout);
    this.hits = [];
    const words = this._stateWords();
    this._drawHead(pen, words);
    if (look) for (const row of this.layout.rows) this._drawRow(pen, look, row);
    if (words && look) pen.fill(0, 50, this.layout.width, this.layout.height, pen.theme.background, 0.45);
    this._drawTip(look);
    if (look) this.spoken.say(memoryFacts(look), performance.now());
    this.draws++;
  }

  _stateWords() {
    if (this.model.get("is_page") && this.store.look) return null;
    const silent_s = (performance.now() - (this.store.heardAt ?? this.bornAt)) / 1e3;
    return stateWords({ hasFrame: Boolean(this.store.look), silent_s, isLive: this.model.get("is_live"), isSaved: false });
  }

  _drawHead(pen, words) {
    const { look } = this.store;
    const { pad, width } = this.layout;
    const lost = look?.dropped ? `▲ ${look.dropped.toLocaleString("en")} events were lost. ` : "";
    const sentence = words ?? `${lost}${look.sentence}`;
    pen.text("memory", pad, 20, { size: 15, weight: 600, colour: pen.theme.ink });
    const isAlarm = !words && look.marks.length > 0;
    pen.text(sentence, pad, 44, { size: 13, weight: 500, colour: isAlarm ? pen.palette.alarm : pen.theme.ink, most: width - 2 * pad });
    if (look) this._drawOwners(pen, look);
    const label = `memory: ${sentence}`;
    if (this.canvas.getAttribute("aria-label") !== label) this.canvas.setAttribute("aria-label", label);
  }

  /** Names beside their hues, at the upper right. */
  _drawOwners(pen, look) {
    let x = this.layout.width - this.layout.pad;
    for (const [model, held] of look.owned.slice(0, 6).reverse()) {
      const words = `${look.models[model] || "no model"} ${byteSize(held)}`;
      x -= pen.widthOf(words);
      if (x < 110) return;
      pen.text(words, x, 20);
      pen.fill(x - 13, 11, 9, 9, ownerColour(model, pen.palette));
      x -= 28;
    }
  }

  _drawRow(pen, look, row) {
    const pool = look.pools[row.number];
    const used = pen.text(pool.name, row.time.x, row.y + 12, { weight: 600, size: 12, colour: pen.theme.ink });
    const limit = pool.limit_byte_size ? ` of ${byteSize(pool.limit_byte_size)}` : "";
    const note = `${byteSize(pool.live_byte_size)}${limit} in use · most ever ${byteSize(pool.peak_byte_size)}`;
    pen.text(note, row.time.x + used + 8, row.y + 12, { colour: pen.theme.text, most: row.time.w - used - 8 });
    this._drawTime(pen, look, row, pool);
    this._drawBlocks(pen, look, row, pool);
  }

  _drawTime(pen, look, row, pool) {
    const rect = row.time;
    const { live, reserved, times } = poolsOf(look, row.number);
    const needed = Math.max(...live, ...reserved, pool.peak_byte_size, 1);
    this.tops[row.number] ??= new AxisTop();
    const hasLimit = pool.limit_byte_size > 0 && pool.limit_byte_size <= 3 * needed;
    const top = hasLimit ? pool.limit_byte_size * 1.05 : this.tops[row.number].update(needed, look.now_s);
    const now_s = this.store.clock.at(performance.now());
    const x = (time_s) => rect.x + (1 - (now_s - time_s) / look.window_s) * rect.w;
    const y = (bytes) => rect.y + rect.h * (1 - bytes / top);
    pen.clip(rect, () => {
      pen.area(times.map((time, i) => [x(time), y(live[i])]), rect.y + rect.h, pen.theme.text, 0.3);
      pen.line(times.map((time, i) => [x(time), y(reserved[i])]), pen.theme.faint, 1);
    });
    this._line(pen, rect, y(pool.peak_byte_size), "most ever", pen.theme.faint);
    if (hasLimit) this._line(pen, rect, y(pool.limit_byte_size), "limit", pen.palette.alarm, "right");
    for (const ago of ticks(look.window_s, 3)) {
      const at = rect.x + (1 - ago / look.window_s) * rect.w;
      const align = ago === 0 ? "right" : ago >= look.window_s * 0.999 ? "left" : "center";
      pen.text(ago ? `−${duration(ago)}` : "now", at, rect.y + rect.h + 13, { align, size: 10, colour: pen.theme.faint });
    }
    pen.hairline(rect.x, rect.y + rect.h, rect.x + rect.w, rect.y + rect.h);
    this.hits.push({ ...rect, kind: "pool", number: row.number });
    look.marks.filter((mark) => mark.pool === row.number).forEach((mark) => this._drawMark(pen, mark, rect, x));
  }

  _line(pen, rect, y, words, colour, align = "left") {
    pen.hairline(rect.x, y, rect.x + rect.w, y, colour);
    const x = align === "left" ? rect.x + 2 : rect.x + rect.w - 2;
    pen.text(words, x, y - rect.y < 12 ? y + 10 : y - 2, { size: 9.5, colour, align });
  }

  _drawMark(pen, mark, rect, x) {
    const at = x(mark.when_s);
    if (at < rect.x) return;
    pen.polygon([[at - 5, rect.y - 2], [at + 5, rect.y - 2], [at, rect.y + 7]], pen.palette.alarm);
    this.hits.push({ x: at - 6, y: rect.y - 4, w: 12, h: 14, kind: "mark", mark });
  }

  _drawBlocks(pen, look, row, pool) {
    const { map } = row;
    const rate = `${threeDigits(pool.allocations_per_s)} allocations/s, ${byteSize(pool.bytes_per_s)}/s · hit rate ${percent(hitRate(pool))} · fragmentation ${percent(pool.fragmentation)}`;
    pen.text(rate, map.x, row.y + 12, { colour: pen.theme.faint, most: map.w });
    if (!row.slabs.length) pen.text("straight from the machine: no map", map.x, map.y + 14, { colour: pen.theme.faint });
    for (const slab of row.slabs) {
      pen.fill(slab.x, slab.y, slab.w, slab.h, pen.palette.waiting, 0.16);
      this.hits.push({ ...slab, kind: "words", words: { title: `${byteSize(slab.byte_size)} reserved at once`, lines: ["the pale part is free"] } });
    }
    for (const block of blocksOf(look)) if (block.pool === row.number) this._drawBlock(pen, look, row, block);
    const age = look.blocks_ago_s > 0.02 ? `blocks as they were ${duration(look.blocks_ago_s)} before` : "";
    if (age && row.slabs.length) pen.text(age, map.x + map.w, map.y + map.h + 13, { colour: pen.theme.faint, size: 10, align: "right" });
    if (row.hidden) pen.text(`and ${row.hidden} more`, map.x, map.y + map.h + 13, { colour: pen.theme.faint, size: 10 });
  }

  _drawBlock(pen, look, row, block) {
    const slab = row.slabs.find(({ number }) => number === block.slab);
    if (!slab || block.is_free) return;
    const x = slab.x + (block.offset / slab.byte_size) * slab.w;
    const w = Math.max((block.byte_size / slab.byte_size) * slab.w - 0.5, 1);
    pen.fill(x, slab.y, w, slab.h, ownerColour(block.model, pen.palette), block.tensor ? 1 : 0.7);
    if (blockKey(block) === blockKey(this.pinned?.hit.block)) {
      pen.g.strokeStyle = pen.theme.ink;
      pen.g.lineWidth = 2;
      pen.g.strokeRect(x, slab.y, w, slab.h);
    }
    this.hits.push({ x: x - 1, y: slab.y, w: w + 2, h: slab.h, kind: "block", block });
  }

  _drawTip(look) {
    const asked = this.pinned ?? (this.pointer && { hit: this._hitAt(this.pointer.x, this.pointer.y), ...this.pointer });
    const words = look && asked?.hit ? memoryWords(look, asked.hit) : null;
    this.tip.show(words, asked, Boolean(this.pinned), this.layout.width, this.layout.height);
  }

  _prepared({ width, height }) {
    const ratio = sized(this.canvas, width, height);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const pen = new Pen(this.context, this.theme.now(), ratio, this.palette);
    pen.fill(0, 0, width, height, pen.theme.background);
    return pen;
  }
}

function hitRate({ allocations, hits }) {
  return allocations ? hits / allocations : 1;
}

function memoryFacts(look) {
  return [look.sentence, ...look.pools.map((pool) => `${pool.name}: ${byteSize(pool.live_byte_size)} in use, ${byteSize(pool.reserved_byte_size)} reserved, ${pool.fallbacks} fallbacks, ${pool.failures} failures`),
    ...look.owned.map(([model, held]) => `${look.models[model] || "no model"} holds ${byteSize(held)}`)];
}
