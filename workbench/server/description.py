# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a server says of itself and its models, as the JSON that the protocol's management calls answer with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from workbench.config import ModelSpec, TensorSpec, to_mapping
from workbench.errors import InvalidArgumentError, NotFoundError, UnavailableError
from workbench.repository import IndexEntry, LoadedVersion, ModelRepository, Sources, plain_name_of
from workbench.server.statistics import wall_clock_ms

SERVER_NAME: Final = "triton"
SERVER_VERSION: Final = "2.51.0"
"""The release of the original that the answers follow."""

EXTENSIONS: Final = (
    "classification",
    "sequence",
    "model_repository",
    "model_repository(unload_dependents)",
    "schedule_policy",
    "model_configuration",
    "system_shared_memory",
    "cuda_shared_memory",
    "binary_tensor_data",
    "parameters",
    "statistics",
    "trace",
    "logging",
)

_DURATIONS: Final = (
    "success", "fail", "queue", "compute_input", "compute_infer", "compute_output", "cache_hit", "cache_miss",
)  # fmt: skip
_NEVER: Final[Mapping[str, int]] = {"count": 0, "ns": 0}


def describe(repository: ModelRepository, topic: str, model: str = "", version: int = -1) -> str:
    """The JSON text for a topic.

    Args:
        repository: of the server that is asked.
        topic: "server_metadata", "index", "ready_index", "model_metadata", "model_config" or "model_statistics".
        model: name of the model, where the topic is of one; "" means all models for "model_statistics".
        version: its version; -1 is the highest, for "model_statistics" all.

    Raises:
        InvalidArgumentError: no such topic, or statistics of a model that is not ready.
        NotFoundError, UnavailableError: the model is not ready.
    """
    if topic not in _TOPICS:
        message = f"no topic {topic!r}; there are {', '.join(_TOPICS)}"
        raise InvalidArgumentError(message)
    return _to_json(_TOPICS[topic](repository, model, version))


def describe_server(server_id: str) -> str:
    """The JSON text for "server_metadata" of a server that is called so."""
    return _to_json(_server_named(server_id))


def _to_json(told: Any) -> str:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _server_metadata(repository: ModelRepository, model: str, version: int) -> dict[str, Any]:
    del repository, model, version
    return _server_named(SERVER_NAME)


def _server_named(server_id: str) -> dict[str, Any]:
    return {"name": server_id, "version": SERVER_VERSION, "extensions": EXTENSIONS}


def _index(repository: ModelRepository, model: str, version: int) -> list[dict[str, str]]:
    del model, version
    return [_index_entry(entry, repository.sources) for entry in repository.index()]


def _ready_index(repository: ModelRepository, model: str, version: int) -> list[dict[str, str]]:
    del model, version
    return [_index_entry(entry, repository.sources) for entry in repository.index(ready=True)]


def _index_entry(entry: IndexEntry, sources: Sources) -> dict[str, str]:
    fields = {
        "name": plain_name_of(entry.name) if sources.has_namespaces else entry.name,
        "version": str(entry.version) if entry.version else "",
        "state": entry.state,
        "reason": entry.reason,
    }
    return {name: value for name, value in fields.items() if value}


def _model_metadata(repository: ModelRepository, model: str, version: int) -> dict[str, Any]:
    loaded = repository.version(model, version)
    versions = [loaded.version] if version != -1 else sorted(one.version for one in repository.serving(model))
    return {
        "name": model,
        "versions": [str(number) for number in versions],
        "platform": loaded.config.platform or loaded.config.backend,
        "inputs": [_tensor(tensor, loaded.spec) for tensor in loaded.spec.inputs],
        "outputs": [_tensor(tensor, loaded.spec) for tensor in loaded.spec.outputs],
    }


def _tensor(tensor: TensorSpec, spec: ModelSpec) -> dict[str, Any]:
    batch = [-1] if spec.max_batch_size > 0 and not tensor.is_shape_tensor else []
    return {"name": tensor.name, "datatype": tensor.data_type, "shape": [*batch, *tensor.dims]}


def _model_config(repository: ModelRepository, model: str, version: int) -> dict[str, Any]:
    return to_mapping(repository.version(model, version).config)


def _model_statistics(repository: ModelRepository, model: str, version: int) -> dict[str, Any]:
    return {"model_stats": [_statistics(loaded) for loaded in _asked(repository, model, version)]}


def _asked(repository: ModelRepository, model: str, version: int) -> Iterable[LoadedVersion]:
    if not model:
        return [loaded for name in repository.names() for loaded in repository.serving(name)]
    try:
        wanted = repository.version(model, version)
    except (NotFoundError, UnavailableError) as exc:
        # As in the original, whose other topics answer NOT_FOUND here.
        raise InvalidArgumentError(str(exc)) from exc
    return [wanted] if version != -1 else sorted(repository.serving(model), key=lambda one: one.version)


def _statistics(loaded: LoadedVersion) -> dict[str, Any]:
    counts = loaded.model.statistics()
    return {
        "name": loaded.model.name,
        "version": str(loaded.version),
        "last_inference": wall_clock_ms(counts["last_inference_ns"]),
        "inference_count": counts["inference_count"],
        "execution_count": counts["execution_count"],
        "inference_stats": {name: counts.get(name, _NEVER) for name in _DURATIONS},
        "response_stats": counts.get("response_stats", {}),
        "batch_stats": list(counts["batch_stats"]),
        "memory_usage": counts.get("memory_usage", []),
    }


_TOPICS: Final[Mapping[str, Callable[[ModelRepository, str, int], Any]]] = {
    "server_metadata": _server_metadata,
    "index": _index,
    "ready_index": _ready_index,
    "model_metadata": _model_metadata,
    "model_config": _model_config,
    "model_statistics": _model_statistics,
}
