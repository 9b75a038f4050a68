"""The course in JupyterLab and Voila, and in a page of its own with stand-ins for the models."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from jupyter_pages import App, Opened
from playwright.sync_api import Browser, Locator, expect
from study_page import HERE, inside_script

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.widgets.assets import joined, styles
from tabletop_kit.widgets.course import Course

pytestmark = pytest.mark.browser

SETUP = """
import tabletop_kit as tk
from tabletop_kit import formation
game = tk.Game(formation.samples["footbridge"], seed=5)
game.play(formation.sensible, 12)
study = tk.study(game)
course = tk.Course(study, title="Who is still standing?")
course
"""
STEPS = 45
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Course</title><style>
html { background: light-dark(#fff, #1b1c1f); color-scheme: light dark }
body { margin: 16px; }
h1 { position: absolute; clip-path: inset(50%); margin: 0 }
STYLES</style></head><body><main><h1>A course</h1>HOSTS</main>
<script type="application/json" id="data">DATA</script>
<script type="module">const WIDGET = MODULE;
KERNEL</script></body></html>
"""

Write = Callable[..., str]
Open = Callable[..., Opened]


def slider_of(opened: Opened, number: int = 0) -> Locator:
    """A chart's slider, once it shows something."""
    slider = opened.page.locator(".tk-co-slider").nth(number)
    expect(slider.locator(".tk-co-label").first).to_be_visible(timeout=60_000)
    return slider


def study_step(opened: Opened, step: int) -> None:
    """Wait until the study shows this step."""
    rail = opened.page.locator(".tk-rail").first
    expect(rail).to_be_visible(timeout=60_000)
    expect(rail).to_have_attribute("aria-valuenow", str(step))


def at(slider: Locator, step: int) -> None:
    """Wait until a chart shows this step."""
    expect(slider).to_have_attribute("aria-valuenow", str(step))


def click(slider: Locator, step: int, steps: int = STEPS) -> None:
    """Click where a step is."""
    slider.scroll_into_view_if_needed()
    left, right = slider.evaluate(
        """(slider) => {
            const [grid] = slider.querySelectorAll(".tk-co-grid");
            const here = slider.getBoundingClientRect(), box = grid.getBoundingClientRect();
            return [box.left - here.left, box.right - here.left];
        }"""
    )
    x = left + (right - left) * (step - 1) / (steps - 1)
    slider.click(position={"x": x, "y": 60})


# ---- in the Lab and in Voila


@pytest.mark.parametrize("app", ["lab", "voila"])
def test_it_follows_the_study_and_moves_it(
    open_notebook: Open, notebook: Write, app: App
) -> None:
    opened = open_notebook(notebook(SETUP, "study"), app=app)
    slider = slider_of(opened)
    study_step(opened, STEPS)
    at(slider, STEPS)
    rail = opened.page.locator(".tk-rail")
    rail.press("Home")
    at(slider, 1)
    words = "step 1 of 45: Aki 16, Ren 12, Mio 10, Brute 14, Wolf 8, Slinger 9"
    expect(slider).to_have_attribute("aria-valuetext", words)
    rail.press("ArrowRight")
    rail.press("ArrowRight")
    at(slider, 3)
    click(slider, 19)
    study_step(opened, 19)
    at(slider, 19)
    slider.press("PageDown")
    study_step(opened, 20)
    slider.press("ArrowLeft")
    study_step(opened, 19)
    expect(slider).to_be_focused()
    assert opened.errors == []


def test_an_answer_in_the_page_makes_it_longer(
    open_notebook: Open, notebook: Write
) -> None:
    opened = open_notebook(notebook(SETUP, "study", "course"))
    first, second = slider_of(opened), slider_of(opened, 1)
    study_step(opened, STEPS)
    opened.page.locator(".tk-rail").press("1")
    study_step(opened, 50)
    for slider in (first, second):
        expect(slider).to_have_attribute("aria-valuemax", "50")
        at(slider, 50)
        expect(slider).to_have_attribute("aria-valuetext", re.compile("Slinger 0$"))
    click(second, 30, 50)
    study_step(opened, 30)
    at(first, 30)
    assert opened.errors == []


def test_a_reload_keeps_all_and_goes_on(open_notebook: Open, notebook: Write) -> None:
    opened = open_notebook(notebook(SETUP, "study"))
    study_step(opened, STEPS)
    click(slider_of(opened), 19)
    study_step(opened, 19)
    wait_for_kernel(opened)
    opened.reload()
    study_step(opened, 19)
    slider = slider_of(opened)
    at(slider, 19)
    expect(slider).to_have_attribute("aria-valuemax", str(STEPS))
    opened.page.locator(".tk-rail").press("End")
    at(slider, STEPS)
    slider.press("Home")
    study_step(opened, 1)


def wait_for_kernel(opened: Opened) -> None:
    """Wait until the kernel knows that the page went back."""
    opened.page.wait_for_function(
        """async () => {
            const widget = window.jupyterapp.shell.currentWidget;
            const kernel = widget.sessionContext.session.kernel;
            const code = "print(course.at == study.at < len(study.film.frames) - 1)";
            const run = kernel.requestExecute({ code, store_history: false });
            let out = "";
            run.onIOPub = ({ header, content }) => {
                if (header.msg_type === "stream") out += content.text;
            };
            await run.done;
            return out.trim() === "True";
        }"""
    )


def test_light_and_dark_have_words_for_all(
    open_notebook: Open, notebook: Write
) -> None:
    opened = open_notebook(notebook(SETUP), width=700)
    slider = slider_of(opened)
    opened.page.get_by_text("The chart in words").click()
    row = opened.page.locator(".tk-co-words tr").nth(4)
    expect(row).to_have_text("Turn 30120009")
    slider.press("Home")
    at(slider, 1)  # without a view of the study, too
    now = opened.page.locator(".tk-co-words tr").last
    expect(now).to_have_text("Now1612101489")
    for theme in ("light", "dark"):
        if theme == "dark":
            opened.command("apputils:change-theme", theme="JupyterLab Dark")
            opened.page.wait_for_selector(
                "[data-jp-theme-light=false]", state="attached"
            )
        found = Axe().run(opened.page, context=".tk-course")
        assert not found.violations_count, found.generate_report()
    course = opened.page.locator(".tk-course")
    assert course.evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0
    assert opened.errors == []


# ---- in a page of its own


class Alone:
    """A page with the chart, and what went wrong in it."""

    def __init__(
        self,
        chromium: Browser,
        folder: Path,
        course: Course,
        width: int = 700,
        views: int = 1,
        alone: bool = False,
    ) -> None:
        names = ("about", "lines", "rows", "at", "trouble", "study_model")
        state = {n: v for n, v in course.get_state().items() if n in names}
        parts = {
            "STYLES": styles("course"),
            "HOSTS": '<div class="course"></div>' * views,
            "DATA": inside_script({"course": state, "alone": alone}),
            "MODULE": inside_script(joined("course")),
            "KERNEL": (HERE / "js" / "fake_course.js").read_text("utf-8"),
        }
        file = folder / "course.html"
        text = re.sub("|".join(parts), lambda found: parts[found[0]], PAGE)
        file.write_text(text, "utf-8")
        self.context = chromium.new_context(viewport={"width": width, "height": 700})
        self.tab = self.context.new_page()
        self.tab.set_default_timeout(5000)
        self.errors: list[str] = []
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))
        self.tab.goto(file.as_uri())
        self.tab.wait_for_selector("body[data-ready]")
        self.slider = self.tab.locator(".tk-co-slider").first

    def tell(self, course: Course, study_at: int) -> None:
        """What the page hears when the kernel has played on; the study may move first."""
        known = self.tab.evaluate("page.course.state.rows.length")
        self.tab.evaluate(
            """([lines, rows, at, studyAt]) => {
                page.study.set("at", studyAt);
                page.course.set("lines", lines);
                page.course.fire("msg:custom", { tell: "rows", rows, at });
            }""",
            [course.lines, course._rows[known:], course.at, study_at],
        )

    def close(self) -> None:
        self.context.close()
        assert not self.errors


Show = Callable[..., Alone]


@pytest.fixture
def show(chromium: Browser, tmp_path: Path) -> Iterator[Show]:
    """show(course, width=700, views=1, alone=False): a page with the chart."""
    pages: list[Alone] = []

    def open_(course: Course, **how: Any) -> Alone:
        pages.append(Alone(chromium, tmp_path, course, **how))
        return pages[-1]

    yield open_
    for page in pages:
        page.close()


def course_of(sample: str, answers: int, seed: int = 5, **how: Any) -> Course:
    game = tk.Game(formation.samples[sample], seed=seed)
    game.play(formation.sensible, answers)
    return Course(tk.study(game), **how)


BOXES = """(texts) => texts.map((text) => {
    const { x, y, width, height } = text.getBoundingClientRect();
    return [x, y, x + width, y + height];
})"""


@pytest.mark.parametrize("width", [320, 700, 1400])
def test_ten_names_do_not_overlap(show: Show, width: int) -> None:
    page = show(course_of("six_thieves", 26, 3), width=width)
    names = page.tab.locator(".tk-co-name")
    expect(names).to_have_count(10)
    boxes = names.evaluate_all(BOXES)
    values = page.tab.locator(".tk-co-value").evaluate_all(BOXES)
    for above, below in pairwise(sorted(boxes, key=lambda box: box[1])):
        assert above[3] <= below[1] + 0.5
    for name, value in zip(boxes, values, strict=True):
        assert name[2] <= value[0]
        assert value[2] <= width - 16
    svg = page.tab.locator(".tk-co-slider svg").evaluate_all(BOXES)[0]
    assert all(svg[1] <= box[1] and box[3] <= svg[3] + 2 for box in boxes)
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= width
    if width > 320:
        said = page.tab.locator(".tk-co-name").all_text_contents()
        assert "用心棒" in said and not any("…" in name for name in said)


def test_a_long_name_is_cut_and_has_a_title(show: Show) -> None:
    long = "The Keeper of the Innermost Gate of the Old Town"
    page = show(course_of("duel", 2, of=lambda _: {long: 3, "<b>Aki</b>": 2}))
    name, markup = page.tab.locator(".tk-co-label").all()
    assert (name.locator(".tk-co-name").text_content() or "").endswith("…")
    expect(name.locator("title")).to_have_text(long)
    expect(markup.locator(".tk-co-name")).to_have_text("<b>Aki</b>")


PATTERNS = """(paths) => paths.map((path) => getComputedStyle(path).strokeDasharray)"""
ROUND = """(marks) => marks.map((mark) => /a/.test(mark.getAttribute("d")))"""


def test_lines_can_be_told_apart_without_color(show: Show) -> None:
    page = show(course_of("footbridge", 12))
    look = page.tab.locator(".tk-co-way").evaluate_all(PATTERNS)
    assert len(set(look[:3])) == len(set(look[3:])) == 3
    assert look[0] == "none" and "none" not in look[1:]
    assert page.tab.locator(".tk-co-leader").evaluate_all(PATTERNS) == look
    marks = page.tab.locator(".tk-co-label .tk-co-mark").evaluate_all(ROUND)
    assert marks == [True] * 3 + [False] * 3
    for number, line in enumerate(page.tab.locator(".tk-co-line").all()):
        changes = line.locator(".tk-co-change").evaluate_all(ROUND)
        assert len(changes) > 1 or number == 5  # nobody hurts the slinger
        assert set(changes) == {number < 3}


def test_ten_lines_of_two_sides_have_ten_patterns(show: Show) -> None:
    page = show(course_of("six_thieves", 26, 3), width=1100)
    look = page.tab.locator(".tk-co-way").evaluate_all(PATTERNS)
    assert len(look) == 10
    sides = page.tab.locator(".tk-co-line").evaluate_all(
        "(lines) => lines.map((line) => line.getAttribute('class'))"
    )
    assert len(set(zip(look, sides, strict=True))) == 10


LEVELS = """(ways) => ways.map((way) => {
    const numbers = way.getAttribute("d").match(/[MV][^MVH]*/g);
    return Number(numbers.at(-1).slice(1).trim().split(" ").at(-1));
})"""


def test_lines_of_one_value_lie_beside_each_other(show: Show) -> None:
    page = show(course_of("footbridge", 12))
    aki, _, mio, brute, wolf, _ = page.tab.locator(".tk-co-way").evaluate_all(LEVELS)
    ends = sorted((aki, mio, brute, wolf))  # all at 0
    assert all(1 <= below - above <= 4 for above, below in pairwise(ends))
    assert ends[-1] - ends[0] <= 12
    page = show(course_of("duel", 1, of=lambda _: {"one": 2, "two": 2, "none": 0}))
    one, two, none = page.tab.locator(".tk-co-way").evaluate_all(LEVELS)
    assert one != two and abs(one - two) <= 4 < abs(one - none)


def test_however_many_lie_at_nothing_all_are_within_the_chart(show: Show) -> None:
    names = [f"one of {n}" for n in range(14)]
    page = show(
        course_of("duel", 1, of=lambda _: {"most": 9} | dict.fromkeys(names, 0))
    )
    levels = page.tab.locator(".tk-co-way").evaluate_all(LEVELS)[1:]
    height = float(page.tab.locator(".tk-co-slider svg").get_attribute("height") or 0)
    assert len(set(levels)) == 14 and max(levels) <= height - 1


def test_figures_say_of_which_step_they_are(show: Show) -> None:
    page = show(course_of("footbridge", 12))
    page.slider.press("Home")
    heads = page.tab.locator(".tk-co-column")
    expect(heads).to_have_text(["now", "last"])
    expect(page.tab.locator(".tk-co-value").first).to_have_text("16")
    expect(page.tab.locator(".tk-co-last").first).to_have_text("0")
    columns = [heads.nth(n).evaluate(BOX) for n in range(2)]
    for name, (_, _, right, bottom) in zip(("value", "last"), columns, strict=True):
        for box in page.tab.locator(f".tk-co-{name}").evaluate_all(BOXES):
            assert abs(box[2] - right) <= 1 and box[1] >= bottom - 1
    narrow = show(course_of("footbridge", 12), width=320)
    expect(narrow.tab.locator(".tk-co-column")).to_have_text(["now"])
    expect(narrow.tab.locator(".tk-co-last")).to_have_count(0)


def hover(page: Alone, line: int, share: float) -> None:
    """Move the pointer to a line's level at a share of the chart's width."""
    x, y = page.slider.evaluate(
        """(slider, [line, share]) => {
            const ways = [...slider.querySelectorAll(".tk-co-way")];
            const length = ways[line].getTotalLength();
            const at = ways[line].getPointAtLength(length * share);
            return [at.x, at.y];
        }""",
        [line, share],
    )
    page.slider.hover(position={"x": x, "y": min(max(y, 1), 160)})


def test_the_pointer_is_told_whose_line_it_is_at(show: Show) -> None:
    page = show(course_of("footbridge", 12))
    tip = page.tab.locator(".tk-co-tip")
    expect(tip).to_be_hidden()
    hover(page, 0, 0.1)
    expect(tip).to_have_text(re.compile(r"^Aki 16step \d+$"))
    on = page.tab.locator(".tk-co-on")
    expect(on).to_have_count(2)  # the line and its name
    expect(on.locator(".tk-co-name")).to_have_text("Aki")
    faded = page.tab.locator(".tk-co-line:not(.tk-co-on)")
    expect(faded).to_have_count(5)
    for line in faded.all():
        expect(line).to_have_css("opacity", "0.4")
    assert page.slider.get_attribute("aria-valuenow") == str(STEPS)  # nobody went there
    page.tab.mouse.move(1, 1)
    expect(tip).to_be_hidden()
    expect(on).to_have_count(0)
    name = page.tab.locator(".tk-co-name").nth(4).evaluate(BOX)
    page.tab.mouse.move(name[0] + 4, (name[1] + name[3]) / 2)
    expect(on.locator(".tk-co-name")).to_have_text("Wolf")


BOX = """(one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x, y, x + width, y + height];
}"""


@pytest.mark.parametrize("width", [320, 700, 1400])
def test_a_tip_stays_within_the_chart_and_does_not_flicker(
    show: Show, width: int
) -> None:
    long = "The Keeper of the Innermost Gate of the Old Town"
    page = show(
        course_of("footbridge", 12, of=lambda at: {long: at.hp[0]}), width=width
    )
    tip = page.tab.locator(".tk-co-tip")
    for share in (0, 0.3, 0.6, 1):
        hover(page, 0, share)
        expect(tip).to_be_visible()
        inner, outer = tip.evaluate(BOX), page.slider.evaluate(BOX)
        assert outer[0] <= inner[0] and inner[2] <= outer[2]
        assert outer[1] <= inner[1] and inner[3] <= outer[3]
        page.tab.mouse.move(inner[0] + 6, inner[1] + 6)
        assert tip.evaluate("(tip) => getComputedStyle(tip).pointerEvents") == "none"
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= width


def test_the_keyboard_goes_from_line_to_line(show: Show) -> None:
    page = show(course_of("footbridge", 12))
    tip = page.tab.locator(".tk-co-tip")
    page.tab.keyboard.press("Tab")
    expect(page.slider).to_be_focused()
    expect(tip).to_have_text("Slinger 9step 45")
    page.slider.press("ArrowDown")
    expect(tip).to_have_text("Ren 2step 45")
    page.slider.press("Home")
    expect(tip).to_have_text("Ren 12step 1")
    words = re.compile("^step 1 of 45: Ren 12, Aki 16, Mio 10")
    expect(page.slider).to_have_attribute("aria-valuetext", words)
    page.slider.press("ArrowUp")
    page.slider.press("ArrowUp")
    expect(tip).to_have_text(re.compile("step 1$"))
    assert page.slider.get_attribute("aria-valuenow") == "1"
    found = Axe().run(page.tab)
    assert not found.violations_count, found.generate_report()
    page.tab.keyboard.press("Tab")
    expect(tip).to_be_hidden()
    page.slider.click(position={"x": 200, "y": 4})  # a click is no wish for a tip
    expect(tip).to_be_hidden()


def test_what_is_not_known_has_no_line(show: Show) -> None:
    def count(position: Any) -> dict[str, Any]:
        aki = position.hp[0]
        return {"Aki": aki if aki in (16, 0) else None, "below": -aki, "never": None}

    page = show(course_of("footbridge", 12, of=count))
    aki, below = page.tab.locator(".tk-co-way").all()
    assert (aki.get_attribute("d") or "").count("M") == 2
    assert (below.get_attribute("d") or "").count("M") == 1
    assert "−10" in page.tab.locator(".tk-co-tick").all_text_contents()
    page.slider.press("Home")
    expect(page.slider).to_have_attribute(
        "aria-valuetext", re.compile("Aki 16, below −16$")
    )
    while "Aki" in (page.slider.get_attribute("aria-valuetext") or ""):
        page.slider.press("ArrowRight")
    expect(page.tab.locator(".tk-co-value").first).to_have_text("–")
    hidden = page.tab.locator(".tk-co-cursor .tk-co-mark").first
    expect(hidden).to_have_attribute("visibility", "hidden")


def test_a_drag_moves_the_study_and_saves_once(show: Show) -> None:
    page = show(course_of("footbridge", 12), views=2)
    box = page.slider.bounding_box()
    assert box
    mouse = page.tab.mouse
    mouse.move(box["x"] + 40, box["y"] + 60)
    mouse.down()
    mouse.move(box["x"] + 300, box["y"] + 60, steps=12)
    mouse.up()
    step = int(page.slider.get_attribute("aria-valuenow") or 0)
    assert 15 < step < 40
    at(page.tab.locator(".tk-co-slider").nth(1), step)
    page.tab.wait_for_function("page.study.saved")
    assert page.tab.evaluate("page.study.saved") == 1
    assert page.tab.evaluate("page.course.saved") == 0


def test_a_step_costs_well_under_a_millisecond(show: Show) -> None:
    page = show(course_of("six_thieves", 40, 3), width=1100)
    way = page.tab.locator(".tk-co-way").first.element_handle()
    cost = page.tab.evaluate(
        """() => {
            const ids = page.course.state.rows.filter((row) => !row.quiet).map((row) => row.id);
            const start = performance.now();
            for (let n = 0; n < 5; n += 1) ids.forEach((id) => page.study.set("at", id));
            return (performance.now() - start) / (5 * ids.length);
        }"""
    )
    assert cost < 1, cost
    assert way.evaluate("(way) => way.isConnected")  # kept


def test_a_branch_has_a_course_of_its_own(show: Show) -> None:
    game = tk.Game(formation.samples["footbridge"], seed=5)
    study = tk.study(game)
    course = Course(study)
    page = show(course)
    root = study.now
    game.answer(formation.Attack("Wolf"))
    study.follow()
    page.tell(course, study.now)
    first, length = study.now, page.slider.get_attribute("aria-valuemax")
    assert int(length or 0) > 5
    game.undo()
    game.answer(formation.Defend())
    study.follow()
    page.tell(course, study.now)
    expect(page.slider).not_to_have_attribute("aria-valuemax", length or "")
    second = page.slider.get_attribute("aria-valuemax")
    set_at = "(at) => page.study.set('at', at)"
    page.tab.evaluate(set_at, root)
    expect(page.slider).to_have_attribute("aria-valuemax", second or "")
    page.tab.evaluate(set_at, first)
    expect(page.slider).to_have_attribute("aria-valuemax", length or "")
    page.tab.evaluate(set_at, root)  # and stays on it
    expect(page.slider).to_have_attribute("aria-valuemax", length or "")


def test_a_study_that_goes_ahead_is_waited_for(show: Show) -> None:
    study = tk.study(formation.samples["footbridge"], seed=5)
    course = Course(study)
    page = show(course)
    at(page.slider, len(course.rows))
    study.game.play(formation.sensible, 3)
    study.follow()
    ahead = study.now - 4
    page.tell(course, ahead)  # it stays where the dice are, not at the newest
    now = int(page.slider.get_attribute("aria-valuenow") or 0)
    most = int(page.slider.get_attribute("aria-valuemax") or 0)
    assert now < most


def test_without_a_manager_it_shows_the_chart_and_can_be_read(show: Show) -> None:
    page = show(course_of("footbridge", 12), alone=True)
    at(page.slider, STEPS)
    page.tab.evaluate("page.study.set('at', 3)")
    at(page.slider, STEPS)
    page.slider.press("Home")
    at(page.slider, 1)
    page.tab.evaluate("page.course.set('at', 3)")
    expect(page.slider).to_have_attribute("aria-valuenow", re.compile("^[2-4]$"))
    assert page.tab.evaluate("page.course.saved + page.study.saved") == 0


def test_it_says_what_went_wrong_and_leaves_nothing(show: Show) -> None:
    page = show(course_of("footbridge", 12))
    alert = page.tab.locator(".tk-course .tk-note")
    expect(alert).to_be_hidden()
    page.tab.evaluate("page.course.set('trouble', 'Not counted: <b>1 / 0</b>')")
    expect(page.tab.get_by_role("alert")).to_have_text("Not counted: <b>1 / 0</b>")
    page.tab.evaluate("page.leave()")
    expect(page.tab.locator(".tk-course")).to_have_count(0)
    assert page.tab.evaluate("page.study.heard()") == 0
    assert page.tab.evaluate("page.course.heard()") == 1  # the model's own
