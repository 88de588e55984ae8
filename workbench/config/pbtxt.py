# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Reads `config.pbtxt` text; what is not legal is told with its line, its column and what would be."""

from __future__ import annotations

import re
from typing import Final, NoReturn

from google.protobuf import text_format

from workbench.config.message import ModelConfig
from workbench.config.mistakes import Advice, advise
from workbench.config.outline import Outline
from workbench.config.portable import foreign_spellings
from workbench.config.reader import Expectation, parse_message
from workbench.config.validate import FILE_RULES, as_error, broken_rules
from workbench.errors import ConfigError

_POSITION: Final = re.compile(r"^\d+:\d+ : ('.*?': )?", re.DOTALL)


def parse_config(text: str, *, source: str = "config.pbtxt", first_line: int = 1) -> ModelConfig:
    """The configuration that `text` spells.

    Judges syntax, names, values and every rule that holds before the configuration is completed; `validate` judges
    the completed one.

    >>> parse_config('name: "m" max_batch_size: 8').max_batch_size
    8
    >>> parse_config('name: "m" max_batchsize: 8')
    Traceback (most recent call last):
        ...
    workbench.errors.ConfigError: ...did you mean max_batch_size?...

    Args:
        text: text of a `config.pbtxt`.
        source: name of the file or cell, for messages.
        first_line: number of the text's first line in its source.

    Raises:
        ConfigError: with line, column and suggestion.
    """
    config = read_text(text, source=source, first_line=first_line)
    outline = Outline(text)
    problems = [*foreign_spellings(outline), *broken_rules(config, FILE_RULES)]
    if problems:
        raise as_error(problems[0], locate=outline.locate, source=source, first_line=first_line, text=text)
    return config


def read_text(text: str, *, source: str = "config.pbtxt", first_line: int = 1) -> ModelConfig:
    """The message that `text` spells: judges its syntax and its names, and no rule beyond; raises ConfigError."""
    config = ModelConfig()
    try:
        parse_message(text, config)
    except text_format.ParseError as refusal:
        _explain(refusal, text, source, first_line)
    return config


def _explain(refusal: text_format.ParseError, text: str, source: str, first_line: int) -> NoReturn:
    line, column = refusal.GetLine() or 1, refusal.GetColumn() or 1
    expected = _expectation(Outline(text), refusal)
    advice = advise(expected) if expected else None
    if advice and advice.at:
        line, column = advice.at.line, advice.at.column
    advice = advice or Advice(_POSITION.sub("", str(refusal)))
    raise ConfigError(
        advice.message,
        line=line + first_line - 1,
        column=column,
        suggestion=advice.suggestion,
        path=expected.field.name if expected and expected.field else "",
        source=source,
        stage="read",
        excerpt=text.split("\n")[line - 1].rstrip("\r"),
    ) from refusal


def _expectation(outline: Outline, refusal: text_format.ParseError) -> Expectation | None:
    last = outline.last_expectation
    # A bracket that is never closed is refused at the last token of the text, not at its end.
    if last and not last.token.text and 'Expected "' in str(refusal):
        return last
    return outline.expectation_at(refusal.GetLine() or 1, refusal.GetColumn() or 1)
