# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Where images should be prepared: by the client, or beside the model in Python or in C++.

One client sends photos of 1,024 x 768 pixels to the samples around `resnet50`, in turns. A row is a place: the
median time to prepare one image alone, images/s of the whole with one client and with four, and the bytes that a
request carries.

    python benchmarks/preprocessing.py [--turns 7]
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import workbench as wb  # noqa: E402
from model_repository import fetch  # noqa: E402
from workbench.server.model import Model  # noqa: E402

HEIGHT, WIDTH = 768, 1024
CLIENTS = (1, 4)
IMAGES = 8  # of each client in a turn
Step = Callable[[np.ndarray], Any]


def numpy_pixels() -> Step:
    """The same preparation as the Python model's, for a client."""
    path = ROOT / "model_repository/resnet50_pixels_python/1/model.py"
    sys.modules.setdefault("triton_python_backend_utils", SimpleNamespace())  # type: ignore[arg-type]
    spec = importlib.util.spec_from_file_location("client_pixels", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    del sys.modules["triton_python_backend_utils"]
    step: Step = module.pixels
    return step


def asking(model: Model) -> Step:
    return lambda image: model.infer({"IMAGE": image})


def places(server: wb.Server) -> Mapping[str, tuple[Step, Step, int]]:
    """By name: preparing alone, all of it, and the bytes of a request."""
    model, cpp, python = (server.load(name) for name in ("resnet50", "resnet50_images", "resnet50_images_python"))
    pixels, pixels_python = server.model("resnet50_pixels"), server.model("resnet50_pixels_python")
    prepare = numpy_pixels()
    raw = HEIGHT * WIDTH * 3
    return {
        "client, numpy": (prepare, lambda image: model.infer({"gpu_0/data_0": prepare(image)}), 224 * 224 * 3 * 4),
        "server, Python": (asking(pixels_python), asking(python), raw),
        "server, C++": (asking(pixels), asking(cpp), raw),
    }


def seconds(step: Step, images: list[np.ndarray], clients: int) -> float:
    """For `images` from each of so many clients."""
    begin = time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(lambda _: [step(image) for image in images], range(clients)))
    return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=7)
    options = parser.parse_args()
    names = fetch.with_steps(["resnet50_images", "resnet50_images_python"])
    fetch.fetch(names)
    fetch.build(names)
    images = list(np.random.default_rng(1).integers(0, 256, (IMAGES, HEIGHT, WIDTH, 3), np.uint8))
    with wb.Server(ROOT / "model_repository", name="preprocessing") as server:
        tried = places(server)
        found: dict[str, list[tuple[float, ...]]] = {name: [] for name in tried}
        for _ in range(options.turns):
            for name, (prepare, whole, _) in tried.items():
                alone = 1e3 * seconds(prepare, images, 1) / IMAGES
                rates = (clients * IMAGES / seconds(whole, images, clients) for clients in CLIENTS)
                found[name].append((alone, *rates))
        print("| place | preparing alone, ms | images/s, 1 client | 4 clients | bytes a request |")
        print("|---|---|---|---|---|")
        for name, (_, _, size) in tried.items():
            cells = (f"{statistics.median(column):.2f}" for column in zip(*found[name], strict=True))
            print(f"| {name} | {' | '.join(cells)} | {size:,} |")


if __name__ == "__main__":
    main()
