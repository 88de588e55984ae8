// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The strips of the long axis on a canvas of their own, a little wider than they are seen: as time goes on they are shifted
// by whole pixels, and drawn again only when there are new figures.
import { DASHES, Pen } from "./pen.js";
import { isSameKey } from "./pieces.js";
import { widened } from "./scene.js";
import { stripsPlot } from "./layout.js";

const SPARE_BINS = 2;
const SPARE_S = 0.3;

export class Moving {
  /** @param {() => any} [newCanvas] */
  constructor(newCanvas = () => document.createElement("canvas")) {
    this.newCanvas = newCanvas;
    this.key = null;
    this.shift = 0;
    this.drawn = [];
  }

  /** @returns {any[]} what can be pointed at, where it is now */
  get hits() {
    return this.drawn.map((hit) => ({ ...hit, x: hit.x - this.shift / this.ratio }));
  }

  reset() {
    this.key = null;
  }

  /** Puts the strips into the picture. @param {import("./pen.js").Pen} pen @param {any[]} key what they show, the time aside
   *  @param {(pen: Pen, scene: any, layout: any, hits: any[]) => void} paint */
  show(pen, scene, layout, key, paint) {
    const place = devicePlace(layout, pen.ratio);
    this.shift = Math.round((scene.to_s - this.to_s) / scene.step_s);
    const isAhead = this.shift >= 0 && this.shift <= this.spare;
    if (!isAhead || !isSameKey(this.key, key)) this._draw(pen, scene, layout, place, key, paint);
    const { g } = pen;
    g.save();
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.drawImage(this.canvas, this.shift, 0, place.w, place.h, place.x, place.y, place.w, place.h);
    g.restore();
  }

  _draw(pen, scene, layout, place, key, paint) {
    const { ratio } = pen;
    this.key = key;
    this.ratio = ratio;
    this.to_s = scene.to_s;
    this.shift = 0;
    this.spare = Math.ceil(Math.max(SPARE_BINS * scene.bin_s, SPARE_S) / scene.step_s);
    this.drawn = [];
    const { width, height } = this._sized(place);
    const own = new Pen(this.context, pen.theme, ratio, pen.palette);
    // Dashes move on with the rest, not back with every new drawing.
    own.dashOffset = (scene.from_s / scene.step_s / ratio) % (DASHES[0] + DASHES[1]);
    this.context.setTransform(ratio, 0, 0, ratio, -place.x, -place.y);
    own.fill(place.x / ratio, place.y / ratio, width / ratio, height / ratio, pen.theme.background);
    paint(own, widened(scene, this.spare * scene.step_s), wider(layout, this.spare / ratio), this.drawn);
  }

  _sized({ w, h }) {
    this.canvas ??= this.newCanvas();
    this.context ??= this.canvas.getContext("2d", { alpha: false });
    const size = { width: w + this.spare, height: h };
    if (this.canvas.width !== size.width || this.canvas.height !== size.height) Object.assign(this.canvas, size);
    return size;
  }
}

/** @returns {{x: number, y: number, w: number, h: number}} where the strips stand, in device pixels */
export function devicePlace(layout, ratio) {
  const { x, y, w, h } = stripsPlot(layout);
  const [left, top] = [Math.round(x * ratio), Math.round(y * ratio)];
  return { x: left, y: top, w: Math.round((x + w) * ratio) - left, h: Math.round((y + h) * ratio) - top };
}

function wider(layout, by) {
  const more = (rect) => ({ ...rect, w: rect.w + by });
  return { ...layout, queue: more(layout.queue), why: more(layout.why), levels: layout.levels.map(more), pools: layout.pools.map(more) };
}
