# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a package is made of agrees with itself: versions, extras, pins, licences, cibuildwheel's settings."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

EXTRAS = {"lab", "onnx", "jax", "cuda12", "cuda13", "tune", "peer", "all"}
PYTHONS = ("3.11", "3.12", "3.13")


@pytest.fixture(scope="module")
def project(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text())


def requirements(lines: list[str]) -> dict[str, Requirement]:
    return {found.name.lower(): found for line in lines for found in (Requirement(line),)}


def test_every_file_tells_the_same_version(project: dict[str, Any], root: Path) -> None:
    version = project["project"]["version"]
    assert f"\nversion: {version}\n" in (root / "CITATION.cff").read_text()
    headings = re.findall(
        r"^## \[([\d.]+)\] - (unreleased|\d{4}-\d\d-\d\d)$", (root / "CHANGELOG.md").read_text(), re.MULTILINE
    )
    assert headings[0][0] == version
    assert [Version(number) for number, _ in headings] == sorted(
        (Version(number) for number, _ in headings), reverse=True
    )


def test_extras_are_there_and_on_the_page(project: dict[str, Any], root: Path) -> None:
    extras = project["project"]["optional-dependencies"]
    assert extras.keys() >= EXTRAS
    page = (root / "docs/how-to/install.md").read_text()
    assert not {extra for extra in extras if f"`{extra}`" not in page}


def test_errors_name_extras_that_are_there(project: dict[str, Any], root: Path) -> None:
    sources = "\n".join(path.read_text() for path in (root / "workbench").rglob("*.py"))
    named = set(re.findall(r'extra="(\w+)"', sources)) | set(re.findall(r"workbench-serving\[(\w+)\]", sources))
    assert named
    assert named <= project["project"]["optional-dependencies"].keys()


def test_binder_pins_versions_that_the_package_allows(project: dict[str, Any], root: Path) -> None:
    pins = requirements(
        [line for line in (root / "binder/requirements.txt").read_text().splitlines() if line[0] != "#"]
    )
    assert all(str(pin.specifier).startswith("==") for pin in pins.values())
    wanted = project["project"]["dependencies"] + project["project"]["optional-dependencies"]["lab"]
    for name, requirement in requirements(wanted).items():
        assert name in pins, f"binder/requirements.txt pins no {name}"
        (pin,) = pins[name].specifier
        assert requirement.specifier.contains(pin.version), name


def test_binder_asks_for_a_python_that_the_package_runs_on(root: Path) -> None:
    assert (root / "binder/runtime.txt").read_text().strip() in {f"python-{version}" for version in PYTHONS}
    subprocess.run(["bash", "-n", root / "binder/postBuild"], check=True)


def test_binder_installs_what_a_build_asks_for(root: Path) -> None:
    script = (root / "tools/system_packages.sh").read_text()
    wanted = set(
        re.findall(r"^  want (\S+)", script[script.index("want_build()") : script.index("want_test()")], re.MULTILINE)
    )
    of_the_image = {"python3-venv", "python3-dev"}
    assert set((root / "binder/apt.txt").read_text().split()) >= wanted - of_the_image


def test_wheels_are_built_for_the_pythons_that_are_promised(project: dict[str, Any], root: Path) -> None:
    settings = project["tool"]["cibuildwheel"]
    promised = [f"cp{version.replace('.', '')}-manylinux_x86_64" for version in PYTHONS]
    assert settings["build"] == promised
    classifiers = project["project"]["classifiers"]
    assert not [version for version in PYTHONS if f"Programming Language :: Python :: {version}" not in classifiers]
    command = [
        sys.executable,
        "-m",
        "cibuildwheel",
        "--platform",
        "linux",
        "--archs",
        "x86_64",
        "--print-build-identifiers",
        root,
    ]
    pytest.importorskip("cibuildwheel", reason="cibuildwheel is not installed: make dist")
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told.split() == promised


def test_the_bundled_are_named_with_their_licences(root: Path) -> None:
    notices = (root / "THIRD-PARTY-NOTICES.txt").read_text()
    linked = (root / "native/src/endpoints/CMakeLists.txt").read_text()
    for name in ("nghttp2", "RapidJSON", "Boost", "pybind11"):
        assert name in notices
    found = set(re.findall(r"find_(?:package|path|library)\((\w+)", linked))
    known = {"Boost", "ZLIB", "RAPIDJSON_INCLUDE_DIR", "NGHTTP2_INCLUDE_DIR", "NGHTTP2_LIBRARY", "Python", "pybind11"}
    assert found <= known, "what a door links beside these needs its notice"
