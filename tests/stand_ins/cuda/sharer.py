# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A process of its own that allocates memory of the (stand-in) GPU and shares it, as a client of a server does.

python sharer.py LIBRARY BYTES: writes the handle as base64, then obeys lines: `put <hex>` writes from the begin of the
memory, `get <offset> <count>` tells what lies there as hex; ends with its input.
"""

from __future__ import annotations

import base64
import ctypes
import sys
from typing import Any


class Memory:
    """Bytes on GPU 0 of the driver in that library."""

    def __init__(self, library: str, byte_size: int) -> None:
        self._driver: Any = ctypes.CDLL(library)
        context = ctypes.c_void_p()
        self.address = ctypes.c_uint64()
        self._call("cuInit", 0)
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self._call("cuCtxPushCurrent_v2", context)
        self._call("cuMemAlloc_v2", ctypes.byref(self.address), ctypes.c_size_t(byte_size))

    def handle(self) -> bytes:
        handle = ctypes.create_string_buffer(64)
        self._call("cuIpcGetMemHandle", handle, self.address)
        return handle.raw

    def put(self, data: bytes) -> None:
        held = ctypes.create_string_buffer(data, len(data))
        self._copy(self.address.value, ctypes.addressof(held), len(data))

    def get(self, offset: int, count: int) -> bytes:
        room = ctypes.create_string_buffer(count)
        self._copy(ctypes.addressof(room), self.address.value + offset, count)
        return room.raw

    def _copy(self, target: int, source: int, count: int) -> None:
        stream = ctypes.c_void_p()
        self._call("cuStreamCreate", ctypes.byref(stream), 0)
        self._call("cuMemcpyAsync", ctypes.c_uint64(target), ctypes.c_uint64(source), ctypes.c_size_t(count), stream)
        self._call("cuStreamSynchronize", stream)
        self._call("cuStreamDestroy_v2", stream)

    def _call(self, name: str, *arguments: Any) -> None:
        code = getattr(self._driver, name)(*arguments)
        if code:
            sys.exit(f"{name} answered {code}")


def main() -> None:
    memory = Memory(sys.argv[1], int(sys.argv[2]))
    print(base64.b64encode(memory.handle()).decode(), flush=True)
    for line in sys.stdin:
        verb, *words = line.split()
        if verb == "put":
            memory.put(bytes.fromhex(words[0]))
            print("done", flush=True)
        else:
            print(memory.get(int(words[0]), int(words[1])).hex(), flush=True)


if __name__ == "__main__":
    main()
