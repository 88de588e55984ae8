# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from workbench.views import reduce, save
from workbench.views.colours import BLUE, ORANGE
from workbench.views.facts import LaneFacts
from workbench.views.picture import draw
from workbench.views.spans import CHAIN_DTYPE, TREE_DTYPE, Chains

MS = 1_000_000
S = 1_000_000_000
NOW = 1_000 * S


@pytest.fixture
def view(make, facts):
    parts = [
        make.batch(NOW - 9 * S + i * 10 * MS, waits_ns=[MS] * 4, serial=i, lane=i % 2, reason=4) for i in range(800)
    ]
    parts.append(make.memory(NOW - S, kind=8))
    pools = (replace(make.pools[0], fallbacks=1), make.pools[1])
    return reduce(make.columns(np.concatenate(parts)), facts=facts, pools=pools, now_ns=NOW)


def test_an_svg_says_the_same_words_in_the_same_colours(view, tmp_path):
    path = save(view, tmp_path / "picture.svg")
    text = path.read_text()
    ET.fromstring(text)
    assert view.sentence.split(":")[0] in text
    assert ORANGE.lower() in text.lower()
    assert BLUE.lower() not in text.lower()
    for words in ("delay expired", "queue delay", "instance 1", "pinned", "fell back 1 ×"):
        assert words in text


def test_a_pool_that_nobody_uses_is_not_drawn(view, tmp_path):
    assert "pageable" not in save(view, tmp_path / "picture.svg").read_text()


def test_a_view_without_events_is_drawn_too(make, facts):
    assert draw(reduce(make.columns(), facts=facts, pools=make.pools, now_ns=NOW)).axes


def test_a_model_without_pools_is_drawn_too(make, facts):
    assert draw(reduce(make.columns(), facts=facts, now_ns=NOW)).axes


def test_sequences_and_ensembles_are_linked_on_paper_too(make, facts):
    batch = make.batch(NOW - S, waits_ns=[MS])
    view = reduce(
        make.columns(batch, make.batch(NOW - 900 * MS, waits_ns=[MS], serial=2)),
        facts=facts,
        now_ns=NOW,
    )
    rows = np.zeros(2, CHAIN_DTYPE)
    rows["start_ns"], rows["position"], rows["flags"] = view.batches["start_ns"], (0, 1), (1, 2)
    rows["end_ns"] = view.batches["end_ns"]
    linked = draw(replace(view, chains=Chains(rows, ("a",))))
    lane = linked.axes[-2]
    assert len(lane.lines) > len(draw(view).axes[-2].lines)
    trees = np.zeros(1, TREE_DTYPE)
    trees["parent"], trees["arrival_ns"], trees["end_ns"] = -1, view.batches["start_ns"][0], view.batches["end_ns"][1]
    lanes = (LaneFacts("one", 1, 0, "one"), LaneFacts("two", 2, 0, "two"))
    whole = replace(view, trees=trees, facts=replace(facts, steps=("one", "two"), lanes=lanes))
    assert len(draw(whole).axes) == len(draw(view).axes) + 1
