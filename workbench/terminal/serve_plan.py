# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the flags of `serve` ask for, in the words of `Server` and its doors."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

from workbench.errors import InvalidArgumentError, NotFoundError
from workbench.terminal.flag_values import by_name
from workbench.terminal.serve_resources import resources, trace_settings

LOOPBACK: Final = "127.0.0.1"
TOKEN_VARIABLE: Final = "WORKBENCH_TOKEN"  # noqa: S105 (the name of a variable)
_NO_TOKEN: Final = ""


@dataclass(frozen=True, slots=True)
class ServePlan:
    """What is to be started.

    Attributes:
        server: arguments of `Server`.
        doors: options of each door that is to be opened, by the method of `Server` that opens it.
        log: settings of the log.
        trace: trace settings of all models.
    """

    server: Mapping[str, Any]
    doors: Mapping[str, Mapping[str, Any]]
    log: Mapping[str, Any]
    trace: Mapping[str, Any]


def plan_of(told: argparse.Namespace) -> ServePlan:
    """The plan.

    Raises:
        InvalidArgumentError: flags contradict each other.
        NotFoundError: a file that they name is not there.
        UnsupportedError: they ask for what is not here.
    """
    server = {**_models(told), **resources(told), "server_id": told.id, "strict_readiness": told.strict_readiness}
    server |= {"exit_on_error": told.exit_on_error, "exit_timeout_s": told.exit_timeout_secs}
    log = {f"log_{level}": getattr(told, f"log_{level}") for level in ("info", "warning", "error", "file", "format")}
    return ServePlan(server, dict(_doors(told)), {**log, "log_verbose_level": told.log_verbose}, trace_settings(told))


def _models(told: argparse.Namespace) -> dict[str, Any]:
    repositories = [*told.repository, *told.model_repository]
    if not repositories:
        message = "no folder of models is named: python -m workbench serve FOLDER"
        raise InvalidArgumentError(message)
    settings = by_name(told.backend_config)
    limits = {f"model-load-gpu-limit-device-{device}": share for device, share in told.model_load_gpu_limit}
    is_strict = told.disable_auto_complete_config or bool(told.strict_model_config)
    return {
        "repository": repositories,
        "backends": told.backend_directory,
        "control": _control(told),
        "startup_models": told.load_model,
        "poll_s": told.repository_poll_secs,
        "auto_complete_config": not is_strict,
        "model_config_name": told.model_config_name,
        "model_namespacing": told.model_namespacing,
        "model_load_thread_count": told.model_load_thread_count,
        "model_load_retry_count": told.model_load_retry_count,
        "backend_config": {**settings, "": {**settings.get("", {}), **limits}},
    }


def _control(told: argparse.Namespace) -> str:
    control = told.model_control_mode or ("explicit" if told.load_model else "none")
    if told.load_model and control != "explicit":
        message = f"--load-model needs --model-control-mode explicit; with {control} every model is loaded"
        raise InvalidArgumentError(message)
    if "*" in told.load_model and len(told.load_model) > 1:
        message = "--load-model '*' means all models, and stands alone"
        raise InvalidArgumentError(message)
    return control


def _doors(told: argparse.Namespace) -> Iterator[tuple[str, dict[str, Any]]]:
    """Metrics listen where HTTP does, unless told otherwise."""
    access = {"remote": told.remote, "token": _token(told)}
    for flag in ("http_address", "grpc_address", "metrics_address"):
        _check_address(f"--{flag.replace('_', '-')}", getattr(told, flag) or LOOPBACK, has_both=all(access.values()))
    if told.allow_http:
        threads = {"threads": told.http_thread_count}
        yield "http", {"port": told.http_port, "address": told.http_address, **threads, **access}
    if told.allow_grpc:
        level = {"infer_response_compression_level": told.grpc_infer_response_compression_level}
        yield "grpc", {"port": told.grpc_port, "address": told.grpc_address, **level, **access}
    if told.allow_metrics:
        address = told.metrics_address or told.http_address
        yield "metrics_endpoint", {"port": told.metrics_port, "address": address, **access}


def _check_address(flag: str, address: str, *, has_both: bool) -> None:
    try:
        is_loopback = ip_address(address).is_loopback
    except ValueError as exc:
        message = f"{flag} {address} is no IP address; {LOOPBACK} is this machine alone"
        raise InvalidArgumentError(message) from exc
    if not is_loopback and not has_both:
        message = f"{flag} {address} lets other machines run models here: that takes --remote, and a token that they "
        message += f"must bring, in --token-file FILE or {TOKEN_VARIABLE}"
        raise InvalidArgumentError(message)


def _token(told: argparse.Namespace) -> str:
    """Out of a file or the environment: what stands on a command line, every user of the machine can read."""
    if not told.token_file:
        return os.environ.get(TOKEN_VARIABLE, _NO_TOKEN)
    try:
        token = Path(told.token_file).read_text(encoding="utf-8").strip()
    except OSError as exc:
        message = f"--token-file {told.token_file} can not be read: {exc.strerror}"
        raise NotFoundError(message) from exc
    if not token:
        message = f"--token-file {told.token_file} is empty"
        raise InvalidArgumentError(message)
    return token
