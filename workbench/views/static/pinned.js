// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The tip beside the pointer, and what it becomes when it is pinned: details in words, with bars, to be copied.
import { button, make, placeBeside } from "./elements.js";

export class Tip {
  /** @param {HTMLElement} parent @param {() => void} onclose */
  constructor(parent, onclose) {
    this.element = make("div", "workbench-tip", { hidden: true });
    this.element.setAttribute("role", "status");
    this.onclose = onclose;
    this.text = "";
    parent.append(this.element);
  }

  /** @param {{title: string, lines: string[], bars?: any[]} | null} words @param {{x: number, y: number} | null} at */
  show(words, at, isPinned, width, height) {
    if (this.element.hidden !== !words) this.element.hidden = !words;
    if (!words) return void (this.text = "");
    this.element.classList.toggle("workbench-pinned", Boolean(isPinned));
    const text = textOf(words);
    if (text !== this.text || isPinned !== this.isPinned) this._fill(words, isPinned);
    this.text = text;
    this.isPinned = isPinned;
    placeBeside(this.element, at.x, at.y, width, height);
  }

  _fill({ title, lines, bars = [] }, isPinned) {
    const rows = lines.map((line) => make("div", "", { textContent: line }));
    const content = [make("b", "", { textContent: title }), ...rows];
    if (isPinned) content.push(...bars.map(barRow), this._buttons());
    this.element.replaceChildren(...content);
  }

  _buttons() {
    const row = make("div", "workbench-buttons");
    const copy = button("copy", "Copy this as text (c)", () => this.copy());
    row.append(copy, button("close", "Unpin (Escape)", this.onclose));
    return row;
  }

  copy() {
    if (this.text) navigator.clipboard?.writeText(this.text).catch(() => selectAll(this.element));
  }
}

/** @returns {string} what is copied and compared */
export function textOf({ title, lines, bars = [] }) {
  return [title, ...lines, ...bars.map(({ label, words }) => `${label}: ${words}`)].join("\n");
}

/** A line of a name, a bar of parts and words. */
function barRow({ label, parts, words }) {
  const row = make("div", "workbench-row");
  const bar = make("span", "workbench-parts");
  for (const { share, colour, opacity = 1, offset = 0 } of parts) {
    const part = make("span", "");
    Object.assign(part.style, { left: `${100 * offset}%`, width: `${100 * share}%`, background: colour, opacity: String(opacity) });
    bar.append(part);
  }
  row.append(make("span", "workbench-name", { textContent: label }), bar, make("span", "workbench-figure", { textContent: words }));
  return row;
}

function selectAll(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}
