// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// What a memory view draws, as plain values: where rows stand, whose a block is, what is said of it.
import { byteSize, counted, percent } from "./numbers.js";

const MARGIN = 12;
const HEAD_H = 62;
const CHART = 64;
const ROW_GAP = 40;
const SLAB = 16;
const SLAB_GAP = 3;

/** @returns {any} a row for each pool that ever held something: its time at the left, its slabs at the right */
export function memoryLayout(width, look) {
  const isNarrow = width < 700;
  const time = isNarrow ? width - 2 * MARGIN : Math.round((width - 2 * MARGIN) * 0.38);
  let y = HEAD_H;
  const rows = shownPools(look).map((number) => {
    const sizes = look.slabs.filter(([pool]) => pool === number);
    const map = isNarrow ? { x: MARGIN, w: width - 2 * MARGIN } : { x: MARGIN + time + 40, w: width - 2 * MARGIN - time - 40 };
    const top = isNarrow ? y + CHART + 60 : y + 20;
    const slabs = placeSlabs(sizes, map, top);
    const height = slabs.length * (SLAB + SLAB_GAP);
    const row = {
      number, y, slabs, time: { x: MARGIN, y: y + 20, w: time, h: CHART }, map: { ...map, y: top, h: height },
      hidden: (look.hidden_slabs.find(([pool]) => pool === number) ?? [0, 0])[1],
    };
    y += Math.max(20 + CHART, top - y + height) + ROW_GAP;
    return row;
  });
  return { width, height: Math.max(y, 170), pad: MARGIN, rows };
}

/** @returns {number[]} a pool that nobody ever used says nothing */
function shownPools(look) {
  const used = (look?.pools ?? []).map((pool, number) => (pool.peak_byte_size || pool.fallbacks || pool.failures ? number : -1));
  return used.filter((number) => number >= 0);
}

function placeSlabs(sizes, { x, w }, top) {
  const largest = Math.max(...sizes.map(([, , size]) => size), 1);
  return sizes.map(([, number, byte_size], i) => ({ number, byte_size, x, w: Math.max((byte_size / largest) * w, 2), y: top + i * (SLAB + SLAB_GAP), h: SLAB }));
}

const parsed = new WeakMap();

/** @returns {any[]} the blocks of a look by names, made once */
export function blocksOf(look) {
  if (parsed.has(look)) return parsed.get(look);
  const { block_columns: columns } = look;
  const table = look.tables[1];
  const blocks = [];
  for (let at = 0; at < table.length; at += columns.length) {
    const block = Object.fromEntries(columns.map((name, k) => [name, table[at + k]]));
    blocks.push({ ...block, is_free: Boolean(block.is_free) });
  }
  parsed.set(look, blocks);
  return blocks;
}

/** @returns {{times: number[], live: number[], reserved: number[]}} of one pool over the window */
export function poolsOf(look, number) {
  const table = look.tables[0];
  const found = { times: [], live: [], reserved: [] };
  for (let at = 0; at < table.length; at += 4) {
    if (table[at + 1] !== number) continue;
    found.times.push((look.first_bin + table[at] + 0.5) * look.bin_s);
    found.live.push(table[at + 2]);
    found.reserved.push(table[at + 3]);
  }
  return found;
}

export function ownerColour(model, { owners, waiting }) {
  return model > 0 ? owners[(model - 1) % owners.length] : waiting;
}

/** @returns {string | null} what a block is known by from look to look */
export function blockKey(block) {
  return block ? `${block.pool}/${block.slab}/${block.offset}` : null;
}

/** @returns {{title: string, lines: string[]}} */
export function memoryWords(look, hit) {
  if (hit.kind === "words") return hit.words;
  if (hit.kind === "mark") return { title: hit.mark.words, lines: [`${counted(hit.mark.count, "time")} in this moment`] };
  if (hit.kind === "pool") return ofPool(look.pools[hit.number]);
  return ofBlock(look, hit.block);
}

function ofPool(pool) {
  const lines = [
    `${byteSize(pool.live_byte_size)} in use, ${byteSize(pool.reserved_byte_size)} reserved, most ever ${byteSize(pool.peak_byte_size)}`,
    pool.limit_byte_size ? `may hold ${byteSize(pool.limit_byte_size)}` : "has no limit of its own",
    `${counted(pool.allocations, "allocation")}, ${counted(pool.fallbacks, "fallback")}, ${counted(pool.failures, "failure")}`,
    `fragmentation ${percent(pool.fragmentation)}: how far the free bytes are from being one block`,
  ];
  return { title: `${pool.name} · ${pool.memory_type}`, lines };
}

function ofBlock(look, block) {
  const model = look.models[block.model];
  const instance = block.instance >= 0 ? `, instance ${block.instance}` : "";
  const tensor = look.tensors[block.tensor];
  const lines = [model ? `held by ${model}${instance}` : "asked for by no model: the server's own, or a client's", tensor ? `holds tensor ${tensor}` : "no output of a model: scratch, state or a cache"];
  if (block.count > 1) lines.push(`${block.count} blocks beside each other`);
  lines.push(`at byte ${block.offset.toLocaleString("en")} of its slab in ${look.pools[block.pool].name}`);
  return { title: byteSize(block.byte_size), lines };
}
