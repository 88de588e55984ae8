# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from workbench.views import reduce, save
from workbench.views.colours import BLUE, ORANGE
from workbench.views.picture import draw

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
