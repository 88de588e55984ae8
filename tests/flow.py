# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Repositories of small models that add, fail, repeat or leave things out, and of ensembles of them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DECOUPLED = "model_transaction_policy { decoupled: true }"


def build_flow(folder: Path) -> Path:
    """Compiles the backend into `folder`, as either server looks for it; returns the folder."""
    return build_data_backend("flow", folder)


def build_data_backend(name: str, folder: Path) -> Path:
    """The same for the backend of `tests/data/<name>.cc`."""
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    library = folder / name / f"libtriton_{name}.so"
    library.parent.mkdir(parents=True)
    flags = ["-std=c++17", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", f"-I{ROOT}/native/include"]
    subprocess.run(["g++", *flags, f"{ROOT}/tests/data/{name}.cc", "-o", str(library)], check=True)
    return folder


def tensor(name: str, dims: str = "4", *, data_type: str = "FP32", optional: bool = False) -> str:
    """One declared tensor."""
    more = " optional: true" if optional else ""
    return f'{{ name: "{name}" data_type: TYPE_{data_type} dims: [ {dims} ]{more} }}'


def tensors(field: str, names: Sequence[str], dims: str, data_type: str, optional: Collection[str] = ()) -> str:
    """A list of declared tensors."""
    declared = (tensor(name, dims, data_type=data_type, optional=name in optional) for name in names)
    return f"{field} [ {', '.join(declared)} ]"


def model_text(
    behaviour: str = "sum",
    *,
    inputs: Sequence[str] = ("IN",),
    outputs: Sequence[str] = ("OUT",),
    optional: Collection[str] = (),
    max_batch_size: int = 8,
    dims: str = "4",
    data_type: str = "FP32",
    count: int = 1,
    extra: str = "",
    backend: str = "flow",
    **parameters: object,
) -> str:
    """The configuration of a model of the backend `flow`, or of another one that is made for tests."""
    values = {"behaviour": behaviour, **parameters}
    told = " ".join(f'{{ key: "{key}" value {{ string_value: "{value}" }} }},' for key, value in values.items())
    return f"""
    backend: "{backend}" max_batch_size: {max_batch_size}
    {tensors("input", inputs, dims, data_type, optional)}
    {tensors("output", outputs, dims, data_type)}
    instance_group [ {{ kind: KIND_CPU count: {count} }} ]
    parameters [ {told.rstrip(",")} ]
    {extra}
    """


def step(model: str, inputs: Mapping[str, str], outputs: Mapping[str, str], *, version: int = -1) -> str:
    """A step that maps the model's tensors to the ensemble's."""
    ins = " ".join(f'input_map {{ key: "{key}" value: "{value}" }}' for key, value in inputs.items())
    outs = " ".join(f'output_map {{ key: "{key}" value: "{value}" }}' for key, value in outputs.items())
    return f'{{ model_name: "{model}" model_version: {version} {ins} {outs} }}'


def chain(*models: str) -> tuple[str, ...]:
    """Steps one after the other, from IN to OUT."""
    names = ["IN", *(f"t{index}" for index in range(1, len(models))), "OUT"]
    return tuple(step(model, {"IN": names[i]}, {"OUT": names[i + 1]}) for i, model in enumerate(models))


def ensemble_text(
    *steps: str,
    inputs: Sequence[str] = ("IN",),
    outputs: Sequence[str] = ("OUT",),
    optional: Collection[str] = (),
    max_batch_size: int = 8,
    dims: str = "4",
    scheduling: str = "",
    extra: str = "",
) -> str:
    """The configuration of an ensemble."""
    return f"""
    platform: "ensemble" max_batch_size: {max_batch_size}
    {tensors("input", inputs, dims, "FP32", optional)}
    {tensors("output", outputs, dims, "FP32")}
    ensemble_scheduling {{ step [ {", ".join(steps)} ] {scheduling} }}
    {extra}
    """


def write_repository(folder: Path, texts: Mapping[str, str]) -> Path:
    """Writes models by name; returns the folder."""
    for name, text in texts.items():
        (folder / name / "1").mkdir(parents=True, exist_ok=True)
        (folder / name / "config.pbtxt").write_text(text)
    return folder
