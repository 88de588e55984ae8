# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Backend `tensorrt`: runs on backend `python`, with this class in place of a model's own."""

from workbench.python_backend.tensorrt_model import TritonPythonModel

__all__ = ["TritonPythonModel"]
