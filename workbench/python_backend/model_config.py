# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The configuration that a model completes."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from workbench.python_backend.exceptions import TritonModelException

_TENSOR_FIELDS: Final = ("name", "data_type", "dims")
_EXTRA_FIELDS: Final = ("optional", "allow_ragged_batch", "reshape", "is_shape_tensor", "format")


class ModelConfig:
    """A configuration as far as it is known; what `auto_complete_config` adds must not contradict it."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self._config = dict(deepcopy(config))

    def as_dict(self) -> dict[str, Any]:
        """The whole configuration, with the names of its fields."""
        return self._config

    def add_input(self, tensor: Mapping[str, Any]) -> None:
        """Add an input: name, data_type, dims, and optional.

        Raises:
            TritonModelException: a field is missing or unknown, or the configuration says otherwise.
        """
        self._add("input", tensor)

    def add_output(self, tensor: Mapping[str, Any]) -> None:
        """Add an output: name, data_type, dims.

        Raises:
            TritonModelException: a field is missing or unknown, or the configuration says otherwise.
        """
        self._add("output", tensor)

    def set_max_batch_size(self, max_batch_size: int) -> None:
        """Set the greatest batch size, unless the configuration allows no more than less.

        Raises:
            TritonModelException: the configuration has a greater one.
        """
        given = int(self._config.get("max_batch_size", 0))
        if given > max_batch_size:
            raise TritonModelException(
                f"configuration specifies max_batch_size {given} and the model can not do more than {max_batch_size}"
            )
        self._config["max_batch_size"] = given or max_batch_size

    def set_dynamic_batching(self) -> None:
        """Let the server form batches, unless another scheduler is configured."""
        chosen = [kind for kind in ("sequence_batching", "ensemble_scheduling") if kind in self._config]
        if chosen:
            raise TritonModelException(f"configuration has {chosen[0]}, which excludes dynamic_batching")
        self._config.setdefault("dynamic_batching", {})

    def set_model_transaction_policy(self, policy: Mapping[str, bool]) -> None:
        """Set whether the model answers as often as it likes: {"decoupled": True}."""
        unknown = set(policy) - {"decoupled"}
        if unknown:
            raise TritonModelException(f"a transaction policy has 'decoupled' alone, not {', '.join(sorted(unknown))}")
        given = self._config.get("model_transaction_policy", {}).get("decoupled", False)
        wanted = bool(policy.get("decoupled", False))
        if given and not wanted:
            raise TritonModelException("configuration is decoupled, and the model says that it is not")
        self._config["model_transaction_policy"] = {"decoupled": wanted}

    def _add(self, kind: str, tensor: Mapping[str, Any]) -> None:
        missing = [field for field in _TENSOR_FIELDS if field not in tensor]
        if missing:
            raise TritonModelException(f"{kind} {dict(tensor)} lacks {', '.join(missing)}")
        allowed = (*_TENSOR_FIELDS, *(_EXTRA_FIELDS if kind == "input" else ("reshape", "is_shape_tensor")))
        unknown = [field for field in tensor if field not in allowed]
        if unknown:
            raise TritonModelException(f"{kind} {tensor['name']!r} has no {unknown[0]!r}; it has {', '.join(allowed)}")
        tensors = self._config.setdefault(kind, [])
        for given in tensors:
            if given.get("name") == tensor["name"]:
                _check_same(kind, given, tensor)
                return
        tensors.append({**tensor, "dims": list(tensor["dims"])})


def _check_same(kind: str, given: Mapping[str, Any], tensor: Mapping[str, Any]) -> None:
    for field in ("data_type", "dims"):
        one, other = given.get(field), tensor[field]
        if field == "dims":
            one, other = [int(dim) for dim in one or ()], [int(dim) for dim in other]
        if one != other:
            raise TritonModelException(
                f"{kind} {tensor['name']!r}: configuration has {field} {one}, and the model tells {other}"
            )
