# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Situations of model repositories, through the C interface; prints what the server answered, as JSON.

python repository_calls.py LIBRARY FOLDER BACKENDS SITUATION

as management_calls.py; FOLDER is one to write into, BACKENDS has the backends `flow` and `witness`.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from tests.conformance.management_calls import Server, library_named
from tests.flow import chain, ensemble_text, model_text, write_repository

Answers: TypeAlias = dict[str, Any]
NEWEST = ctypes.c_int64(-1)


class Situation:
    """A folder, and servers on it."""

    def __init__(self, library: str, folder: Path, backends: str) -> None:
        self._library = library
        self.folder = folder
        self._backends = backends

    def serve(self, *repositories: str, **options: Any) -> Server:
        """A server on some folders of the folder."""
        return Server(self._library, [str(self.folder / name) for name in repositories], self._backends, **options)

    def write(self, repository: str, texts: Mapping[str, str]) -> None:
        """Models by name, with the texts of their configurations."""
        write_repository(self.folder / repository, texts)


def states(server: Server, *names: str) -> list[list[Any]]:
    """Name, version and state of each entry of the index for these models."""
    entries = server.asked("ServerModelIndex", 0)
    told = ([entry["name"], entry.get("version"), entry.get("state")] for entry in entries if entry["name"] in names)
    return sorted(told, key=str)


def batch_size(server: Server, name: bytes) -> Any:
    """The largest batch of a model that serves, or the code of the error."""
    config = server.asked("ServerModelConfig", name, NEWEST, 1)
    return config if isinstance(config, str) else config["max_batch_size"]


def all_about(server: Server, name: str, version: int = -1) -> Answers:
    """What every call about a model answers of one that does not serve; of one that does, None."""
    number, model = ctypes.c_int64(version), name.encode()
    calls = {"Metadata": (), "Config": (1,), "Statistics": ()}
    told = {what: server.asked(f"ServerModel{what}", model, number, *more) for what, more in calls.items()}
    handle = ctypes.c_void_p()
    request = server.call("InferenceRequestNew", ctypes.byref(handle), server.handle, model, number)
    answers = {what: answer if isinstance(answer, str) else None for what, answer in told.items()}
    return {**answers, "ready": server.is_ready(model, version), "request": request}


def twins(situation: Situation, *, namespaced: bool) -> Answers:
    """Two repositories, both with a model `twin` and an ensemble of it."""
    for repository, size in {"a": 4, "b": 8}.items():
        ensemble = ensemble_text(*chain("twin"), max_batch_size=size)
        more = {f"only_{repository}": model_text(), f"ensemble_{repository}": ensemble}
        situation.write(repository, {"twin": model_text(max_batch_size=size), **more})
    server = situation.serve("a", "b", settings=[("SetModelNamespacing", ctypes.c_bool(namespaced))])
    answers: Answers = {"only_a": server.told("ServerLoadModel", b"only_a")}
    for name in (b"twin", b"ensemble_a", b"ensemble_b"):
        answers[f"load {name.decode()}"] = server.told("ServerLoadModel", name)
        answers[f"batch of {name.decode()}"] = batch_size(server, name)
        answers[f"ready {name.decode()}"] = server.is_ready(name)
        answers[f"states after {name.decode()}"] = states(server, "only_a", "only_b", "twin")
    answers["unload twin"] = server.told("ServerUnloadModel", b"twin")
    answers["ready after unload"] = server.is_ready(b"twin")
    answers["delete"] = server.told("ServerDelete")
    return answers


def refused(situation: Situation) -> Answers:
    """Models that can not be loaded: what is said of them afterwards."""
    no_weights = model_text(backend="witness", fail_loads=99)
    texts = {"unread": "max_batch_size: many", "nowhere": model_text(backend="nowhere"), "no_weights": no_weights}
    situation.write("a", {**texts, "no_version": model_text(), "ensemble": ensemble_text(*chain("unread"))})
    (situation.folder / "a" / "no_version" / "1").rmdir()
    (situation.folder / "a" / "nameless" / "1").mkdir(parents=True)
    server = situation.serve("a")
    answers: Answers = {}
    for name in (*texts, "no_version", "nameless", "ensemble"):
        answers[f"load {name}"] = server.told("ServerLoadModel", name.encode())
        answers[name] = all_about(server, name)
    return answers


def unloaded(situation: Situation) -> Answers:
    """Models that served and do no more, whole or in part: what is said of them afterwards."""
    every = "version_policy { all { } }"
    situation.write("a", {"whole": model_text(), "part": model_text(extra=every)})
    (situation.folder / "a" / "part" / "2").mkdir()
    server = situation.serve("a")
    answers: Answers = {}
    for name in ("whole", "part"):
        answers[f"load {name}"] = server.told("ServerLoadModel", name.encode())
    (situation.folder / "a" / "part" / "2").rmdir()
    answers["load without version 2"] = server.told("ServerLoadModel", b"part")
    answers["unload whole"] = server.told("ServerUnloadModel", b"whole")
    for name in ("whole", "part"):
        answers.update({f"{name}, version {version}": all_about(server, name, version) for version in (-1, 1, 2, 3)})
    return answers


def retries(situation: Situation) -> Answers:
    """A load fails a few times, and is tried again as often as the server is told to."""
    for name, fails in {"at_once": 0, "second": 1, "third": 2, "never": 9}.items():
        situation.write("a", {name: witness(fail_loads=fails, counts=situation.folder)})
    server = situation.serve("a", settings=[("SetModelLoadRetryCount", 2)])
    return {name: server.told("ServerLoadModel", name.encode()) for name in ("at_once", "second", "third", "never")}


def warmups(situation: Situation) -> Answers:
    """Warm-up with data of all kinds, good and bad: what loads, and how often models executed by then."""
    samples = {
        "zero": warmup("zero_data: true"),
        "random": warmup("random_data: true"),
        "file": warmup('input_data_file: "data"'),
        "long_file": warmup('input_data_file: "long"'),
        "short_file": warmup('input_data_file: "short"'),
        "no_file": warmup('input_data_file: "absent"'),
        "file_elsewhere": warmup('input_data_file: "../config.pbtxt"'),
        "no_data": warmup(""),
        "thrice": warmup("zero_data: true", more="batch_size: 2 count: 3"),
        "two": warmup("zero_data: true") + warmup("random_data: true", more="batch_size: 4"),
        "no_batch": warmup("zero_data: true", more="batch_size: 0"),
        "large_batch": warmup("zero_data: true", more="batch_size: 9"),
        "other_input": warmup("zero_data: true", name="OTHER"),
        "other_type": warmup("zero_data: true", data_type="INT32"),
        "other_dims": warmup("zero_data: true", dims="5"),
        "no_name": warmup("zero_data: true").replace('name: "w"', ""),
        "no_inputs": 'model_warmup [ { name: "w" batch_size: 1 } ]',
    }
    for name, sample in samples.items():
        situation.write("a", {name: witness(extra=sample)})
        (situation.folder / "a" / name / "warmup").mkdir()
        for file, size in {"data": 16, "long": 20, "short": 15}.items():
            (situation.folder / "a" / name / "warmup" / file).write_bytes(bytes(size))
    return loads_and_executions(situation.serve("a"), samples)


def failed_warmups(situation: Situation) -> Answers:
    """Warm-up that the backend refuses, at once or the second time."""
    situation.write("a", {"fails": witness(fail_from=0, extra=warmup("zero_data: true"))})
    twice = warmup("zero_data: true", more="batch_size: 1 count: 2")
    situation.write("a", {"fails_in_the_second": witness(fail_from=1, extra=twice)})
    return loads_and_executions(situation.serve("a"), ["fails", "fails_in_the_second"])


def loads_and_executions(server: Server, names: Iterable[str]) -> Answers:
    """How models load, and how often each executed by then."""
    answers: Answers = {}
    for name in names:
        answers[f"load {name}"] = server.told("ServerLoadModel", name.encode())
        answers[f"executions of {name}"] = executions(server, name.encode())
    return answers


def config_names(situation: Situation) -> Answers:
    """Models with configurations to choose from: the largest batch tells which was taken."""
    names = ("default_alone", "chosen_alone", "both", "other", "broken", "neither")
    situation.write("a", {name: model_text(max_batch_size=8) for name in names})
    for name, (file, text) in {
        "chosen_alone": ("chosen", model_text(max_batch_size=2)),
        "both": ("chosen", model_text(max_batch_size=2)),
        "other": ("another", model_text(max_batch_size=2)),
        "broken": ("chosen", "max_batch_size: many"),
    }.items():
        (situation.folder / "a" / name / "configs").mkdir()
        (situation.folder / "a" / name / "configs" / f"{file}.pbtxt").write_text(text)
    for name in ("chosen_alone", "neither"):
        (situation.folder / "a" / name / "config.pbtxt").unlink()
    server = situation.serve("a", settings=[("SetModelConfigName", b"chosen")])
    answers: Answers = {}
    for name in names:
        answers[name] = [server.told("ServerLoadModel", name.encode()), batch_size(server, name.encode())]
    (situation.folder / "a" / "both" / "configs" / "chosen.pbtxt").write_text(model_text(max_batch_size=3))
    answers["edited"] = [server.told("ServerLoadModel", b"both"), batch_size(server, b"both")]
    configs = situation.folder / "a" / "both" / "configs"
    (configs / "chosen.pbtxt").unlink()
    # The real server looks at times alone, and a file system may tell the same time twice.
    later = configs.stat().st_mtime + 2
    os.utime(configs, (later, later))
    answers["removed"] = [server.told("ServerLoadModel", b"both"), batch_size(server, b"both")]
    return answers


def options(situation: Situation) -> Answers:
    """What is said to limits of devices, and what a server does with options for GPUs where there are none."""
    situation.write("a", {"m": model_text()})
    gpu, cpu, share = 2, 1, ctypes.c_double
    settings = [
        ("SetModelLoadDeviceLimit", gpu, 0, share(0.5)),
        ("SetModelLoadDeviceLimit", gpu, 99, share(1.0)),
        ("SetModelLoadDeviceLimit", gpu, -1, share(0.5)),
        ("SetModelLoadDeviceLimit", gpu, 0, share(1.5)),
        ("SetModelLoadDeviceLimit", gpu, 0, share(-0.1)),
        ("SetModelLoadDeviceLimit", cpu, 0, share(0.5)),
        ("SetEnablePeerAccess", ctypes.c_bool(False)),
        ("SetBufferManagerThreadCount", 2),
        ("SetMetricsInterval", ctypes.c_uint64(10)),
        ("SetRepoAgentDirectory", b"/nowhere"),
        ("SetMinSupportedComputeCapability", share(9.0)),
        ("SetCudaMemoryPoolByteSize", 0, ctypes.c_uint64(1 << 20)),
        ("SetPinnedMemoryPoolByteSize", ctypes.c_uint64(0)),
    ]
    server = situation.serve("a", settings=settings)
    agent = model_text(extra='model_repository_agents { agents [ { name: "checksum" } ] }')
    situation.write("a", {"with_agent": agent})
    loads = {name: server.told("ServerLoadModel", name.encode()) for name in ("m", "with_agent")}
    return {"settings": server.refused, **loads}


def warmup(
    data: str, *, name: str = "IN", data_type: str = "FP32", dims: str = "4", more: str = "batch_size: 1"
) -> str:
    """A warm-up of one input."""
    value = f"data_type: TYPE_{data_type} dims: [ {dims} ] {data}"
    return f'model_warmup [ {{ name: "w" {more} inputs {{ key: "{name}" value {{ {value} }} }} }} ]'


def executions(server: Server, name: bytes) -> Any:
    """Executions and inferences of a model so far, or the code of the error."""
    told = server.asked("ServerModelStatistics", name, NEWEST)
    if isinstance(told, str):
        return told
    (model,) = told["model_stats"]
    return [model["execution_count"], model["inference_count"], model["inference_stats"]["success"]["count"]]


def witness(**options: Any) -> str:
    """The configuration of a model that tells where and how it runs."""
    return model_text(backend="witness", **options)


SITUATIONS: Mapping[str, Callable[[Situation], Answers]] = {
    "config_names": config_names,
    "options": options,
    "refused": refused,
    "retries": retries,
    "warmups": warmups,
    "failed_warmups": failed_warmups,
    "unloaded": unloaded,
    "twins": lambda situation: twins(situation, namespaced=False),
    "namespaces": lambda situation: twins(situation, namespaced=True),
}


def main() -> None:
    """Print the answers."""
    library, folder, backends, name = sys.argv[1:]
    print(json.dumps(SITUATIONS[name](Situation(library_named(library), Path(folder), backends))))


if __name__ == "__main__":
    main()
