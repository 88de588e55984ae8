// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// One model of a kernel, one store in the page, any number of views.
import { mailOfPage } from "./mail.js";
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
  const mail = mailOfPage();
  mail.open(model, (header, buffers) => {
    store.take(header, buffers, performance.now());
    if (header.kind === "frame") {
      state.isSaved = false;
      mail.frame(model.get("uid"), header.seq, isHidden(state));
    }
    for (const view of state.views) view.news();
  });
  return state;
}

function isHidden({ views }) {
  return document.hidden || ![...views].some((view) => view.isVisible);
}

/** Lets a model go that the kernel closed. */
export function forget(model) {
  shared.delete(model.get("uid"));
  mailOfPage().close(model);
}
