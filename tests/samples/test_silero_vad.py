# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Samples `silero_vad` and `silero_stream` keep the state of each stream, as the library fed step by step does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.samples.conftest import REPOSITORY, Sample
from workbench.server.model import Model

RATE = np.array([16000])
SAMPLES, BEFORE = 512, 64


def stream(seed: int, frames: int = 12) -> np.ndarray[Any, Any]:
    """Something like speech: harmonics of a wandering pitch with pauses, in frames."""
    generator = np.random.default_rng(seed)
    time = np.arange(frames * SAMPLES) / 16000
    pitch = 120 + 60 * seed + 20 * np.sin(2 * np.pi * 3 * time)
    phase = 2 * np.pi * np.cumsum(pitch) / 16000
    voice = sum(np.sin(k * phase) / k for k in range(1, 12)) * (np.sin(2 * np.pi * 2 * time) > -0.3)
    return (0.2 * voice + 0.01 * generator.standard_normal(time.size)).astype(np.float32).reshape(frames, SAMPLES)


def with_context(sound: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """Each frame with the end of the one before."""
    before = np.vstack([np.zeros((1, BEFORE), np.float32), sound[:-1, -BEFORE:]])
    return [row[np.newaxis] for row in np.hstack([before, sound])]


def step_by_step(sound: np.ndarray[Any, Any]) -> list[float]:
    """What the library says of a stream."""
    onnxruntime = pytest.importorskip("onnxruntime")
    path = REPOSITORY / "silero_vad/1/model.onnx"
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    state, found = np.zeros((2, 1, 128), np.float32), []
    for frame in with_context(sound):
        output, state = session.run(None, {"input": frame, "state": state, "sr": np.array(16000)})
        found.append(float(output[0, 0]))
    return found


def interleaved(model: Model, tensor: str, output: str, rate: str, streams: list[list[Any]]) -> list[list[float]]:
    """What the model says of several streams of which it gets a frame each in turns."""
    found: list[list[float]] = [[] for _ in streams]
    for index, frames in enumerate(zip(*streams, strict=True)):
        for number, frame in enumerate(frames):
            place = wb.Sequence(number + 1, start=index == 0, end=index == len(streams[0]) - 1)
            reply = model.infer({tensor: frame, rate: RATE}, sequence=place)
            found[number].append(float(reply[output][0, 0]))
    return found


def test_two_interleaved_streams_give_what_each_gives_alone(sample: Sample) -> None:
    model = sample("silero_vad")
    sounds = [stream(1), stream(2)]
    found = interleaved(model, "input", "output", "sr", [with_context(sound) for sound in sounds])
    expected = [step_by_step(sound) for sound in sounds]
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert np.ptp(expected) > 0.1, "the streams say too little to tell states apart"


def test_a_stream_that_starts_again_forgets(sample: Sample) -> None:
    model = sample("silero_vad")
    frames = [with_context(stream(1))]
    assert interleaved(model, "input", "output", "sr", frames) == interleaved(model, "input", "output", "sr", frames)


def test_frames_are_joined_by_the_ensemble(sample: Sample) -> None:
    model = sample("silero_stream")
    sounds = [stream(1), stream(3), stream(2)]
    streams = [[frame[np.newaxis] for frame in sound] for sound in sounds]
    found = interleaved(model, "SOUND", "VOICE", "RATE", streams)
    np.testing.assert_allclose(found, [step_by_step(sound) for sound in sounds], atol=1e-6)
