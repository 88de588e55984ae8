# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace

import pytest

from workbench.errors import InvalidArgumentError
from workbench.views import watch
from workbench.views.controls import Controls

MS = 1_000_000


@pytest.fixture
def source(make, facts):
    source = make.source(facts)
    source.waiting = [make.batch(source.time_ns - 100 * MS, waits_ns=[MS] * 4)]
    return source


@pytest.fixture
def controls(source, facts):
    return Controls(source, facts)


def test_a_slider_changes_the_model_by_the_fields_own_name(controls, source):
    controls.delay.value = 500
    controls.preferred.value = (4,)
    assert source.changes == [{"max_queue_delay_microseconds": 500}, {"preferred_batch_size": [4]}]


def test_sliders_begin_where_the_model_is(controls):
    assert (controls.delay.value, controls.preferred.value) == (2_000, (8,))


def test_a_value_that_is_no_step_of_the_slider_is_a_step_too(source, facts):
    odd = Controls(source, replace(facts, max_queue_delay_microseconds=137, preferred_batch_size=(3, 5)))
    assert (odd.delay.value, odd.preferred.value) == (137, (3, 5))


def test_what_the_model_refuses_is_said_and_the_slider_goes_back(controls, source):
    def refuse(**fields):
        raise InvalidArgumentError("preferred_batch_size 4 is <above> max_batch_size 2")

    source.reconfigure = refuse
    controls.preferred.value = (4,)
    assert "4 is &lt;above&gt; max_batch_size 2" in controls.said.value
    assert controls.preferred.value == (8,)


def test_a_change_that_works_clears_what_was_said(controls):
    controls.said.value = "no"
    controls.delay.value = 100
    assert controls.said.value == ""


def test_sliders_follow_a_change_made_elsewhere_without_making_it_again(controls, source, facts):
    controls.show(replace(facts, max_queue_delay_microseconds=5_000))
    assert controls.delay.value == 5_000
    assert source.changes == []


def test_sliders_are_heard_while_a_cell_runs(controls, facts):
    controls.delay.comm._reply_subshell_id = controls.preferred.comm._reply_subshell_id = None
    controls.show(facts)
    assert not [s for s in (controls.delay, controls.preferred) if "_reply_subshell_id" in s.comm.__dict__]


def test_watching_shows_controls_and_dashboard_and_closes(source):
    watched = watch(source, frames_per_s=5)
    assert [type(child).__name__ for child in watched.children] == ["Controls", "Dashboard"]
    assert watched.dashboard.pump.is_running
    watched.close()
    assert not watched.dashboard.pump.is_running


def test_controls_may_be_left_out(source):
    watched = watch(source, controls=False)
    assert watched.children == (watched.dashboard,)
    watched.close()


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_a_snapshot_is_a_picture_file(source, tmp_path, suffix):
    watched = watch(source)
    path = watched.snapshot(tmp_path / f"picture{suffix}")
    watched.close()
    assert path.stat().st_size > 10_000


def test_a_container_has_a_picture_of_its_own_for_saved_notebooks(source):
    watched = watch(source)
    data, metadata = watched._repr_mimebundle_()
    watched.close()
    assert metadata["image/png"]["alt"].startswith("m: Requests spend")
    assert {"application/vnd.jupyter.widget-view+json", "image/png"} <= set(data)


def test_several_sources_are_shown_side_by_side(make, facts):
    several = watch([make.source(facts), make.source(replace(facts, name="other"))])
    assert [one.dashboard.facts.name for one in several.watches] == ["m", "other"]
    assert all(one.dashboard.pump.is_running and one.controls is None for one in several.watches)
    several.close()
    assert not any(one.dashboard.pump.is_running for one in several.watches)


def test_nothing_to_watch_is_said():
    with pytest.raises(InvalidArgumentError, match="nothing to watch"):
        watch([])
