# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Sample `magika` says of each file what the package that the model comes with says."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model_repository import fetch
from tests.samples.conftest import Sample

ROOT = Path(__file__).parents[2]
FILES = (
    "README.md", "pyproject.toml", "Makefile", ".ci/run", "docs/pictures/dashboard.png", "docs/pictures/dashboard.svg",
    "notebooks/01_quickstart.ipynb", "native/src/base/log.cc", "workbench/server/model.py", "LICENSE",
    "model_repository/silero_vad/1/model.onnx", "model_repository/identity/config.pbtxt",
)  # fmt: skip
TEXT = "Grüße aus dem Kernel. " * 300
CONTENTS = (
    b"", b"abc", b"\xff\xfe\xfd", b"12345678", b"        ", b" " * 5000, b" " * 5000 + b"tail", b"\n\t x = 1 \v\f",
    "äöü".encode(), b"\xed\xa0\x80", b"\xc0\x80ab", b"\xf4\x90\x80\x80", b"  \xe2\x82  ", "日本".encode(),
    TEXT.encode(), TEXT.encode()[:4096], (" " * 4090 + "日本語の文章").encode(), bytes(range(256)) * 20,
    np.random.default_rng(1).integers(0, 256, 5000, np.uint8).tobytes(), b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
    Path(sys.executable).read_bytes(), b"<html><body><p>hello</p></body></html>", b"a,b\n1,2\n3,4\n" * 50,
    b"\x1f\x8b\x08\x00" + bytes(100), b"SELECT name FROM models WHERE id = 1;\n",
)  # fmt: skip


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The `magika` package of the wheel, without its dependencies."""
    folder = tmp_path_factory.mktemp("magika")
    try:
        wheel = fetch.download(fetch.MAGIKA, folder)
    except subprocess.CalledProcessError as exc:
        pytest.skip(f"the wheel of magika can not be downloaded: {exc}")
    zipfile.ZipFile(wheel).extractall(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield pytest.importorskip("magika").Magika()


def test_files_get_the_label_that_the_package_gives_them(sample: Sample, package: Any) -> None:
    model = sample("magika")
    contents = [*CONTENTS, *((ROOT / name).read_bytes() for name in FILES if (ROOT / name).exists())]
    replies = [model.infer({"CONTENT": [[content]]}) for content in contents]
    told = [package.identify_bytes(content) for content in contents]
    expected = [str(one.output.label) for one in told]
    assert [reply["LABEL"][0, 0].decode() for reply in replies] == expected
    np.testing.assert_allclose([reply["SCORE"][0, 0] for reply in replies], [one.score for one in told], atol=1e-5)
    # Together they get the same labels; the library's own scores of a batch are a little others than those of one.
    together = model.infer({"CONTENT": np.array(contents, object).reshape(-1, 1)})
    assert [label.decode() for label in together["LABEL"][:, 0]] == expected
    assert len(set(expected)) > 12


def test_files_that_are_sent_one_by_one_run_together(sample: Sample) -> None:
    from concurrent.futures import ThreadPoolExecutor

    model = sample("magika")
    model.infer({"CONTENT": [[b"warm"]]})
    contents = [f"def f{i}(x):\n    return x + {i}\n".encode() for i in range(12)]
    with ThreadPoolExecutor(len(contents)) as pool:
        labels = pool.map(lambda content: model.infer({"CONTENT": [[content]]})["LABEL"][0, 0], contents)
    assert set(labels) == {b"python"}
