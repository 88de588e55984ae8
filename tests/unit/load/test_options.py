# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import argparse

import pytest

from workbench.errors import InvalidArgumentError
from workbench.load import DRIVE_OPTIONS, Sequences, Workload, drive_arguments


def arguments(*words):
    parser = argparse.ArgumentParser(exit_on_error=False)
    for name, settings in DRIVE_OPTIONS:
        parser.add_argument(name, **settings)
    return drive_arguments(parser.parse_args(words))


@pytest.mark.parametrize(
    ("words", "workload"),
    [
        ("--rate 100", Workload.poisson(rate=100)),
        ("--rate 100 --arrivals constant --requests 7", Workload.constant(rate=100, requests=7)),
        ("--rate 100 --arrivals gamma --variation 3", Workload.gamma(rate=100, variation=3)),
        ("--rate 9 --arrivals markov --ratio 8 --dwell 0.2", Workload.mmpp(rate=9, ratio=8, dwell_s=0.2)),
        ("--concurrency 4 --duration 2 --seed 5", Workload.closed(concurrency=4, duration_s=2, seed=5)),
    ],
)
def test_words_make_the_workload_that_its_name_makes(words, workload):
    assert arguments(*words.split())["workload"] == workload


def test_times_of_a_file_are_replayed(tmp_path):
    path = tmp_path / "times.txt"
    path.write_text("0\n1\n")
    assert arguments("--replay", str(path), "--speed", "2")["workload"] == Workload.replay([0, 0.5])


def test_words_say_what_is_sent():
    line = "--rate 1 --dims IMAGE:3,4 --rows 2 --sequences 3 --sequence-length 7 --timeout 0.5 --parameter top:5"
    options = arguments(*line.split(), "--parameter", "exact:true", "--parameter", "name:a")
    assert options["dims"] == {"IMAGE": (3, 4)}
    assert options["sequences"] == Sequences(3, length=7)
    assert options["timeout_s"] == 0.5
    assert options["parameters"] == {"top": 5, "exact": True, "name": "a"}


def test_what_help_shows_is_what_is_read():
    shown = dict(DRIVE_OPTIONS)
    assert shown["--parameter"]["type"](shown["--parameter"]["metavar"]) == ("NAME", "VALUE")


@pytest.mark.parametrize("words", ["", "--rate 1 --concurrency 1"])
def test_one_way_of_sending_is_needed(words):
    with pytest.raises(InvalidArgumentError, match="give a rate"):
        arguments(*words.split())


@pytest.mark.parametrize("word", [":3", "IMAGE:x"])
def test_dims_that_are_none_are_refused(word):
    with pytest.raises(argparse.ArgumentError):
        arguments("--rate", "1", "--dims", word)
