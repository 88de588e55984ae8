# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Fields that need another model, undo, the text of the configuration, load by hand, and what if."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from workbench.errors import ConfigError, InvalidArgumentError, UnavailableError
from workbench.views import wire
from workbench.views.config_text import ConfigText, difference_html
from workbench.views.controls import Controls
from workbench.views.load_controls import LoadControls
from workbench.views.what_if import calibration_of, imagine

MS, S = 1_000_000, 1_000_000_000
CONFIG = """name: "m"
backend: "identity"
max_batch_size: 8
input { name: "X" data_type: TYPE_FP32 dims: [ 1 ] }
output { name: "Y" data_type: TYPE_FP32 dims: [ 1 ] }
instance_group { count: 1 kind: KIND_CPU }
dynamic_batching { max_queue_delay_microseconds: 2000 }
"""


@pytest.fixture
def controls(make, facts):
    return Controls(make.source(facts), facts)


def made_ready(controls):
    controls._reload.join(10)


def test_what_needs_another_model_is_done_in_the_background_and_says_so(make, facts):
    source, may_go_on = make.source(facts), threading.Event()
    source.reconfigure = lambda **fields: may_go_on.wait(10) and source.changes.append(fields)
    controls = Controls(source, facts)
    controls.most.value = 16
    assert "serves until then" in controls.said.value
    may_go_on.set()
    made_ready(controls)
    assert (source.changes, controls.said.value) == ([{"max_batch_size": 16}], "")


def test_instances_and_priorities_change_under_way(controls):
    controls.instances.value = 3
    controls.priorities.value = 2
    assert controls._model.changes == [{"count": 3}, {"priority_levels": 2}]


def test_undo_takes_back_one_change_after_the_other(controls, facts):
    assert controls.undo.disabled
    controls.delay.value = 500
    controls.show(replace(facts, max_queue_delay_microseconds=500))
    controls.instances.value = 4
    controls.take_back()
    controls.take_back()
    assert controls._model.changes[2:] == [{"count": 1}, {"max_queue_delay_microseconds": 2_000}]
    assert controls.undo.disabled


def test_a_change_that_is_refused_can_not_be_undone(controls):
    def refuse(**fields):
        raise InvalidArgumentError("no")

    controls._model.reconfigure = refuse
    controls.delay.value = 500
    assert controls.undo.disabled


class Text:
    """A model that has a configuration."""

    def __init__(self):
        self.running, self.file, self.loaded = CONFIG, None, []

    def config_text(self):
        return self.running

    def load_text(self, text):
        if "refused" in text:
            raise ConfigError("the backend refuses this", line=3)
        self.loaded.append(text)
        self.running = text

    def file_text(self):
        return self.file


def test_the_text_follows_what_runs_until_somebody_writes():
    model = Text()
    shown = ConfigText(model)
    model.running = CONFIG.replace("2000", "300")
    shown.follow()
    assert "300" in shown.text.value
    shown.text.value = shown.text.value.replace("300", "77")
    model.running = CONFIG
    shown.follow()
    assert "77" in shown.text.value


def test_a_text_that_is_written_is_loaded():
    model = Text()
    shown = ConfigText(model)
    assert shown.load.disabled
    shown.text.value = CONFIG.replace("2000", "77")
    assert not shown.load.disabled
    shown.replace_model()
    shown.wait()
    assert model.loaded == [CONFIG.replace("2000", "77")]
    assert shown.load.disabled


def test_a_mistake_in_the_text_is_said_with_its_line_before_it_is_loaded():
    shown = ConfigText(Text())
    shown.text.value = CONFIG.replace("max_batch_size", "max_batch_sizes")
    assert "3" in shown.said.value
    assert "max_batch_size" in shown.said.value
    assert shown.load.disabled


def test_what_the_model_refuses_is_said_beside_the_text():
    shown = ConfigText(Text())
    shown.text.value = CONFIG + "# refused\n"
    shown.replace_model()
    shown.wait()
    assert "the backend refuses this" in shown.said.value


def test_the_difference_to_the_file_is_told_line_by_line(tmp_path):
    path = tmp_path / "config.pbtxt"
    html = difference_html(CONFIG.replace("2000", "500"), (path, CONFIG))
    assert "500" in html
    assert "2000" in html
    assert "backend" not in html
    assert difference_html(CONFIG, None) == "<i>This model has no file.</i>"


def test_load_is_sent_piece_by_piece_at_the_rate_of_the_moment():
    sent, go = [], threading.Semaphore(0)

    def send(**piece):
        sent.append(piece)
        go.acquire(timeout=10)

    load = LoadControls(send)
    load.is_on.value = True
    load.rate.value, load.arrivals.value = 500, "gamma"
    go.release()
    while len(sent) < 2:
        pass
    load.loop._stop.set()
    go.release(5)
    load.stop()
    assert (sent[0]["arrivals"], sent[1]["rate"], sent[1]["arrivals"]) == ("poisson", 500.0, "gamma")
    assert not load.loop.is_running


def test_load_that_fails_switches_itself_off_and_says_why():
    def send(**piece):
        raise UnavailableError("the model is <gone>")

    load = LoadControls(send)
    load.is_on.value = True
    load.loop._thread.join(10)
    assert "the model is &lt;gone&gt;" in load.said.value
    assert not load.is_on.value


@pytest.fixture
def batches(make):
    """Forty batches of 1 row that took 2 ms, and forty of 8 that took 4 ms."""
    parts = [make.batch(i * 10 * MS, waits_ns=[MS], serial=i) for i in range(1, 41)]
    parts += [make.batch(i * 10 * MS, waits_ns=[MS] * 8, serial=i, execute_ns=4 * MS) for i in range(41, 81)]
    return make.columns(*parts).batches


def test_a_prediction_is_calibrated_on_what_was_measured(batches):
    assert dict(calibration_of(batches).service_ns) == {1: 2.0 * MS, 8: 4.0 * MS}


def test_too_little_is_nothing_to_predict_from(batches):
    with pytest.raises(UnavailableError, match="19 batches were measured in this window, a prediction needs 20"):
        calibration_of(batches[:19])
    with pytest.raises(UnavailableError, match="no request came"):
        imagine(CONFIG, {}, batches, rate=0.0)


def test_a_longer_delay_is_predicted_to_make_larger_batches(batches):
    short, long = (
        imagine(CONFIG, {"max_queue_delay_microseconds": delay}, batches, rate=800.0) for delay in (0, 10_000)
    )
    assert long.mean_rows > short.mean_rows + 1
    assert short.words.startswith("Predicted, with a queue delay of 0 ns: p50 ")
    assert "never measured" in short.words
    assert short.p50_ns[0] <= short.p50_ns[1] < short.p99_ns[1]


def test_more_than_can_be_answered_is_said(batches):
    assert "more would come than can be answered" in imagine(CONFIG, {}, batches, rate=50_000.0).words


def test_a_prediction_goes_to_the_browser_marked_as_such(batches):
    told = wire.prediction(imagine(CONFIG, {"count": 2}, batches, rate=500.0))
    assert np.isclose(sum(told["sizes"].values()), 1.0)
    assert told["words"].startswith("Predicted")


def test_with_what_if_a_slider_predicts_and_changes_nothing(make, facts):
    source, asked = make.source(facts), []
    controls = Controls(source, facts)
    controls.offer_what_if(lambda fields: asked.append(dict(fields)) or "")
    controls.what_if.value = True
    controls.delay.value = 500
    controls.instances.value = 2
    assert asked[-1] == {"max_queue_delay_microseconds": 500, "count": 2}
    controls.what_if.value = False
    assert (controls.delay.value, controls.instances.value, source.changes) == (2_000, 1, [])


def test_why_nothing_can_be_predicted_is_said(make, facts):
    controls = Controls(make.source(facts), facts)
    controls.offer_what_if(lambda fields: "send some load")
    controls.what_if.value = True
    assert "send some load" in controls.said.value
