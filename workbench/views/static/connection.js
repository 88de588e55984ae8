// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// One model of a kernel, one store in the page, any number of views.
import { Store, unpacked } from "./store.js";

// Keyed by a trait: initialize() and each render() get proxies of their own of one and the same model.
const shared = new Map();

export function sharedOf(model) {
  const uid = model.get("uid");
  if (!shared.has(uid)) shared.set(uid, connect(model));
  return shared.get(uid);
}

function connect(model) {
  const store = new Store(model.get("tables"));
  const saved = unpacked(model.get("saved"));
  const state = { store, views: new Set(), isSaved: Boolean(saved) };
  if (saved) store.take(saved.header, saved.buffers, performance.now());
  model.on("msg:custom", (header, buffers) => {
    if (header.kind === "frame") state.isSaved = false;
    store.take(header, buffers, performance.now());
    const seq = header.kind === "frame" ? store.due(performance.now()) : null;
    if (seq !== null) model.send({ kind: "ack", seq, hidden: isHidden(state) });
    for (const view of state.views) view.wake();
  });
  return state;
}

function isHidden({ views }) {
  return document.hidden || ![...views].some((view) => view.isVisible);
}

/** Lets a model go that the kernel closed. */
export function forget(model) {
  shared.delete(model.get("uid"));
}
