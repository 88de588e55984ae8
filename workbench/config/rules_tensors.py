# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Rules of inputs, outputs and the tensors that batching derives from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Final

from workbench.config.message import ModelConfig, ModelInput, ModelOutput, enum_name
from workbench.config.rule import Problem, Rule

Tensor = ModelInput | ModelOutput
_VARIABLE: Final = "-1 stands for a size that varies; a size that is known is at least 1"


def _tensors(config: ModelConfig) -> Iterator[tuple[str, Tensor]]:
    for index, tensor in enumerate(config.input):
        yield f"input[{index}]", tensor
    for index, output in enumerate(config.output):
        yield f"output[{index}]", output


def sizes_are_positive_or_variable(config: ModelConfig) -> Iterator[Problem]:
    """A dim is a size or -1."""
    for path, tensor in _tensors(config):
        for name, sizes in (("dims", tensor.dims), ("reshape.shape", tensor.reshape.shape)):
            for index, size in enumerate(sizes):
                if size != -1 and size < 1:
                    yield Problem(f"{path}.{name}[{index}]", f"{size} is not a size", _VARIABLE, stage="load")


def reshapes_keep_the_elements(config: ModelConfig) -> Iterator[Problem]:
    """Dims and reshape hold equally many elements, in each stretch between variable sizes."""
    for path, tensor in _tensors(config):
        if not tensor.HasField("reshape"):
            continue
        dims, shape = list(tensor.dims), list(tensor.reshape.shape)
        if not shape and config.max_batch_size == 0:
            yield Problem(
                f"{path}.reshape",
                "without batching an empty shape would be no tensor at all",
                "set max_batch_size, or give the shape a size: [ 1 ]",
                stage="load",
            )
        elif dims and _stretches(dims) != _stretches(shape):
            yield Problem(
                f"{path}.reshape",
                f"dims {dims} and shape {shape} do not hold equally many elements",
                "only sizes between the same -1 may be regrouped",
                stage="load",
            )


def _stretches(sizes: Sequence[int]) -> list[int]:
    """Element counts between the variable sizes: [2, 4, -1, 6] gives [8, 6]."""
    stretches: list[list[int]] = [[]]
    for size in sizes:
        if size == -1:
            stretches.append([])
        else:
            stretches[-1].append(size)
    return [prod(stretch) for stretch in stretches]


def image_formats_have_three_dims(config: ModelConfig) -> Iterator[Problem]:
    """FORMAT_NHWC and FORMAT_NCHW are for images, whose N is the batch."""
    for index, tensor in enumerate(config.input):
        if tensor.format and len(tensor.dims) != 3:
            name = enum_name("ModelInput.Format", tensor.format)
            yield Problem(
                f"input[{index}].format",
                f"{name} goes with 3 dims, and {tensor.name!r} has {len(tensor.dims)}",
                "leave the batch out of dims: the N stands for it",
                stage="load",
            )


def types_are_known(config: ModelConfig) -> Iterator[Problem]:
    """A type that is given by number is one of the list."""
    for path, tensor in _tensors(config):
        if enum_name("DataType", tensor.data_type).isdigit():
            yield Problem(f"{path}.data_type", f"there is no data type {tensor.data_type}", stage="load")


def engine_tensors_need_tensorrt(config: ModelConfig) -> Iterator[Problem]:
    """Shape tensors and non-linear formats exist for TensorRT alone."""
    if "tensorrt" in (config.backend, config.platform.removesuffix("_plan")):
        return
    for path, tensor in _tensors(config):
        for flag in ("is_shape_tensor", "is_non_linear_format_io"):
            if getattr(tensor, flag):
                yield Problem(f"{path}.{flag}", f"{flag} is for backend tensorrt alone", f"remove {flag}", stage="load")


def batch_inputs_have_sources(config: ModelConfig) -> Iterator[Problem]:
    """A batch input is computed from one declared input, as INT32 or FP32."""
    names = [tensor.name for tensor in config.input]
    for index, derived in enumerate(config.batch_input):
        path = f"batch_input[{index}]"
        if enum_name("DataType", derived.data_type) not in ("TYPE_INT32", "TYPE_FP32"):
            yield Problem(
                f"{path}.data_type", "a batch input is of type INT32 or FP32", "TYPE_INT32 or TYPE_FP32", stage="load"
            )
        yield from _sources(path, list(derived.source_input), names)


def batch_outputs_have_sources_and_targets(config: ModelConfig) -> Iterator[Problem]:
    """A batch output is scattered as one declared input says, to declared outputs."""
    inputs = [tensor.name for tensor in config.input]
    outputs = [tensor.name for tensor in config.output]
    for index, derived in enumerate(config.batch_output):
        for number, name in enumerate(derived.target_name):
            if name not in outputs:
                yield _unknown(f"batch_output[{index}].target_name[{number}]", "output", name, outputs)
        yield from _sources(f"batch_output[{index}]", list(derived.source_input), inputs)


def _sources(path: str, sources: list[str], inputs: list[str]) -> Iterator[Problem]:
    if len(sources) != 1:
        yield Problem(
            path, f"source_input names one input, not {len(sources)}", 'write source_input: "…"', stage="load"
        )
    for index, name in enumerate(sources):
        if name not in inputs:
            yield _unknown(f"{path}.source_input[{index}]", "input", name, inputs)


def _unknown(path: str, what: str, name: str, names: list[str]) -> Problem:
    there_is = f"the {what}s are {', '.join(names)}" if names else f"the configuration declares no {what}"
    return Problem(path, f"there is no {what} {name!r}", there_is, stage="load")


RULES: Final[tuple[Rule, ...]] = (
    sizes_are_positive_or_variable,
    reshapes_keep_the_elements,
    image_formats_have_three_dims,
    types_are_known,
    engine_tensors_need_tensorrt,
)


def tensors_are_described(config: ModelConfig) -> Iterator[Problem]:
    """A tensor has name, type and dims, from the file or from the backend."""
    for path, tensor in _tensors(config):
        if not tensor.name:
            yield Problem(path, "a tensor needs a name", 'write name: "…"', stage="load")
        if not tensor.data_type:
            yield Problem(
                path, f"the data_type of {tensor.name!r} is missing", "write data_type: TYPE_FP32", stage="load"
            )
        if not tensor.dims:
            yield Problem(
                path,
                f"the dims of {tensor.name!r} are missing",
                "write dims: [ 1 ], and reshape { shape: [ ] } for a scalar",
                stage="load",
            )


COMPLETE_RULES: Final[tuple[Rule, ...]] = (
    tensors_are_described,
    batch_inputs_have_sources,
    batch_outputs_have_sources_and_targets,
)
"""Rules of what a backend may still add while it completes the configuration."""
