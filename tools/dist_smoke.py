# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Serves with an installed package, in its environment: in the process, over HTTP and gRPC, from a compiled cell.

`--bundled` wants the library of the gRPC door to lie in the package, as it does in a repaired wheel.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
import sysconfig
import tempfile
import urllib.request
from importlib.metadata import distribution
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
CELL = """
#include <workbench/backend.hpp>
struct Doubler {
  void Execute(workbench::Request& request) {
    const workbench::Input input = request.input("INPUT0");
    std::vector<float> values(input.as<float>().begin(), input.as<float>().end());
    for (float& value : values) value *= 2;
    request.output("OUTPUT0").Write(values, input.shape());
  }
};
WORKBENCH_BACKEND(Doubler)
"""
SENT = np.array([[1, 2, 3]], dtype=np.float32)
PACKAGE = Path(wb.__file__).parent


def expect(is_so: bool, message: object) -> None:  # noqa: FBT001 - reads as an assertion, and holds under -O
    if not is_so:
        sys.exit(f"{PACKAGE}: {message}")


def serves(server: wb.Server) -> None:
    model = server.load("echo")
    expect(np.array_equal(model.infer({"INPUT0": SENT})["OUTPUT0"], SENT), "the identity model answers something else")
    wb.build_backend("doubler", CELL)
    doubled = server.load("doubled", config=CONFIG.replace("identity", "doubler").replace("echo", "doubled"))
    expect(np.array_equal(doubled.infer({"INPUT0": SENT})["OUTPUT0"], 2 * SENT), "the cell answers something else")


def opens_its_doors(server: wb.Server) -> None:
    from tritonclient import grpc

    body = {"inputs": [{"name": "INPUT0", "shape": [1, 3], "datatype": "FP32", "data": [1, 2, 3]}]}
    with server.http() as http, server.grpc() as door:
        request = urllib.request.Request(f"{http.url}/v2/models/echo/infer", json.dumps(body).encode())  # noqa: S310
        with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310 - a door of our own
            expect(json.load(answer)["outputs"][0]["data"] == [1, 2, 3], "HTTP answers something else")
        told = grpc.InferInput("INPUT0", [1, 3], "FP32")
        told.set_data_from_numpy(SENT)
        with grpc.InferenceServerClient(door.url) as client:
            expect(np.array_equal(client.infer("echo", [told]).as_numpy("OUTPUT0"), SENT), "gRPC answers otherwise")


def keeps_to_itself(*, bundled: bool) -> None:
    """The interface of the core is everybody's; what the doors stand on is theirs alone, and comes with the package."""
    process = ctypes.CDLL(None)
    expect(hasattr(process, "TRITONSERVER_ApiVersion"), "backends will not find the core's interface")
    expect(not hasattr(process, "nghttp2_version"), "the library of the gRPC door leaks into the global scope")
    mapped = {Path(line.split()[-1]) for line in Path("/proc/self/maps").read_text().splitlines() if "/" in line}
    libraries = [path for path in mapped if "nghttp2" in path.name]
    expect(bool(libraries), "the gRPC door is not the native one: it was built without nghttp2")
    if bundled:
        expect(all(path.is_relative_to(PACKAGE.parent) for path in libraries), f"it uses the system's {libraries}")


def has_its_parts() -> None:
    expect((PACKAGE / "py.typed").exists(), "py.typed is missing")
    expect((Path(wb.get_include()) / "triton/core/tritonserver.h").exists(), "the headers are missing")
    licences = {file.name for file in distribution("workbench-serving").files or () if "licenses" in file.parts}
    expect({"LICENSE", "THIRD-PARTY-NOTICES.txt"} <= licences, f"of the licences there are {licences}")
    script = Path(sysconfig.get_path("scripts")) / "workbench"
    for command in ([str(script)], [sys.executable, "-I", "-m", "workbench"]):
        told = subprocess.run([*command, "doctor", "--json"], capture_output=True, text=True, check=False)
        expect(told.returncode == 0, f"the doctor finds something broken: {told.stdout}{told.stderr}")
        expect(bool(json.loads(told.stdout)["findings"]), "the doctor finds nothing")


def main() -> None:
    with tempfile.TemporaryDirectory() as repository:
        version = Path(repository) / "echo" / "1"
        version.mkdir(parents=True)
        (version.parent / "config.pbtxt").write_text(CONFIG)
        with wb.Server(repository) as server:
            serves(server)
            opens_its_doors(server)
    keeps_to_itself(bundled="--bundled" in sys.argv)
    has_its_parts()
    print(f"{PACKAGE}: serves in the process, over HTTP and gRPC, and from a cell; headers in {wb.get_include()}")


if __name__ == "__main__":
    main()
