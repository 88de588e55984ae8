// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The widget, as anywidget takes it.
import { initialize, render } from "./widget.js";

export default { initialize, render };
