# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the metrics page tells beside counters, in the words of the original's `--metrics-config`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from workbench.errors import InvalidArgumentError


def metrics_options(config: Mapping[str, str | bool]) -> dict[str, Any]:
    """The engine's options for a metrics configuration.

    Args:
        config: "counter_latencies", "summary_latencies", "histogram_latencies": "true" or "false"; "summary_quantiles":
            such as "0.5:0.05,0.99:0.001", whose tolerances are met exactly.

    Raises:
        InvalidArgumentError: there is no such setting, or it has no such value.
    """
    unknown = [name for name in config if name not in _SETTINGS]
    if unknown:
        message = f"metrics have no setting {unknown[0]!r}; there are {', '.join(_SETTINGS)}"
        raise InvalidArgumentError(message)
    return {name: _SETTINGS[name](name, value) for name, value in config.items()}


def _flag(name: str, value: Any) -> bool:
    text = str(value).lower()
    if text not in {"true", "false"}:
        message = f"{name} is true or false; got {value!r}"
        raise InvalidArgumentError(message)
    return text == "true"


def _quantiles(name: str, value: Any) -> list[float]:
    try:
        quantiles = [float(pair.split(":")[0]) for pair in str(value).split(",")]
    except ValueError as exc:
        message = f"{name} is a list such as 0.5:0.05,0.99:0.001; got {value!r}"
        raise InvalidArgumentError(message) from exc
    if not all(0.0 <= quantile <= 1.0 for quantile in quantiles):
        message = f"{name}: a quantile lies between 0 and 1; got {value!r}"
        raise InvalidArgumentError(message)
    return quantiles


_SETTINGS: Final[Mapping[str, Callable[[str, str | bool], Any]]] = {
    "counter_latencies": _flag,
    "summary_latencies": _flag,
    "histogram_latencies": _flag,
    "summary_quantiles": _quantiles,
    "cpu_metrics": _flag,
    "gpu_metrics": _flag,
    "metrics": _flag,
}
