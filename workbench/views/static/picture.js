// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// A dashboard's picture on its canvas, in pieces: each is drawn again when what it shows became another.
import { sized } from "./elements.js";
import { KEY_WORDS } from "./hands.js";
import { drawHead } from "./head.js";
import { drawLanes, drawSlice, drawWedge, slicePlace } from "./lanes.js";
import { drawLinked, litKey } from "./linked.js";
import { contains, headRect, lanesRects, stripsRect, stripWordsRects, tileRect, wedgeRect } from "./layout.js";
import { Moving } from "./moving.js";
import { Pen } from "./pen.js";
import { Piece } from "./pieces.js";
import { drawQueueRows, drawQueueRowWords } from "./queue_rows.js";
import { drawStripCurves, drawStripWords } from "./strips.js";
import { TILES } from "./tiles.js";

/** @typedef {{store: any, scene: any, layout: any, theme: any, words: string | null, isFrozen: boolean, chosen: any, lit: any,
 *             pointer: {x: number, y: number} | null, marked: {x: number, w: number} | null}} Look */

export class Picture {
  /** @param {HTMLCanvasElement} canvas @param {any} palette @param {any} tops axes that do not jump */
  constructor(canvas, palette, tops) {
    Object.assign(this, { canvas, palette, tops });
    // Opaque, and pixel by pixel (the stylesheet's part): what lies behind is not drawn, and the rest is copied as it is.
    this.context = canvas.getContext("2d", { alpha: false });
    this.moving = new Moving();
    this.head = new Piece();
    this.tiles = TILES.map(() => new Piece());
    this.words = new Piece();
    this.wedge = new Piece();
    this.lanes = new Piece();
    this.ground = null;
  }

  /** @returns {any[]} what can be pointed at, the uppermost last */
  get hits() {
    const { tiles, words, moving, lanes } = this;
    return [...tiles, words, moving, lanes].flatMap(({ hits }) => hits);
  }

  /** @param {Look} look */
  draw(look) {
    const { scene, layout, store, words, isFrozen } = look;
    const isPale = Boolean(scene && words && !isFrozen);
    const pen = this._prepared(look, isPale);
    const told = [store, store.epoch, store.totals, store.prediction];
    this.head.draw(pen, [headRect(layout)], [...told, words, store.dropped], () => drawHead(pen, layout, store, words, this.canvas));
    if (!scene) return;
    this._drawTiles(pen, look, told);
    this._drawStrips(pen, look, told);
    this._drawLanes(pen, look, told);
    // Old news look old.
    const top = headRect(layout).h;
    if (isPale) pen.fill(0, top, layout.width, layout.height - top, pen.theme.background, 0.45);
  }

  _drawTiles(pen, { scene, layout, store }, told) {
    this.tiles.forEach((piece, i) => {
      const { draw, isTrend } = TILES[i];
      const rect = layout.tiles[i];
      piece.draw(pen, [tileRect(rect)], [...told, isTrend && store.told], (hits) => draw(pen, scene, rect, this.tops, hits));
    });
  }

  _drawStrips(pen, { scene, layout, store, pointer, marked }, told) {
    const { tops } = this;
    this.moving.show(pen, scene, layout, [store, store.epoch, store.told], (...on) => {
      drawStripCurves(on[0], on[1], on[2], tops, on[3]);
      drawQueueRows(on[0], on[1], on[2], tops);
    });
    this.words.draw(pen, stripWordsRects(layout), [...told, tops.queue.top], (hits) => {
      drawStripWords(pen, scene, layout, tops, hits);
      drawQueueRowWords(pen, scene, layout, hits);
    });
    const place = slicePlace(scene, layout);
    if (place) drawSlice(pen, place, layout);
    const steps = place && [place.left, place.shown].map((x) => Math.round(x * pen.ratio));
    this.wedge.draw(pen, [wedgeRect(layout)], [...(steps ?? [])], () => place && drawWedge(pen, place, layout));
    drawPointer(pen, layout, pointer, marked);
  }

  _drawLanes(pen, { scene, layout, chosen, lit, isFrozen }, told) {
    const { wedge, closeAxis } = layout;
    this.lanes.draw(pen, lanesRects(layout), [...told, scene.slice, chosen, litKey(lit), isFrozen], (hits) => {
      drawLanes(pen, scene, layout, chosen, hits);
      drawLinked(pen, scene, layout, lit, hits);
      if (!isFrozen) return;
      pen.text(KEY_WORDS, wedge.x + wedge.w, closeAxis.y + 30, { align: "right", colour: pen.theme.faint, size: 10.5, most: wedge.w });
    });
  }

  /** A pen; where all has to be drawn anew, on an empty canvas. */
  _prepared({ layout: { width, height, lanes, pools, levels, roots }, theme, scene, words, isFrozen }, isPale) {
    const ratio = sized(this.canvas, width, height);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const pen = new Pen(this.context, theme, ratio, this.palette);
    const ground = JSON.stringify([width, height, lanes.length, pools.length, levels.length, Boolean(roots), ratio, theme, Boolean(scene), words, isFrozen]);
    if (ground !== this.ground || isPale) this._begin(pen, width, height);
    this.ground = ground;
    return pen;
  }

  _begin(pen, width, height) {
    pen.fill(0, 0, width, height, pen.theme.background);
    for (const piece of [this.head, ...this.tiles, this.words, this.wedge, this.lanes, this.moving]) piece.reset();
  }
}

/** The time under the pointer, or what is being marked: over the strips alone, which are renewed in every frame. */
function drawPointer(pen, layout, pointer, marked) {
  const { queue, axis } = layout;
  const h = axis.y - queue.y;
  if (marked) pen.fill(marked.x, queue.y, marked.w, h, pen.theme.text, 0.18);
  else if (pointer && contains(stripsRect(layout), pointer.x, pointer.y)) pen.hairline(pointer.x, queue.y, pointer.x, queue.y + h, pen.theme.faint);
}
