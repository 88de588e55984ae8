# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A search as Model Analyzer's own YAML file describes it, to be run here."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from workbench.errors import InvalidArgumentError, MissingExtraError, NotFoundError
from workbench.sweep.objective import HighestThroughput, LowestMemory, LowestP99, Objective, Weighted
from workbench.sweep.score import Constraints
from workbench.sweep.space import SearchSpace

_FIGURES: Final = {"perf_throughput": "throughput", "perf_latency_p99": "p99", "gpu_used_memory": "memory"}
_MEGABYTE: Final = 1_000_000
# What the tool searches where its file names no values.
_BATCH_SIZES: Final = tuple(2**power for power in range(8))
_INSTANCES: Final = 5


@dataclass(frozen=True, slots=True)
class ImportedSearch:
    """What a file asks for; `sweep(model, workload=..., **search.arguments())` runs it.

    Args:
        space: what is searched.
        objective: what is sought.
        constraints: what must be kept to.
        slo_p99_ms: the p99 to keep to; infinite for none.
        concurrencies: requests in flight that the file measures with; a sweep takes one load.
    """

    space: SearchSpace
    objective: Objective
    constraints: Constraints
    slo_p99_ms: float = math.inf
    concurrencies: tuple[int, ...] = ()

    def arguments(self) -> dict[str, Any]:
        """For `sweep`."""
        return {
            "space": self.space,
            "objective": self.objective,
            "constraints": self.constraints,
            "slo_p99_ms": self.slo_p99_ms,
        }


def read_analyzer_config(path: str | Path, model: str) -> ImportedSearch:
    """The search for one model out of a configuration of Model Analyzer's `profile`.

    Raises:
        NotFoundError: the file does not profile the model.
        InvalidArgumentError: something else than such a file.
        MissingExtraError: PyYAML is not installed.
    """
    try:
        import yaml
    except ImportError as error:
        raise MissingExtraError("a file of Model Analyzer", extra="tune") from error
    try:
        content = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise InvalidArgumentError(f"{path} is no YAML: {error}") from error
    if not isinstance(content, Mapping):
        raise InvalidArgumentError(f"{path} is no configuration of Model Analyzer")
    own = _of_model(content, model, str(path))
    merged = {**content, **own}
    slo = _limit(merged, "perf_latency_p99", "max", math.inf)
    constraints = Constraints(
        throughput=_limit(merged, "perf_throughput", "min", 0.0),
        memory_bytes=_limit(merged, "gpu_used_memory", "max", math.inf) * _MEGABYTE,
    )
    parameters = merged.get("parameters") or {}
    concurrencies = _numbers(parameters.get("concurrency", merged.get("concurrency", ())))
    return ImportedSearch(_space(merged), _objective(merged, slo), constraints, slo, concurrencies)


def _of_model(content: Mapping[str, Any], model: str, path: str) -> Mapping[str, Any]:
    models = content.get("profile_models", ())
    if isinstance(models, str):
        models = [name.strip() for name in models.split(",")]
    named: dict[str, Any] = dict(models) if isinstance(models, Mapping) else {}
    for entry in () if isinstance(models, Mapping) else models:
        named |= entry if isinstance(entry, Mapping) else {str(entry): {}}
    if model not in named:
        raise NotFoundError(f"{path} does not profile {model!r}; it profiles {', '.join(named) or 'nothing'}")
    return named[model] or {}


def _limit(content: Mapping[str, Any], figure: str, bound: str, otherwise: float) -> float:
    limits = (content.get("constraints") or {}).get(figure) or {}
    return float(limits.get(bound, otherwise))


def _space(content: Mapping[str, Any]) -> SearchSpace:
    given = content.get("model_config_parameters")
    if not given:
        largest = int(content.get("run_config_search_max_model_batch_size", _BATCH_SIZES[-1]))
        most = int(content.get("run_config_search_max_instance_count", _INSTANCES))
        sizes = tuple(size for size in _BATCH_SIZES if size <= largest)
        return SearchSpace(max_batch_size=sizes, count=tuple(range(1, most + 1)))
    given = given[0] if isinstance(given, list) else given
    batching = _first(given.get("dynamic_batching"))
    preferred = batching.get("preferred_batch_size", ())
    if preferred and not isinstance(preferred[0], (list, tuple)):
        preferred = [preferred]
    return SearchSpace(
        max_batch_size=_numbers(given.get("max_batch_size", ())),
        preferred_batch_size=tuple(tuple(map(int, sizes)) for sizes in preferred),
        max_queue_delay_microseconds=_numbers(batching.get("max_queue_delay_microseconds", ())),
        count=_numbers(_first(given.get("instance_group")).get("count", ())),
    )


def _first(entry: Any) -> Mapping[str, Any]:
    while isinstance(entry, list) and entry:
        entry = entry[0]
    return entry if isinstance(entry, Mapping) else {}


def _numbers(given: Any) -> tuple[int, ...]:
    """One number, a list, or a range from start to stop, whose step is 1 unless it is given."""
    if isinstance(given, Mapping):
        return tuple(range(int(given["start"]), int(given["stop"]) + 1, int(given.get("step", 1))))
    return tuple(map(int, given)) if isinstance(given, (list, tuple)) else (int(given),)


def _objective(content: Mapping[str, Any], slo_p99_ms: float) -> Objective:
    given = content.get("objectives") or ["perf_throughput"]
    weights = dict(given) if isinstance(given, Mapping) else dict.fromkeys(given, 1.0)
    if unknown := [name for name in weights if name not in _FIGURES]:
        raise InvalidArgumentError(f"no objective {', '.join(unknown)} here; there are {', '.join(_FIGURES)}")
    if len(weights) > 1:
        return Weighted({_FIGURES[name]: float(weight) for name, weight in weights.items()}, slo_p99_ms)
    objectives: dict[str, Objective] = {
        "throughput": HighestThroughput(slo_p99_ms),
        "p99": LowestP99(slo_p99_ms),
        "memory": LowestMemory(slo_p99_ms),
    }
    return objectives[_FIGURES[next(iter(weights))]]
