# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from workbench.errors import NotFoundError, UnavailableError
from workbench.export import ModelVerdict, Verification, verify
from workbench.export.peer import unpacked_wheel
from workbench.export.verify import difference

ONE = {"OUT": np.array([1.0, np.nan], np.float32)}


@pytest.mark.parametrize(
    ("theirs", "said"),
    [
        ({"OUT": np.array([1.0, np.nan], np.float32)}, ""),
        ({"OUT": np.array([2.0, np.nan], np.float32)}, "other values"),
        ({"OUT": np.array([[1.0, np.nan]], np.float32)}, "shape"),
        ({"OTHER": ONE["OUT"]}, "other outputs"),
    ],
)
def test_a_difference_is_named(theirs, said):
    found = difference(ONE, theirs)
    assert said in found
    assert bool(found) is bool(said)


def test_texts_are_compared_by_value():
    words = {"OUT": np.array([b"a", b"b"], object)}
    assert difference(words, {"OUT": np.array([b"a", b"b"], object)}) == ""
    assert difference(words, {"OUT": np.array([b"a", b"c"], object)}) != ""


@pytest.mark.parametrize(
    ("ours", "real", "verified", "failed"),
    [
        ("answers", "answers the same", True, False),
        ("answers", "not tried: no wheel", False, False),
        ("answers", "OUT: other values", False, True),
        ("fails: x", "answers", False, True),
    ],
)
def test_a_server_that_can_not_be_had_is_neither_proof_nor_failure(ours, real, verified, failed, tmp_path):
    verification = Verification(tmp_path, (ModelVerdict("m", 3, ours, real),))
    assert (verification.is_verified, verification.has_failed) == (verified, failed)
    assert "m" in verification._repr_html_()


def test_a_folder_without_models_is_refused(tmp_path):
    with pytest.raises(NotFoundError, match="holds no model"):
        verify(tmp_path)


def test_the_real_server_is_not_fetched_unasked(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(UnavailableError, match="download=True"):
        unpacked_wheel(download=False)
