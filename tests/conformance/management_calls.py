# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Asks a server's management calls through the C interface; prints what they answered, as JSON.

python management_calls.py LIBRARY REPOSITORY BACKENDS

LIBRARY is a `libtritonserver.so`, or "own" for that of workbench, whose control plane is this process.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

EXPLICIT = 2


class Server:
    """A server made through the C interface.

    Args:
        library: path of the shared object.
        repository: folder of models, or several.
        backends: folder of backends.
        control: the control mode.
        settings: further options, each a name as in `TRITONSERVER_ServerOptions<name>` and its values; `refused` tells
            what each answered.
    """

    def __init__(
        self,
        library: str,
        repository: str | Sequence[str],
        backends: str,
        *,
        control: int = EXPLICIT,
        settings: Iterable[tuple[Any, ...]] = (),
    ) -> None:
        self.library = ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
        self.handle = ctypes.c_void_p()
        options = ctypes.c_void_p()
        self.call("ServerOptionsNew", ctypes.byref(options))
        for path in (repository,) if isinstance(repository, str) else repository:
            self.call("ServerOptionsSetModelRepositoryPath", options, path.encode())
        self.call("ServerOptionsSetBackendDirectory", options, backends.encode())
        self.call("ServerOptionsSetModelControlMode", options, control)
        self.call("ServerOptionsSetLogInfo", options, ctypes.c_bool(False))
        self.call("ServerOptionsSetMinSupportedComputeCapability", options, ctypes.c_double(5.0))
        # The original tries again for ever unless it is told not to.
        self.call("ServerOptionsSetModelLoadRetryCount", options, 0)
        self.refused = [(name, self.call(f"ServerOptions{name}", options, *values)) for name, *values in settings]
        error = self.call("ServerNew", ctypes.byref(self.handle), options)
        assert error is None, error

    def call(self, name: str, *arguments: Any) -> str | None:
        """None, or the code and message of the error."""
        function: Callable[..., int | None] = getattr(self.library, f"TRITONSERVER_{name}")
        function.restype = ctypes.c_void_p  # type: ignore[attr-defined]
        error = function(*arguments)
        if not error:
            return None
        for reader in ("ErrorCodeString", "ErrorMessage"):
            getattr(self.library, f"TRITONSERVER_{reader}").restype = ctypes.c_char_p
        pointer = ctypes.c_void_p(error)
        code: bytes = self.library.TRITONSERVER_ErrorCodeString(pointer)
        message: bytes = self.library.TRITONSERVER_ErrorMessage(pointer)
        print(name, code.decode(), message.decode(), file=sys.stderr)
        return code.decode()

    def told(self, name: str, *arguments: Any) -> str | None:
        """The code of the error that a call answers, None for success."""
        return self.call(name, self.handle, *arguments)

    def asked(self, name: str, *arguments: Any) -> Any:
        """What the message of a call holds, or the code of its error."""
        message = ctypes.c_void_p()
        if error := self.told(name, *arguments, ctypes.byref(message)):
            return error
        base, size = ctypes.c_char_p(), ctypes.c_size_t()
        self.call("MessageSerializeToJson", message, ctypes.byref(base), ctypes.byref(size))
        return json.loads(ctypes.string_at(base, size.value))

    def is_ready(self, model: bytes, version: int = -1) -> Any:
        """Whether a version of a model takes requests, or the code of the error."""
        ready = ctypes.c_bool()
        return self.told("ServerModelIsReady", model, ctypes.c_int64(version), ctypes.byref(ready)) or ready.value


def answers(server: Server) -> dict[str, Any]:
    """What each of the calls answers, in an order that makes states."""
    newest = ctypes.c_int64(-1)
    about: dict[str, Any] = {
        "metadata of the server": server.asked("ServerMetadata"),
        "index at first": server.asked("ServerModelIndex", 0),
        "ready index at first": server.asked("ServerModelIndex", 1),
        "load": server.told("ServerLoadModel", b"identity"),
        "index": server.asked("ServerModelIndex", 0),
        "ready index": server.asked("ServerModelIndex", 1),
        "metadata": server.asked("ServerModelMetadata", b"identity", newest),
        "metadata of version 1": server.asked("ServerModelMetadata", b"identity", ctypes.c_int64(1)),
        "configuration": server.asked("ServerModelConfig", b"identity", newest, 1),
        "statistics": server.asked("ServerModelStatistics", b"identity", newest),
        "ready": server.is_ready(b"identity"),
        "load again": server.told("ServerLoadModel", b"identity"),
        "load of a broken configuration": server.told("ServerLoadModel", b"broken"),
        "load of a backend that is nowhere": server.told("ServerLoadModel", b"nowhere"),
        "load of no version": server.told("ServerLoadModel", b"empty"),
        "load of an unknown model": server.told("ServerLoadModel", b"unknown"),
        "unload of an unknown model": server.told("ServerUnloadModel", b"unknown"),
    }
    for subject, arguments in {"Metadata": (newest,), "Config": (newest, 1), "Statistics": (newest,)}.items():
        about[f"{subject} of an unknown model"] = server.asked(f"ServerModel{subject}", b"unknown", *arguments)
        about[f"{subject} of an unknown version"] = server.asked(
            f"ServerModel{subject}", b"identity", ctypes.c_int64(7), *arguments[1:]
        )
    about["ready, unknown"] = server.is_ready(b"unknown")
    about["unload"] = server.told("ServerUnloadModel", b"identity")
    about["delete"] = server.told("ServerDelete")
    return about


def library_named(name: str) -> str:
    """Path of the library; "own" stands for that of workbench, whose control plane comes with it."""
    if name != "own":
        return name
    from importlib.util import find_spec
    from pathlib import Path

    import workbench  # noqa: F401 - registers the control plane

    spec = find_spec("workbench._native")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "libtritonserver.so")


def main() -> None:
    """Print the answers."""
    library, repository, backends = sys.argv[1:]
    print(json.dumps(answers(Server(library_named(library), repository, backends))))


if __name__ == "__main__":
    main()
