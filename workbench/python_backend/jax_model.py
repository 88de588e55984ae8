# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Backend `jax`: a folder with parameters and an `apply.py`, compiled once for each size of batch that is executed.

`apply.py` has `apply(params, inputs)`, which is traced: `inputs` are arrays by name, and what it returns are the
outputs, by name or in the configuration's order. `prepare(inputs)` and `finish(outputs)` may be there too; they see
numpy arrays of the rows that were sent, before and after.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Any, Final

import numpy as np

from workbench.errors import InvalidArgumentError, MissingExtraError
from workbench.python_backend.batching import Arrays, ModelSpec, TensorSpec, execute, named_outputs
from workbench.python_backend.jax_parameters import load_parameters
from workbench.python_backend.metrics import MetricFamily
from workbench.python_backend.model_file import forget, import_model
from workbench.python_backend.request import InferenceRequest
from workbench.python_backend.response import InferenceResponse
from workbench.python_backend.services import current

WIDE: Final = frozenset({"INT64", "UINT64", "FP64"})
"""Types that jax narrows unless it is told not to."""
Shapes = tuple[tuple[str, tuple[int, ...], str], ...]


class TritonPythonModel:
    """One instance of a jax model."""

    def initialize(self, args: Mapping[str, str]) -> None:
        """Read the parameters, and compile every size of batch that the configuration allows."""
        self._jax = _import_jax()
        self._spec = ModelSpec.of(args)
        self._is_wide = self._spec.parameters.get("enable_x64", "false").lower() == "true"
        folder = Path(self._spec.folder)
        self._module = import_model(folder / "apply.py", current())
        self._prepare = getattr(self._module, "prepare", None)
        self._finish = getattr(self._module, "finish", None)
        self._check_types()
        self._buckets = buckets_of(self._spec)
        self._compiled: dict[Shapes, Callable[..., Any]] = {}
        self._make_metrics()
        with self._width():
            self._params = self._jax.device_put(load_parameters(folder))
        self._jitted = self._jax.jit(_function_of(self._module, folder))
        if self._prepare is None and all(tensor.is_fixed for tensor in self._spec.inputs):
            for bucket in self._buckets or (0,):
                self._compile(_shapes_of(self._spec.inputs, bucket))

    def execute(self, requests: Sequence[InferenceRequest]) -> list[InferenceResponse]:
        """Answer the requests of a batch by one call of the compiled function."""
        return execute(requests, self._spec, self._run)

    def finalize(self) -> None:
        """Drop what was compiled."""
        self._compiled.clear()
        self._jitted.clear_cache()
        forget(self._module)

    def _run(self, arrays: Arrays) -> Arrays:
        inputs = arrays if self._prepare is None else self._prepare(dict(arrays))
        rows = len(next(iter(inputs.values()))) if self._buckets else 0
        bucket = self._buckets[bisect_left(self._buckets, rows)] if self._buckets else 0
        padded = {name: _padded(array, bucket) for name, array in inputs.items()}
        shapes = tuple((name, array.shape, array.dtype.str) for name, array in sorted(padded.items()))
        compiled = self._compiled.get(shapes) or self._compile(shapes)
        self._calls.increment(1)
        with self._width():
            results = named_outputs(compiled(self._params, padded), self._spec)
        outputs = {name: np.asarray(value) for name, value in results.items()}
        if self._buckets:
            outputs = {name: array[:rows] for name, array in outputs.items()}
        return outputs if self._finish is None else named_outputs(self._finish(outputs), self._spec)

    def _compile(self, shapes: Shapes) -> Callable[..., Any]:
        started = perf_counter()
        with self._width():
            inputs = {name: self._jax.ShapeDtypeStruct(shape, np.dtype(kind)) for name, shape, kind in shapes}
            compiled: Callable[..., Any] = self._jitted.lower(self._params, inputs).compile()
        self._seconds.increment(perf_counter() - started)
        self._compiled[shapes] = compiled
        return compiled

    def _make_metrics(self) -> None:
        labels = {"model": self._spec.name, "version": self._spec.version}
        seconds = "Seconds that XLA took to compile the model"
        calls = "Calls of the compiled model"
        self._seconds = MetricFamily("jax_xla_compilation_time", seconds, MetricFamily.COUNTER).Metric(labels)
        self._calls = MetricFamily("jax_predict_calls", calls, MetricFamily.COUNTER).Metric(labels)

    def _width(self) -> AbstractContextManager[Any]:
        return _wide(self._jax) if self._is_wide else nullcontext()

    def _check_types(self) -> None:
        for kind, tensors, step in (
            ("input", self._spec.inputs, self._prepare and "prepare"),
            ("output", self._spec.outputs, self._finish and "finish"),
        ):
            for tensor in tensors:
                if step is None:
                    _check_type(kind, tensor, is_wide=self._is_wide)


def _check_type(kind: str, tensor: TensorSpec, *, is_wide: bool) -> None:
    if tensor.datatype == "BYTES":
        step = "prepare(inputs)" if kind == "input" else "finish(outputs)"
        raise InvalidArgumentError(
            f"{kind} {tensor.name!r} is BYTES, and jax computes with numbers: turn texts into them in {step} "
            "of apply.py"
        )
    if tensor.datatype in WIDE and not is_wide:
        narrow = {"INT64": "INT32", "UINT64": "UINT32", "FP64": "FP32"}[tensor.datatype]
        raise InvalidArgumentError(
            f"{kind} {tensor.name!r} is {tensor.datatype}, and jax computes in 32 bits: declare {narrow}, or set the "
            'parameter enable_x64 to "true"'
        )


def buckets_of(spec: ModelSpec) -> tuple[int, ...]:
    """The sizes of batch that are compiled, ascending; others are filled up with rows of zeros.

    Raises:
        InvalidArgumentError: the parameter `batch_buckets` is no list of sizes that ends with max_batch_size.
    """
    largest = spec.max_batch_size
    if not largest:
        return ()
    told = spec.parameters.get("batch_buckets", "")
    if not told:
        return tuple(sorted({*(1 << power for power in range(largest.bit_length())), largest}))
    try:
        sizes = tuple(sorted({int(size) for size in told.split(",")}))
    except ValueError:
        sizes = ()
    if not sizes or sizes[0] < 1 or sizes[-1] != largest:
        raise InvalidArgumentError(
            f"parameter batch_buckets is {told!r}: sizes from 1 to max_batch_size, which is the last: 1,4,{largest}"
        )
    return sizes


def _function_of(module: ModuleType, folder: Path) -> Callable[..., Any]:
    function = getattr(module, "apply", None)
    if not callable(function):
        raise InvalidArgumentError(f"{folder / 'apply.py'} has no function apply(params, inputs)")
    made: Callable[..., Any] = function
    return made


def _shapes_of(inputs: Sequence[TensorSpec], bucket: int) -> Shapes:
    head = (bucket,) if bucket else ()
    return tuple((tensor.name, (*head, *tensor.dims), tensor.dtype.str) for tensor in sorted(inputs, key=_name_of))


def _name_of(tensor: TensorSpec) -> str:
    return tensor.name


def _padded(array: np.ndarray[Any, Any], bucket: int) -> np.ndarray[Any, Any]:
    if not bucket or len(array) == bucket:
        return array
    padded = np.zeros((bucket, *array.shape[1:]), array.dtype)
    padded[: len(array)] = array
    return padded


def _wide(jax: Any) -> AbstractContextManager[Any]:
    from jax import experimental

    # Newer versions have it beside `jit`.
    enable = jax.enable_x64 if hasattr(jax, "enable_x64") else experimental.enable_x64
    width: AbstractContextManager[Any] = enable(True)  # noqa: FBT003 - its own form
    return width


def _import_jax() -> Any:
    try:
        import jax
    except ImportError as exc:
        raise MissingExtraError("backend jax", extra="jax") from exc
    return jax
