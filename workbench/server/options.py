# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a server is started with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, get_args

from workbench.errors import InvalidArgumentError, NotFoundError
from workbench.server.metrics_config import metrics_options

ControlMode = Literal["none", "poll", "explicit"]
_MIB: Final = 2**20


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Options of a server.

    Attributes:
        name: the server's name in this process; a new server of a name replaces the old one.
        control: "explicit" loads and unloads by name; "none" loads every model at the start and then none; "poll" loads
            every model and follows changes of the files.
        backends: folders of backends, `<folder>/<name>/libtriton_<name>.so`.
        startup_models: models to load at the start with control "explicit"; "*" means all.
        poll_s: seconds between two looks at the files with control "poll".
        exit_on_error: a model that can not be loaded at the start stops the server.
        exit_timeout_s: seconds that requests in flight get when the server closes.
        pool_byte_size: size of the pool that response buffers come from.
        event_byte_size: size of the event log; the oldest events are dropped, and counted, when it is full.
        metrics_config: what the metrics page tells beside counters.

    Raises:
        InvalidArgumentError, NotFoundError: an option is wrong.
    """

    name: str = "default"
    control: ControlMode = "explicit"
    backends: tuple[Path, ...] = ()
    startup_models: tuple[str, ...] = ()
    poll_s: float = 15.0
    exit_on_error: bool = True
    exit_timeout_s: float = 30.0
    pool_byte_size: int = 256 * _MIB
    event_byte_size: int = 64 * _MIB
    metrics_config: Mapping[str, str | bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        metrics_options(self.metrics_config)
        if self.control not in get_args(ControlMode):
            message = f"control is one of {', '.join(get_args(ControlMode))}; got {self.control!r}"
            raise InvalidArgumentError(message)
        for folder in self.backends:
            if not folder.is_dir():
                message = f"no folder of backends at {folder}"
                raise NotFoundError(message)


DEFAULTS: Final = ServerOptions()
