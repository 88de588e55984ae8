// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The bar under a replay: play, speed, and a track that shows the whole recording, so that one sees where to jump.
import { button, make } from "./elements.js";
import { duration, threeDigits } from "./numbers.js";
import { largest } from "./scene.js";

const SPEEDS = [0.001, 0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10];
const HEIGHT = 34;
const SEEK_EVERY_MS = 60;
const SHOW_EVERY_MS = 250;

export class TransportBar {
  /** @param {HTMLElement} parent @param {(content: any) => void} send */
  constructor(parent, send) {
    this.send = (action, value = 0) => send({ kind: "transport", action, value });
    this.element = make("div", "workbench-transport", { hidden: true });
    this.play = button("▶", "Play or pause the recording", () => this.send(this.state?.is_playing ? "pause" : "play"));
    this.time = make("span", "workbench-time");
    this.track = make("div", "workbench-track");
    this.canvas = make("canvas", "workbench-overview");
    this.range = make("input", "workbench-range", { type: "range", min: "0", max: "1000", step: "any", value: "0" });
    this.range.setAttribute("aria-label", "time in the recording");
    this.speed = make("select", "workbench-button", { title: "Seconds of the recording in a second" });
    this.speed.setAttribute("aria-label", "speed of the replay");
    this.speed.append(...SPEEDS.map((speed) => make("option", "", { value: String(speed), textContent: `${speed} ×` })));
    this.track.append(this.canvas, this.range);
    this.element.append(this.play, this.time, this.track, this.speed);
    parent.append(this.element);
    this.sentAt = this.shownAt = -Infinity;
    this._listen();
  }

  _listen() {
    this.range.addEventListener("input", () => this._seek());
    this.range.addEventListener("change", () => this._seek(true));
    this.range.addEventListener("pointerdown", () => (this.isHeld = true));
    this.range.addEventListener("pointerup", () => (this.isHeld = false));
    this.speed.addEventListener("change", () => this.send("speed", Number(this.speed.value)));
  }

  _seek(isLast = false) {
    const now = performance.now();
    if (!isLast && now - this.sentAt < SEEK_EVERY_MS) return;
    this.sentAt = now;
    this.send("seek", (Number(this.range.value) / 1000) * this.state.span_s);
  }

  /** @param {any} state of the clock, or nothing for what is no recording @param {any} overview of the whole recording */
  show(state, overview, theme, palette) {
    if (this.element.hidden !== !state) this.element.hidden = !state;
    if (!state || !this._isDue(state)) return;
    this.state = state;
    const words = state.is_playing ? "❚❚" : "▶";
    if (this.play.textContent !== words) this.play.textContent = words;
    const time = timeWords(state);
    if (this.time.textContent !== time) this.time.textContent = time;
    if (!this.isHeld) this.range.value = String((1000 * state.at_s) / Math.max(state.span_s, 1e-9));
    this.range.setAttribute("aria-valuetext", time);
    this._showSpeed(state.speed);
    this._draw(overview, theme, palette);
  }

  /** A few times a second: nobody reads figures faster. What somebody did is shown at once. */
  _isDue(state) {
    const now = performance.now();
    const isAsBefore = this.state?.is_playing === state.is_playing && this.state?.speed === state.speed;
    if (state.is_playing && isAsBefore && now - this.shownAt < SHOW_EVERY_MS) return false;
    this.shownAt = now;
    return true;
  }

  _showSpeed(speed) {
    if (document.activeElement === this.speed) return;
    if (!SPEEDS.includes(speed) && ![...this.speed.options].some((option) => Number(option.value) === speed)) {
      this.speed.append(make("option", "", { value: String(speed), textContent: `${threeDigits(speed)} ×` }));
    }
    if (Number(this.speed.value) !== speed) this.speed.value = String(speed);
  }

  /** Drawn again only where it became another: other data, another size, another theme. */
  _draw(overview, theme, palette) {
    const width = Math.round(this.track.clientWidth);
    const key = [width, theme.text, window.devicePixelRatio].join();
    if (!overview || width < 20 || (this.drawn === overview && this.key === key)) return;
    this.drawn = overview;
    this.key = key;
    const ratio = window.devicePixelRatio || 1;
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(HEIGHT * ratio) });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${HEIGHT}px` });
    drawOverview(this.canvas.getContext("2d"), overview, width, ratio, theme, palette);
  }
}

/** @returns {string} such as "3.2 s of 60 s" */
export function timeWords({ at_s, span_s }) {
  return `${at_s.toFixed(span_s < 10 ? 2 : 1)} of ${duration(span_s)}`;
}

/** Rate as an area, the latency of nearly all as a line over it, refusals as bars. */
function drawOverview(g, { answered, refused, latency }, width, ratio, theme, palette) {
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, width, HEIGHT);
  const step = width / answered.length;
  const bars = (values, top, colour, opacity) => {
    g.fillStyle = colour;
    g.globalAlpha = opacity;
    values.forEach((value, i) => value && g.fillRect(i * step, HEIGHT - (HEIGHT - 4) * (value / top), step + 0.3, HEIGHT));
    g.globalAlpha = 1;
  };
  const top = Math.max(largest(answered), largest(refused), 1e-9);
  bars(answered, top, theme.text, 0.16);
  bars(refused, top, palette.alarm, 0.8);
  const most = Math.max(largest(latency), 1e-9);
  g.strokeStyle = theme.ink;
  g.lineWidth = 1.25;
  g.beginPath();
  latency.forEach((value, i) => {
    if (value == null) return;
    const y = HEIGHT - 1 - (HEIGHT - 5) * (value / most);
    if (i && latency[i - 1] != null) g.lineTo((i + 0.5) * step, y);
    else g.moveTo((i + 0.5) * step, y);
  });
  g.stroke();
}
