// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The buttons at a dashboard's upper right.
import { button, make, saveCanvas } from "./elements.js";

const WINDOWS_S = [2, 5, 10, 30, 60, 300];

export class Bar {
  /** @param {HTMLElement} parent @param {any} view */
  constructor(parent, view) {
    this.pause = button("pause", "The picture stays as it is, to be looked at closely (space)", () => view.togglePause());
    this.window = make("select", "workbench-button", { title: "Width of the time axis" });
    this.window.setAttribute("aria-label", "width of the time axis");
    this.window.append(...WINDOWS_S.map(windowOption));
    this.window.addEventListener("change", () => view.setWindow(Number(this.window.value)));
    this.spikes = button("hold spikes", "Pause by itself when nearly all requests suddenly take much longer", () => this._toggleSpikes(view));
    this.spikes.setAttribute("aria-pressed", "false");
    const save = button("png", "Save this picture", () => saveCanvas(view.canvas, view.scene?.facts.name ?? "dashboard"));
    this.element = make("div", "workbench-bar");
    this.element.append(this.window, this.spikes, this.pause, save);
    parent.append(this.element);
  }

  showPaused(isPaused) {
    this.pause.textContent = isPaused ? "go on" : "pause";
  }

  /** @param {number} seconds @param {boolean} isFixed a recording on a page was cut for one width, and has no spikes to wait for */
  showWindow(seconds, isFixed) {
    if (seconds === this.seconds && isFixed === this.isFixed) return;
    this.isFixed = this.window.hidden = this.spikes.hidden = isFixed;
    if (document.activeElement === this.window) return;
    if (![...this.window.options].some((option) => Number(option.value) === seconds)) this.window.append(windowOption(seconds));
    this.window.value = String(seconds);
    this.seconds = seconds;
  }

  _toggleSpikes(view) {
    const isWanted = this.spikes.getAttribute("aria-pressed") !== "true";
    this.spikes.setAttribute("aria-pressed", String(isWanted));
    view.holdSpikes(isWanted);
  }
}

function windowOption(seconds) {
  return make("option", "", { value: String(seconds), textContent: seconds < 60 ? `${seconds} s` : `${seconds / 60} min` });
}
