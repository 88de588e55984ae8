# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import re
import shutil
import subprocess

import pytest

from workbench.views import esm


def test_the_module_stands_alone():
    text = esm.module()
    assert not re.search(r"^import ", text, re.MULTILINE)
    assert re.findall(r"^export .*$", text, re.MULTILINE) == ["export default { initialize, render };"]


def test_every_source_is_in_it_once():
    named = re.findall(r"^// --- (\S+)$", esm.module(), re.MULTILINE)
    assert sorted(named) == sorted(path.name for path in esm.STATIC.glob("*.js"))


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_a_browser_can_read_it(tmp_path):
    path = tmp_path / "dashboard.mjs"
    path.write_text(esm.module())
    run = subprocess.run(["node", "--check", str(path)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
