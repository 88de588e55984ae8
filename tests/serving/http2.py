# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""HTTP/2 by hand (RFC 9113), for what no well-kept client does."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

GREETING: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW = 0, 1, 3, 4, 6, 7, 8
END_STREAM, END_HEADERS, ACK = 1, 4, 1
WINDOW_SETTING: Final = 4
ENHANCE_YOUR_CALM: Final = 11
INFER: Final = "/inference.GRPCInferenceService/ModelInfer"
STREAM: Final = "/inference.GRPCInferenceService/ModelStreamInfer"


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame that came."""

    kind: int
    flags: int
    stream: int
    payload: bytes

    @property
    def code(self) -> int:
        """The error of a RESET, or of a GOAWAY."""
        return int.from_bytes(self.payload[-4:] if self.kind == RESET else self.payload[4:8], "big")

    @property
    def ends(self) -> bool:
        """Whether the server says no more on its stream."""
        return self.kind == RESET or (self.kind in {DATA, HEADERS} and bool(self.flags & END_STREAM))


def frame(kind: int, stream: int = 0, payload: bytes = b"", flags: int = 0) -> bytes:
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def headers(stream: int, path: str, more: Mapping[str, str] | None = None, *, flags: int = END_HEADERS) -> bytes:
    """The head of a call: fields in plain letters, which no table remembers (RFC 7541, 6.2.2)."""
    fields = {":method": "POST", ":scheme": "http", ":path": path, ":authority": "x", "te": "trailers"}
    fields |= {"content-type": "application/grpc", **(more or {})}
    block = b"".join(b"\0" + _text(name) + _text(value) for name, value in fields.items())
    return frame(HEADERS, stream, block, flags)


def _text(text: str) -> bytes:
    raw = text.encode()
    if len(raw) < 127:
        return bytes([len(raw)]) + raw
    rest, length = len(raw) - 127, b"\x7f"
    while rest >= 128:
        length, rest = length + bytes([rest % 128 + 128]), rest // 128
    return length + bytes([rest]) + raw


def message(stream: int, raw: bytes, *, flags: int = END_STREAM) -> bytes:
    """One message of gRPC in one frame."""
    return frame(DATA, stream, struct.pack(">BI", 0, len(raw)) + raw, flags)


class Peer:
    """A connection that was greeted."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection

    def send(self, *frames: bytes) -> None:
        self.connection.sendall(b"".join(frames))

    def frames(self) -> Iterator[Frame]:
        """Frames as they come, to the connection's end."""
        while head := self._exactly(9):
            kind, flags, stream = struct.unpack(">BBI", head[3:])
            yield Frame(kind, flags, stream, self._exactly(int.from_bytes(head[:3], "big")))

    def until(self, wanted: Callable[[Frame], bool]) -> Frame:
        """The first frame of that kind; what comes before it is passed over."""
        for got in self.frames():
            if wanted(got):
                return got
        message = "the connection ended before it came"
        raise AssertionError(message)

    def _exactly(self, size: int) -> bytes:
        got = b""
        while len(got) < size:
            try:
                piece = self.connection.recv(size - len(got))
            except ConnectionResetError:
                return b""
            if not piece:
                return b""
            got += piece
        return got


@contextmanager
def connected(door: Any, *, window: int = 65535) -> Iterator[Peer]:
    """A peer of that door, whose streams take `window` bytes until more are allowed."""
    with socket.create_connection(("127.0.0.1", door.port), timeout=20) as connection:
        peer = Peer(connection)
        peer.send(GREETING, frame(SETTINGS, payload=struct.pack(">HI", WINDOW_SETTING, window)))
        peer.until(lambda got: got.kind == SETTINGS)
        peer.send(frame(SETTINGS, flags=ACK))  # from here on the server's windows hold
        yield peer
