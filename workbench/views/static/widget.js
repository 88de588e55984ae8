// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// What anywidget calls, and what a page on disk calls in its place.
import { forget, sharedOf } from "./connection.js";
import { summaryOf } from "./scene.js";
import { DashboardView } from "./view.js";

export function initialize({ model }) {
  sharedOf(model);
  return () => forget(model);
}

export function render({ model, el }) {
  const view = new DashboardView(model, el);
  // What tests (and the curious) read: the last picture as values.
  el.workbench = {
    drawn: () => (view.scene ? summaryOf(view.scene, view.layout) : null),
    view,
  };
  model.send({ kind: "hello" });
  return () => view.close();
}
