# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The thread of a dashboard ends before the interpreter does."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import atexit, threading, time
from workbench.views.credit import Credit
from workbench.views.pump import Pump

sent = threading.Event()
pump = Pump(lambda is_thinned: sent.set(), Credit(frames_per_s=30, now_s=time.monotonic()))
atexit.register(lambda: print("running" if pump.is_running else "ended"))  # handlers run last one first
pump.start()
assert sent.wait(20)
"""


def test_a_pump_that_nobody_stopped_ends_with_the_process() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "ended"), done.stderr
