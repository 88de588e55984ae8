// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// An ensemble's requests, each with those of its steps. Plain values.

const MOST_TREES = 8192;
const SAME_STEP_S = 1e-5;

/** @typedef {{step: number, parent: number, lane: number, batch: number, arrival: number, start: number, end: number,
 *            status: number, count: number, reason: number, model: string, serial: number}} Node */
/** @typedef {{root: Node, nodes: Node[]}} Tree the nodes without the root; `parent` -1 is the root, else their index */

export class Trees {
  /** @param {string[]} columns */
  constructor(columns = []) {
    this.columns = columns;
    this.clear();
  }

  clear() {
    /** @type {Tree[]} by end */
    this.all = [];
  }

  /** @param {Float32Array} table @param {string[]} models that the table counts in */
  put(table, models, base_s, base_tree) {
    const nodes = [];
    const width = this.columns.length;
    for (let at = 0; width && at + width <= table.length; at += width) {
      const node = {};
      this.columns.forEach((name, k) => (node[name] = table[at + k] + (["arrival", "start", "end"].includes(name) ? base_s : 0)));
      node.model = models[node.model] ?? "";
      nodes.push(node);
    }
    this.all.push(...grownTrees(nodes, base_tree));
    if (this.all.length > MOST_TREES) this.all.splice(0, this.all.length - MOST_TREES);
  }

  forget(before_s) {
    const first = this.all.findIndex(({ root }) => root.end >= before_s);
    if (first > 0) this.all.splice(0, first);
    else if (first < 0) this.all = [];
  }

  /** @returns {Tree[]} those that overlap a time, first come first */
  between(from_s, to_s) {
    return this.all.filter(({ root }) => root.end >= from_s && root.arrival <= to_s).sort((a, b) => a.root.arrival - b.root.arrival);
  }

  copy() {
    const copy = Object.assign(Object.create(Trees.prototype), this);
    copy.all = [...this.all];
    return copy;
  }
}

/** @param {any[]} rows of one table, whose parents are rows of it @returns {Tree[]} */
function grownTrees(rows, base_tree) {
  const trees = new Map();
  const places = rows.map((row) => {
    if (row.parent < 0) {
      trees.set(row.tree, { root: { ...row, serial: row.serial + base_tree }, nodes: [] });
      return -1;
    }
    return trees.get(row.tree).nodes.push(row) - 1;
  });
  rows.forEach((row) => {
    if (row.parent >= 0) row.parent = places[row.parent];
  });
  for (const { nodes } of trees.values()) nodes.forEach((node, i) => (node.index = i));
  return [...trees.values()].sort((a, b) => a.root.end - b.root.end);
}

/** @returns {{tree: Tree, node: Node} | null} whose step a request of a batch is */
export function stepAt(trees, { lane, batch }, arrival) {
  for (const tree of trees) {
    const node = tree.nodes.find((one) => one.lane === lane && one.batch === batch && Math.abs(one.arrival - arrival) < SAME_STEP_S);
    if (node) return { tree, node };
  }
  return null;
}

/** @param {Tree[]} trees by arrival @returns {number[]} a row for each, the lowest in which it overlaps no other; at most `most` - 1 */
export function treeRows(trees, most) {
  const ends = [];
  return trees.map(({ root }) => {
    let row = ends.findIndex((end) => end <= root.arrival);
    if (row < 0) row = ends.length < most ? ends.length : most - 1;
    ends[row] = Math.max(ends[row] ?? -Infinity, root.end);
    return row;
  });
}

/** @param {Tree} tree @returns {Node[]} the steps in the order in which they came, those within a step behind it */
export function inOrder({ nodes }) {
  const below = (parent) => nodes.filter((node) => node.parent === parent).sort((a, b) => a.arrival - b.arrival).flatMap((node) => [node, ...below(node.index)]);
  return below(-1);
}

/** @param {Tree} tree @returns {number} how many ensembles a step lies in, 0 for one of the tree's own */
export function depthOf({ nodes }, node) {
  let depth = 0;
  for (let at = node; at.parent >= 0; at = nodes[at.parent]) depth++;
  return depth;
}
