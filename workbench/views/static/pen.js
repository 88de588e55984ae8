// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Strokes, fills and words on a canvas; the theme comes from the notebook's own variables.

/** @param {HTMLElement} element */
function readTheme(element) {
  const style = getComputedStyle(element);
  const value = (...names) => names.map((name) => style.getPropertyValue(name).trim()).find(Boolean);
  return {
    background: value("--jp-layout-color0", "--vscode-editor-background") ?? "#ffffff",
    ink: value("--jp-ui-font-color0", "--vscode-editor-foreground") ?? "#111111",
    text: value("--jp-ui-font-color1", "--vscode-editor-foreground") ?? "#333333",
    faint: value("--jp-ui-font-color2", "--vscode-descriptionForeground") ?? "#666666",
    line: value("--jp-border-color2", "--vscode-panel-border") ?? "#dddddd",
    font: value("--jp-ui-font-family", "--vscode-font-family") ?? "system-ui, sans-serif",
  };
}

const THEME_EVERY_MS = 500;

/** The theme of an element, looked up a few times a second: a look-up makes the browser compute styles. */
export class Theme {
  constructor(element) {
    Object.assign(this, { element, readAt: -Infinity });
  }

  now() {
    const at_ms = performance.now();
    if (at_ms - this.readAt >= THEME_EVERY_MS) Object.assign(this, { read: readTheme(this.element), readAt: at_ms });
    return this.read;
  }
}

export const DASHES = [5, 4];

/** A pen: a canvas context with a theme, a pixel ratio and the colour language. */
export class Pen {
  constructor(context, theme, ratio, palette) {
    this.g = context;
    this.theme = theme;
    this.hair = 1 / ratio;
    this.ratio = ratio;
    this.palette = palette;
    this.dashOffset = 0;
  }

  /** @returns {number} the nearest edge between device pixels: what ends there has no seam */
  snap(value) {
    return Math.round(value * this.ratio) / this.ratio;
  }

  font(size, weight = 400) {
    this.g.font = `${weight} ${size}px ${this.theme.font}`;
  }

  /** @returns {number} width of the words */
  text(words, x, y, { size = 11, weight = 400, colour = this.theme.text, align = "left", most = Infinity } = {}) {
    const { g } = this;
    this.font(size, weight);
    g.textAlign = align;
    g.textBaseline = "alphabetic";
    g.fillStyle = colour;
    const shown = this._fit(words, most);
    g.fillText(shown, x, y);
    return g.measureText(shown).width;
  }

  /** @returns {number} */
  widthOf(words, size = 11, weight = 400) {
    this.font(size, weight);
    return this.g.measureText(words).width;
  }

  /** Words on at most `lines` lines. */
  paragraph(words, rect, { size = 13, weight = 400, colour = this.theme.text, lines = 2, leading = 18 } = {}) {
    this.font(size, weight);
    let rest = words.split(" ");
    for (let line = 0; line < lines && rest.length; line++) {
      let count = rest.length;
      if (line < lines - 1) while (count > 1 && this.g.measureText(rest.slice(0, count).join(" ")).width > rect.w) count--;
      this.text(rest.slice(0, count).join(" "), rect.x, rect.y + 13 + line * leading, { size, weight, colour, most: rect.w });
      rest = rest.slice(count);
    }
  }

  fill(x, y, w, h, colour, opacity = 1) {
    this.g.globalAlpha = opacity;
    this.g.fillStyle = colour;
    this.g.fillRect(x, y, w, h);
    this.g.globalAlpha = 1;
  }

  /** A line of one device pixel. */
  hairline(x1, y1, x2, y2, colour = this.theme.line) {
    const { g, hair, ratio } = this;
    const crisp = (v) => (Math.floor(v * ratio) + 0.5) * hair;
    g.strokeStyle = colour;
    g.lineWidth = hair;
    g.beginPath();
    if (x1 === x2) [x1, x2] = [crisp(x1), crisp(x1)];
    if (y1 === y2) [y1, y2] = [crisp(y1), crisp(y1)];
    g.moveTo(x1, y1);
    g.lineTo(x2, y2);
    g.stroke();
  }

  dashed(x1, y1, x2, y2, colour, width = 1.5) {
    const { g } = this;
    g.save();
    g.strokeStyle = colour;
    g.lineWidth = width;
    g.setLineDash(DASHES);
    g.lineDashOffset = this.dashOffset;
    g.beginPath();
    g.moveTo(x1, y1);
    g.lineTo(x2, y2);
    g.stroke();
    g.restore();
  }

  /** @param {[number, number][]} points NaN ordinates interrupt the line */
  line(points, colour, width = 1.5, opacity = 1) {
    const { g } = this;
    g.globalAlpha = opacity;
    g.strokeStyle = colour;
    g.lineWidth = width;
    g.lineJoin = "round";
    g.beginPath();
    let isDown = false;
    for (const [x, y] of points) {
      if (Number.isNaN(y)) isDown = false;
      else if (isDown) g.lineTo(x, y);
      else g.moveTo(x, y), (isDown = true);
    }
    g.stroke();
    g.globalAlpha = 1;
  }

  /** The area between a line and its base. */
  area(points, base, colour, opacity) {
    const { g } = this;
    const known = points.filter(([, y]) => !Number.isNaN(y));
    if (known.length < 2) return;
    g.globalAlpha = opacity;
    g.fillStyle = colour;
    g.beginPath();
    g.moveTo(known[0][0], base);
    for (const [x, y] of known) g.lineTo(x, y);
    g.lineTo(known[known.length - 1][0], base);
    g.fill();
    g.globalAlpha = 1;
  }

  polygon(points, colour, opacity = 1) {
    const { g } = this;
    g.globalAlpha = opacity;
    g.fillStyle = colour;
    g.beginPath();
    points.forEach(([x, y], i) => (i ? g.lineTo(x, y) : g.moveTo(x, y)));
    g.fill();
    g.globalAlpha = 1;
  }

  clip(rect, draw) {
    const { g } = this;
    g.save();
    g.beginPath();
    g.rect(rect.x, rect.y, rect.w, rect.h);
    g.clip();
    draw();
    g.restore();
  }

  /** A bar in the colour of a reason; hatched where two reasons share a colour. */
  reasonBar(x, y, w, h, reason, opacity = 1) {
    if (w <= 0 || h <= 0) return;
    this.fill(x, y, w, h, reason.colour, reason.hatched ? 0.55 * opacity : opacity);
    if (!reason.hatched || w < 3) return;
    const { g } = this;
    this.clip({ x, y, w, h }, () => {
      g.strokeStyle = reason.colour;
      g.globalAlpha = opacity;
      g.lineWidth = 1.5;
      g.beginPath();
      for (let at = -h; at < w; at += 5) {
        g.moveTo(x + at, y + h);
        g.lineTo(x + at + h, y);
      }
      g.stroke();
      g.globalAlpha = 1;
    });
  }

  /** The shape of a reason, so that colour is never alone. */
  glyph(shape, x, y, size, colour) {
    const { g } = this;
    const r = size / 2;
    g.fillStyle = g.strokeStyle = colour;
    g.lineWidth = Math.max(1.2, size / 6);
    g.beginPath();
    if (shape === "square") g.rect(x - r * 0.85, y - r * 0.85, 1.7 * r, 1.7 * r);
    else if (shape === "diamond") polyline(g, [[x, y - r], [x + r, y], [x, y + r], [x - r, y]]);
    else if (shape === "triangle") polyline(g, [[x - r, y - r], [x + r, y], [x - r, y + r]]);
    else if (shape === "circle") g.arc(x, y, r * 0.9, 0, 2 * Math.PI);
    if (shape === "clock") {
      g.arc(x, y, r * 0.85, 0, 2 * Math.PI);
      g.moveTo(x, y - r * 0.55);
      g.lineTo(x, y);
      g.lineTo(x + r * 0.45, y);
      g.stroke();
    } else if (shape === "cross") {
      g.moveTo(x - r * 0.8, y - r * 0.8);
      g.lineTo(x + r * 0.8, y + r * 0.8);
      g.moveTo(x + r * 0.8, y - r * 0.8);
      g.lineTo(x - r * 0.8, y + r * 0.8);
      g.stroke();
    } else g.fill();
  }

  _fit(words, most) {
    if (most === Infinity || this.g.measureText(words).width <= most) return words;
    let count = words.length;
    while (count > 1 && this.g.measureText(`${words.slice(0, count)}…`).width > most) count--;
    return `${words.slice(0, count).trimEnd()}…`;
  }
}

function polyline(g, points) {
  points.forEach(([x, y], i) => (i ? g.lineTo(x, y) : g.moveTo(x, y)));
  g.closePath();
}

/** @param {string} colour "#rrggbb" @returns {string} black or white, whichever reads better on it */
export function inkOn(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  return 0.299 * r + 0.587 * g + 0.114 * b > 0.58 ? "#000000" : "#ffffff";
}
