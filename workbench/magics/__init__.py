# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a user types after `%`: thin commands over the public calls."""

from workbench.magics.extension import load_ipython_extension

__all__ = ["load_ipython_extension"]
