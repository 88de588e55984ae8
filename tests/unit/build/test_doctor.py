# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from workbench.build import doctor


def test_every_subject_is_told_once() -> None:
    subjects = [finding.subject for finding in doctor.toolchain_report()]
    assert len(subjects) == len(set(subjects))
    assert {"CUDA compiler", "addr2line", "gdb", "sanitizers", "interface headers", "built backends"} <= set(subjects)


def test_what_is_missing_is_told_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "probe", lambda _: None)
    monkeypatch.setattr(doctor, "addr2line", lambda: None)
    found = {finding.subject: finding for finding in doctor.toolchain_report()}
    assert found["C++ compiler"].state == "missing"
    assert "apt install g++" in found["C++ compiler"].detail
    assert "binutils" in found["addr2line"].detail
