# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a model answers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from workbench.python_backend.exceptions import TritonError, TritonModelException
from workbench.python_backend.tensor import Tensor

ParameterValue = str | int | bool | float


class InferenceResponse:
    """An answer: tensors or an error, and parameters.

    Args:
        output_tensors: the outputs.
        error: what went wrong; then outputs are not sent.
        parameters: values for the caller, or their JSON text.
    """

    # The backend reads these itself.
    __slots__ = ("_error", "_outputs", "_parameters")

    def __init__(
        self,
        output_tensors: Sequence[Tensor] = (),
        error: TritonError | None = None,
        parameters: Mapping[str, ParameterValue] | str | None = None,
    ) -> None:
        self._outputs = output_tensors if type(output_tensors) is list else _checked(output_tensors)
        self._error = error
        self._parameters = None if parameters is None else parameters_of(parameters)

    def output_tensors(self) -> list[Tensor]:
        """The outputs."""
        return self._outputs

    def has_error(self) -> bool:
        """Whether it tells an error."""
        return self._error is not None

    def error(self) -> TritonError | None:
        """The error; None where there is none."""
        return self._error

    def parameters(self) -> str:
        """The parameters, a JSON object."""
        return json.dumps(self._parameters or {})

    def parameter_values(self) -> Mapping[str, ParameterValue] | None:
        """The parameters by name; None where there are none."""
        return self._parameters

    def __repr__(self) -> str:
        return f"<InferenceResponse {self._error or self._outputs}>"


def _checked(tensors: Any) -> list[Tensor]:
    if isinstance(tensors, Tensor) or not hasattr(tensors, "__iter__"):
        told = type(tensors).__name__
        raise TritonModelException(f"output_tensors is a list of Tensor, and {told} was given: write [tensor]")
    return list(tensors)


def parameters_of(parameters: Mapping[str, ParameterValue] | str) -> dict[str, ParameterValue]:
    """Parameters by name, out of a mapping or its JSON text; raises TritonModelException for what can not be sent."""
    try:
        values = json.loads(parameters) if isinstance(parameters, str) else dict(parameters)
    except ValueError as exc:
        raise TritonModelException(f"parameters are no JSON object: {exc}") from exc
    for name, value in values.items():
        if not isinstance(name, str) or not isinstance(value, (str, int, bool, float)):
            told = type(value).__name__
            raise TritonModelException(
                f"parameter {name!r} is {told}: there are str, int, bool and float, named by str"
            )
    return values
