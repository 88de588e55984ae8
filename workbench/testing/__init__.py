# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Test tools of workbench, for its own tests and for those of its users; no floor imports them."""

from workbench.testing.fake_engine import FakeCall, FakeEngine, FakeModel, FakeResponse, StatusError
from workbench.testing.repositories import ECHO_CONFIG, FakeFinder, FakePreflight, write_model

__all__ = [
    "ECHO_CONFIG",
    "FakeCall",
    "FakeEngine",
    "FakeFinder",
    "FakeModel",
    "FakePreflight",
    "FakeResponse",
    "StatusError",
    "write_model",
]
