# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The dashboard in JupyterLab, on a made-up source: what is drawn follows the model, the sliders and the hand."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WATCH = """
from workbench.views import ModelFacts, watch
from workbench.views.synthetic import SyntheticSource, Workload
facts = ModelFacts("demo", instances=("instance 0", "instance 1"), max_batch_size=8, dynamic=True,
                   max_queue_delay_microseconds=2000, preferred_batch_size=(), number=1)
watched = watch(SyntheticSource(facts, Workload(rate=2_000), since_s=5))
watched
"""
LABEL = "document.querySelector('.workbench-canvas').getAttribute('aria-label')"
SIZE = """() => { const canvas = document.querySelector('.workbench-canvas');
    return { points: canvas.clientWidth, pixels: canvas.width, room: canvas.parentElement.clientWidth } }"""
BUSY = """
import time
end = time.monotonic() + 4
while time.monotonic() < end:
    pass
"""


@pytest.fixture(scope="module")
def watched(open_notebook):
    """Opens a notebook that watches."""

    def opener(**options):
        notebook = open_notebook(WATCH, BUSY, "watched.stop()", **options)
        notebook.run(0)
        notebook.wait_drawn("d.batches.length > 5 && d.totals.answered_per_s > 1000")
        return notebook

    return opener


@pytest.fixture(scope="module")
def notebook(watched):
    """One notebook for all tests that leave it as it was."""
    return watched()


def block(notebook, number=0):
    """The place in the page of a block that is wide enough to point at."""
    found = notebook.page.wait_for_function(
        """number => {
            const element = document.querySelector('.workbench-dashboard');
            const blocks = element.workbench.view.hits.filter((hit) => hit.kind === 'batch' && hit.w > 12);
            if (blocks.length <= number) return null;
            const { x, y, w, h } = blocks[number], box = element.getBoundingClientRect();
            return { x: box.x + x + w / 2, y: box.y + y + h - 5 };
        }""",
        arg=number,
    )
    return found.json_value()


def on_a_block(notebook, number, then):
    """Points at a block and does `then`, again where the picture had moved on meanwhile; true once it worked."""
    for _ in range(10):
        at = block(notebook, number)
        notebook.page.mouse.move(at["x"], at["y"])
        if then():
            return True
    return False


def fitted(notebook, width):
    """The size of the canvas in a window of that width, once it fills its place; both read in one go."""
    return notebook.page.wait_for_function(
        f"""width => {{
            const size = ({SIZE})();
            const fits = size.points === size.room && size.pixels === 2 * size.room && size.room < width;
            return window.innerWidth === width && fits && size;
        }}""",
        arg=width,
    ).json_value()


def tip(notebook):
    return notebook.page.locator(".workbench-tip")


def test_it_shows_a_model_at_work(notebook):
    drawn = notebook.drawn()
    assert drawn["facts"]["name"] == "demo"
    assert {batch["lane"] for batch in drawn["batches"]} == {0, 1}
    assert drawn["totals"]["latency"]["p50"] == pytest.approx(0.0042, rel=0.5)
    assert "Requests spend" in drawn["totals"]["sentence"]
    notebook.picture("live")


def test_a_slider_changes_the_model_and_the_picture_shows_it(notebook):
    before = notebook.wait_drawn("d.totals.by_reason[4] > 100")
    assert before["facts"]["max_queue_delay_microseconds"] == 2_000
    notebook.move_slider(0, "ArrowRight", 3)
    notebook.wait_drawn("d.facts.max_queue_delay_microseconds === 20000")
    after = notebook.wait_drawn("d.batches.length > 5 && d.batches.every((batch) => batch.reason === 2)")
    assert all(batch["rows"] == 8 for batch in after["batches"])
    notebook.picture("slider")


def test_it_goes_on_while_a_cell_runs(notebook):
    notebook.run(1)
    notebook.page.wait_for_timeout(500)
    before = notebook.draws(), notebook.drawn()["seq"]
    notebook.page.wait_for_timeout(2_500)
    after = notebook.draws(), notebook.drawn()["seq"]
    assert after[0] - before[0] > 15
    assert after[1] - before[1] > 15
    notebook.wait_run(1)


def test_a_block_says_why_its_batch_left(notebook):
    words = []

    def is_told():
        words.append(tip(notebook).inner_text() if tip(notebook).is_visible() else "")
        return "for its batch:" in words[-1]

    assert on_a_block(notebook, 0, is_told), words
    assert "executed for" in words[-1]


def test_a_click_pins_and_escape_unpins_and_arrows_move(notebook):
    def is_pinned():
        notebook.page.mouse.down()
        notebook.page.mouse.up()
        return notebook.page.locator(".workbench-pinned").count() > 0

    assert on_a_block(notebook, 3, is_pinned)
    first = tip(notebook).locator("div").first.inner_text()
    notebook.page.mouse.move(5, 5)
    notebook.page.wait_for_timeout(500)
    assert tip(notebook).locator("div").first.inner_text() == first
    notebook.picture("pinned")
    notebook.page.keyboard.press("ArrowLeft")
    notebook.page.keyboard.press("ArrowLeft")
    notebook.page.wait_for_timeout(300)
    assert tip(notebook).is_visible()
    notebook.page.keyboard.press("Escape")
    tip(notebook).wait_for(state="hidden")


def test_a_paused_picture_stays_as_it_is(notebook):
    notebook.page.get_by_text("pause", exact=True).click()
    notebook.page.wait_for_timeout(300)
    before = notebook.drawn()
    notebook.page.wait_for_timeout(1_500)
    after = notebook.drawn()
    assert before == after
    notebook.page.get_by_text("go on", exact=True).click()
    notebook.wait_drawn(f"d.now_s > {before['now_s'] + 1}")


def test_a_second_view_is_told_the_whole_window(notebook):
    notebook.wait_drawn("d.bins > 60")
    notebook.command("notebook:create-output-view")
    second = "() => Array.from(document.querySelectorAll('.workbench-dashboard'))[1]?.workbench?.drawn()?.bins > 60"
    notebook.page.wait_for_function(second, timeout=20_000)


def test_a_dark_theme_is_followed(notebook):
    colour = "() => [...document.querySelector('.workbench-canvas').getContext('2d').getImageData(2, 2, 1, 1).data]"
    assert min(notebook.page.evaluate(colour)) == 255
    notebook.page.evaluate(
        "() => window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })"
    )
    notebook.page.wait_for_function(f"() => ({colour})()[0] < 60", timeout=20_000)
    notebook.picture("dark")
    notebook.page.evaluate(
        "() => window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Light' })"
    )


def test_it_fits_its_place_at_two_pixels_a_point_and_keeps_its_last_picture(watched):
    notebook = watched(ratio=2)
    for width in (900, 1900):
        notebook.page.set_viewport_size({"width": width, "height": 1200})
        size = fitted(notebook, width)
        assert size["points"] <= 1_600
        notebook.picture(f"width-{width}")
    notebook.run(2)
    notebook.page.wait_for_function(f"() => {LABEL}.includes('Stopped')", timeout=20_000)
    notebook.picture("stopped")
    notebook.wait_run(2)
    kept = "window.jupyterapp.shell.currentWidget.content.model.cells.get(0).outputs.toJSON()[0].data['image/png']"
    notebook.page.wait_for_function(f"() => {kept}?.startsWith('iVBOR')", timeout=20_000)


def test_a_lost_kernel_is_told(watched):
    notebook = watched()
    notebook.shut_down()
    notebook.page.wait_for_function(f"() => {LABEL}.includes('No news for')", timeout=20_000)
    notebook.picture("lost")
