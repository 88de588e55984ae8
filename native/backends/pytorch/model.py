# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Backend `pytorch`: runs on backend `python`, with this class in place of a model's own."""

from workbench.python_backend.torch_model import TritonPythonModel

__all__ = ["TritonPythonModel"]
