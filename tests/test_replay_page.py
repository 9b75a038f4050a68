"""A replay's file in a browser, opened from the disk with the network off."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
import skirmish
from axe_playwright_python.sync_playwright import Axe
from conftest import OpenNotebook
from jupyter_pages import App
from nbconvert import HTMLExporter
from playwright.sync_api import Browser, Page, expect
from test_replay import FOOTBRIDGE, POLICY, nasty_fight, with_a_branch

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.core.game import Game
from tabletop_kit.widgets import display

pytestmark = pytest.mark.browser

SETTLED = ".tk-study[data-settled]"
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"
CUT_OFF = """[...document.querySelectorAll('main *')].filter((e) =>
    e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && !e.matches('.tk-sr')
    && getComputedStyle(e).overflowX !== 'visible').map((e) => e.className)"""
OVERLAPS = """(() => {
    const panels = [...document.querySelectorAll('.tk-st-grid > *')];
    const boxes = panels.map((e) => [e.className, e.getBoundingClientRect()]);
    const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
        && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    return boxes.flatMap(([one, a], n) => boxes.slice(n + 1)
        .filter(([, b]) => meet(a, b)).map(([other]) => [one, other]));
})()"""


class Opened:
    """A file in a browser of its own, and what went wrong in it."""

    def __init__(self, chromium: Browser, file: Path, **more: Any) -> None:
        more = {"viewport": {"width": 1400, "height": 900}} | more
        self.context = chromium.new_context(offline=True, **more)
        self.tab: Page = self.context.new_page()
        self.tab.set_default_timeout(5000)
        self.errors: list[str] = []
        self.asked: list[str] = []
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))
        self.tab.on("dialog", lambda box: self.errors.append(box.message))
        self.tab.on(
            "console",
            lambda m: self.errors.append(m.text) if m.type == "error" else None,
        )
        self.tab.on("request", lambda request: self.asked.append(request.url))
        self.tab.goto(file.as_uri())
        self.tab.wait_for_selector("body[data-ready]")
        self.tab.locator(".tk-rail").focus()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tab.keyboard.press(key)
        self.tab.wait_for_selector(SETTLED)

    def text(self, selector: str) -> str:
        self.tab.wait_for_selector(SETTLED)
        return self.tab.inner_text(selector)

    def step(self) -> str:
        return self.text(".tk-count").split("step ")[1]

    def to(self, words: str) -> None:
        """Step on until this is said."""
        self.press("Home")
        for _ in range(200):
            if words in self.text(".tk-said"):
                return
            self.press("ArrowRight")
        raise AssertionError(f"nobody says {words}")

    def close(self) -> None:
        self.context.close()
        assert not self.errors
        assert len(self.asked) == 1  # the file itself


Open = Callable[..., Opened]


@pytest.fixture
def open_replay(chromium: Browser, tmp_path: Path) -> Iterator[Open]:
    """open_replay(game, viewer="gm", ...): its file, opened; other names are the browser's."""
    pages: list[Opened] = []

    def open_(game: Game, viewer: Any = "gm", title: str = "", **more: Any) -> Opened:
        file = tmp_path / f"{len(pages)}.html"
        tk.Replay(game, viewer=viewer, title=title).save(file)
        pages.append(Opened(chromium, file, **more))
        return pages[-1]

    yield open_
    for page in pages:
        page.close()


def test_steps_by_key_and_by_turn(open_replay: Open) -> None:
    page = open_replay(with_a_branch(), title="Last night")
    assert page.step() == "1 of 59" and page.tab.title().startswith("Last night")
    page.press("ArrowRight", "ArrowRight")
    assert page.step() == "3 of 59"
    page.press("PageDown", "PageDown")
    assert page.text(".tk-crumbs [aria-current]") == "Turn 2"
    page.press("End", "ArrowLeft", "ArrowLeft")
    assert page.step() == "57 of 59"
    page.tab.locator(".tk-crumbs button", has_text="Turn 4").click()
    assert page.text(".tk-crumbs [aria-current]") == "Turn 4"
    left_out = page.tab.locator(".tk-crumbs .tk-left-out")
    expect(left_out).to_have_attribute("title", "Preparation to Turn 1")
    left_out.click()
    assert page.text(".tk-crumbs [aria-current]") == "Turn 1"
    rail = page.tab.locator(".tk-rail")
    assert "of 59" in (rail.get_attribute("aria-valuetext") or "")


def test_scrubbing_along_the_rail(open_replay: Open) -> None:
    page = open_replay(with_a_branch())
    box = page.tab.locator(".tk-rail").bounding_box()
    assert box
    page.tab.mouse.move(box["x"] + 20, box["y"] + 30)
    page.tab.mouse.down()
    for part in (0.3, 0.6, 0.99):
        page.tab.mouse.move(box["x"] + part * box["width"], box["y"] + 30)
    page.tab.mouse.up()
    assert page.step() == "59 of 59"


def test_plays_by_itself_and_faster(open_replay: Open) -> None:
    page = open_replay(with_a_branch())
    page.tab.locator("select").select_option("4")
    page.tab.locator(".tk-rail").focus()
    page.press("Space")
    expect(page.tab.locator(".tk-count b")).to_have_text(re.compile("^([5-9]|1[0-9])$"))
    page.press("Space")
    here = page.step()
    page.tab.wait_for_timeout(500)
    assert page.step() == here


def test_an_answer_is_told_with_its_question(open_replay: Open) -> None:
    page = open_replay(with_a_branch())
    page.to("Mio: attack Wolf.")
    assert page.text(".tk-ask-h h3") == "Mio: What do you do?"
    assert page.text(".tk-ask-h p").startswith("Wayfarers\nAnswered\n")
    assert "Wolf" in page.text(".tk-opt.tk-chosen")
    assert page.tab.locator(".tk-st-ask [data-row]").count() == 1
    assert "Ren: attack" in page.text(".tk-agenda")
    page.press("ArrowRight")
    assert page.text(".tk-ask-h h3") == "Turn 1"
    row = page.tab.locator(".tk-agenda .tk-opt", has_text="Aki").first
    row.click()
    assert page.text(".tk-ask-h h3") == "Aki: What do you do?"


def test_nothing_can_be_answered_thrown_or_asked_for(open_replay: Open) -> None:
    page = open_replay(with_a_branch())
    page.to("rolls 2D6")
    assert page.tab.locator(".tk-st-now .tk-die:visible:not([disabled])").count() == 0
    assert page.tab.locator("button[aria-label=Odds]").count() == 0
    assert not page.tab.locator(".tk-ask-f").is_visible()
    page.press("?")
    keys = page.text(".tk-pop")
    assert "next branch" in keys and "why not" not in keys
    page.press("Escape")


def test_sums_and_rules_of_the_step(open_replay: Open) -> None:
    page = open_replay(with_a_branch())
    page.to("Slinger hits Aki for 9")
    assert "4\nattack\n+\n8" in page.text(".tk-sum")
    assert "Here: 4 + 8 − 3 = 9 damage" in page.text(".tk-cl").replace("\n", " ")
    page.tab.locator(".tk-cl button", has_text="6").first.click()
    assert page.step().startswith("6 ")


def test_branches_and_the_way_back(open_replay: Open) -> None:
    page = open_replay(with_a_branch())
    page.press("b")
    assert "a branch" in page.text(".tk-st-log .tk-ph")
    assert "6, 6" in page.text(".tk-st-log")
    page.tab.locator("button", has_text="main line").click()
    assert "main line" in page.text(".tk-st-log .tk-ph")


def test_board_as_text_and_every_step_said_aloud(open_replay: Open) -> None:
    page = open_replay(with_a_branch())
    page.to("Slinger hits Aki for 9")
    assert page.tab.text_content(".tk-study > .tk-sr") == page.text(".tk-said p")
    page.press("t")
    assert "Aki, HP 0 of 16" in page.text(".tk-astext")


def test_the_theme_is_the_systems_until_the_button_is_pressed(
    open_replay: Open,
) -> None:
    page = open_replay(with_a_branch(), color_scheme="dark")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    html = page.tab.locator("html")
    assert page.tab.evaluate(ground) == "rgb(27, 28, 31)"
    page.tab.emulate_media(color_scheme="light")
    expect(html).to_have_attribute("data-tk-theme", "light")
    assert page.tab.evaluate(ground) == "rgb(255, 255, 255)"
    page.tab.get_by_role("button", name="Dark colors").click()
    assert page.tab.evaluate(ground) == "rgb(27, 28, 31)"
    page.tab.emulate_media(color_scheme="dark")
    page.tab.get_by_role("button", name="Light colors").click()
    assert page.tab.evaluate(ground) == "rgb(255, 255, 255)"


def test_names_are_text_and_nothing_runs(open_replay: Open) -> None:
    page = open_replay(nasty_fight(), title="</title><script>alert(1)</script>")
    assert "</title><script>" in page.tab.title()
    page.press("End", "t", "t", "b")
    assert "<img src=x" in page.text(".tk-st-order")
    assert "</script><script>" in page.text(".tk-st-log")
    assert page.tab.locator("img").count() == 0


def test_a_fight_that_waits(open_replay: Open) -> None:
    begun = open_replay(Game(FOOTBRIDGE, seed=7))
    begun.press("End")
    assert begun.text(".tk-ask-h p").startswith("Wayfarers\nNot answered yet")
    assert begun.tab.locator(".tk-st-ask [data-row]").count() == 0
    dice = open_replay(Game(FOOTBRIDGE, seed=7, throws=False).play(POLICY))
    dice.press("End", "3", "Enter")
    assert dice.text(".tk-ask-h h3") == "Aki throws 2D6 (attack)."
    assert dice.tab.locator(".tk-pick").count() == 0


def test_a_hidden_one_decides_unseen(open_replay: Open) -> None:
    game = Game(skirmish.SAMPLES["secret"], seed=9).play(skirmish.sensible, 24)
    page = open_replay(game, viewer="side 0")
    page.press("End", "t")
    text = page.tab.evaluate("document.documentElement.outerHTML")
    assert not [secret for secret in ("7717", "3301", "8123") if secret in text]


@pytest.mark.parametrize(
    ("width", "dark"),
    [
        *[(700, False), (700, True), (939, False), (1000, True), (1290, False)],
        *[(1400, False), (1400, True), (1600, False)],
    ],
)
def test_nothing_overlaps_or_scrolls_sideways(
    open_replay: Open, width: int, dark: bool
) -> None:
    game = Game(formation.samples["six_thieves"], seed=1).play(POLICY)
    page = open_replay(
        game,
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
    )
    for key in ("Home", "PageDown", "PageDown", "ArrowRight", "ArrowRight", "End"):
        page.press(key)
        assert page.tab.evaluate(SIDEWAYS) <= 0
        assert page.tab.evaluate(CUT_OFF) == []
        assert page.tab.evaluate(OVERLAPS) == []


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing(open_replay: Open, dark: bool) -> None:
    page = open_replay(with_a_branch(), color_scheme="dark" if dark else "light")
    for words in ("Mio: attack Wolf.", "Slinger hits Aki for 9"):
        page.to(words)
        found = Axe().run(page.tab)
        assert not found.violations_count, found.generate_report()


def test_it_lives_in_a_page_made_of_a_notebook(
    chromium: Browser, tmp_path: Path
) -> None:
    before = display.display_mode()
    display.display_mode("static")
    try:
        bundle = tk.Replay(with_a_branch())._repr_mimebundle_()
    finally:
        display.display_mode(before)
    output = nbformat.v4.new_output("display_data", data=bundle)
    cell = nbformat.v4.new_code_cell("replay", outputs=[output])
    html, _ = HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    file = tmp_path / "page.html"
    file.write_text(html, "utf-8")
    context = chromium.new_context(
        offline=True, viewport={"width": 1400, "height": 900}, color_scheme="dark"
    )
    tab = context.new_page()
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.goto(file.as_uri())
    inside = tab.frame_locator("iframe")
    inside.locator(".tk-rail").focus()
    tab.keyboard.press("End")
    expect(inside.locator(".tk-count")).to_contain_text("step 59 of 59")
    theme = inside.locator(".tk-root")  # a light page, whatever the system wants
    expect(theme).to_have_attribute("data-tk-theme", "light")
    tab.evaluate("document.body.style.background = '#111'")
    expect(theme).to_have_attribute("data-tk-theme", "dark")
    height = tab.locator("iframe").bounding_box()
    whole = inside.locator("main").bounding_box()
    assert height and whole and abs(height["height"] - whole["height"]) < 2
    expect(tab.locator(".tk-replay-still")).to_be_hidden()
    expect(tab.locator("summary")).to_have_text("What happened, in words")
    assert not [error for error in errors if not re.search("MathJax|require", error)]
    context.close()


def test_in_a_notebook_it_is_a_widget(open_notebook: OpenNotebook) -> None:
    opened = open_notebook("widgets/07_replay.ipynb")
    replay = opened.page.locator(".tk-replay").first
    expect(replay).to_be_visible(timeout=30_000)
    replay.locator(".tk-rail").focus()
    opened.page.keyboard.press("End")
    expect(replay.locator(".tk-count")).to_contain_text("step 59 of 59")
    expect(opened.page.locator("iframe")).to_have_count(0)
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert opened.page.evaluate(ground) != "rgb(27, 28, 31)"
    assert not opened.errors


@pytest.mark.parametrize("app", ["lab", "notebook"])
def test_in_a_notebook_nobody_trusts_boards_and_log_are_left(
    open_notebook: OpenNotebook, app: App
) -> None:
    opened = open_notebook("widgets/07_replay.ipynb", app=app, run=False)
    output = opened.page.locator(
        ".jp-OutputArea-output", has=opened.page.locator("img")
    )
    expect(output.locator("img").nth(1)).to_be_visible(timeout=30_000)
    assert opened.page.locator("iframe").count() == 0
    output.locator("summary").first.click()
    expect(output.get_by_text("Slinger hits Aki for 9").first).to_be_visible()
