# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The widget, spoken to over a comm that a test holds. No kernel, no browser."""

import base64
import contextvars

import numpy as np
import pytest

from workbench.events import EventNames, RecordingWriter, Snapshot
from workbench.views import Dashboard, replay, wire
from workbench.views.post import POST

MS = 1_000_000


@pytest.fixture
def source(make, facts):
    source = make.source(facts)
    source.waiting = [make.batch(source.time_ns - 100 * MS, waits_ns=[MS] * 4)]
    return source


@pytest.fixture
def dashboard(held_comm, source):
    dashboard = Dashboard(source)
    yield dashboard
    dashboard.close()


def hear(dashboard, **content):
    dashboard._handle_custom_msg(content, [])


def test_a_frame_carries_all_tables(dashboard):
    dashboard._send_frame(False)
    content, buffers = dashboard.comm.sent[0]
    assert (content["kind"], content["seq"], len(buffers)) == ("frame", 1, len(wire.TABLES))


def test_a_view_that_says_hello_gets_the_whole_window(dashboard):
    dashboard._send_frame(False)
    hear(dashboard, kind="hello")
    dashboard._send_frame(False)
    assert dashboard.comm.wholes == [False, True]
    whole = dashboard.comm.sent[1][0]
    assert (whole["batch_total"], "totals" in whole) == (1, True)


def test_a_second_hello_gets_the_window_too(dashboard):
    for _ in range(2):
        hear(dashboard, kind="hello")
        dashboard._send_frame(False)
    dashboard._send_frame(False)
    assert dashboard.comm.wholes == [True, True, False]


def test_an_answer_givescredit(dashboard):
    dashboard._send_frame(False)
    assert dashboard.credit.bytes_in_flight > 0
    hear(dashboard, kind="ack", frames=[[dashboard.uid, 1, False], ["gone", 1, False]])
    assert dashboard.credit.bytes_in_flight == 0


def test_frames_of_one_tick_go_together_once_the_browser_was_heard(dashboard, source):
    other = Dashboard(source)
    for is_heard in (False, True):
        if is_heard:
            hear(other, kind="hello")
        with POST.gathered():
            dashboard._send_frame(False)
            other._send_frame(False)
    alone, together = [content for content, _ in other.comm.sent], other.comm.sent[-1]
    assert [content["kind"] for content in alone] == ["frame", "several"]
    assert len(dashboard.comm.sent) == 1
    parts = together[0]["parts"]
    assert [(part["uid"], part["header"]["seq"]) for part in parts] == [(dashboard.uid, 2), (other.uid, 2)]
    assert sum(part["count"] for part in parts) == len(together[1]) == 2 * len(wire.TABLES)
    other.close()


def test_an_answer_may_come_by_way_of_another_view(dashboard, source):
    other = Dashboard(source)
    dashboard._send_frame(False)
    hear(other, kind="ack", frames=[[dashboard.uid, 1, False]])
    assert dashboard.credit.bytes_in_flight == 0
    other.close()


def test_messages_that_are_not_known_are_ignored(dashboard):
    hear(dashboard, kind="moo")
    hear(dashboard)
    assert dashboard.comm.sent == []


def test_answers_are_not_bound_to_the_subshell_that_spoke_last(dashboard):
    dashboard.comm._reply_subshell_id = "a-cell"
    dashboard._send_frame(False)
    assert "_reply_subshell_id" not in dashboard.comm.__dict__


def test_a_thinned_frame_is_small(dashboard, source, make):
    source.waiting = [make.batch(source.time_ns - i, waits_ns=[MS] * 2, serial=i) for i in range(1_000)]
    dashboard._send_frame(True)
    content, buffers = dashboard.comm.sent[0]
    assert content["thinned"]
    assert sum(map(len, buffers)) < 20_000


def test_the_thread_sends_until_it_is_stopped(dashboard):
    dashboard.start()
    assert dashboard.comm.arrived.wait(10)
    dashboard.stop()
    count = len(dashboard.comm.sent)
    assert not dashboard.pump.is_running
    assert (dashboard.is_live, len(dashboard.comm.sent)) == (False, count)


def test_the_thread_runs_in_a_context_of_its_own(dashboard, source):
    mark = contextvars.ContextVar("mark", default="nobody")
    mark.set("the cell")
    seen = []
    source.events = lambda since=0, real=source.events: seen.append(mark.get()) or real(since)
    dashboard.start()
    assert dashboard.comm.arrived.wait(10)
    dashboard.stop()
    assert seen[0] == "nobody"


def test_a_source_that_fails_ends_the_picture_and_says_why(dashboard, source, caplog):
    def fail(since=0):
        raise RuntimeError("the log is gone")

    source.events = fail
    dashboard.start()
    while dashboard.pump.is_running:
        assert dashboard.pump.frames < 10
    assert not dashboard.pump.is_running
    assert "the log is gone" in caplog.text


def test_what_is_left_when_it_stops_can_be_drawn_without_a_kernel(dashboard):
    dashboard.stop()
    assert b'"kind": "frame"' in dashboard.saved


def test_another_source_is_followed_from_the_next_frame_on(dashboard, make, facts):
    other = make.source(facts.__class__("other"))
    dashboard._send_frame(False)
    dashboard.follow(other)
    dashboard._send_frame(False)
    assert dashboard.comm.wholes == [False, True]
    assert dashboard.comm.sent[-1][0]["totals"]["facts"]["name"] == "other"


@pytest.mark.parametrize("change", ["is seen again", "looks back"])
def test_another_source_that_is_chosen_meanwhile_stays(dashboard, source, make, facts, change):
    other = make.source(facts.__class__("other"))
    told, source.facts = source.facts, lambda: (setattr(source, "facts", told), dashboard.follow(other))[0] or told()
    if change == "looks back":
        dashboard.look_back(30.0)
    else:
        dashboard._follower.keep_few()
        dashboard._mind_who_looks()
    dashboard._send_frame(False)
    content = dashboard.comm.sent[-1][0]
    assert (content["totals"]["facts"]["name"], content["is_whole"]) == ("other", True)
    assert content["window_s"] == (30.0 if change == "looks back" else 10.0)


def test_a_length_of_time_that_is_chosen_meanwhile_stays(dashboard, make, facts):
    other = make.source(facts.__class__("other"))
    told, other.facts = other.facts, lambda: (setattr(other, "facts", told), dashboard.look_back(30.0))[0] or told()
    dashboard.follow(other)
    view = dashboard.view()
    assert (view.facts.name, view.window_ns) == ("other", 30 * 1_000_000_000)


def fail(*_args, **_options):
    raise OSError("the line is cut")


@pytest.mark.parametrize("is_heard", [True, False])
def test_a_frame_that_can_not_be_sent_costs_its_own_view_alone(dashboard, source, caplog, monkeypatch, is_heard):
    other = Dashboard(source)
    dashboard.start()
    other.start()
    assert dashboard.comm.arrived.wait(10)
    assert other.comm.arrived.wait(10)
    if is_heard:
        hear(dashboard, kind="hello")
    with monkeypatch.context() as patched:
        patched.setattr(dashboard.comm, "publish_msg", fail)
        while dashboard.pump.is_running:
            assert dashboard.pump.frames < 1_000
    other.comm.arrived.clear()
    assert other.comm.arrived.wait(10)
    assert other.pump.is_running
    assert "the line is cut" in caplog.text
    other.close()


def test_looking_at_the_view_takes_nothing_from_the_browser(dashboard, source, make):
    dashboard._send_frame(False)
    source.waiting = [make.batch(source.time_ns - 50 * MS, waits_ns=[MS] * 4, serial=2)]
    assert len(dashboard.view().batches) == 2
    dashboard._send_frame(False)
    assert dashboard.comm.sent[-1][0]["batch_total"] == 2


def test_a_saved_notebook_has_a_picture_beside_the_widget(dashboard):
    data, _ = dashboard._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")


def test_nothing_that_happened_is_no_picture(held_comm, make, facts):
    data, _ = Dashboard(make.source(facts))._repr_mimebundle_()
    assert "image/png" not in data


def test_its_repr_tells_its_state(dashboard):
    assert repr(dashboard) == "<Dashboard of m, stopped, 0 frames>"


def test_the_browser_may_ask_for_another_length_of_time(dashboard):
    dashboard._send_frame(False)
    hear(dashboard, kind="window", value=30)
    dashboard._send_frame(False)
    content = dashboard.comm.sent[-1][0]
    assert (content["window_s"], content["is_whole"]) == (30.0, True)
    hear(dashboard, kind="window", value=10_000)
    assert dashboard.view().window_ns == 600 * 1_000_000_000


def test_a_replay_tells_its_clock_and_follows_its_jumps(held_comm, make, tmp_path):
    pytest.importorskip("pyarrow")
    began_ns = 1_000 * 1_000_000_000
    told = RecordingWriter(tmp_path / "run.wbr", began_ns=began_ns, began_unix_ns=0)
    model = {"number": 1, "name": "m", "version": 1, "max_batch_size": 8, "dynamic": True, "instances": [["CPU", 0]]}
    model |= {"max_queue_delay_microseconds": 1, "preferred_batch_size": [], "priority_levels": 0, "steps": []}
    names = EventNames(models=(("", 0), ("m", 1)))
    batches = np.concatenate([make.batch(began_ns + i * 100 * MS, waits_ns=[MS], serial=i) for i in range(1, 100)])
    told.write(batches, Snapshot(now_ns=began_ns + 10_000 * MS, names=names, models=(model,)))
    told.close()
    replayed = replay(told.path)
    replayed.transport.pause()
    dashboard = Dashboard(replayed.source())
    hear(dashboard, kind="transport", action="seek", value=5)
    dashboard._send_frame(False)
    hear(dashboard, kind="transport", action="seek", value=2)
    dashboard._send_frame(False)
    first, second = (content for content, _ in dashboard.comm.sent)
    assert (first["transport"]["at_s"], second["transport"]["at_s"]) == (5.0, 2.0)
    assert (first["batch_total"], second["batch_total"]) == (49, 19)
    assert (second["is_whole"], len(second["overview"]["answered"])) == (True, 240)
    dashboard.close()
