# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A recording as one HTML file that opens from disk, offline: the browser's part, and what it would have been told."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from workbench.views import esm, wire
from workbench.views.colours import OWNERS, palette
from workbench.views.follower import Follower
from workbench.views.memory_follower import REPLAY_WINDOW_S, MemoryFollower
from workbench.views.memory_message import memory_message
from workbench.views.recorded import RecordingSource
from workbench.views.transport import Transport
from workbench.views.view import View

# A page of a long recording is coarser, not larger.
_MOST_FRAMES: Final = 1_500
_MOST_ROWS: Final = 300_000
_SHORTEST_S: Final = 0.1
_MOST_LOOKS: Final = 600
_MOST_BLOCKS: Final = 120_000

_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>{style}</style></head>
<body><div id="dashboard"></div>
<noscript>This recording is drawn by JavaScript, which is switched off here.</noscript>
<script type="text/plain" id="recording">{payload}</script>
<script type="module">
{module}
await show(document.getElementById("dashboard"), document.getElementById("recording").textContent);
</script></body></html>
"""


def save_page(sources: Mapping[str, RecordingSource], path: str | Path, *, window_s: float, title: str) -> Path:
    """Writes the page; returns its path."""
    return _write(path, payload(sources, window_s=window_s), title=title)


def save_still(view: View, path: str | Path) -> Path:
    """Writes a page that shows one window, to be looked at closely; returns its path."""
    told = _even(wire.packed(*wire.message(view, seq=1, is_whole=True)))
    film = {"name": view.facts.name, "overview": None, "frames": [[0.0, len(told)]]}
    head = _head([film], span_s=0.0, window_s=view.window_ns / 1e9)
    return _write(path, head + told, title=view.facts.name)


def _write(path: str | Path, content: bytes, *, title: str) -> Path:
    path = Path(path)
    packed = base64.b64encode(gzip.compress(content, 6)).decode()
    text = _PAGE.format(
        title=escape(title),
        style=esm.stylesheet("page.css") + esm.stylesheet(),
        payload=packed,
        module=esm.module("player.js").replace("</", "<\\/"),
    )
    path.write_text(text, encoding="utf-8")
    return path


def payload(sources: Mapping[str, RecordingSource], *, window_s: float) -> bytes:
    """The films of models: a length, a head in JSON, and the messages one after the other."""
    films, messages = [], []
    for name, source in sources.items():
        film = list(_film(source, window_s, rows=_MOST_ROWS // len(sources)))
        films.append(
            {"name": name, "overview": source.overview(), "frames": [[at_s, len(told)] for at_s, told in film]}
        )
        messages += [told for _, told in film]
    first = next(iter(sources.values()))
    span_s = (first.tape.end_ns - first.tape.start_ns) / 1e9
    looks = list(_looks(first))
    head = _head(films, span_s=span_s, window_s=window_s, memory=[[at_s, len(told)] for at_s, told in looks])
    return head + b"".join(messages) + b"".join(told for _, told in looks)


def _head(films: list[dict[str, Any]], *, span_s: float, window_s: float, memory: Sequence[Any] = ()) -> bytes:
    head: dict[str, Any] = {
        "span_s": span_s,
        "window_s": window_s,
        "palette": palette() | {"owners": list(OWNERS)},
        "tables": {name: list(columns) for name, columns in wire.TABLES.items()},
        "films": films,
        "memory": memory,
    }
    text = _even(json.dumps(head).encode())
    return len(text).to_bytes(4, "little") + text


def _even(content: bytes) -> bytes:
    """Filled up, so that what follows stands at a multiple of four."""
    return content + b" " * (-len(content) % 4)


def _film(source: RecordingSource, window_s: float, *, rows: int) -> Iterator[tuple[float, bytes]]:
    """Messages as a live view would have been told them, and when."""
    tape = source.tape
    span_s = (tape.end_ns - tape.start_ns) / 1e9
    count = min(max(int(span_s / _SHORTEST_S), 1), _MOST_FRAMES)
    clock = Transport(start_ns=tape.start_ns, end_ns=tape.end_ns, is_playing=False)
    follower = Follower(source.at(clock), window_s=window_s)
    most = min(max(rows // count, 60), 1_200)
    for number in range(count + 1):
        clock.seek(span_s * number / count)
        header, buffers = wire.message(follower.news(most_batches=most, most_requests=most), seq=number + 1)
        yield clock.at_s, _even(wire.packed(header, buffers))


def _looks(source: RecordingSource) -> Iterator[tuple[float, bytes]]:
    """Who held which memory, each time that it was written down; nothing of a recording that kept no blocks."""
    tape = source.tape
    known = [snapshot.now_ns for snapshot in tape.recording.snapshots if any(map(len, snapshot.blocks.values()))]
    every = len(known) // _MOST_LOOKS + 1
    times_s = sorted({min(max(when - tape.start_ns, 0), tape.end_ns - tape.start_ns) / 1e9 for when in known[::every]})
    clock = Transport(start_ns=tape.start_ns, end_ns=tape.end_ns, is_playing=False)
    follower = MemoryFollower(source.at(clock), window_s=REPLAY_WINDOW_S)
    for number, at_s in enumerate(times_s, start=1):
        clock.seek(at_s)
        header, buffers = memory_message(follower.look(most_blocks=max(_MOST_BLOCKS // len(times_s), 60)), seq=number)
        yield at_s, _even(wire.packed(header, buffers))
