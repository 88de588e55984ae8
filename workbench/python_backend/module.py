# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The module that models import as `triton_python_backend_utils`."""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

from workbench.python_backend.exceptions import TritonError, TritonModelException
from workbench.python_backend.metrics import Logger, Metric, MetricFamily
from workbench.python_backend.model_config import ModelConfig
from workbench.python_backend.request import InferenceRequest, InferenceTrace, PreferredMemory
from workbench.python_backend.response import InferenceResponse
from workbench.python_backend.sender import InferenceResponseSender
from workbench.python_backend.services import SERVICES, current
from workbench.python_backend.tensor import DATATYPES, Tensor
from workbench.tensors import datatype_of, dtype_of

NAMES: Final = ("triton_python_backend_utils", "c_python_backend_utils", "pb_utils")

TRITONSERVER_REQUEST_FLAG_SEQUENCE_START: Final = 1
TRITONSERVER_REQUEST_FLAG_SEQUENCE_END: Final = 2
TRITONSERVER_RESPONSE_COMPLETE_FINAL: Final = 1
TRITONSERVER_REQUEST_RELEASE_ALL: Final = 1
TRITONSERVER_REQUEST_RELEASE_RESCHEDULE: Final = 2
TRITONSERVER_MEMORY_CPU: Final = 0
TRITONSERVER_MEMORY_GPU: Final = 2
_NO_FILES: Final[Mapping[str, bytes]] = {}
_BY_CONFIG_NAME: Final = {f"TYPE_{'STRING' if name == 'BYTES' else name}": name for name in DATATYPES[1:]}


# ---- Tensors and configurations by name ----


def get_input_tensor_by_name(inference_request: InferenceRequest, name: str) -> Tensor | None:
    """The input of that name; None where there is none."""
    return next((tensor for tensor in inference_request.inputs() if tensor.name() == name), None)


def get_output_tensor_by_name(inference_response: InferenceResponse, name: str) -> Tensor | None:
    """The output of that name; None where there is none."""
    return next((tensor for tensor in inference_response.output_tensors() if tensor.name() == name), None)


def get_input_config_by_name(model_config: Mapping[str, Any], name: str) -> Any:
    """The input of that name in a configuration; None where there is none."""
    return next((tensor for tensor in model_config.get("input", ()) if tensor["name"] == name), None)


def get_output_config_by_name(model_config: Mapping[str, Any], name: str) -> Any:
    """The output of that name in a configuration; None where there is none."""
    return next((tensor for tensor in model_config.get("output", ()) if tensor["name"] == name), None)


def using_decoupled_model_transaction_policy(model_config: Mapping[str, Any]) -> bool:
    """Whether a configuration lets the model answer as often as it likes."""
    return bool(model_config.get("model_transaction_policy", {}).get("decoupled", False))


# ---- Data types ----


def triton_string_to_numpy(triton_type_string: str) -> Any:
    """The numpy type of a configuration's data type, such as TYPE_FP32; None for an unknown one."""
    return triton_to_numpy_type(DATATYPES.index(_BY_CONFIG_NAME.get(triton_type_string, "INVALID")))


def triton_to_numpy_type(data_type: int) -> Any:
    """The numpy type of a data type's number; None for an unknown one."""
    if data_type not in range(1, len(DATATYPES)):
        return None
    return dtype_of(DATATYPES[data_type]).type


def numpy_to_triton_type(data_type: Any) -> int:
    """The number of the data type that arrays of a numpy type are sent as; raises TritonModelException if none is."""
    try:
        return DATATYPES.index(datatype_of(np.dtype(data_type)))
    except ValueError as exc:
        raise TritonModelException(str(exc)) from exc


def serialize_byte_tensor(input_tensor: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
    """The texts of an array in row-major order, each as a 4-byte length and its bytes; None for an empty array."""
    if input_tensor.size == 0:
        return None
    if input_tensor.dtype.kind not in "OSU":
        raise TritonModelException(f"an array of texts is needed, and one of {input_tensor.dtype} was given")
    texts = [text if isinstance(text, bytes) else str(text).encode() for text in input_tensor.ravel().tolist()]
    return np.asarray(b"".join(struct.pack("<I", len(text)) + text for text in texts), dtype=object)


def deserialize_bytes_tensor(encoded_tensor: bytes | memoryview) -> np.ndarray[Any, Any]:
    """The texts that `serialize_byte_tensor` wrote, in one dimension."""
    raw, texts, at = bytes(encoded_tensor), [], 0
    while at < len(raw):
        (length,) = struct.unpack_from("<I", raw, at)
        texts.append(raw[at + 4 : at + 4 + length])
        at += 4 + length
    return np.array(texts, dtype=np.object_)


# ---- The server ----


def load_model(model_name: str, files: Mapping[str, bytes] = _NO_FILES, config: str | Mapping[str, Any] = "") -> None:
    """Load a model of this server, as its repository has it or with a configuration (JSON) and files ("file:1/…").

    Raises:
        TritonModelException: it can not be loaded.
    """
    text = config if isinstance(config, str) else json.dumps(config)
    current().load_model(model_name, {name: bytes(content) for name, content in files.items()}, text)


def unload_model(model_name: str, unload_dependents: bool = False) -> None:  # noqa: FBT001, FBT002
    """Unload a model of this server; its steps too with `unload_dependents`."""
    current().unload_model(model_name, dependents=unload_dependents)


def is_model_ready(model_name: str, model_version: str = "") -> bool:
    """Whether a model of this server can be asked."""
    return current().is_model_ready(model_name, int(model_version or -1))


def get_model_dir() -> str:
    """The folder of the version that runs."""
    frame = sys._getframe(1)  # noqa: SLF001 - the way to who calls
    while SERVICES not in frame.f_globals and frame.f_back is not None:
        frame = frame.f_back
    return str(Path(frame.f_globals["__file__"]).parent)


def install() -> ModuleType:
    """Let models import this module under the names that they use; returns it."""
    module = sys.modules[__name__]
    for name in NAMES:
        sys.modules.setdefault(name, module)
    return module


PUBLIC: Final[Sequence[type]] = (
    InferenceRequest,
    InferenceResponse,
    InferenceResponseSender,
    InferenceTrace,
    Logger,
    Metric,
    MetricFamily,
    ModelConfig,
    PreferredMemory,
    Tensor,
    TritonError,
    TritonModelException,
)
"""The classes that models find here."""
