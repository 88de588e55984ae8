# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What tests have in place of hardware; nothing but tests uses it."""
