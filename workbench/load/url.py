# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Addresses of servers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from workbench.errors import InvalidArgumentError

_PORTS: Final = {"http": 8000, "grpc": 8001}


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens, and what it speaks: `http` or `grpc`."""

    protocol: str
    host: str
    port: int

    @property
    def authority(self) -> str:
        """Host and port, as in a URL."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.protocol}://{self.authority}"


def parse_address(url: str) -> Address:
    """`http://host:port` or `grpc://host:port`; without a port it is 8000 or 8001, without a protocol HTTP.

    Raises:
        InvalidArgumentError: it is no such URL.
    """
    parts = urlsplit(url if "://" in url else f"http://{url}")
    try:
        port = parts.port
    except ValueError as error:
        raise InvalidArgumentError(f"{url!r} has no port that could be: {error}") from error
    if parts.scheme not in _PORTS or not parts.hostname or parts.path.strip("/") or parts.query:
        message = f"{url!r} is no address of a server: it is http://host:port or grpc://host:port"
        hint = "; encrypted connections are not driven" if parts.scheme in ("https", "grpcs") else ""
        raise InvalidArgumentError(message + hint)
    return Address(parts.scheme, parts.hostname, port or _PORTS[parts.scheme])
