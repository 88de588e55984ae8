# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Flags of the original that mean nothing here, or ask for what is not here: each says so."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import Any, Final

_NO: Final = ("false", "off", "0", "none")
_PLAIN: Final = "doors speak plain text; a proxy in front of them can speak TLS"
_ALL_OR_NONE: Final = "a door has one token for all it serves: --token-file"
_HEADERS: Final = "headers of a request are not handed to models"
_CLOUD: Final = "the doors are HTTP, gRPC and metrics"
_ONE_SERVER: Final = "a port is one server's"
_AGE: Final = "connections are kept for as long as clients keep them"

MISSING: Final[Mapping[str, str]] = {
    "--reuse-http-port": _ONE_SERVER,
    "--reuse-grpc-port": _ONE_SERVER,
    "--http-header-forward-pattern": _HEADERS,
    "--grpc-header-forward-pattern": _HEADERS,
    "--http-restricted-api": _ALL_OR_NONE,
    "--grpc-restricted-protocol": _ALL_OR_NONE,
    "--grpc-use-ssl": _PLAIN,
    "--grpc-use-ssl-mutual": _PLAIN,
    "--grpc-server-cert": _PLAIN,
    "--grpc-server-key": _PLAIN,
    "--grpc-root-cert": _PLAIN,
    "--grpc-max-connection-age": _AGE,
    "--grpc-max-connection-age-grace": _AGE,
    "--allow-sagemaker": _CLOUD,
    "--sagemaker-port": _CLOUD,
    "--sagemaker-safe-port-range": _CLOUD,
    "--sagemaker-thread-count": _CLOUD,
    "--allow-vertex-ai": _CLOUD,
    "--vertex-ai-port": _CLOUD,
    "--vertex-ai-thread-count": _CLOUD,
    "--vertex-ai-default-model": _CLOUD,
}
"""Why each is refused, unless it is switched off."""

IDLE: Final[Mapping[str, str]] = {
    "--metrics-interval-ms": "figures of the machine are read when the page is asked for",
    "--buffer-manager-thread-count": "inputs are gathered by the instance that executes",
    "--repoagent-directory": "there are no repository agents",
    "--cuda-virtual-address-size": "pools grow by what is allocated",
    "--enable-peer-access": "nothing of the core copies between GPUs",
    "--min-supported-compute-capability": "a backend refuses what it can not run on",
    "--grpc-infer-allocation-pool-size": "requests are recycled without a limit of their own",
    "--grpc-keepalive-time": _AGE,
    "--grpc-keepalive-timeout": _AGE,
    "--grpc-keepalive-permit-without-calls": _AGE,
    "--grpc-http2-max-pings-without-data": _AGE,
    "--grpc-http2-min-recv-ping-interval-without-data": _AGE,
    "--grpc-http2-max-ping-strikes": _AGE,
}
"""Why each changes nothing."""


class _Absent(argparse.Action):
    """Refuses the flag, or says that it means nothing."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option: str | None = None) -> None:
        del namespace
        name = str(option)
        if name in IDLE:
            print(f"workbench: {name} changes nothing here: {IDLE[name]}", file=sys.stderr)
        elif str(values).lower() not in _NO:
            parser.error(f"{name} is not there: {MISSING[name]}")


def add_absent(parser: argparse.ArgumentParser) -> None:
    """Let the parser know them, without listing them."""
    for name in (*MISSING, *IDLE):
        parser.add_argument(name, action=_Absent, help=argparse.SUPPRESS)
