// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// A recording in a page on disk: in place of a kernel, a player feeds the same drawing with what was told before.
import { make } from "./elements.js";
import { memoryOnPage } from "./memory_film.js";
import { unpacked } from "./store.js";
import { initialize, render } from "./widget.js";

/** One model's messages, by the time at which they were told. */
export class Film {
  /** @param {{at_s: number, header: any, buffers: any[]}[]} frames ascending @param {number} span_s @param {number} window_s */
  constructor(frames, span_s, window_s) {
    Object.assign(this, { frames, span_s, window_s });
  }

  /** @returns {number} how many frames were told until then */
  until(at_s) {
    let [low, high] = [0, this.frames.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.frames[middle].at_s <= at_s + 1e-9) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** @returns {number} the first frame that a window which ends then needs */
  windowStart(at_s) {
    return Math.max(this.until(at_s - 1.25 * this.window_s) - 1, 0);
  }
}

/** The clock and the messages; `tell` is what a widget hears. */
export class Player {
  constructor(film, tell) {
    this.tell = tell;
    this.speed = 1;
    this.is_playing = false;
    this.load(film);
  }

  load(film) {
    this.film = film;
    this.seek(Math.min(this.at_s ?? film.window_s, film.span_s));
  }

  obey({ action, value }) {
    if (action === "seek") this.seek(value);
    else if (action === "speed") this.speed = value;
    else {
      this.is_playing = action === "play";
      if (this.is_playing && this.at_s >= this.film.span_s) this.seek(0);
    }
    this._say();
  }

  seek(at_s) {
    this.at_s = Math.min(Math.max(at_s, 0), this.film.span_s);
    this.next = this.film.windowStart(this.at_s);
    this.isWhole = true;
    this._feed();
  }

  /** @param {number} elapsed_s of real time */
  advance(elapsed_s) {
    if (!this.is_playing) return;
    this.at_s = Math.min(this.at_s + elapsed_s * this.speed, this.film.span_s);
    if (this.at_s >= this.film.span_s) this.is_playing = false;
    this._feed();
    this._say();
  }

  _feed() {
    const until = Math.max(this.film.until(this.at_s), 1);
    for (; this.next < until; this.next++) {
      const { header, buffers } = this.film.frames[this.next];
      this.tell({ ...header, is_whole: this.isWhole, transport: this._state() }, buffers);
      this.isWhole = false;
    }
  }

  _say() {
    this.tell({ kind: "transport", transport: this._state() }, []);
  }

  /** @returns {any} nothing for a film of one picture */
  _state() {
    const { at_s, speed, is_playing, film } = this;
    return film.span_s > 0 ? { at_s, speed, is_playing, span_s: film.span_s } : null;
  }
}

/** @param {string} text base64 of gzip @returns {Promise<ArrayBuffer>} */
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** @param {ArrayBuffer} data what Python's `page.payload` made */
export function filmsOf(data) {
  const length = new DataView(data).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
  let at = 4 + length;
  const unpackedFrames = (frames) => frames.map(([at_s, size]) => {
    const frame = { at_s, ...unpacked(new DataView(data, at, size)) };
    at += size;
    return frame;
  });
  const films = head.films.map(({ name, overview, frames }) => {
    const told = unpackedFrames(frames);
    told.forEach(({ header }) => (header.overview = overview));
    return { name, film: new Film(told, head.span_s, head.window_s) };
  });
  return { head, films, looks: unpackedFrames(head.memory ?? []) };
}

/** @param {HTMLElement} place @param {string} text */
export async function show(place, text) {
  const { head, films, looks } = filmsOf(await inflated(text));
  let tell = () => {};
  const values = { uid: "page", palette: head.palette, tables: head.tables, is_live: true, is_page: true, saved: null };
  let player = null;
  const model = {
    get: (name) => values[name],
    send: (content) => content.kind === "transport" && player?.obey(content),
    on: (name, call) => name === "msg:custom" && (tell = call),
    off() {},
  };
  initialize({ model });
  player = new Player(films[0].film, (header, buffers) => tell(header, buffers));
  if (films.length > 1) place.before(choiceOf(films, player));
  render({ model, el: place });
  const memory = looks.length ? memoryOnPage(looks, place, head.palette) : null;
  let last = performance.now();
  const tick = (now) => {
    player.advance((now - last) / 1e3);
    last = now;
    memory?.show(player.at_s);
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

function choiceOf(films, player) {
  const choice = make("select", "workbench-button", { title: "model" });
  choice.append(...films.map(({ name }, i) => make("option", "", { value: String(i), textContent: name })));
  choice.addEventListener("change", () => player.load(films[Number(choice.value)].film));
  return choice;
}
