# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What may be asked of a door: who reaches it, this machine alone unless it is said otherwise, and its threads."""

from __future__ import annotations

import ipaddress
from operator import index

from workbench.errors import InvalidArgumentError


def check_access(address: str, *, port: int, remote: bool, token: str, threads: int) -> None:
    """Refuse an address that other machines reach, unless that is said and a token is asked for; and no threads.

    Raises:
        InvalidArgumentError: it is no address or port, or it is open to others by mistake.
    """
    if not _is_port(port):
        message = f"port is {port!r}; it must be one of 0 to 65535, 0 for one that is free"
        raise InvalidArgumentError(message)
    try:
        is_loopback = ipaddress.ip_address(address).is_loopback
    except ValueError as exc:
        message = f"address is {address!r}, which is no IP address; 127.0.0.1 is this machine alone"
        raise InvalidArgumentError(message) from exc
    if not is_loopback and not (remote and token):
        message = (
            f"address {address} lets other machines run models here; say so with remote=True, and give a token that "
            "their requests must bring"
        )
        raise InvalidArgumentError(message)
    if threads < 1:
        message = f"threads is {threads}; one or more serve connections"
        raise InvalidArgumentError(message)


def _is_port(port: object) -> bool:
    try:
        return 0 <= index(port) <= 65535  # type: ignore[arg-type]  # what is no integer is what is looked for
    except TypeError:
        return False
