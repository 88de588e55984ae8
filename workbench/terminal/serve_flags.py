# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The flags of `serve`: those of the original by their names, with its defaults, where they mean the same."""

from __future__ import annotations

import argparse
from typing import Any, Final

from workbench.server import ServerOptions
from workbench.terminal.absent_flags import add_absent
from workbench.terminal.flag_values import colon_separated, count, flag, named_setting, port, seconds, whole

LOOPBACK: Final = "127.0.0.1"
_DEFAULTS: Final = ServerOptions()
_MIB: Final = 2**20


def add_flags(parser: argparse.ArgumentParser) -> None:
    """All of them."""
    _add_repository(parser.add_argument_group("models"))
    _add_doors(parser.add_argument_group("doors"))
    _add_resources(parser.add_argument_group("resources"))
    _add_observation(parser.add_argument_group("what is told"))
    add_absent(parser)


def _add_repository(group: Any) -> None:
    group.add_argument("repository", nargs="*", help="folders of models")
    many: dict[str, Any] = {"action": "append", "default": []}
    folders = {**many, "metavar": "FOLDER"}
    group.add_argument("--model-repository", "--model-store", **folders, help="a further folder of models; again: more")
    group.add_argument("--backend-directory", "--backends", **folders, help="a folder of backends; again: more")
    group.add_argument("--model-control-mode", choices=("none", "poll", "explicit"), help="who loads models: nobody "
                       "after the start, changes of the files, or clients")  # fmt: skip
    group.add_argument("--load-model", "--load", **many, metavar="MODEL", help="with explicit, or alone: a model to "
                       "load at the start, * for all; again: more")  # fmt: skip
    group.add_argument("--repository-poll-secs", type=seconds, default=_DEFAULTS.poll_s, metavar="S")
    group.add_argument("--model-config-name", default="", metavar="NAME", help="of configs/NAME.pbtxt")
    group.add_argument("--model-namespacing", type=flag, default=False, metavar="BOOL")
    group.add_argument("--model-load-thread-count", type=count, default=_DEFAULTS.model_load_thread_count, metavar="N")
    group.add_argument("--model-load-retry-count", type=count, default=0, metavar="N")
    group.add_argument("--model-load-gpu-limit", type=colon_separated("DEVICE:SHARE"), **many, metavar="DEVICE:SHARE")
    group.add_argument("--disable-auto-complete-config", action="store_true", help="configurations must be whole")
    group.add_argument("--strict-model-config", type=flag, metavar="BOOL", help="the same, by its older name")
    group.add_argument("--backend-config", type=named_setting("BACKEND,SETTING=VALUE"), **many,
                       metavar="BACKEND,SETTING=VALUE")  # fmt: skip
    group.add_argument("--once", action="store_true", help="load the models, show them and end: a check")


def _add_doors(group: Any) -> None:
    for kind, number in {"http": 8000, "grpc": 8001, "metrics": 8002}.items():
        group.add_argument(f"--allow-{kind}", type=flag, default=True, metavar="BOOL")
        group.add_argument(f"--{kind}-port", type=port, default=number, help=f"{number}; 0: one that is free")
        address = LOOPBACK if kind != "metrics" else ""
        group.add_argument(f"--{kind}-address", default=address, help=LOOPBACK if address else "that of HTTP")
    group.add_argument("--grpc-infer-response-compression-level", choices=("none", "low", "medium", "high"),
                       default="none", help="of answers to inferences, where clients take gzip or deflate")  # fmt: skip
    group.add_argument("--http-thread-count", type=count, default=1, metavar="N", help="native loops of HTTP: 1")
    group.add_argument("--remote", action="store_true", help="addresses that other machines reach are meant; "
                       "a token is needed, too")  # fmt: skip
    group.add_argument("--token-file", metavar="FILE", help="what clients send as `Authorization: Bearer ...`; "
                       "or set WORKBENCH_TOKEN")  # fmt: skip
    group.add_argument("--id", default=_DEFAULTS.server_id, help="what the server calls itself")
    group.add_argument("--strict-readiness", type=flag, default=True, metavar="BOOL", help="not ready while a model "
                       "that was to be served is not")  # fmt: skip
    group.add_argument("--exit-on-error", type=flag, default=True, metavar="BOOL", help="end where a model can not be "
                       "loaded at the start")  # fmt: skip
    group.add_argument("--exit-timeout-secs", type=seconds, default=_DEFAULTS.exit_timeout_s, metavar="S",
                       help="that requests in flight get when the server ends: 30")  # fmt: skip


def _add_resources(group: Any) -> None:
    many: dict[str, Any] = {"action": "append", "default": []}
    size: dict[str, Any] = {"type": count, "metavar": "BYTES"}
    group.add_argument("--pinned-memory-pool-byte-size", **size, default=256 * _MIB)
    device_size = "DEVICE:BYTES"
    group.add_argument("--cuda-memory-pool-byte-size", type=colon_separated(device_size), **many, metavar=device_size)
    group.add_argument("--memory-limit-byte-size", **size, default=0, help="of all that models take; 0: none")
    setting = "CACHE,SETTING=VALUE"
    group.add_argument("--cache-config", type=named_setting(setting), **many, metavar=setting, help="local,size=BYTES")
    group.add_argument("--cache-directory", default="", metavar="FOLDER", help="of caches in shared objects")
    group.add_argument("--response-cache-byte-size", **size, default=0, help="the same as --cache-config local,size=")
    group.add_argument("--rate-limit", choices=("off", "execution_count"), default="off")
    resource = "NAME:COUNT[:DEVICE]"
    group.add_argument("--rate-limit-resource", type=colon_separated(resource), **many, metavar=resource)
    policy = "POLICY,SETTING=VALUE"
    group.add_argument("--host-policy", type=named_setting(policy), **many, metavar=policy)


def _add_observation(group: Any) -> None:
    many: dict[str, Any] = {"action": "append", "default": []}
    group.add_argument("--log-verbose", type=count, default=0, metavar="LEVEL")
    for level in ("info", "warning", "error"):
        group.add_argument(f"--log-{level}", type=flag, default=True, metavar="BOOL")
    group.add_argument("--log-format", choices=("default", "ISO8601"), default="default", help="of the file")
    group.add_argument("--log-file", default="", metavar="FILE", help="in place of standard error")
    group.add_argument("--metrics-config", type=named_setting("SETTING=VALUE"), **many, metavar="SETTING=VALUE")
    for kind in ("cpu", "gpu"):
        group.add_argument(f"--allow-{kind}-metrics", type=flag, default=True, metavar="BOOL")
    setting = "[MODE,]SETTING=VALUE"
    group.add_argument("--trace-config", type=named_setting(setting), **many, metavar=setting, help="level=TIMESTAMPS, "
                       "rate=N, count=N, triton,file=FILE, triton,log-frequency=N")  # fmt: skip
    group.add_argument("--trace-file", metavar="FILE", help="older names of the same")
    group.add_argument("--trace-level", **many, metavar="LEVEL")
    group.add_argument("--trace-rate", type=count, metavar="N")
    group.add_argument("--trace-count", type=whole, metavar="N")
    group.add_argument("--trace-log-frequency", type=count, metavar="N")
