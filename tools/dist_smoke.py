# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Serves one request with the identity backend of an installed package; run in its environment."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import workbench as wb

CONFIG = """
name: "echo"
backend: "identity"
max_batch_size: 4
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 3 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 3 ] } ]
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as repository:
        version = Path(repository) / "echo" / "1"
        version.mkdir(parents=True)
        (version.parent / "config.pbtxt").write_text(CONFIG)
        sent = np.array([[1, 2, 3]], dtype=np.float32)
        with wb.Server(repository) as server:
            server.load("echo")
            received = server.model("echo").infer({"INPUT0": sent})["OUTPUT0"]
    if not np.array_equal(sent, received):
        message = f"sent {sent}, received {received}"
        raise SystemExit(message)
    print(f"{Path(wb.__file__).parent}: answered {received.tolist()}; headers in {wb.get_include()}")


if __name__ == "__main__":
    main()
