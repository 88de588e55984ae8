# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Python models in a process of their own: a crash is an error of the requests that it had, and of no other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from tests.python_models import DECOUPLED, DOUBLE, FLOATS, Load, body, eventually, loader
from workbench.errors import WorkbenchError

pytest.importorskip("workbench._native", reason="no core: make build")

ROW = np.ones((1, 2), np.float32)
CRASHES = {
    "os._exit(3)": r"exited with status 3",
    "os.kill(os.getpid(), 9)": r"was killed by signal 9 \(SIGKILL\)",
    "__import__('ctypes').string_at(0)": r"was killed by signal 11 \(SIGSEGV\)",
}
TELLING = "responses.append(answer(np.array([[os.getpid()]], np.float32)))"
CRASHING = "import os\n" + body(f"if x[0, 0] < 0: CRASH\n{TELLING}")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[wb.Server]:
    with wb.Server(tmp_path, name="isolation") as server:
        yield server


@pytest.fixture
def load(server: wb.Server, tmp_path: Path) -> Load:
    return loader(server, tmp_path, "process")


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("crash", CRASHES, ids=("exit", "kill", "segfault"))
def test_a_crash_is_the_error_of_its_requests_and_the_process_starts_anew(load: Load, crash: str) -> None:
    model = load(CRASHING.replace("CRASH", crash))
    first = model.infer({"IN": ROW})["OUT"][0, 0]
    for _ in range(2):
        with pytest.raises(wb.InternalError, match=f"execute: the model's process {CRASHES[crash]}"):
            model.infer({"IN": -ROW})
        assert model.infer({"IN": ROW})["OUT"][0, 0] not in (first, os.getpid())


def test_a_crash_loses_no_request_of_another_model(load: Load) -> None:
    crashing = load(CRASHING.replace("CRASH", "os._exit(1)"))
    other = load(DOUBLE, name="other")
    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(other.infer, {"IN": ROW}) for _ in range(200)]
        for _ in range(2):
            with pytest.raises(wb.InternalError):
                crashing.infer({"IN": -ROW})
        assert all(answer.result()["OUT"][0, 0] == 2 for answer in answers)


def test_a_process_that_is_killed_while_it_waits_costs_no_request(load: Load) -> None:
    model = load(CRASHING)
    pid = int(model.infer({"IN": ROW})["OUT"][0, 0])
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: not is_running(pid))
    assert int(model.infer({"IN": ROW})["OUT"][0, 0]) != pid


def test_what_was_to_be_answered_by_a_sender_ends_with_the_process(load: Load) -> None:
    code = """
import os
class TritonPythonModel:
    def execute(self, requests):
        self.senders = [request.get_response_sender() for request in requests]
        threading.Timer(0.05, os._exit, (5,)).start()
"""
    with pytest.raises(wb.InternalError, match="process exited with status 5 before it answered"):
        list(load(code, DECOUPLED).stream({"IN": ROW[0]}))


def test_a_model_that_crashes_at_its_start_can_not_be_loaded(load: Load) -> None:
    with pytest.raises(WorkbenchError, match="the model's process exited with status 7"):
        load("import os; os._exit(7)\n")


def test_instances_have_a_process_each_which_ends_with_the_model(load: Load, server: wb.Server) -> None:
    slow = "import os, time\n" + body(f"time.sleep(0.02)\n{TELLING}")
    model = load(slow, FLOATS + "max_batch_size: 8 instance_group { count: 2 }")
    with ThreadPoolExecutor(4) as pool:
        pids = {int(each["OUT"][0, 0]) for each in pool.map(lambda _: model.infer({"IN": ROW}), range(12))}
    assert len(pids) == 2
    server.close()
    assert not any(is_running(pid) for pid in pids)


def test_inputs_that_a_model_keeps_are_not_overwritten(load: Load) -> None:
    code = """
class TritonPythonModel:
    def initialize(self, args):
        self.kept = []
    def execute(self, requests):
        self.kept.append(requests[0].inputs()[0].as_numpy()[:, ::2])
        total = sum(float(array.max()) for array in self.kept)
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUT", np.array([[total]], np.float32))])]
"""
    model = load(code)
    totals = [model.infer({"IN": np.full((1, 5000), value, np.float32)})["OUT"][0, 0] for value in range(6)]
    assert totals == [0, 1, 3, 6, 10, 15]


def test_a_process_ends_when_its_server_is_killed(tmp_path: Path) -> None:
    (tmp_path / "m" / "1").mkdir(parents=True)
    (tmp_path / "m" / "1" / "model.py").write_text(
        "import os, pb_utils\nclass TritonPythonModel:\n    def initialize(self, args):\n"
        "        print(os.getpid(), flush=True)\n    def execute(self, requests):\n        pass\n"
    )
    told = 'parameters { key: "isolation" value { string_value: "process" } }'
    (tmp_path / "m" / "config.pbtxt").write_text(f'backend: "python" {FLOATS} {told}')
    code = f"import workbench as wb, sys\nserver = wb.Server({str(tmp_path)!r})\nserver.load('m')\nsys.stdin.read()"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], stdout=pipe, stdin=pipe, text=True) as kernel:
        assert kernel.stdout
        pid = int(kernel.stdout.readline())
        assert is_running(pid)
        kernel.kill()
        eventually(lambda: not is_running(pid))
