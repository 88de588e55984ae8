# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Initial states of sequences that lie in files: the model's folder `initial_state`."""

from __future__ import annotations

import logging
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Final

from workbench.config import ModelSpec, StateSpec
from workbench.errors import InvalidArgumentError, LoadError
from workbench.tensors import byte_size_of, from_wire

FOLDER: Final = "initial_state"
LOG: Final = logging.getLogger("workbench.repository")


def with_initial_states(spec: ModelSpec) -> ModelSpec:
    """`spec` with the content of the files that its states begin with.

    Raises:
        LoadError: a file is not there, lies elsewhere, or is shorter than its state.
    """
    sequence = spec.batching.sequence
    if sequence is None or not any(state.initial_file for state in sequence.states):
        return spec
    states = tuple(_filled(state, Path(spec.path), spec.name) for state in sequence.states)
    batching = replace(spec.batching, sequence=replace(sequence, states=states))
    return replace(spec, batching=batching)


def _filled(state: StateSpec, folder: Path, model: str) -> StateSpec:
    if not state.initial_file:
        return state
    content = _content(state, folder / FOLDER, model)
    wanted = prod(state.initial_dims) * byte_size_of(state.data_type)
    if wanted == 0:
        return replace(state, initial_bytes=_strings(content, state, model))
    if len(content) < wanted:
        message = (
            f"model {model!r}: state {state.input_name!r} of shape {list(state.initial_dims)} begins with {wanted} "
            f"bytes, and {FOLDER}/{state.initial_file} has {len(content)}"
        )
        raise LoadError(message)
    return replace(state, initial_bytes=content[:wanted])


def _strings(content: bytes, state: StateSpec, model: str) -> bytes:
    """The content where it is as many strings as the state has; else empty ones, as the real server always takes."""
    try:
        from_wire("BYTES", tuple(state.initial_dims), content)
    except InvalidArgumentError:
        LOG.warning(
            "model %r: state %r begins with empty strings: %s/%s is no tensor of %d strings",
            model, state.input_name, FOLDER, state.initial_file, prod(state.initial_dims),
        )  # fmt: skip
        return bytes(4 * prod(state.initial_dims))
    return content


def _content(state: StateSpec, folder: Path, model: str) -> bytes:
    path = folder / state.initial_file
    subject = f"model {model!r}: the initial state of {state.input_name!r}"
    if not path.resolve().is_relative_to(folder.resolve()):
        message = f"{subject} is {state.initial_file!r}, which leads out of the model's folder {FOLDER}"
        raise LoadError(message)
    try:
        return path.read_bytes()
    except OSError as exc:
        message = f"{subject} can not be read from {path}: {exc.strerror}"
        raise LoadError(message) from exc
