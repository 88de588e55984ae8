# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Backend `python`: a model.py is completed and served."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.python_models import DOUBLE, FLOATS, HEAD, ROW, Load, body, loader
from workbench.errors import WorkbenchError

pytest.importorskip("workbench._native", reason="no core: make build")


class TestServing:
    def test_answers_what_the_model_computes(self, load: Load) -> None:
        np.testing.assert_array_equal(load(DOUBLE).infer({"IN": ROW})["OUT"], ROW * 2)

    def test_a_configuration_needs_nothing_that_the_model_tells(self, server: wb.Server, tmp_path: Path) -> None:
        code = """
class TritonPythonModel:
    @staticmethod
    def auto_complete_config(config):
        config.add_input({"name": "IN", "data_type": "TYPE_INT32", "dims": [2], "optional": True})
        config.add_output({"name": "OUT", "data_type": "TYPE_INT32", "dims": [2]})
        config.set_max_batch_size(16)
        config.set_dynamic_batching()
        return config
    def execute(self, requests):
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUT", r.inputs()[0].as_numpy())]) for r in requests]
"""
        (tmp_path / "auto" / "1").mkdir(parents=True)
        (tmp_path / "auto" / "1" / "model.py").write_text(HEAD + code)
        model = server.load("auto")
        config = wb.parse_config(model.config)
        assert config.max_batch_size == 16
        assert config.input[0].optional
        assert config.HasField("dynamic_batching")
        assert model.infer({"IN": np.array([[1, 2]], np.int32)})["OUT"].tolist() == [[1, 2]]

    def test_initialize_is_told_whom_it_works_for(self, load: Load, tmp_path: Path) -> None:
        code = """
class TritonPythonModel:
    def initialize(self, args):
        config = json.loads(args["model_config"])
        assert pb_utils.get_input_config_by_name(config, "IN")["data_type"] == "TYPE_FP32"
        assert pb_utils.get_output_config_by_name(config, "NONE") is None
        assert not pb_utils.using_decoupled_model_transaction_policy(config)
        assert pb_utils.get_model_dir().endswith("/m/1"), pb_utils.get_model_dir()
        self.args = {key: value for key, value in args.items() if key != "model_config"}
    def execute(self, requests):
        told = json.dumps(self.args).encode()
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUT", np.array([told]))]) for r in requests]
"""
        config = FLOATS.replace('"OUT" data_type: TYPE_FP32', '"OUT" data_type: TYPE_STRING')
        model = load(code, config)
        assert eval(model.infer({"IN": ROW[0]})["OUT"][0]) == {
            "model_instance_kind": "CPU",
            "model_instance_name": "m_0",
            "model_instance_device_id": "0",
            "model_repository": str(tmp_path / "m"),
            "model_version": "1",
            "model_name": "m",
        }

    @pytest.mark.parametrize(
        "array",
        [
            np.array([True, False]),
            *(np.array([1, 2], kind) for kind in ("u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8")),
            np.array([b"a", b"", "ü".encode(), b"with\0null"], object),
            np.zeros((0,), np.float32),
            np.ones((3, 70, 50), np.float64),
        ],
        ids=lambda array: f"{array.dtype}{list(array.shape)}",
    )
    def test_every_type_passes_unchanged(self, load: Load, array: np.ndarray[Any, Any]) -> None:
        kind = {"bool": "BOOL", "object": "STRING"}.get(array.dtype.name)
        kind = kind or array.dtype.name.upper().replace("FLOAT", "FP")
        dims = ", ".join(["-1"] * array.ndim)
        tensors = f'[ {{ name: "%s" data_type: TYPE_{kind} dims: [ {dims} ] }} ]'
        model = load(body("responses.append(answer(x))"), f"input {tensors % 'IN'} output {tensors % 'OUT'}")
        reply = model.infer({"IN": array})["OUT"]
        assert reply.dtype == array.dtype
        np.testing.assert_array_equal(reply, array)

    def test_arrays_of_any_layout_and_of_texts_are_sent(self, load: Load) -> None:
        model = load(body("responses.append(answer(x.T[::-1].astype('>f4')))"), FLOATS.replace("-1", "-1, -1"))
        given = np.arange(6, dtype=np.float32).reshape(2, 3)
        np.testing.assert_array_equal(model.infer({"IN": given})["OUT"], given.T[::-1])
        texts = FLOATS.replace('"OUT" data_type: TYPE_FP32', '"OUT" data_type: TYPE_STRING')
        model = load(body("responses.append(answer(np.array(['ü', 'b'])))"), texts)
        assert model.infer({"IN": ROW[0]})["OUT"].tolist() == ["ü".encode(), b"b"]

    def test_inputs_are_read_in_place_once_the_model_has_shown_that_it_keeps_none(
        self, server: wb.Server, tmp_path: Path
    ) -> None:
        model = loader(server, tmp_path)(body("responses.append(answer(np.array([[x.flags.owndata]], np.float32)))"))
        owned = [model.infer({"IN": np.ones((1, 10_000), np.float32)})["OUT"][0, 0] for _ in range(20)]
        assert owned == [1] * 16 + [0] * 4

    def test_statistics_say_what_was_copied(self, load: Load) -> None:
        model = load(DOUBLE)
        model.infer({"IN": ROW})
        copies = model.statistics().copies
        assert copies["gathered"] == ROW.nbytes
        assert copies["scattered"] in (0, ROW.nbytes)

    def test_inputs_must_not_be_written_unless_they_are_copies(self, server: wb.Server, tmp_path: Path) -> None:
        load = loader(server, tmp_path)
        code = body("x += 1\nresponses.append(answer(x))")
        with pytest.raises(WorkbenchError, match=r'zero_copy to "never"\) \(.*model.py, line 13, in execute: x \+= 1'):
            load(code).infer({"IN": ROW})
        never = 'max_batch_size: 8 parameters { key: "zero_copy" value { string_value: "never" } }'
        given = np.ones((1, 10_000), np.float32)
        assert load(code, FLOATS + never).infer({"IN": given})["OUT"].max() == 2
        assert given.max() == 1

    def test_inputs_that_a_model_keeps_stay_as_they_were(self, load: Load) -> None:
        code = """
class TritonPythonModel:
    def initialize(self, args):
        self.kept = []
    def execute(self, requests):
        self.kept = [*self.kept, requests[0]][-2:]
        first = self.kept[0].inputs()[0].as_numpy()
        assert self.kept[0].request_id(), "what a kept request tells"
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUT", first[:, :4])]) for r in requests]
"""
        model = load(code)
        rows = [np.full((1, 5000), value, np.float32) for value in range(5)]
        answers = [model.infer({"IN": row}, request_id=f"r{row[0, 0]}")["OUT"][0, 0] for row in rows]
        assert answers == [0, 0, 1, 2, 3]

    def test_a_request_tells_what_it_was_asked_with(self, load: Load) -> None:
        code = body(
            """
            told = [request.request_id(), request.correlation_id(), request.flags(), request.timeout(),
                    request.priority(), json.loads(request.parameters()), request.requested_output_names(),
                    request.is_cancelled(), request.model_name()]
            responses.append(answer(np.array([json.dumps(told).encode()], object)))
            """
        )
        model = load(code, FLOATS.replace('"OUT" data_type: TYPE_FP32', '"OUT" data_type: TYPE_STRING'))
        reply = model.infer(
            {"IN": ROW[0]}, request_id="r1", priority=2, timeout_s=3, parameters={"a": 1, "b": "x", "c": True}
        )
        told = ["r1", 0, 0, 3_000_000, 2, {"a": 1, "b": "x", "c": True}, ["OUT"], False, "m"]
        assert eval(reply["OUT"][0], {"true": True, "false": False}) == told

    def test_parameters_of_a_response_reach_the_caller(self, load: Load) -> None:
        code = body("responses.append(answer(x, parameters={'text': 'a', 'number': 1, 'flag': True, 'share': 0.5}))")
        assert load(code).infer({"IN": ROW}).parameters == {"text": "a", "number": 1, "flag": True, "share": 0.5}

    def test_coroutines_are_awaited(self, load: Load) -> None:
        code = "import asyncio\n" + DOUBLE.replace("    def execute", "    async def execute").replace(
            "        responses = []", "        responses = []\n        await asyncio.sleep(0)"
        )
        np.testing.assert_array_equal(load(code).infer({"IN": ROW})["OUT"], ROW * 2)

    def test_neighbouring_files_are_imported_and_not_confused(self, load: Load, tmp_path: Path) -> None:
        for name, factor in (("a", 3), ("b", 5)):
            (tmp_path / name / "1").mkdir(parents=True)
            (tmp_path / name / "1" / "helper.py").write_text(f"FACTOR = {factor}\n")
        models = [load("import helper\n" + body("responses.append(answer(x * helper.FACTOR))"), name=n) for n in "ab"]
        assert [model.infer({"IN": ROW})["OUT"][0, 1] for model in models] == [3, 5]

    def test_an_edited_file_is_what_runs_after_a_load(self, load: Load) -> None:
        for factor in range(2, 6):
            model = load(body(f"responses.append(answer(x * {factor}))"))
            assert model.infer({"IN": ROW})["OUT"][0, 1] == factor

    def test_dlpack_goes_both_ways(self, load: Load) -> None:
        code = body(
            """
            class Foreign:
                def __init__(self, tensor): self.tensor = tensor
                def __dlpack__(self, **kinds): return self.tensor.to_dlpack()
                def __dlpack_device__(self): return self.tensor.__dlpack_device__()
            there = np.from_dlpack(Foreign(request.inputs()[0]))
            back = pb_utils.Tensor.from_dlpack("OUT", there)
            assert np.shares_memory(back.as_numpy(), x) and back.is_cpu() and back.triton_dtype() == 11
            responses.append(pb_utils.InferenceResponse([back]))
            """
        )
        given = np.ones((1, 9000), np.float32)
        np.testing.assert_array_equal(load(code).infer({"IN": given})["OUT"], given)
