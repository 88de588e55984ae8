# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The node tests of the `onnx` package through backend `onnxruntime`, beside the library called from Python.

    python -m tests.conformance.onnx_nodes [--every 1]

counts them by outcome and names those that are not equal.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import workbench as wb
from workbench.errors import WorkbenchError

EQUAL = "equal"
NO_TENSOR, NO_TYPE, REFUSED = "no tensor", "a type that the protocol has not", "the library alone refuses it"
OUTSIDE = (NO_TENSOR, NO_TYPE, REFUSED)
"""Outcomes that say nothing of the backend: the protocol, or the library, has no place for the model."""
_TYPES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16)
_UNFIT = "can't be converted to MLDataType"  # what the library's Python says of BF16, which it can run


def cases(every: int = 1) -> Iterator[Any]:
    """Every n-th case: `name`, `model`, `data_sets`."""
    from onnx.backend.test.case.node import collect_testcases

    yield from collect_testcases("")[::every]


def _is_outside(model: Any) -> str:
    tensors = [*model.graph.input, *model.graph.output]
    if any(one.type.WhichOneof("value") != "tensor_type" for one in tensors):
        return NO_TENSOR
    return "" if all(one.type.tensor_type.elem_type in _TYPES for one in tensors) else NO_TYPE


def _array(item: Any) -> np.ndarray:
    """What the package gives for a tensor, which is an array or a message."""
    from onnx import TensorProto, numpy_helper

    return numpy_helper.to_array(item) if isinstance(item, TensorProto) else np.asarray(item)


def _expected(case: Any, inputs: Mapping[str, np.ndarray]) -> dict[str, Any] | None:
    """What the library says; what the package says where only the library's Python can not take the inputs."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        content = case.model.SerializeToString()
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        return dict(zip((one.name for one in session.get_outputs()), session.run(None, dict(inputs)), strict=True))
    except Exception as exc:  # noqa: BLE001 - of many types of its own
        if _UNFIT not in str(exc):
            return None
        return {one.name: _array(item) for one, item in zip(case.model.graph.output, case.data_sets[0][1], strict=True)}


def _is_equal(served: np.ndarray, expected: Any) -> bool:
    expected = np.asarray(expected)
    if expected.size == 1 and expected.ndim == 0:
        expected = expected.reshape(1)
    if served.shape != expected.shape:
        return False
    if expected.dtype.kind in "OU":
        return [text.decode() for text in served.ravel()] == [str(text) for text in expected.ravel()]
    if served.dtype != expected.dtype:
        return False
    if expected.dtype.kind in "iub":
        return bool((served == expected).all())
    return np.allclose(served.astype(np.float64), expected.astype(np.float64), rtol=1e-3, atol=1e-5, equal_nan=True)


def outcome(server: wb.Server, repository: Path, case: Any) -> str:
    """EQUAL, one of OUTSIDE, or what went wrong."""
    if outside := _is_outside(case.model):
        return outside
    names = [one.name for one in case.model.graph.input]
    bare = dict(zip(names, map(_array, case.data_sets[0][0]), strict=False))
    inputs = {name: np.atleast_1d(array) for name, array in bare.items()}
    expected = _expected(case, bare)
    if expected is None:
        return REFUSED
    folder = repository / "node" / "1"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(case.model.SerializeToString())
    try:
        reply = server.load("node").infer(inputs)
    except WorkbenchError as exc:
        return f"{type(exc).__name__}: {exc}"
    different = [name for name, value in expected.items() if name not in reply or not _is_equal(reply[name], value)]
    return f"different: {', '.join(different)}" if different else EQUAL


def run(every: int = 1) -> dict[str, list[str]]:
    """Names of the cases by outcome."""
    found: dict[str, list[str]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, wb.Server(folder, name="onnx nodes") as server:
        for case in cases(every):
            found[outcome(server, Path(folder), case)].append(case.name)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--every", type=int, default=1)
    for what, names in sorted(run(parser.parse_args().every).items(), key=lambda item: -len(item[1])):
        print(f"{len(names):5} {what}" + ("" if what in (EQUAL, *OUTSIDE) else f": {', '.join(names)}"))


if __name__ == "__main__":
    main()
