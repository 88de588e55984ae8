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
OUTSIDE = ("no tensor", "the library alone refuses it")
"""Outcomes that say nothing of the backend: the protocol, or the library, has no place for the model."""


def cases(every: int = 1) -> Iterator[Any]:
    """Every n-th case: `name`, `model`, `data_sets`."""
    from onnx.backend.test.case.node import collect_testcases

    yield from collect_testcases("")[::every]


def _is_outside(model: Any) -> str:
    tensors = [*model.graph.input, *model.graph.output]
    if any(one.type.WhichOneof("value") != "tensor_type" for one in tensors):
        return "no tensor"
    return ""


def _told_by_the_library(model: Any, inputs: Mapping[str, np.ndarray]) -> dict[str, Any] | None:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return dict(zip((one.name for one in session.get_outputs()), session.run(None, dict(inputs)), strict=True))
    except Exception:  # noqa: BLE001 - of many types of its own
        return None


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
    inputs = {name: np.atleast_1d(array) for name, array in zip(names, case.data_sets[0][0], strict=False)}
    bare = dict(zip(names, map(np.asarray, case.data_sets[0][0]), strict=False))
    expected = _told_by_the_library(case.model, bare)
    if expected is None:
        return "the library alone refuses it"
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
