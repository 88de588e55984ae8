# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Recordings in the views, and taken elsewhere."""

import base64
import gzip
import json
import re

import numpy as np
import pytest

import workbench as wb
from workbench.errors import InvalidArgumentError, NotFoundError
from workbench.events import EventNames, RecordingWriter, Snapshot
from workbench.events.blocks import BLOCK_DTYPE
from workbench.views import page, reduce, replay
from workbench.views.follower import Follower
from workbench.views.memory_follower import MemoryFollower
from workbench.views.recorded import told_ns
from workbench.views.transport import Transport

pytest.importorskip("pyarrow")

S, MS = 1_000_000_000, 1_000_000
BEGAN = 1_000 * S
NAMES = EventNames(models=(("", 0), ("m", 1), ("idle", 2)), pools=("pinned",))
POOL = {
    "name": "pinned", "live_byte_size": 4, "reserved_byte_size": 8, "peak_byte_size": 8, "limit_byte_size": 16,
    "allocations": 1, "failures": 0, "fallbacks": 0, "of a later version": 1,
}  # fmt: skip


def model(name, number, *, delay_us=2_000):
    return {
        "number": number, "name": name, "version": 1, "max_batch_size": 8, "dynamic": True, "priority_levels": 0,
        "max_queue_delay_microseconds": delay_us, "preferred_batch_size": [8], "instances": [["CPU", 0], ["GPU", 1]],
        "steps": [],
    }  # fmt: skip


@pytest.fixture
def recorded(make, tmp_path):
    """Six seconds with 100 batches of 4 each; after three the delay is 500 µs, and events were lost."""
    told = RecordingWriter(tmp_path / "run.wbr", began_ns=BEGAN, began_unix_ns=1)
    for second in range(6):
        batches = [
            make.batch(BEGAN + second * S + i * 10 * MS, waits_ns=[MS] * 4, serial=second * 100 + i) for i in range(100)
        ]
        told.write(
            np.concatenate(batches),
            Snapshot(
                now_ns=BEGAN + (second + 1) * S,
                next_since=(second + 1) * 500,
                dropped=7 if second == 3 else 0,
                names=NAMES,
                models=(model("m", 1, delay_us=2_000 if second < 3 else 500), model("idle", 2)),
                pools=(POOL,),
                queues={1: second},
            ),
        )
    told.close()
    return tmp_path / "run.wbr"


def source_at(recorded, at_s, name="m"):
    replayed = replay(recorded)
    still = Transport(start_ns=replayed.tape.start_ns, end_ns=replayed.tape.end_ns, is_playing=False)
    still.seek(at_s)
    return replayed.source(name).at(still)


def test_it_is_public():
    assert wb.replay is replay


def test_a_view_shows_the_time_that_is_asked_for(recorded):
    view = replay(recorded).view(at_s=2.0)
    assert view.totals.answered_per_s == pytest.approx(400, rel=0.05)
    assert (view.facts.name, view.facts.max_queue_delay_microseconds, view.dropped) == ("m", 2_000, 0)
    assert view.facts.instances == ("instance 0", "1 on GPU 1")


def test_a_configuration_changes_when_it_did(recorded):
    assert source_at(recorded, 5.5).facts().max_queue_delay_microseconds == 500
    assert source_at(recorded, 5.5).facts().queue_length == 4


def test_events_that_were_lost_are_told_when_they_were(recorded):
    assert [replay(recorded).view(at_s=at_s).dropped for at_s in (3.5, 4.5)] == [0, 7]


def test_a_replay_tells_a_follower_what_a_live_server_told(recorded):
    source = source_at(recorded, 0)
    follower = Follower(source)
    seen = []
    for step in range(1, 61):
        source.transport.seek(step / 10)
        seen.append(follower.news())
    assert sum(view.batch_total for view in seen) == 600
    again = follower.whole()
    direct = reduce(
        source.tape.recording.columns(), facts=source.facts(), now_ns=source.now_ns(), window_ns=10 * S, dropped=7
    )
    assert again.totals.latency == direct.totals.latency
    assert again.dropped == 7


def test_the_busiest_model_comes_first(recorded):
    assert replay(recorded).models == ("m", "idle")
    with pytest.raises(NotFoundError, match="it has m, idle"):
        replay(recorded).source("moo")


def test_an_overview_has_the_rate_of_the_whole_time(recorded):
    overview = source_at(recorded, 1).overview()
    assert np.nanmean([value for value in overview["answered"] if value]) == pytest.approx(400, rel=0.2)
    assert set(overview["refused"]) == {0.0}


def test_pools_are_those_of_that_time_without_what_is_not_known(recorded):
    (pool,) = source_at(recorded, 1).memory().pools
    assert (pool.name, pool.live_byte_size, pool.limit_byte_size) == ("pinned", 4, 16)


def test_records_are_told_at_their_ends(make):
    records = np.concatenate([make.batch(S, waits_ns=[5 * MS]), make.memory(2 * S)])
    assert told_ns(records).tolist() == [S + 2 * MS, 2 * S]


@pytest.mark.parametrize("suffix", [".json", ".svg", ".png", ".html"])
def test_it_is_saved_in_the_form_of_its_suffix(recorded, tmp_path, suffix):
    path = replay(recorded).save(tmp_path / f"run{suffix}", **({"at_s": 3.0} if suffix in (".svg", ".png") else {}))
    start = {".json": b'{"traceEvents"', ".svg": b"<?xml", ".png": b"\x89PNG", ".html": b"<!doctype html>"}[suffix]
    assert path.read_bytes().startswith(start)


def test_another_suffix_is_refused(recorded, tmp_path):
    with pytest.raises(InvalidArgumentError, match=r"'\.mp4'; it can as \.html"):
        replay(recorded).save(tmp_path / "run.mp4")


def test_a_page_needs_nothing_but_itself(recorded, tmp_path):
    text = replay(recorded).save(tmp_path / "run.html").read_text()
    assert not re.search(
        r"""(?:src|href)\s*=\s*["']|https?://(?!www\.w3\.org)|@import\b|^import """, text, re.MULTILINE
    )
    data = gzip.decompress(base64.b64decode(re.search(r'id="recording">([^<]+)<', text)[1]))
    head = json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])
    assert [film["name"] for film in head["films"]] == ["m", "idle"]


def test_a_page_of_a_long_recording_is_coarser_and_not_larger(recorded, monkeypatch):
    sizes = []
    for most in (60, 15):
        monkeypatch.setattr(page, "_MOST_FRAMES", most)
        data = page.payload({"m": source_at(recorded, 0)}, window_s=10.0)
        head = json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])
        sizes.append((len(head["films"][0]["frames"]), len(data)))
    assert [count for count, _ in sizes] == [61, 16]
    assert sizes[1][1] < sizes[0][1]


def test_a_recording_without_a_model_says_so(tmp_path):
    RecordingWriter(tmp_path / "none.wbr", began_ns=0, began_unix_ns=0).close()
    with pytest.raises(InvalidArgumentError, match="holds no model"):
        replay(tmp_path / "none.wbr")


@pytest.fixture
def blocks_recorded(make, tmp_path):
    """Two seconds; model 1 holds a block, and in the second one model 2 another."""
    blocks = np.zeros(3, BLOCK_DTYPE)
    blocks["address"], blocks["byte_size"], blocks["slab"] = (0, 64, 128), 64, 0
    told = RecordingWriter(tmp_path / "run.wbr", began_ns=BEGAN, began_unix_ns=1)
    for second, owners in enumerate(((1, 0, 0), (1, 2, 0))):
        blocks["model"], blocks["is_free"] = owners, [owner == 0 for owner in owners]
        held = {"models": (model("m", 1),), "pools": (POOL,), "names": NAMES, "blocks": {"pinned": blocks.copy()}}
        told.write(make.batch(BEGAN + second * S, waits_ns=[MS]), Snapshot(now_ns=BEGAN + (second + 1) * S, **held))
    told.close()
    return tmp_path / "run.wbr"


def test_a_recording_tells_who_held_which_block_when(blocks_recorded):
    replayed = replay(blocks_recorded)
    assert replayed.has_blocks
    source = replayed.source()
    source.transport.pause()
    follower = MemoryFollower(source)
    found = []
    for at_s in (1.5, 2.1, 1.0):
        source.transport.seek(at_s)
        look = follower.look()
        found.append((look.blocks.owned_bytes, round(look.blocks_ago_s, 3)))
    assert found == [({1: 64}, 0.5), ({1: 64, 2: 64}, 0.1), ({1: 64}, 0.0)]
    assert look.models[1] == ("m", 1)


def looks_on_page(path, tmp_path):
    text = replay(path).save(tmp_path / "run.html").read_text()
    data = gzip.decompress(base64.b64decode(re.search(r'id="recording">([^<]+)<', text)[1]))
    size = int.from_bytes(data[:4], "little")
    head = json.loads(data[4 : 4 + size])
    at = 4 + size + sum(length for film in head["films"] for _, length in film["frames"])
    for at_s, length in head["memory"]:
        told = int.from_bytes(data[at : at + 4], "little")
        yield at_s, json.loads(data[at + 4 : at + 4 + told])
        at += length


def test_a_page_has_the_blocks_of_each_time_that_they_were_written_down(blocks_recorded, tmp_path):
    looks = list(looks_on_page(blocks_recorded, tmp_path))
    assert [at_s for at_s, _ in looks] == sorted(at_s for at_s, _ in looks)
    assert [header["owned"] for _, header in looks] == [[[1, 64]], [[1, 64], [2, 64]]]
    assert all(header["kind"] == "memory" for _, header in looks)


def test_a_page_of_a_recording_without_blocks_has_no_map(recorded, tmp_path):
    assert list(looks_on_page(recorded, tmp_path)) == []


def test_a_recording_without_blocks_says_so(recorded):
    replayed = replay(recorded)
    assert not replayed.has_blocks
    assert MemoryFollower(replayed.source()).look().blocks.owned_bytes == {}
