# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A door that is open, and the shared memory that clients of a server's doors register."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, Self

from workbench.endpoints.native import native_endpoints
from workbench.errors import STATUS_CODES, InvalidArgumentError, UnavailableError, error_for


class Listener(Protocol):
    """What listens, in native code."""

    @property
    def port(self) -> int:
        """Where."""
        ...

    @property
    def accepted_count(self) -> int | None:
        """Connections that clients have opened; None where they are not counted."""
        ...

    def close(self, patience_s: float) -> None:
        """Refuse what is new, let the rest end for that long, then give it up.

        Another thread may call it again meanwhile, with less patience; that call returns at once.
        """
        ...


class SharedMemory:
    """Regions that clients registered with one server, of the machine's memory or a GPU's; all its doors know them.

    Args:
        handle: address of the server as the C interface names it, whose GPUs are meant; 0 for none.
    """

    def __init__(self, handle: int = 0) -> None:
        self._handle = handle
        self._native: Any = None

    @property
    def native(self) -> Any:
        """The object that the doors share, made with the first of them."""
        if self._native is None:
            self._native = native_endpoints().SharedMemory()
        return self._native

    def register(self, name: str, key: str, offset: int, byte_size: int) -> None:
        """Let clients name a POSIX shared memory object, or a part of it.

        Raises:
            AlreadyExistsError: the name is taken.
            InternalError: there is no such object.
            InvalidArgumentError: the part does not lie within it.
        """
        _raise(self.native.register(name, key, offset, byte_size))

    def register_cuda(self, name: str, raw_handle: bytes, device_id: int, byte_size: int) -> None:
        """Let clients name memory of a GPU that they share by a CUDA IPC handle.

        Raises:
            AlreadyExistsError: the name is taken.
            InternalError: the driver does not open the handle.
            InvalidArgumentError: there is no such GPU, or the handle stands for less memory.
        """
        _raise(self.native.register_cuda(self._handle, name, raw_handle, device_id, byte_size))

    def unregister(self, name: str, *, is_cuda: bool = False) -> None:
        """Forget one of that kind, or all (""). Raises InvalidArgumentError while a request uses it."""
        _raise(self.native.unregister(name, is_cuda))

    def part(self, name: str, offset: int, byte_size: int) -> memoryview:
        """Bytes of a region of the machine's; they stay while the view does.

        Raises:
            NotFoundError, InvalidArgumentError: there is none, or the part does not lie within it.
            UnsupportedError: it is of a GPU.
        """
        view, refusal = self.native.part(name, offset, byte_size)
        _raise(refusal)
        return memoryview(view)

    def regions(self, name: str = "") -> list[tuple[str, str, int, int]]:
        """Name, key, offset and bytes of each of the machine's, or of one. Raises NotFoundError."""
        rows, refusal = self.native.system_regions(name)
        _raise(refusal)
        return list(rows)

    def cuda_regions(self, name: str = "") -> list[tuple[str, int, int]]:
        """Name, GPU and bytes of each of a GPU's, or of one. Raises NotFoundError."""
        rows, refusal = self.native.cuda_regions(name)
        _raise(refusal)
        return list(rows)


def _raise(refusal: tuple[int, str] | None) -> None:
    if refusal is not None:
        code, message = refusal
        raise error_for(STATUS_CODES[code], message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a door leads to.

    Attributes:
        handle: address of the server as the C interface names it.
        memory: regions that clients registered.
        settings: trace and log settings: a topic ("trace", "log"), a model or "", and changes as JSON or None give what
            is set then, or raise WorkbenchError.
        patience_s: seconds that requests which are being served get when a door closes.
    """

    handle: int
    memory: SharedMemory
    settings: Callable[[str, str, str | None], dict[str, Any]]
    patience_s: float


class Door:
    """One open front door of a server. Works as a context manager; closes with its server.

    Args:
        kind: what it speaks: "http", "grpc", "metrics".
        address: the IP address that it listens at.
        listener: what listens.
        patience_s: seconds that requests which are being served get when it closes.

    Threads: any.
    """

    def __init__(self, *, kind: str, address: str, listener: Listener, patience_s: float) -> None:
        self.kind = kind
        self.address = address
        self.port = listener.port
        self._listener = listener
        self._patience_s = patience_s
        self.is_closed = False

    @property
    def url(self) -> str:
        """What a browser or curl takes; for gRPC, what its clients take."""
        host = f"[{self.address}]" if ":" in self.address else self.address
        if self.kind == "grpc":
            return f"{host}:{self.port}"
        return f"http://{host}:{self.port}{'/metrics' if self.kind == 'metrics' else ''}"

    @property
    def accepted_connections(self) -> int | None:
        """How many connections clients have opened since the door did, those that are closed again included.

        As many as requests: clients connect anew each time. None where grpcio serves, which does not count them.
        """
        return self._listener.accepted_count

    def close(self) -> None:
        """Refuse what is new, answer what is being served, free the port; a second call does nothing."""
        if self.is_closed:
            return
        self.is_closed = True
        self._listener.close(self._patience_s)

    def hurry(self) -> None:
        """Let a `close` that is under way give up, now, what is still being served."""
        if self.is_closed:
            self._listener.close(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{self.kind} at {self.url}{', closed' if self.is_closed else ''}>"

    def _repr_html_(self) -> str:
        if self.is_closed:
            return f"<p>{self.kind}: closed</p>"
        return f'<p>{self.kind}: <a href="{self.url}" target="_blank">{self.url}</a></p>'


def opened(kind: str, listen: Callable[[], Listener], *, address: str, patience_s: float) -> Door:
    """The door of what listens in native code.

    Raises:
        InvalidArgumentError: an option is wrong.
        UnavailableError: the port is taken.
    """
    try:
        listener = listen()
    except ValueError as exc:
        raise InvalidArgumentError(str(exc)) from exc
    except RuntimeError as exc:
        raise UnavailableError(str(exc)) from exc
    return Door(kind=kind, address=address, listener=listener, patience_s=patience_s)
