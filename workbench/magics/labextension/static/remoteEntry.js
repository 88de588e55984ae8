// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// An extension of JupyterLab without a build: the container that a bundler would write, by hand. JupyterLab loads this
// script, hands it the modules that it shares, and asks it for "./extension".
(() => {
  const NAME = "workbench-cells";
  const CPP = "text/x-c++src";
  const PYTHON = "text/x-ipython";
  const LINK = "#workbench-cell=";

  /** The type by which a cell is coloured: that of C++ under the magic that compiles it. */
  function mimeTypeOf(source, now) {
    if (/^%%backend\b/.test(source)) return CPP;
    return now === CPP ? PYTHON : now;
  }

  function colour(cell) {
    const { model } = cell;
    if (model?.type !== "code") return;
    const wanted = mimeTypeOf(model.sharedModel.getSource(), model.mimeType);
    if (model.mimeType !== wanted) model.mimeType = wanted;
  }

  const watched = new WeakSet();

  function watchCell(cell) {
    if (watched.has(cell)) return;
    watched.add(cell);
    colour(cell);
    cell.model.contentChanged.connect(() => colour(cell));
    cell.model.mimeTypeChanged.connect(() => colour(cell));
  }

  function watchNotebook(panel) {
    const all = () => panel.content.widgets.forEach(watchCell);
    panel.context.ready.then(() => {
      all();
      panel.content.model.cells.changed.connect(() => setTimeout(all, 0));
      panel.sessionContext.kernelChanged.connect(() => setTimeout(all, 0));
    });
  }

  /** A link in an output goes to the cell that it names, in the notebook that is looked at. */
  function follow(tracker, event) {
    const link = event.target.closest?.(`a[href*="${LINK}"]`);
    const notebook = tracker.currentWidget?.content;
    if (!link || !notebook) return;
    event.preventDefault();
    event.stopPropagation();
    const id = decodeURIComponent(link.getAttribute("href").split(LINK)[1]);
    const index = notebook.widgets.findIndex((cell) => cell.model.id === id);
    if (index < 0) return;
    notebook.activeCellIndex = index;
    notebook.scrollToCell?.(notebook.widgets[index], "center");
    notebook.widgets[index].node.focus?.();
  }

  let shared = null;

  async function moduleOf(id) {
    const versions = shared[id];
    return (await versions[Object.keys(versions)[0]].get())();
  }

  async function plugin() {
    const { INotebookTracker } = await moduleOf("@jupyterlab/notebook");
    return {
      id: `${NAME}:plugin`,
      description: "Colours %%backend cells as C++, and follows links to cells.",
      autoStart: true,
      requires: [INotebookTracker],
      activate(_app, tracker) {
        tracker.forEach(watchNotebook);
        tracker.widgetAdded.connect((_, panel) => watchNotebook(panel));
        document.addEventListener("click", (event) => follow(tracker, event), true);
      },
    };
  }

  const container = {
    init(scope) {
      shared = scope;
    },
    async get(id) {
      if (id !== "./extension") throw new Error(`${NAME} has no module ${id}`);
      const made = await plugin();
      return () => ({ __esModule: true, default: made });
    },
  };
  globalThis._JUPYTERLAB ??= {};
  globalThis._JUPYTERLAB[NAME] = container;
})();
