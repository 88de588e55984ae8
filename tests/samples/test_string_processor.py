# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Sample `string_processor` labels texts as its vocabulary adds up."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import workbench as wb
from tests.samples.conftest import REPOSITORY

WORDS = ["hello", "world", "triton", "Hello", "other"]


def label(text: str) -> str:
    lines = (REPOSITORY / "string_processor/vocabulary.txt").read_text().splitlines()
    numbers = {word: int(number) for word, number in (line.split() for line in lines)}
    return "POSITIVE" if sum(numbers.get(word, 0) for word in text.split()) > 3 else "NEUTRAL"


def test_texts_get_the_labels_that_their_words_add_up_to(server: wb.Server) -> None:
    wb.build_backend("string_processor", (Path(__file__).parents[1] / "data/string_processor.cc").read_text())
    generator = np.random.default_rng(1)
    texts = [[" ".join(generator.choice(WORDS, size)) for size in range(6)] for _ in range(8)]
    reply = server.load("string_processor").infer({"INPUT_STRING": np.array(texts, object)})
    found = [[one.decode() for one in row] for row in reply["OUTPUT_LABEL"]]
    assert found == [[label(text) for text in row] for row in texts]
    assert {one for row in found for one in row} == {"POSITIVE", "NEUTRAL"}
