# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The cases of `tests/data/config_rules.txt`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Outcome = Literal["accepted", "read", "load"]
STATUS: dict[Outcome, int] = {"accepted": 200, "read": 500, "load": 400}
BACKEND = 'backend: "echo"\n'
INPUT = 'input { name: "a" data_type: TYPE_FP32 dims: 1 }\n'
OUTPUT = 'output { name: "b" data_type: TYPE_FP32 dims: 1 }\n'
FILE = Path(__file__).resolve().parents[1] / "data" / "config_rules.txt"
_HEADING = re.compile(r"^== (\w+): (.*)\n", re.MULTILINE)


@dataclass(frozen=True)
class ConfigCase:
    """A configuration's text, and what becomes of it; `{n}` in it stands for the model's name."""

    name: str
    outcome: Outcome
    text: str

    def text_of(self, model: str) -> str:
        return self.text.replace("{n}", model)


def config_cases() -> list[ConfigCase]:
    _, *pieces = _HEADING.split(FILE.read_text())
    rows = zip(pieces[0::3], pieces[1::3], pieces[2::3], strict=True)
    return [ConfigCase(name, outcome, _whole(body.strip())) for outcome, name, body in rows]


def _whole(body: str) -> str:
    added = "" if re.search(r"\b(backend|platform):", body) else BACKEND
    added += "" if re.search(r"\binput [{\[]", body) else INPUT
    added += "" if re.search(r"\boutput [{\[]", body) else OUTPUT
    return f"{added}{body}\n"
