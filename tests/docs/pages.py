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
RECORDED: Final = """
with server.record("run.wbr"):
    wb.drive(model, inputs=inputs, rate=500, duration_s=0.2, repeats=0)
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
    "docs/how-to/observe-a-server.md": SERVED,
    "docs/how-to/open-the-doors.md": SERVED,
    "docs/how-to/record-and-replay.md": SERVED,
    "docs/reference/recording.md": SERVED + RECORDED,
    "docs/how-to/serve-onnx-models.md": PERCEPTRON,
    "docs/how-to/serve-sequences.md": TOTALS,
}
"""Code that a reader of the page would have run before, by page."""

SHORTER: Final = {"port=8001": "port=0", "port=8002": "port=0", "duration_s=30": "duration_s=0.5"}
"""What the pages say to people, and what tests do instead."""


def blocks(page: str, language: str) -> list[str]:
    """Fenced blocks of a page in that language, without what is shown alone."""
    return re.findall(rf"^```{re.escape(language)}\n(.*?)^```", PAGES[page], re.DOTALL | re.MULTILINE)


def pages_with(language: str) -> list[str]:
    """Pages that have such blocks."""
    return [page for page in PAGES if blocks(page, language)]


def runnable(page: str) -> str:
    """The page's Python, one block after the other."""
    code = "\n".join(blocks(page, "python"))
    for shown, run in SHORTER.items():
        code = code.replace(shown, run)
    return code
