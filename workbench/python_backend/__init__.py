# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Models in Python: what a `model.py` imports as `triton_python_backend_utils`, and what runs it.

The backend itself is `native/backends/python`; it calls `host`. Models of a process of their own run in `child`.
"""

from workbench.python_backend.module import install
from workbench.python_backend.sources import register_cell

__all__ = ["install", "register_cell"]
