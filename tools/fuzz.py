# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the fuzz targets of what reads bytes of clients; exits with 1 where one crashed, hung or took too much memory.

Seeds are the requests that the differential suites send; what covers more is kept beside them for the next run. What
breaks a target is left in its folder of findings.

    python tools/fuzz.py [--seconds 600] [--targets infer_body,route]
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.conformance.grpc_cases import all_cases as grpc_cases  # noqa: E402
from tests.conformance.http_cases import all_cases  # noqa: E402
from tests.conformance.http_models import TYPES  # noqa: E402

BUILD: Final = ROOT / "build/fuzz"
LIMITS: Final = ("-timeout=10", "-rss_limit_mb=2048", "-malloc_limit_mb=512", "-max_len=16384", "-print_final_stats=1")
WHOLE: Final = 0xFFFFFFFF


NUMBERS: Final = (
    b"0.1", b"-0.0", b"0.00000000000000000000000000000000e-9", b"123456789012345678901234567890", b"5e-324",
    b"8.442911973260991817129021e-309", b"1.123456789012345678e-2147483639", b"1e-536870909", b"1.5e308", b"NaN",
)  # fmt: skip
"""What parsers of numbers stumbled over."""


def infer_bodies() -> Iterator[bytes]:
    """Bodies of inferences behind the size of their JSON."""
    for case in all_cases():
        if case.path.endswith("/infer"):
            told = case.headers.get("Inference-Header-Content-Length", "")
            size = int(told) if told.isdigit() and int(told) < WHOLE else WHOLE
            yield struct.pack("<I", size) + case.body
    for number in NUMBERS:
        tensor = b'{"name": "INPUT0", "datatype": "FP64", "shape": [1, 1], "data": [' + number + b"]}"
        yield struct.pack("<I", WHOLE) + b'{"inputs": [' + tensor + b"]}"


def generate_bodies() -> Iterator[bytes]:
    """Bodies of the generate extension."""
    yield from (case.body for case in all_cases() if "generate" in case.path)
    yield from (b'{"INPUT2": [' + number + b"]}" for number in NUMBERS)
    yield b'{"INPUT0": "a", "INPUT1": [1, 2], "INPUT2": [1.5, -2], "INPUT3": true, "INPUT4": [0, 1, 2, 3], "own": null}'


def replies() -> Iterator[bytes]:
    """Outputs of every type in every form."""
    for number in range(1, 15):
        content = b"\1\0\0\0a\3\0\0\0b\0c" if number == len(TYPES) + 2 else bytes(range(64))
        yield from (bytes([number, form, 2, 2, 3]) + content for form in range(4))
    # What one element is declared for, and bytes of none, of more, and of a part of one.
    yield from (bytes([6, 3, 2, 1, 0]) + bytes(count) for count in (0, 2))
    yield from (bytes([13, 3, 2, 1, 0]) + raw for raw in (b"", b"\1\0\0\0ab", b"\0\0\0\0" * 2))


def heads() -> Iterator[bytes]:
    """Targets, codings, base64."""
    yield from (case.path.encode() for case in all_cases())
    yield from (b"gzip;q=0.5, deflate", b"identity", b"*", b"br", b"gzip, deflate, br", b"YWJjZA==", b"YQ==", b"%2F%zz")


def packed_bodies() -> Iterator[bytes]:
    """Bodies that came packed."""
    for case in all_cases():
        coding = case.headers.get("Content-Encoding", "")
        if coding in {"gzip", "deflate"}:
            yield bytes([coding == "deflate"]) + case.body


def messages() -> Iterator[bytes]:
    """Messages of gRPC's calls, whatever they are of."""
    yield from (message for case in grpc_cases() for message in case.messages)
    yield from (b"100m", b"5S", b"99999999H", b"\0\0\0\0")


def frames() -> Iterator[bytes]:
    """Streams of messages, plain and packed, in pieces of several sizes."""
    for index, case in enumerate(grpc_cases()):
        plain = b"".join(struct.pack(">BI", 0, len(message)) + message for message in case.messages)
        yield bytes([0, index % 256]) + plain
        packed = [gzip.compress(message, mtime=0) for message in case.messages]
        yield bytes([1, index % 256]) + b"".join(struct.pack(">BI", 1, len(message)) + message for message in packed)
    yield bytes([0, 3]) + struct.pack(">BI", 0, 1 << 31) + b"x"
    yield bytes([0, 3]) + struct.pack(">BI", 2, 1) + b"x"


SEEDS: Final[Mapping[str, Callable[[], Iterator[bytes]]]] = {
    "compression": packed_bodies,
    "generate": generate_bodies,
    "grpc_frames": frames,
    "grpc_message": messages,
    "grpc_reply": replies,
    "infer_body": infer_bodies,
    "infer_reply": replies,
    "route": heads,
}


def write_seeds(target: str, folder: Path) -> Path:
    """The target's seeds as files that are called by their content."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in SEEDS[target]():
        (folder / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    return folder


def fuzz(target: str, *, seconds: int, binaries: Path = BUILD / "fuzz", folder: Path = BUILD) -> int:
    """Run one target; its exit status."""
    seeds = write_seeds(target, folder / "seeds" / target)
    corpus, findings = (folder / kind / target for kind in ("corpus", "findings"))
    for made in (corpus, findings):
        made.mkdir(parents=True, exist_ok=True)
    command = [binaries / f"fuzz_{target}", *LIMITS, f"-max_total_time={seconds}", f"-artifact_prefix={findings}/"]
    options = {"ASAN_OPTIONS": "allocator_may_return_null=1:detect_leaks=1", "UBSAN_OPTIONS": "print_stacktrace=1"}
    done = subprocess.run([*command, corpus, seeds], env={**os.environ, **options}, check=False)
    return done.returncode


def main() -> int:
    """Runs the targets one after the other, each for its share of the time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=600, help="of all targets together: 600")
    parser.add_argument("--targets", default=",".join(SEEDS))
    options = parser.parse_args()
    targets = options.targets.split(",")
    broken = [name for name in targets if fuzz(name, seconds=max(1, options.seconds // len(targets)))]
    print(f"broken: {', '.join(broken)}; see {BUILD}/findings" if broken else "nothing found")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
