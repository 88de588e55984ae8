# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A stage for pictures: the dashboard's browser part on a bare page in headless Chromium, fed with messages."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from workbench.views import esm, wire
from workbench.views.colours import palette
from workbench.views.view import View

CHROMIUM: Final = "/usr/bin/chromium"
LIGHT: Final = {
    "--jp-layout-color0": "#ffffff", "--jp-layout-color1": "#ffffff", "--jp-layout-color2": "#eeeeee",
    "--jp-ui-font-color0": "rgba(0,0,0,1)", "--jp-ui-font-color1": "rgba(0,0,0,0.87)",
    "--jp-ui-font-color2": "rgba(0,0,0,0.54)", "--jp-border-color1": "#bdbdbd", "--jp-border-color2": "#e0e0e0",
}  # fmt: skip
DARK: Final = {
    "--jp-layout-color0": "#111111", "--jp-layout-color1": "#212121", "--jp-layout-color2": "#424242",
    "--jp-ui-font-color0": "rgba(255,255,255,1)", "--jp-ui-font-color1": "rgba(255,255,255,0.87)",
    "--jp-ui-font-color2": "rgba(255,255,255,0.54)", "--jp-border-color1": "#616161", "--jp-border-color2": "#424242",
}  # fmt: skip

_PAGE: Final = """
<!doctype html><style>%(css)s :root { %(theme)s --jp-ui-font-family: "DejaVu Sans", sans-serif; }
body { margin: 0; background: var(--jp-layout-color0); width: %(width)dpx; }</style><div id="here"></div>
<script type="module">
const source = %(module)s;
const widget = (await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })))).default;
const values = %(values)s, heard = [];
const model = {
  get: (name) => values[name], send: (content) => heard.push(content), off() {},
  on(name, call) { if (name === "msg:custom") window.tell = call; },
};
const bytes = (base) => Uint8Array.from(atob(base), (letter) => letter.charCodeAt(0));
const view = (base) => new DataView(bytes(base).buffer);
window.feed = (messages) => messages.forEach(([header, buffers]) => window.tell(header, buffers.map(view)));
window.heard = heard;
widget.initialize({ model });
window.close_view = widget.render({ model, el: document.getElementById("here") });
window.ready = true;
</script>
"""


def encoded(views: Sequence[View]) -> list[Any]:
    """Views as messages that a page can take."""
    return as_text([wire.message(view, seq=seq) for seq, view in enumerate(views, start=1)])


def as_text(told: Sequence[tuple[dict[str, Any], list[bytes]]]) -> list[Any]:
    """Messages as a page can take them."""
    return [[header, [base64.b64encode(buffer).decode() for buffer in buffers]] for header, buffers in told]


@contextmanager
def browser() -> Iterator[Browser]:
    """Headless Chromium."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--no-first-run"]
        )
        try:
            yield chromium
        finally:
            chromium.close()


@contextmanager
def dashboard(
    chromium: Browser, views: Sequence[View], *, width: int = 1200, ratio: int = 1, dark: bool = False, **traits: Any
) -> Iterator[Page]:
    """A page with a dashboard that was told these views; the traits differ from those of a live one as given."""
    values = {
        "tables": {name: list(columns) for name, columns in wire.TABLES.items()},
        "saved": None,
    } | traits
    with stage(chromium, encoded(views), width=width, ratio=ratio, dark=dark, traits=values) as page:
        yield page


@contextmanager
def stage(
    chromium: Browser,
    messages: list[Any],
    *,
    entry: str = "dashboard.js",
    width: int = 1200,
    ratio: int = 1,
    dark: bool = False,
    traits: dict[str, Any],
) -> Iterator[Page]:
    """A page with a widget that was told these messages."""
    values = {"uid": "stage", "palette": palette(), "is_live": True} | traits
    theme = " ".join(f"{name}: {value};" for name, value in (DARK if dark else LIGHT).items())
    text = _PAGE % {
        "css": esm.stylesheet(), "theme": theme, "width": width,
        "module": json.dumps(esm.module(entry)).replace("</", "<\\/"), "values": json.dumps(values),
    }  # fmt: skip
    context = chromium.new_context(viewport={"width": width, "height": 900}, device_scale_factor=ratio)
    page = context.new_page()
    page.on("pageerror", lambda error: (_ for _ in ()).throw(AssertionError(f"the page failed: {error}")))
    try:
        page.set_content(text)
        page.wait_for_function("window.ready")
        page.evaluate("messages => window.feed(messages)", messages)
        page.wait_for_function("document.getElementById('here').workbench?.view.draws > 0")
        yield page
    finally:
        context.close()


def save(page: Page, path: Path) -> None:
    """The dashboard as a PNG file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    page.locator(".workbench-dashboard").screenshot(path=path)
