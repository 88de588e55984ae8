# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The functions of the C interface, and what to say of one that does not exist."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from workbench.build.installation import include_dir

_NAME: Final = re.compile(r"\bTRITON(?:SERVER|BACKEND|CACHE)_[A-Z][A-Za-z0-9]*\b")
_FUNCTION: Final = re.compile(r"\b(TRITON(?:SERVER|BACKEND|CACHE)_[A-Z][A-Za-z0-9]*)\s*\(")

_CIRCULATING: Final[Mapping[str, str]] = {
    "TRITONBACKEND_BackendCreate": "write TRITONBACKEND_Initialize",
    "TRITONBACKEND_ModelCreate": "write TRITONBACKEND_ModelInitialize",
    "TRITONBACKEND_ModelExecute": "write TRITONBACKEND_ModelInstanceExecute",
    "TRITONBACKEND_RequestCount": "the number of requests is the last argument of TRITONBACKEND_ModelInstanceExecute",
    "TRITONBACKEND_ModelRequests": "the requests are an argument of TRITONBACKEND_ModelInstanceExecute",
    "TRITONBACKEND_RequestResponse": "write TRITONBACKEND_ResponseNew",
    "TRITONBACKEND_ModelInstanceModelPath": "write TRITONBACKEND_ModelRepository, with the model of "
    "TRITONBACKEND_ModelInstanceModel",
}
"""Names that circulate in tutorials and exist in no version of the interface."""


@cache
def interface_functions(headers: Path) -> frozenset[str]:
    """The names of all functions that the interface headers in `headers` declare."""
    texts = (path.read_text(encoding="utf-8") for path in sorted((headers / "triton/core").glob("*.h")))
    return frozenset(name for text in texts for name in _FUNCTION.findall(text))


@cache
def _words(headers: Path) -> frozenset[str]:
    """Every name of the interface: functions, types, values."""
    texts = (path.read_text(encoding="utf-8") for path in sorted((headers / "triton/core").glob("*.h")))
    return frozenset(word for text in texts for word in re.findall(r"\bTRITON\w+", text))


def suggestion_for(name: str) -> str:
    """What to write instead of an interface function that does not exist; empty where nothing comes near."""
    known = interface_functions(include_dir())
    if name in known or not _NAME.fullmatch(name):
        return ""
    if name in _CIRCULATING:
        return f"there is no such function: {_CIRCULATING[name]}"
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
    return f"did you mean {near[0]}?" if near else ""


def unknown_calls(text: str) -> Iterator[tuple[int, str]]:
    """Line (from 1) and name of each call or definition in `text` that looks like the interface's and is not."""
    known = _words(include_dir())
    for number, line in enumerate(text.splitlines(), start=1):
        code = line.split("//", 1)[0]
        yield from ((number, name) for name in _FUNCTION.findall(code) if name not in known)


def names_in(message: str) -> list[str]:
    """The interface names that a message mentions."""
    return _NAME.findall(message)
