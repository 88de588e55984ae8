// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The memory view, as anywidget takes it.
import { Clock } from "./clock.js";
import { mailOfPage } from "./mail.js";
import { MemoryCanvas } from "./memory_view.js";

const stores = new Map();

function initialize({ model }) {
  storeOf(model);
  return () => {
    stores.delete(model.get("uid"));
    mailOfPage().close(model);
  };
}

function render({ model, el }) {
  const view = new MemoryCanvas(model, storeOf(model), el);
  el.workbench = { drawn: () => view.summary(), view };
  model.send({ kind: "hello" });
  return () => view.close();
}

/** The newest look, shared by all views of a model. */
function storeOf(model) {
  const uid = model.get("uid");
  if (stores.has(uid)) return stores.get(uid);
  const store = { look: null, heardAt: null, views: new Set(), clock: new Clock() };
  const mail = mailOfPage();
  mail.open(model, (header, buffers) => {
    if (header.kind !== "memory") return;
    store.clock.run(header.now_s === store.look?.now_s ? 0 : 1, performance.now());
    store.look = { ...header, tables: buffers.map(doubles) };
    store.heardAt = performance.now();
    mail.frame(uid, header.seq, document.hidden || ![...store.views].some((view) => view.isVisible));
    store.clock.tell(header.now_s, store.heardAt);
    for (const view of store.views) view.news();
  });
  stores.set(uid, store);
  return store;
}

/** @param {DataView} view @returns {Float64Array} */
function doubles(view) {
  return new Float64Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

export default { initialize, render };
