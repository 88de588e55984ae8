# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`wb.replay`: a recording in the views of a live server, and taken elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from workbench.errors import InvalidArgumentError, NotFoundError
from workbench.events import EventColumns, Recording, read_recording, save_chrome_trace, sequence_texts
from workbench.views.memory_follower import REPLAY_WINDOW_S
from workbench.views.page import save_page
from workbench.views.picture import save
from workbench.views.recorded import RecordingSource, Tape
from workbench.views.reducers import reduce
from workbench.views.transport import Transport
from workbench.views.view import View

if TYPE_CHECKING:
    import pandas as pd

    from workbench.views.live import Watch
    from workbench.views.memory_watch import MemoryWatch


_PICTURES: Final = frozenset({".png", ".svg", ".pdf"})


def replay(
    path: str | Path, *, speed: float = 1.0, window_s: float = 10.0, objective_p99_ms: float | None = None
) -> Replay:
    """Opens what `server.record` wrote: a dashboard with a time scrubber, and exports.

    Args:
        path: the recording.
        speed: seconds of the recording in a second.
        window_s: width of the time axis.
        objective_p99_ms: a latency that p99 shall stay below, drawn as a line.

    Raises:
        NotFoundError: there is no such file.
        InvalidArgumentError: the file is no recording, or holds no model.
        MissingExtraError: pyarrow is not installed.
    """
    return Replay(read_recording(path), speed=speed, window_s=window_s, objective_p99_ms=objective_p99_ms)


class Replay:
    """A recording that can be looked at. In a notebook it shows itself as a dashboard.

    Attributes:
        recording: what was read.
        transport: the clock: `play`, `pause`, `seek`, `play_at`.
    """

    def __init__(
        self, recording: Recording, *, speed: float = 1.0, window_s: float = 10.0, objective_p99_ms: float | None = None
    ) -> None:
        self.recording: Final = recording
        self.tape: Final = Tape(recording)
        if not self.tape.models():
            message = f"{str(recording.path)!r} holds no model: none was ready while it was recorded"
            raise InvalidArgumentError(message)
        self.transport: Final = Transport(start_ns=self.tape.start_ns, end_ns=self.tape.end_ns)
        self.transport.play_at(speed)
        self._window_s = window_s
        self._objective_p99_ms = objective_p99_ms
        self._watch: Watch | None = None
        self._memory: MemoryWatch | None = None

    def __repr__(self) -> str:
        return f"<Replay of {self.recording!r}: {', '.join(self.models)}>"

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models in it, the busiest first."""
        numbers = {name: int(model["number"]) for name, model in self.tape.models().items()}
        counts = {name: int((self.tape.records["model"] == number).sum()) for name, number in numbers.items()}
        return tuple(sorted(numbers, key=lambda name: (-counts[name], name)))

    def columns(self) -> EventColumns:
        """All events."""
        return self.recording.columns()

    def watch(self) -> Watch:
        """The dashboard, playing from where the transport stands; the same one at every call, until it is closed."""
        if self._watch is None:
            from workbench.views.live import Watch

            sources = {name: self.source(name) for name in self.models}
            self._watch = Watch(dict(sources), window_s=self._window_s, controls=False, frames_per_s=30.0)
        return self._watch

    @property
    def has_blocks(self) -> bool:
        """Whether the recording tells who held which block of memory; those of format 1 do not."""
        return any(len(blocks) for snapshot in self.recording.snapshots for blocks in snapshot.blocks.values())

    def watch_memory(self) -> MemoryWatch:
        """Who held which memory at the time that the dashboard shows; the same one until it is closed."""
        if self._memory is None:
            from workbench.views.memory_watch import MemoryWatch

            source = RecordingSource(self.tape, self.models[0], transport=self.transport, window_s=REPLAY_WINDOW_S)
            self._memory = MemoryWatch(source, window_s=REPLAY_WINDOW_S, frames_per_s=10.0).start()
        return self._memory

    def source(self, model: str | None = None) -> RecordingSource:
        """A model as the source of a view.

        Raises:
            NotFoundError: the recording has no such model.
        """
        name = model if model is not None else self.models[0]
        if name not in self.tape.models():
            message = f"the recording has no model {name!r}; it has {', '.join(self.models)}"
            raise NotFoundError(message)
        return RecordingSource(
            self.tape,
            name,
            transport=self.transport,
            window_s=self._window_s,
            objective_p99_ms=self._objective_p99_ms,
        )

    def view(self, model: str | None = None, *, at_s: float | None = None) -> View:
        """What a dashboard shows of a model at a time, in seconds after the start; the end where None."""
        span_s = (self.tape.end_ns - self.tape.start_ns) / 1e9
        still = Transport(start_ns=self.tape.start_ns, end_ns=self.tape.end_ns, is_playing=False)
        still.seek(span_s if at_s is None else at_s)
        source = self.source(model).at(still)
        return reduce(
            source.events(),
            facts=source.facts(),
            pools=source.memory().pools,
            now_ns=source.now_ns(),
            window_ns=round(self._window_s * 1e9),
            dropped=self.tape.dropped(self.tape.start_ns - 1, source.now_ns()),
            queues=source.queue_samples(0),
            texts=sequence_texts(self.columns().sequence_names),
        )

    def to_frame(self, kind: str = "requests") -> pd.DataFrame:
        """Records of a kind as a pandas DataFrame: "requests", "refusals", "batches", "memory", "steps", ..."""
        return self.recording.to_frame(kind)

    def save(self, path: str | Path, *, model: str | None = None, at_s: float | None = None) -> Path:
        """Writes it in another form; the suffix says which.

        Args:
            path: ".html": one file that replays it in any browser, offline; ".json": a trace for Perfetto; ".png",
                ".svg", ".pdf": the picture at one time.
            model: which model a picture shows; the busiest where None. A page and a trace have all.
            at_s: the time of a picture, in seconds after the start; the end where None.

        Returns:
            the path that was written.

        Raises:
            InvalidArgumentError: there is no such form.
        """
        path = Path(path)
        if path.suffix == ".html":
            sources = {name: self.source(name) for name in self.models}
            return save_page(sources, path, window_s=self._window_s, title=self.recording.path.name)
        if path.suffix == ".json":
            return save_chrome_trace(self.columns(), path)
        if path.suffix in _PICTURES:
            return save(self.view(model, at_s=at_s), path)
        message = f"a recording can not be saved as {path.suffix!r}; it can as .html, .json, .png, .svg or .pdf"
        raise InvalidArgumentError(message)

    def close(self) -> None:
        """Ends the dashboard."""
        if self._watch is not None:
            self._watch.close()
            self._watch = None
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def _ipython_display_(self) -> None:
        self.watch()._ipython_display_()
        if self.has_blocks:
            from IPython.display import display

            display(self.watch_memory())  # type: ignore[no-untyped-call]
