# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Sum and difference of two vectors: the smallest model in Python, which tells its own configuration."""

from __future__ import annotations

import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    """Adds and subtracts."""

    @staticmethod
    def auto_complete_config(config):
        """Fill in what a config.pbtxt would say."""
        for name in ("INPUT0", "INPUT1"):
            config.add_input({"name": name, "data_type": "TYPE_FP32", "dims": [4]})
        for name in ("OUTPUT0", "OUTPUT1"):
            config.add_output({"name": name, "data_type": "TYPE_FP32", "dims": [4]})
        config.set_max_batch_size(64)
        config.set_dynamic_batching()
        return config

    def execute(self, requests):
        """Answer each request with its sum and its difference."""
        responses = []
        for request in requests:
            one = pb_utils.get_input_tensor_by_name(request, "INPUT0").as_numpy()
            two = pb_utils.get_input_tensor_by_name(request, "INPUT1").as_numpy()
            outputs = [pb_utils.Tensor("OUTPUT0", one + two), pb_utils.Tensor("OUTPUT1", one - two)]
            responses.append(pb_utils.InferenceResponse(outputs))
        return responses
