# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What `make dist-check` says of a wheel that is not whole."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).parents[2] / "tools"
NAME = "workbench_serving-0.1.0-cp312-cp312-manylinux_2_34_x86_64.whl"
LICENCES = "workbench_serving-0.1.0.dist-info/licenses/"
WHOLE = {
    "workbench/py.typed": "",
    "workbench/libtritonserver.so": "",
    "workbench/include/triton/core/tritonserver.h": "",
    "workbench_serving.libs/libnghttp2-24107c94.so.14.24.1": "",
    LICENCES + "LICENSE": "",
    LICENCES + "THIRD-PARTY-NOTICES.txt": "nghttp2 (libnghttp2), MIT",
}


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(TOOLS))
    return import_module("dist_check")


@pytest.fixture
def faults(tool: ModuleType, tmp_path: Path) -> Callable[..., list[str]]:
    def of(files: dict[str, str], name: str = NAME) -> list[str]:
        with zipfile.ZipFile(tmp_path / name, "w") as wheel:
            for path, text in files.items():
                wheel.writestr(path, text)
        return list(tool.faults_of_wheel(tmp_path / name))

    return of


def test_a_whole_wheel_has_no_fault(faults: Callable[..., list[str]]) -> None:
    assert faults(WHOLE) == []


@pytest.mark.parametrize("missing", [path for path in WHOLE if "libs" not in path])
def test_what_is_missing_is_named(faults: Callable[..., list[str]], missing: str) -> None:
    found = faults({path: text for path, text in WHOLE.items() if path != missing})
    assert found and Path(missing).name in found[0]


@pytest.mark.parametrize("path", ["tests/test_x.py", "workbench/core.cc", "workbench/__pycache__/x.pyc"])
def test_what_does_not_belong_there_is_named(faults: Callable[..., list[str]], path: str) -> None:
    assert faults({**WHOLE, path: ""}) == [f"{path} does not belong there"]


def test_a_bundled_library_without_a_notice_is_a_fault(faults: Callable[..., list[str]]) -> None:
    found = faults({**WHOLE, "workbench_serving.libs/libz-1234.so.1": ""})
    assert found == ["THIRD-PARTY-NOTICES.txt says nothing of libz-1234.so.1"]


def test_a_wheel_as_it_was_built_is_not_for_others(faults: Callable[..., list[str]]) -> None:
    found = faults(
        {path: text for path, text in WHOLE.items() if "libs" not in path}, NAME.replace("manylinux_2_34", "linux")
    )
    assert [fault.split(":")[0] for fault in found] == ["libnghttp2 is not bundled", "it is not for manylinux"]


def an_interpreter(folder: Path, version: str) -> str:
    """A program that says it is a Python of that version, under the name that all of them have."""
    program = folder / version / "python3"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho {version}\n")
    program.chmod(0o755)
    return str(program)


def test_a_wheel_is_tried_with_the_python_of_its_tag(tool: ModuleType, tmp_path: Path) -> None:
    pythons = [an_interpreter(tmp_path, version) for version in ("3.13", "3.99")]
    assert tool.interpreter_for(Path("w-0-cp399-cp399-x.whl"), pythons) == pythons[1]
    assert tool.interpreter_for(Path("w-0-cp398-cp398-x.whl"), pythons) == "python3.98"
    assert tool.interpreter_for(Path("w-0.tar.gz"), pythons) == sys.executable
