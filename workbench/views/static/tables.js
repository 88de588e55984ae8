// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Tables of numbers of fixed capacity: memory is bounded however long one watches.

/** @param {DataView | Uint8Array} view @returns {Float32Array} its floats, copied where they are not aligned */
export function floats(view) {
  const length = view.byteLength >> 2;
  if (view.byteOffset % 4 === 0) return new Float32Array(view.buffer, view.byteOffset, length);
  return new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + length * 4));
}

/** The newest rows of a table; a row is an object's worth of numbers in one flat array. */
export class Ring {
  /** @param {string[]} columns @param {string[]} times columns that hold seconds after a base @param {number} capacity */
  constructor(columns, times, capacity) {
    this.columns = columns;
    this.serial = columns.indexOf("serial");
    this.width = columns.length;
    this.capacity = capacity;
    this.isTime = columns.map((name) => times.includes(name));
    this.rows = new Float64Array(capacity * this.width);
    this.clear();
  }

  clear() {
    this.count = 0;
    this.head = 0;
  }

  /** @param {Float32Array} table @param {number} base_s @param {number} [base_serial] */
  push(table, base_s, base_serial = 0) {
    const width = this.width;
    const total = Math.floor(table.length / width);
    for (let row = Math.max(0, total - this.capacity); row < total; row++) {
      const to = this.head * width;
      for (let k = 0; k < width; k++) this.rows[to + k] = table[row * width + k] + (this.isTime[k] ? base_s : 0);
      if (this.serial >= 0) this.rows[to + this.serial] += base_serial;
      this.head = (this.head + 1) % this.capacity;
      if (this.count < this.capacity) this.count++;
    }
  }

  /** Newest first, until `visit(rows, offset)` returns false. */
  newestFirst(visit) {
    for (let i = 1; i <= this.count; i++) {
      const row = (this.head - i + this.capacity) % this.capacity;
      if (visit(this.rows, row * this.width) === false) return;
    }
  }

  /** @returns {Ring} that later pushes leave as it is */
  copy() {
    const copy = Object.assign(Object.create(Ring.prototype), this);
    copy.rows = this.rows.slice();
    return copy;
  }
}

/** Records by number: a later record of a number replaces an earlier one, and old numbers go. */
export class Bins {
  /** @param {string[]} columns the first one is the number @param {number} capacity */
  constructor(columns, capacity) {
    this.columns = columns;
    this.width = columns.length;
    this.capacity = capacity;
    this.rows = new Float64Array(capacity * this.width);
    this.clear();
  }

  clear() {
    this.last = -Infinity;
    this.rows.fill(NaN);
  }

  /** @param {Float32Array} table @param {number} first number that the table counts from */
  put(table, first) {
    for (let from = 0; from + this.width <= table.length; from += this.width) {
      const index = first + table[from];
      const to = this._offset(index);
      this.rows[to] = index;
      for (let k = 1; k < this.width; k++) this.rows[to + k] = table[from + k];
      this.last = Math.max(this.last, index);
    }
  }

  /** @returns {number} the value, NaN where there is none */
  get(index, column) {
    const at = this._offset(index);
    return this.rows[at] === index ? this.rows[at + column] : NaN;
  }

  column(name) {
    return this.columns.indexOf(name);
  }

  copy() {
    const copy = Object.assign(Object.create(Bins.prototype), this);
    copy.rows = this.rows.slice();
    return copy;
  }

  _offset(index) {
    return (((index % this.capacity) + this.capacity) % this.capacity) * this.width;
  }
}
