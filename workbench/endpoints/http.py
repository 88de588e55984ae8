# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""HTTP: the KServe v2 protocol with the original's extensions, and the page that Prometheus reads."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from workbench.endpoints.access import check_access
from workbench.endpoints.door import Door, Listener, Reach, opened
from workbench.endpoints.native import native_endpoints
from workbench.errors import WorkbenchError


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpOptions:
    """How a door listens.

    Attributes:
        port: TCP port; 0 for one that is free.
        address: IP address.
        remote: whether an address that other machines reach is meant so.
        token: what clients send as `Authorization: Bearer <token>`; needed with `remote`.
        threads: native loops that serve connections.
        max_body_byte_size: bytes of a request's body, unpacked.
        slow_client_s: seconds that a request may take to arrive.
    """

    port: int = 0
    address: str = "127.0.0.1"
    remote: bool = False
    token: str = ""
    threads: int = 1
    max_body_byte_size: int = 64 << 20
    slow_client_s: int = 60


DEFAULTS: Final = HttpOptions()
_STATUS: Final[Mapping[str, int]] = {"INTERNAL": 500, "NOT_FOUND": 404, "UNAVAILABLE": 503, "UNSUPPORTED": 501}
"""Of the codes that are not 400."""


def open_http(reach: Reach, *, options: HttpOptions) -> Door:
    """Serve inference and management of a server.

    Raises:
        InvalidArgumentError: an option is wrong, or other machines would reach the door without a token.
        UnavailableError: the port is taken.
        UnsupportedError: this build has no front doors.
    """
    return _open("http", reach, options=options)


def open_metrics(reach: Reach, *, options: HttpOptions) -> Door:
    """Serve `/metrics`, and nothing else. Raises as `open_http` does."""
    return _open("metrics", reach, options=options)


def _open(kind: str, reach: Reach, *, options: HttpOptions) -> Door:
    check_access(
        options.address, port=options.port, remote=options.remote, token=options.token, threads=options.threads
    )

    def listen() -> Listener:
        listener: Listener = native_endpoints().HttpServer(
            server=reach.handle,
            memory=reach.memory.native,
            settings=_answering(reach.settings),
            address=options.address,
            port=options.port,
            loop_count=options.threads,
            max_body_byte_size=options.max_body_byte_size,
            slow_client_s=options.slow_client_s,
            token=options.token,
            serves_inference=kind == "http",
            serves_metrics=kind == "metrics",
        )
        return listener

    return opened(kind, listen, address=options.address, patience_s=reach.patience_s)


def _answering(settings: Callable[[str, str, str | None], dict[str, Any]]) -> Callable[..., tuple[int, str]]:
    """The same as a service of HTTP: a status, and JSON of what is set or of an error."""

    def answer(topic: str, model: str, body: str | None) -> tuple[int, str]:
        try:
            return 200, json.dumps(settings(topic, model, body))
        except WorkbenchError as exc:
            return _STATUS.get(exc.wire_code, 400), json.dumps({"error": str(exc)})

    return answer
