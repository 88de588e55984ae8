# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The backends that a server knows by platform and by the name of the model's file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class KnownBackend:
    """A backend, the platform that also names it (empty when none does) and its model's usual file."""

    backend: str
    platform: str
    filename: str
    cpu_count: int = 1


KNOWN_BACKENDS: Final = (
    KnownBackend("tensorflow", "tensorflow_savedmodel", "model.savedmodel", cpu_count=2),
    KnownBackend("tensorflow", "tensorflow_graphdef", "model.graphdef", cpu_count=2),
    KnownBackend("tensorrt", "tensorrt_plan", "model.plan"),
    KnownBackend("onnxruntime", "onnxruntime_onnx", "model.onnx", cpu_count=2),
    KnownBackend("openvino", "", "model.xml"),
    KnownBackend("pytorch", "pytorch_libtorch", "model.pt"),
    KnownBackend("python", "", "model.py"),
)
"""In the order in which a folder's files are looked at."""


def backend_of_platform(platform: str) -> str:
    """The backend that a platform means; empty for an unknown platform."""
    return next((known.backend for known in KNOWN_BACKENDS if platform and known.platform == platform), "")


def known_platforms() -> tuple[str, ...]:
    """The names of the platforms, `ensemble` left out."""
    return tuple(known.platform for known in KNOWN_BACKENDS if known.platform)
