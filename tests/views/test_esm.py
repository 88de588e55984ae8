# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import re
import shutil
import subprocess

import pytest

from workbench.views import esm

ENTRIES = ("dashboard.js", "player.js", "sweep.js", "memory_widget.js")


def test_the_module_stands_alone():
    text = esm.module()
    assert not re.search(r"^import ", text, re.MULTILINE)
    assert re.findall(r"^export .*$", text, re.MULTILINE) == ["export default { initialize, render };"]


def names_in(entry):
    return re.findall(r"^// --- (\S+)$", esm.module(entry), re.MULTILINE)


def test_every_source_is_in_a_module_and_once():
    modules = [names_in(entry) for entry in ENTRIES]
    assert all(len(names) == len(set(names)) for names in modules)
    assert set().union(*modules) == {path.name for path in esm.STATIC.glob("*.js")}


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_a_browser_can_read_it(tmp_path, entry):
    path = tmp_path / "module.mjs"
    path.write_text(esm.module(entry))
    run = subprocess.run(["node", "--check", str(path)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
