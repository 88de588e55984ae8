# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What flags of `serve` become, and what is said of those that can not be."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import pytest

from workbench.errors import InvalidArgumentError, NotFoundError, UnsupportedError
from workbench.terminal.absent_flags import IDLE, MISSING
from workbench.terminal.serve_flags import add_flags
from workbench.terminal.serve_plan import TOKEN_VARIABLE, ServePlan, plan_of


@pytest.fixture(autouse=True)
def no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)


def parsed(*flags: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    add_flags(parser)
    return parser.parse_args(["models", *flags])


def planned(*flags: str) -> ServePlan:
    return plan_of(parsed(*flags))


def test_without_flags_it_is_the_originals_default() -> None:
    plan = planned()
    assert plan.server["control"] == "none"
    assert plan.server["exit_timeout_s"] == 30
    assert plan.server["strict_readiness"] is True
    assert {name: (door["port"], door["address"]) for name, door in plan.doors.items()} == {
        "http": (8000, "127.0.0.1"), "grpc": (8001, "127.0.0.1"), "metrics_endpoint": (8002, "127.0.0.1"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["--model-repository=more"], {"repository": ["models", "more"]}),
        (["--backend-directory=a", "--backend-directory", "b"], {"backends": ["a", "b"]}),
        (["--load-model=m"], {"control": "explicit", "startup_models": ["m"]}),
        (["--model-control-mode=poll", "--repository-poll-secs=2"], {"control": "poll", "poll_s": 2.0}),
        (["--exit-on-error=false", "--exit-timeout-secs=3"], {"exit_on_error": False, "exit_timeout_s": 3.0}),
        (["--strict-readiness=0", "--id=me"], {"strict_readiness": False, "server_id": "me"}),
        (["--disable-auto-complete-config"], {"auto_complete_config": False}),
        (["--strict-model-config=true"], {"auto_complete_config": False}),
        (
            ["--backend-config=onnxruntime,default-max-batch-size=8", "--backend-config=x=1"],
            {"backend_config": {"onnxruntime": {"default-max-batch-size": "8"}, "": {"x": "1"}}},
        ),
        (["--model-load-gpu-limit=0:0.5"], {"backend_config": {"": {"model-load-gpu-limit-device-0": "0.5"}}}),
        (["--pinned-memory-pool-byte-size=64"], {"pinned_memory_pool_byte_size": 64, "pool_byte_size": 64}),
        (["--cuda-memory-pool-byte-size=1:64"], {"cuda_memory_pool_byte_sizes": {1: 64}}),
        (["--cache-config=local,size=1000"], {"response_cache_byte_size": 1000}),
        (["--response-cache-byte-size=1000"], {"response_cache_byte_size": 1000}),
        (
            ["--rate-limit=execution_count", "--rate-limit-resource=R:4", "--rate-limit-resource=R:2:1"],
            {"rate_limit": "execution_count", "rate_limit_resources": {"R": 4, ("R", 1): 2}},
        ),
        (["--host-policy=cpu,cpu-cores=0-1"], {"host_policies": {"cpu": {"cpu-cores": "0-1"}}}),
        (
            ["--metrics-config=summary_quantiles=0.5:0.05,0.9:0.01", "--allow-gpu-metrics=off"],
            {"metrics_config": {"metrics": True, "cpu_metrics": True, "gpu_metrics": False,
                                "summary_quantiles": "0.5:0.05,0.9:0.01"}},
        ),
    ],
)  # fmt: skip
def test_flags_are_options_of_the_server(flags: list[str], expected: dict[str, Any]) -> None:
    server = planned(*flags).server
    assert {name: server[name] for name in expected} == expected


def test_doors_can_be_left_shut_and_metrics_follow_http() -> None:
    doors = planned("--allow-grpc=false", "--http-address=127.0.0.2", "--http-thread-count=3").doors
    assert list(doors) == ["http", "metrics_endpoint"]
    assert doors["metrics_endpoint"]["address"] == "127.0.0.2"
    assert doors["http"]["threads"] == 3
    assert planned("--allow-http=0", "--allow-grpc=0", "--allow-metrics=0").doors == {}


def test_traces_and_logs_are_set() -> None:
    plan = planned("--trace-config=level=TIMESTAMPS", "--trace-config=rate=5", "--trace-config=triton,file=/tmp/t",
                   "--log-verbose=1", "--log-info=false", "--trace-config=mode=triton")  # fmt: skip
    assert plan.trace == {"trace_level": ("TIMESTAMPS",), "trace_rate": 5, "trace_file": "/tmp/t"}
    assert plan.log["log_verbose_level"] == 1 and plan.log["log_info"] is False
    assert planned("--trace-level=TENSORS", "--trace-count=-1").trace == {
        "trace_level": ("TENSORS",), "trace_count": -1,
    }  # fmt: skip


def test_other_machines_need_a_word_and_a_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidArgumentError, match=r"--grpc-address 0\.0\.0\.0 .*--remote"):
        planned("--grpc-address=0.0.0.0")
    with pytest.raises(InvalidArgumentError, match="--token-file"):
        planned("--http-address=0.0.0.0", "--remote")
    file = tmp_path / "token"
    file.write_text("secret\n")
    assert planned("--http-address=0.0.0.0", "--remote", f"--token-file={file}").doors["http"]["token"] == "secret"
    monkeypatch.setenv(TOKEN_VARIABLE, "other")
    assert planned("--http-address=::", "--remote").doors["http"]["token"] == "other"
    with pytest.raises(NotFoundError, match="no-such-file"):
        planned("--token-file=/no-such-file")
    file.write_text("\n")
    with pytest.raises(InvalidArgumentError, match="is empty"):
        planned(f"--token-file={file}")


@pytest.mark.parametrize(
    ("flags", "error", "said"),
    [
        (["--load-model=m", "--model-control-mode=none"], InvalidArgumentError, "explicit"),
        (["--load-model=m", "--load-model=*"], InvalidArgumentError, "stands alone"),
        (["--http-address=nowhere"], InvalidArgumentError, "--http-address nowhere"),
        (["--cache-config=local,entries=1"], InvalidArgumentError, "local,size="),
        (["--cache-config=local,size=x"], InvalidArgumentError, "whole numbers"),
        (["--cache-config=redis,host=x"], NotFoundError, "libtritoncache_redis.so"),
        (["--cache-config=redis,host=x", "--cache-config=local,size=1"], InvalidArgumentError, "one response cache"),
        (["--rate-limit-resource=R:x"], InvalidArgumentError, "--rate-limit-resource"),
        (["--cuda-memory-pool-byte-size=0:x"], InvalidArgumentError, "--cuda-memory-pool-byte-size"),
        (["--trace-config=opentelemetry,url=x"], UnsupportedError, "opentelemetry"),
        (["--trace-config=mode=opentelemetry"], UnsupportedError, "opentelemetry"),
        (["--trace-config=colour=x"], InvalidArgumentError, "level, rate, count, file"),
        (["--trace-config=rate=x"], InvalidArgumentError, "rate"),
    ],
)
def test_contradictions_are_told(flags: list[str], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=re.escape(said)):
        planned(*flags)


def test_a_folder_of_models_is_needed() -> None:
    parser = argparse.ArgumentParser()
    add_flags(parser)
    with pytest.raises(InvalidArgumentError, match="serve FOLDER"):
        plan_of(parser.parse_args([]))


@pytest.mark.parametrize(
    "wrong",
    ["--http-port=70000", "--http-port=x", "--allow-http=maybe", "--exit-timeout-secs=-1", "--log-verbose=-1",
     "--repository-poll-secs=soon", "--backend-config=onnx", "--backend-config=a,=1", "--rate-limit-resource=R",
     "--host-policy=cpu", "--model-control-mode=sometimes", "--rate-limit=fast", "--trace-count=-2"],
)  # fmt: skip
def test_a_value_that_can_not_be_is_told_with_its_flag(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed(wrong)
    assert wrong.split("=", maxsplit=1)[0] in capsys.readouterr().err


def test_what_is_not_there_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    for name, reason in MISSING.items():
        with pytest.raises(SystemExit):
            parsed(f"{name}=1")
        assert f"{name} is not there: {reason}" in capsys.readouterr().err
    parsed("--grpc-use-ssl=false", "--allow-sagemaker=0", "--grpc-infer-response-compression-level=none")
    assert not capsys.readouterr().err


def test_what_means_nothing_says_so_and_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    for name, reason in IDLE.items():
        parsed(f"{name}=1")
        assert f"{name} changes nothing here: {reason}" in capsys.readouterr().err
