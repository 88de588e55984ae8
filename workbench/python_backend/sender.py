# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a model answers a request with, piece by piece."""

from __future__ import annotations

from typing import Final

from workbench.python_backend.exceptions import TritonModelException
from workbench.python_backend.response import InferenceResponse
from workbench.python_backend.services import Sender

FINAL: Final = 1


class InferenceResponseSender:
    """Sends any number of answers to one request; the last one bears the flag FINAL. Threads: any."""

    __slots__ = ("_native",)

    def __init__(self, native: Sender) -> None:
        self._native = native

    def send(self, response: InferenceResponse | None = None, flags: int = 0) -> None:
        """Send an answer, or the flags alone.

        Raises:
            TritonModelException: the last one was sent already, or an output can not be sent.
        """
        if flags not in (0, FINAL):
            raise TritonModelException(f"flags are 0 or TRITONSERVER_RESPONSE_COMPLETE_FINAL, and {flags!r} was given")
        if response is None:
            if not flags:
                raise TritonModelException("send needs a response, or the flag TRITONSERVER_RESPONSE_COMPLETE_FINAL")
            self._native.send(None, None, None, flags)
            return
        if not isinstance(response, InferenceResponse):
            raise TritonModelException(f"send takes an InferenceResponse, and {type(response).__name__} was given")
        error = response.error()
        told = None if error is None else (error.code(), error.message())
        self._native.send(response.output_tensors(), told, response.parameter_values(), flags)

    def is_cancelled(self) -> bool:
        """Whether the caller wants no more."""
        return self._native.is_cancelled()

    @property
    def is_finished(self) -> bool:
        """Whether the last answer is sent."""
        return self._native.is_finished
