# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A model and its instances inside of this process: what the backend calls."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from workbench.python_backend import failures
from workbench.python_backend.exceptions import TritonError, TritonModelException
from workbench.python_backend.model_config import ModelConfig
from workbench.python_backend.model_file import class_of, forget, import_model, neighbours_of
from workbench.python_backend.module import install
from workbench.python_backend.request import InferenceRequest
from workbench.python_backend.response import InferenceResponse
from workbench.python_backend.sender import FINAL, InferenceResponseSender
from workbench.python_backend.services import Services, enter
from workbench.python_backend.tensor import Tensor
from workbench.tensors import dtype_of

LOG: Final = logging.getLogger("workbench.python_backend")


class HostedModel:
    """One version of a model: its module, which its instances share.

    Args:
        path: the model's file.
        services: what its code may ask of the server.
        place: what messages call the file, and the number of its first line.
    """

    def __init__(self, path: str, services: Services, place: tuple[str, int] | None = None) -> None:
        install()
        self._path = Path(path)
        self._services = services
        self._module = import_model(self._path, services, place=place)
        try:
            self._class = class_of(self._module, self._path)
        except BaseException:
            self.close()
            raise

    def complete(self, config: str) -> str:
        """The configuration (JSON) as the model's `auto_complete_config` completes it; as it was where it has none."""
        method = getattr(self._class, "auto_complete_config", None)
        if method is None:
            return config
        with neighbours_of(self._path.parent):
            completed = self._call(method, ModelConfig(json.loads(config)))
        if not isinstance(completed, ModelConfig):
            told = type(completed).__name__
            raise TritonModelException(f"auto_complete_config returns the configuration it was given, and not {told}")
        return json.dumps(completed.as_dict())

    def new_instance(self, args: Mapping[str, str]) -> Any:
        """An initialized object of the model's class."""
        model = self._class()
        initialize = getattr(model, "initialize", None)
        if initialize is not None:
            with neighbours_of(self._path.parent):
                self._call(initialize, dict(args))
        return model

    def finalize(self, model: Any) -> None:
        """Let an instance end."""
        finalize = getattr(model, "finalize", None)
        if finalize is not None:
            self._call(finalize)

    def close(self) -> None:
        """Drop the module, and what it alone held; a thread that still runs its code keeps it."""
        forget(self._module)
        del self._module
        vars(self).pop("_class", None)
        gc.collect()

    def _call(self, method: Callable[..., Any], *args: Any) -> Any:
        enter(self._services)
        try:
            return method(*args)
        finally:
            enter(None)


# ---- What the backend needs while requests run ----


def bf16() -> Any:
    """The numpy type of BF16."""
    return dtype_of("BF16")


def dense(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array with its elements one after the other, in the order of bytes that is sent, texts as objects."""
    if array.dtype.kind in "SUT":
        return np.ascontiguousarray(array.astype(np.object_))
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))


def await_answer(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What an `async def execute` of a model returns."""
    return asyncio.run(coroutine)


def run_behind(coroutine: Coroutine[Any, Any, Any], requests: Sequence[InferenceRequest], stage: str) -> None:
    """Run an `async def execute` of a decoupled model in the background; what it raises ends its requests."""
    senders = [request.get_response_sender() for request in requests]

    async def run() -> None:
        try:
            await coroutine
        except BaseException as exc:  # noqa: BLE001 - whatever it is, the callers must hear of it
            fail_all(senders, *failures.describe(exc, stage))

    asyncio.run_coroutine_threadsafe(run(), _loop())


def fail_all(senders: Sequence[InferenceResponseSender], code: int, message: str) -> None:
    """End the requests that have not ended."""
    for sender in senders:
        if not sender.is_finished:
            sender.send(InferenceResponse(error=TritonError(message, code)), FINAL)


_LOOP_LOCK: Final = threading.Lock()
_LOOPS: Final[list[asyncio.AbstractEventLoop]] = []


def _loop() -> asyncio.AbstractEventLoop:
    with _LOOP_LOCK:
        if not _LOOPS:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="wb-python-async", daemon=True).start()
            _LOOPS.append(loop)
        return _LOOPS[0]


TYPES: Final = (Tensor, InferenceRequest, InferenceResponse, InferenceResponseSender, TritonError)
"""The classes whose fields the backend reads and writes."""
