# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The light models of the `onnx` package through backend `onnxruntime`, against the outputs that the package brings.

    python -m tests.conformance.onnx_light_models [name ...]

Inputs are made and outputs compared as by the package's own runner: an even ramp from 0 to 1, and the tolerances that
stand with each model.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import workbench as wb
from workbench.errors import WorkbenchError

EQUAL = "equal"


@dataclass(frozen=True, slots=True)
class LightModel:
    """A model file and how near its outputs are to come to the reference."""

    name: str
    path: Path
    rtol: float
    atol: float


def light_models() -> Iterator[LightModel]:
    """Every one that the package has."""
    import onnx
    from onnx.backend.test.loader import load_model_tests

    for case in load_model_tests(kind="real"):
        if case.url and "/data/light/" in case.url:
            path = Path(onnx.__file__).parents[1] / case.url
            yield LightModel(path.stem.removeprefix("light_"), path, case.rtol, case.atol)


def outcome(server: wb.Server, repository: Path, light: LightModel) -> str:
    """EQUAL, or what went wrong."""
    import onnx
    from onnx.backend.test.runner import Runner

    model = onnx.load(light.path)
    made = {one.name for one in model.graph.initializer}
    inputs = {one.name: Runner.generate_dummy_data(one) for one in model.graph.input if one.name not in made}
    folder = repository / light.name / "1"
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(light.path.read_bytes())
    try:
        reply = server.load(light.name).infer(inputs)
    except WorkbenchError as exc:
        return f"{type(exc).__name__}: {exc}"
    finally:
        server.unload(light.name)
    for index, output in enumerate(model.graph.output):
        reference = light.path.with_name(f"light_{light.name}_output_{index}.pb")
        expected = onnx.numpy_helper.to_array(onnx.TensorProto.FromString(reference.read_bytes()))
        found = reply[output.name]
        if found.shape != expected.shape or not np.allclose(found, expected, light.rtol, light.atol):
            return f"different: {output.name}"
    return EQUAL


def run(names: Collection[str] = ()) -> dict[str, str]:
    """Outcomes by name, of all where none are named."""
    with tempfile.TemporaryDirectory() as folder, wb.Server(folder, name="onnx light models") as server:
        chosen = [light for light in light_models() if not names or light.name in names]
        return {light.name: outcome(server, Path(folder), light) for light in chosen}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*")
    for name, found in run(parser.parse_args().names).items():
        print(f"{name:16} {found}")


if __name__ == "__main__":
    main()
