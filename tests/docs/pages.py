# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The pages of the documentation as tests read them: their blocks of code, and what each page takes for granted."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = {str(path.relative_to(ROOT)): path.read_text() for path in sorted((ROOT / "docs").rglob("*.md"))}
TENSORS: Final = """
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
"""
SERVED: Final = """
server = wb.Server("model_repository")
model = server.load("identity")
inputs = {"INPUT0": np.zeros((1, 16), np.float32)}
"""
COMPOSED: Final = """
made = '''name: "%s" backend: "synthetic" max_batch_size: 4 dynamic_batching { }
  input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
  output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]'''
step = '''step [ { model_name: "%s" model_version: -1
  input_map { key: "INPUT0" value: "%s" } output_map { key: "OUTPUT0" value: "%s" } } ]'''
for name in ("features", "magika_model"):
    server.load(name, config=made % name)
ensemble = server.load("magika", config='''name: "magika" platform: "ensemble" max_batch_size: 4
  input [ { name: "IN" data_type: TYPE_FP32 dims: [ 16 ] } ]
  output [ { name: "OUT" data_type: TYPE_FP32 dims: [ 16 ] } ]
  ensemble_scheduling { %s %s }''' % (step % ("features", "IN", "t"), step % ("magika_model", "t", "OUT")))
"""
RECORDED: Final = """
with server.record("run.wbr"):
    wb.drive(model, inputs=inputs, rate=500, duration_s=0.2, repeats=0)
"""
TIMES: Final = """
Path("times.txt").write_text("0.0\\n0.1\\n0.2\\n")
server.close()
"""
TOTALS: Final = """
server = wb.Server("model_repository")
cells = {cell.split()[1]: cell.split("\\n", 1)[1] for cell in BLOCKS["text"] if cell.startswith("%%")}
wb.build_backend("total", cells["total"])
server.load("totals", config=cells["totals"])
"""
PERCEPTRON: Final = """
import onnx
from onnx import TensorProto, helper

images = np.zeros((1, 4), np.float32)
sides = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", 4]) for name in ("data", "same")]
graph = helper.make_graph([helper.make_node("Identity", ["data"], ["same"])], "g", sides[:1], sides[1:])
Path("models/resnet/1").mkdir(parents=True)
opset = [helper.make_opsetid("", 17)]
onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=8), "models/resnet/1/model.onnx")
"""
TAKEN_FOR_GRANTED: Final = {
    "docs/explanation/simulating.md": SERVED + COMPOSED,
    "docs/how-to/measure.md": SERVED + RECORDED.replace("run.wbr", "monday.wbr") + TIMES,
    "docs/how-to/observe-a-server.md": SERVED,
    "docs/how-to/open-the-doors.md": SERVED,
    "docs/how-to/record-and-replay.md": SERVED,
    "docs/how-to/watch-a-model.md": SERVED + "one = other = model\n",
    "docs/reference/recording.md": SERVED + RECORDED,
    "docs/how-to/serve-onnx-models.md": PERCEPTRON,
    "docs/how-to/serve-sequences.md": TOTALS,
}
"""Code that a reader of the page would have run before, by page."""

READ_ALONE: Final = {
    "docs/explanation/tuning.md": {0},  # takes minutes
    "docs/how-to/observe-a-server.md": {0},  # its server would end the one that the rest of the page observes
    "docs/how-to/measure.md": {2, 3},  # models and servers that only the reader has
}
"""Blocks that are compiled and not run, by page."""

SHORTER: Final = {
    "port=8001": "port=0",
    "port=8002": "port=0",
    "duration_s=30": "duration_s=0.5",
    "duration_s=2)": "duration_s=0.1)",
    "rate=2000)": "rate=2000, requests=99)",
    "concurrency=32)": "concurrency=32, requests=99)",
    "variation=3)": "variation=3, requests=50)",
    "dwell_s=0.2)": "dwell_s=0.2, requests=50)",
}
"""What the pages say to people, and what tests do instead."""


def blocks(page: str, language: str) -> list[str]:
    """Fenced blocks of a page in that language, without what is shown alone."""
    return re.findall(rf"^```{re.escape(language)}\n(.*?)^```", PAGES[page], re.DOTALL | re.MULTILINE)


def pages_with(language: str) -> list[str]:
    """Pages that have such blocks."""
    return [page for page in PAGES if blocks(page, language)]


def runnable(page: str) -> str:
    """The page's Python, one block after the other."""
    skipped = READ_ALONE.get(page, set())
    code = "\n".join(block for index, block in enumerate(blocks(page, "python")) if index not in skipped)
    for shown, run in SHORTER.items():
        code = code.replace(shown, run)
    return code
