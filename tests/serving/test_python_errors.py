# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Backend `python`: what is wrong with a model is told, with the line of its code."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from tests.python_models import DOUBLE, FLOATS, ROW, Load, body, eventually, loader, parameter
from workbench.errors import WorkbenchError

pytest.importorskip("workbench._native", reason="no core: make build")

EXECUTE = "    def execute(self, requests): pass\n"
ADDS = "        c.add_input({'name': 'IN', 'data_type': 'TYPE_INT8', 'dims': [1]})\n"


class TestErrors:
    @pytest.mark.parametrize(
        ("code", "told"),
        [
            ("def broken(:\n", r"SyntaxError: .*model.py, line 5"),
            ("import no_such_module\n", r"No module named 'no_such_module'.*model.py, line 5"),
            ("1 / 0\n", r"ZeroDivisionError: .*model.py, line 5"),
            ("class Other: pass\n", r"no class TritonPythonModel; it has Other"),
            ("class TritonPythonModel: pass\n", r"no method execute\(self, requests\)"),
            (
                f"class TritonPythonModel:\n    def initialize(self, args): raise ValueError('no weights')\n{EXECUTE}",
                r"initialize: ValueError: no weights \(.*model.py, line 6, in initialize",
            ),
            (
                f"class TritonPythonModel:\n    @staticmethod\n    def auto_complete_config(c): pass\n{EXECUTE}",
                r"auto_complete_config returns the configuration it was given, and not NoneType",
            ),
            (
                f"class TritonPythonModel:\n    @staticmethod\n    def auto_complete_config(c):\n{ADDS}{EXECUTE}",
                r"configuration has data_type TYPE_FP32, and the model tells TYPE_INT8.*line 8",
            ),
        ],
        ids=("syntax", "import", "module", "class", "execute", "initialize", "completes-none", "contradicts"),
    )
    def test_what_is_wrong_at_a_load_is_told_with_its_line(self, load: Load, code: str, told: str) -> None:
        with pytest.raises(WorkbenchError, match=told):
            load(code)

    def test_a_file_that_is_not_there_is_named(self, server: wb.Server, tmp_path: Path) -> None:
        (tmp_path / "none" / "1").mkdir(parents=True)
        (tmp_path / "none" / "config.pbtxt").write_text(f'backend: "python"\n{FLOATS}')
        with pytest.raises(WorkbenchError, match=r"no file .*/none/1/model.py"):
            server.load("none")

    @pytest.mark.parametrize(
        ("code", "told"),
        [
            (body("raise RuntimeError('bad row')"), r"execute: RuntimeError: bad row \(.*model.py, line 13, in exec"),
            (body("raise SystemExit(3)"), r"execute: SystemExit: 3"),
            (body("pass"), r"execute returned 0 responses for 1 requests"),
            (body("responses.append(x)"), r"returned .*ndarray among its responses"),
            (body("responses.append(None)"), r"None was returned for a request that has no response sender"),
            (body("return 5"), r"execute returned int: a list is needed"),
            (body("responses.append(answer(x, 'OUTPUT'))"), r"no output 'OUTPUT' is in the configuration; it has OUT"),
            (body("responses.append(answer(x.astype('f8')))"), r"output 'OUT' is FP64, and the configuration .* FP32"),
            (body("responses.append(answer(x.astype('c8')))"), r"'OUT'.* an array of complex64"),
            (body("responses.append(answer([1.0]))"), r"needs a numpy array, and list was given.*line 9"),
            (body("raise pb_utils.TritonModelException('as told')"), r"TritonModelException: as told"),
        ],
        ids=lambda value: value if isinstance(value, str) and "execute" in value and "class" not in value else "",
    )
    def test_what_is_wrong_in_an_execution_is_told(self, load: Load, code: str, told: str) -> None:
        model = load(code)
        with pytest.raises(WorkbenchError, match=told):
            model.infer({"IN": ROW})

    def test_an_error_of_one_response_has_its_code_and_leaves_the_others(self, load: Load) -> None:
        code = body(
            """
            if x[0, 0] < 0:
                error = pb_utils.TritonError("negative", pb_utils.TritonError.INVALID_ARG)
                responses.append(pb_utils.InferenceResponse(error=error))
            else:
                responses.append(answer(x))
            """
        )
        model = load(code, FLOATS + "max_batch_size: 8 dynamic_batching { max_queue_delay_microseconds: 200000 }")
        with ThreadPoolExecutor(2) as pool:
            good = pool.submit(model.infer, {"IN": ROW})
            with pytest.raises(wb.InvalidArgumentError, match="negative"):
                model.infer({"IN": ROW - 1})
        np.testing.assert_array_equal(good.result()["OUT"], ROW)
        assert model.statistics().execution_count == 1

    def test_a_finalize_that_raises_is_logged_and_the_model_goes(
        self, load: Load, server: wb.Server, caplog: pytest.LogCaptureFixture
    ) -> None:
        load(DOUBLE + "    def finalize(self):\n        raise OSError('no disk')\n")
        server.unload("m")
        server.close()
        # Messages of the core come to the log by a thread of their own.
        eventually(lambda: any("finalize: OSError: no disk" in record.getMessage() for record in caplog.records))

    def test_an_environment_of_another_python_is_refused(self, load: Load) -> None:
        with pytest.raises(WorkbenchError, match="EXECUTION_ENV_PATH names another Python environment"):
            load(DOUBLE, FLOATS + parameter("EXECUTION_ENV_PATH", "/env.tar.gz"))

    def test_an_unknown_isolation_is_refused(self, server: wb.Server, tmp_path: Path) -> None:
        with pytest.raises(WorkbenchError, match="isolation is 'container'"):
            loader(server, tmp_path, "container")(DOUBLE)
