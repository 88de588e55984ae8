# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The model repository: where models lie, which versions serve, and their lifecycle."""

from workbench.repository.configuration import ConfigOverride
from workbench.repository.engine import Call, Engine, InputTensor, NativeModel, Response, refusal_of
from workbench.repository.loader import Finder, LoadedVersion, Loader, Preflight
from workbench.repository.manager import ModelRepository
from workbench.repository.namespaces import plain_name_of
from workbench.repository.poll import Poll
from workbench.repository.source import ModelFolder, Sources
from workbench.repository.status import IndexEntry

__all__ = [
    "Call",
    "ConfigOverride",
    "Engine",
    "Finder",
    "IndexEntry",
    "InputTensor",
    "LoadedVersion",
    "Loader",
    "ModelFolder",
    "ModelRepository",
    "NativeModel",
    "Poll",
    "Preflight",
    "Response",
    "Sources",
    "plain_name_of",
    "refusal_of",
]
