// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The memory view, as anywidget takes it.
import { forgetMemory, memoryStoreOf } from "./memory_store.js";
import { MemoryCanvas } from "./memory_view.js";

function initialize({ model }) {
  memoryStoreOf(model);
  return () => forgetMemory(model);
}

function render({ model, el }) {
  const view = new MemoryCanvas(model, memoryStoreOf(model), el);
  el.workbench = { drawn: () => view.summary(), view };
  model.send({ kind: "hello" });
  return () => view.close();
}

export default { initialize, render };
