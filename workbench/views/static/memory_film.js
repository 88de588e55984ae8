// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Who held which memory, on a page on disk: looks as they were told, shown at the time that the dashboard shows.
import { Clock } from "./clock.js";
import { takeLook } from "./memory_store.js";
import { MemoryCanvas } from "./memory_view.js";

export class MemoryFilm {
  /** @param {{at_s: number, header: any, buffers: any[]}[]} looks ascending @param {(header: any, buffers: any[]) => void} tell */
  constructor(looks, tell) {
    Object.assign(this, { looks, tell, shown: -1 });
  }

  /** Tells the look of that time, where it is another than before. */
  show(at_s) {
    const found = this.looks.findLastIndex((look) => look.at_s <= at_s + 1e-9);
    const at = Math.max(found, 0);
    if (at === this.shown || !this.looks.length) return;
    this.shown = at;
    this.tell(this.looks[at].header, this.looks[at].buffers);
  }
}

/** @param {any} looks @param {HTMLElement} place @param {any} palette @returns {MemoryFilm} with its view, in a place of its own */
export function memoryOnPage(looks, place, palette) {
  const store = { look: null, heardAt: null, views: new Set(), clock: new Clock() };
  const values = { palette, is_live: true, is_page: true, frames_per_s: 10 };
  const element = document.createElement("div");
  place.after(element);
  const view = new MemoryCanvas({ get: (name) => values[name] }, store, element);
  element.workbench = { drawn: () => view.summary(), view };
  return new MemoryFilm(looks, (header, buffers) => takeLook(store, header, buffers, performance.now()));
}
