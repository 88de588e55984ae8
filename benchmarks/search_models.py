# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The models whose configurations `search_table.py` measures: two take a time they are told, three compute."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

import workbench as wb

WIDTH: Final = 768
DEEP: Final = (1024, 6)
"""Width and layers of the ONNX model: more weights than the caches of a small machine hold."""

_TENSORS: Final = """
max_batch_size: 32
input [ {{ name: "X" data_type: TYPE_FP32 dims: [ {width} ] }} ]
output [ {{ name: "Y" data_type: TYPE_FP32 dims: [ {width} ] }} ]
dynamic_batching {{ }}
instance_group [ {{ count: 1 kind: KIND_CPU }} ]
"""

# One pass over the weights serves all rows of a batch: what a batch shares is reading them.
_CELL: Final = """
#include <random>
#include <vector>
#include <workbench/backend.hpp>

struct Layer {
  static constexpr int64_t kWidth = 768, kBlock = 64;
  Layer() : weights(kWidth * kWidth) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0.0F, 0.03F);
    for (float& weight : weights) weight = normal(random);
  }
  void Execute(workbench::Batch& batch) {
    const auto x = batch.Gather<float>("X");
    const auto y = batch.Scatter<float>("Y", {kWidth});
    std::fill(y.begin(), y.end(), 0.0F);
    for (int64_t first = 0; first < kWidth; first += kBlock) {
      for (int64_t i = 0; i < kWidth; ++i) {
        const float* const weight = &weights[static_cast<size_t>(i * kWidth + first)];
        for (int64_t row = 0; row < batch.rows(); ++row) {
          const float factor = x.data()[row * kWidth + i];
          float* const to = y.data() + row * kWidth + first;
          for (int64_t j = 0; j < kBlock; ++j) to[j] += factor * weight[j];
        }
      }
    }
  }
  std::vector<float> weights;
};
WORKBENCH_BACKEND(Layer)
"""

_PYTHON: Final = """
import numpy as np
import triton_python_backend_utils as pb_utils

class TritonPythonModel:
    def initialize(self, args):
        self.weights = np.random.default_rng(1).standard_normal((768, 768)).astype(np.float32) / 28

    def execute(self, requests):
        x = np.concatenate([request.inputs()[0].as_numpy() for request in requests])
        for _ in range(3):
            x = np.maximum(x @ self.weights, 0)
        ends = np.cumsum([len(request.inputs()[0].as_numpy()) for request in requests])
        return [pb_utils.InferenceResponse([pb_utils.Tensor("Y", y)]) for y in np.split(x, ends[:-1])]
"""

_SYNTHETIC: Final = """
parameters [
  {{ key: "tau0_us" value: {{ string_value: "{tau0}" }} }}, {{ key: "alpha_us" value: {{ string_value: "{alpha}" }} }}
]
"""


@dataclass(frozen=True)
class Served:
    """A model, and how it is made ready on a server."""

    name: str
    load: Callable[[wb.Server], Any]


def _synthetic(name: str, *, tau0: int, alpha: int) -> Served:
    config = f'backend: "synthetic" {_TENSORS.format(width=16)} {_SYNTHETIC.format(tau0=tau0, alpha=alpha)}'
    return Served(name, lambda server: server.load(name, config=config))


def _onnx(server: wb.Server) -> Any:
    """A perceptron of wide layers, on one thread."""
    from onnx import TensorProto, helper, numpy_helper

    random = np.random.default_rng(1)
    (width, layers), nodes, weights, name = DEEP, [], [], "X"
    for layer in range(layers):
        weight = random.standard_normal((width, width)).astype(np.float32) / np.float32(width**0.5)
        weights.append(numpy_helper.from_array(weight, f"W{layer}"))
        out = "Y" if layer == layers - 1 else f"R{layer}"
        nodes += [helper.make_node("MatMul", [name, f"W{layer}"], [f"H{layer}"])]
        nodes += [helper.make_node("Relu", [f"H{layer}"], [out])]
        name = out
    tensors = [[helper.make_tensor_value_info(one, TensorProto.FLOAT, ["batch", width])] for one in "XY"]
    graph = helper.make_graph(nodes, "mlp", *tensors, weights)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    threads = "".join(
        f'parameters {{ key: "{kind}_op_thread_count" value {{ string_value: "1" }} }}' for kind in ("intra", "inter")
    )
    config = f'name: "onnx" backend: "onnxruntime" {_TENSORS.format(width=width)} {threads}'
    return server.load("onnx", config=config, files={"1/model.onnx": made.SerializeToString()})


def _cell(server: wb.Server) -> Any:
    wb.build_backend("search_layer", _CELL)
    return server.load("cell", config=f'backend: "search_layer" {_TENSORS.format(width=WIDTH)}')


def _python(server: wb.Server) -> Any:
    return server.load_model_py("python", _PYTHON, config=f'backend: "python" {_TENSORS.format(width=WIDTH)}')


SERVED: Final[Mapping[str, Served]] = {
    one.name: one
    for one in (
        _synthetic("synthetic_1ms", tau0=900, alpha=100),
        _synthetic("synthetic_5ms", tau0=4500, alpha=500),
        Served("onnx", _onnx),
        Served("cell", _cell),
        Served("python", _python),
    )
}
