# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What surrounds an exported repository: how to run it in a container, and a pipeline that builds and checks it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Final

from workbench.config import ModelConfig, to_mapping

IMAGE: Final = "nvcr.io/nvidia/tritonserver:24.10-py3"
"""The container of server 2.51, the version whose behaviour is compared with ours."""

PIPELINE_FILE: Final = "check-models.yml"
"""A file and no folder: the real server takes every folder of a repository for a model."""


def docker_command(folder: Path, config: ModelConfig) -> str:
    """The line that serves a repository in the real server's container, on the usual ports."""
    words = ["docker", "run", "--rm", "-p", "8000:8000", "-p", "8001:8001", "-p", "8002:8002"]
    if _needs_gpu(config):
        words += ["--gpus", "all"]
    if config.backend == "python":
        # Its models speak with the server through shared memory, of which a container has 64 MB.
        words += ["--shm-size", "1g"]
    words += ["-v", f"{folder}:/models:ro", IMAGE, "tritonserver", "--model-repository=/models"]
    return shlex.join(words)


def _needs_gpu(config: ModelConfig) -> bool:
    groups = to_mapping(config).get("instance_group", ())
    return any(group.get("kind") == "KIND_GPU" for group in groups)


def pipeline(sources: dict[str, str]) -> str:
    """A workflow of GitHub Actions that builds the backends, loads every model and compares it with the real server.

    Args:
        sources: by model, the file of its backend's source beside its configuration; only those are built.
    """
    build = _BUILD.format(sources=json.dumps(sources)) if sources else ""
    return _WORKFLOW.format(build=build)


_BUILD: Final = """\
      - name: Build the backends from their sources
        shell: python
        run: |
          import shutil
          import workbench as wb
          from pathlib import Path
          for model, source in {sources}.items():
              path = Path(model, source)
              library = wb.build_backend(path.stem, path.read_text())
              shutil.copy2(library.path, Path(model, f"libtriton_{{path.stem}}.so"))
"""

_WORKFLOW: Final = """\
# Builds and checks the models of this repository. Put it into .github/workflows/ of the project that holds them.
name: models
on: [push, pull_request]
jobs:
  check:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with: {{ python-version: "3.12" }}
      - name: Install
        run: pip install "workbench-serving[peer]"
{build}      - name: Load every model here and in the real server, compare their answers, measure both
        run: python -m workbench verify . --download --measure --json | tee verification.json
      - uses: actions/upload-artifact@v4
        if: always()
        with: {{ name: verification, path: verification.json }}
"""
