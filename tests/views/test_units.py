# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import json
import math
import shutil
import subprocess

import pytest

from workbench.views.esm import STATIC
from workbench.views.units import byte_size, duration, percent, three_digits

VALUES = [
    0.0,
    4.2e-8,
    1.25e-5,
    0.0018,
    0.123456,
    0.99996,
    0.9994,
    2.345,
    9.996,
    12.34,
    345.6,
    999.6,
    12_400.0,
    1.2e6,
    3e9,
]


def test_a_duration_has_a_unit_that_fits_and_three_digits_at_most():
    assert [duration(value) for value in VALUES[:6]] == ["0 ns", "42 ns", "12.5 µs", "1.8 ms", "123 ms", "1 s"]


def test_a_duration_that_is_not_known_is_a_dash():
    assert (duration(None), duration(math.nan)) == ("–", "–")


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_browser_writes_numbers_as_python_does():
    script = f"""import {{ byteSize, duration, percent, threeDigits }} from "{STATIC / "numbers.js"}";
    const values = {VALUES};
    console.log(JSON.stringify([duration, threeDigits, byteSize, percent].map((write) => values.map(write))));"""
    run = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    python = [[write(value) for value in VALUES] for write in (duration, three_digits, byte_size, percent)]
    assert json.loads(run.stdout) == python
