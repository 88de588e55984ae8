// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The newest look at memory, shared by all views of a model.
import { Clock } from "./clock.js";
import { mailOfPage } from "./mail.js";

const memoryStores = new Map();

/** @returns {{look: any, heardAt: number | null, views: Set<any>, clock: Clock}} */
export function memoryStoreOf(model) {
  const uid = model.get("uid");
  if (memoryStores.has(uid)) return memoryStores.get(uid);
  const store = { look: null, heardAt: null, views: new Set(), clock: new Clock() };
  const mail = mailOfPage();
  mail.open(model, (header, buffers) => {
    if (header.kind !== "memory") return;
    takeLook(store, header, buffers, performance.now());
    mail.frame(uid, header.seq, document.hidden || ![...store.views].some((view) => view.isVisible));
  });
  memoryStores.set(uid, store);
  return store;
}

/** Lets a model go that the kernel closed. */
export function forgetMemory(model) {
  memoryStores.delete(model.get("uid"));
  mailOfPage().close(model);
}

/** A look is whole: it takes the place of the one before. */
export function takeLook(store, header, buffers, at_ms) {
  // A replay that is paused tells the same time again and again.
  store.clock.run(header.now_s === store.look?.now_s ? 0 : 1, at_ms);
  store.look = { ...header, tables: buffers.map(doubles) };
  store.heardAt = at_ms;
  store.clock.tell(header.now_s, at_ms);
  for (const view of store.views) view.news();
}

/** @param {DataView | Uint8Array} view @returns {Float64Array} */
function doubles(view) {
  return new Float64Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}
