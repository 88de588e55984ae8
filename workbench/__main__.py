# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m workbench`."""

import sys

from workbench.terminal import main

if __name__ == "__main__":
    sys.exit(main())
