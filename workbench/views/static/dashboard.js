// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The widget: what anywidget calls.
import { forget, sharedOf } from "./connection.js";
import { summaryOf } from "./scene.js";
import { DashboardView } from "./view.js";

function initialize({ model }) {
  sharedOf(model);
  return () => forget(model);
}

function render({ model, el }) {
  const view = new DashboardView(model, el);
  // What tests (and the curious) read: the last picture as values.
  el.workbench = {
    drawn: () => (view.scene ? summaryOf(view.scene, view.layout) : null),
    view,
  };
  model.send({ kind: "hello" });
  return () => view.close();
}

export default { initialize, render };
