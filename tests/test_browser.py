"""What a reader does in JupyterLab, Notebook 7 and Voila, with real kernels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jupyter_pages import Opened
from playwright.sync_api import Dialog, Page, expect

pytestmark = pytest.mark.browser

RUDE = "<img src=x onerror=alert(1)>"
STUDY = """
import tabletop_kit as tk
from tabletop_kit import formation
study = tk.study(formation.samples["{sample}"], seed={seed}{more})
study
"""
BATTLE = """
import msgspec
import tabletop_kit as tk
from tabletop_kit import formation
bridge = formation.samples["footbridge"]
people = tuple(
    msgspec.structs.replace(c, name={name!r}) if c.name == "Wolf" else c
    for c in bridge.combatants
)
encounter = msgspec.structs.replace(bridge, combatants=people)
study = tk.study(encounter, seed=3)
study
"""
EXERCISES = """
import tabletop_kit as tk
from tabletop_kit.core.menus import Refusal
far = Refusal("too_far", "FM-RNG-03", "Too far: {distance} away, range {range}.")
spot = tk.SpotIllegal("Which are illegal?", {
    "Ren spears the wolf.": (),
    %r: (far(distance=3, range="1"),),
})
tk.Predict("How many?", choices=(1, 2, 3), answer=2, because="Count them.", clauses=("FM-ROW-03",))
"""


@pytest.fixture
def open_study(
    open_notebook: Callable[..., Opened], notebook: Callable[..., str]
) -> Callable[..., Opened]:
    """open_study(sample, seed, more="", width=1400) plays a sample in the Lab."""

    def open_(sample: str, seed: int, more: str = "", width: int = 1400) -> Opened:
        cell = STUDY.format(sample=sample, seed=seed, more=more)
        return open_notebook(notebook(cell), width=width)

    return open_


def at(page: Page) -> tuple[int, int]:
    """The step the page shows, and how many there are."""
    rail = page.get_by_role("slider")
    expect(rail).to_be_visible()
    now, most = (rail.get_attribute(f"aria-value{end}") for end in ("now", "max"))
    return int(now or 0), int(most or 0)


def settled(page: Page) -> None:
    """Wait until no answer is on its way."""
    expect(page.locator(".tk-pending")).to_have_count(0)


def focus(page: Page) -> None:
    page.get_by_role("slider").focus()


def test_a_fight_by_keyboard_alone_to_its_end_undone_and_redone(
    open_study: Callable[..., Opened],
) -> None:
    opened = open_study("duel", 2)
    page = opened.page
    focus(page)
    over = page.locator(".tk-study").get_by_text("The battle is over: victory for")
    for _ in range(60):
        if over.count():
            break
        before = at(page)
        page.keyboard.press("1")
        page.wait_for_function(
            "([now]) => document.querySelector('.tk-study [role=slider]')"
            ".getAttribute('aria-valuenow') !== String(now)",
            arg=[before[0]],
        )
        settled(page)
    assert over.count(), "the fight did not end"
    last = at(page)
    assert last[0] == last[1]
    rail = page.get_by_role("slider")
    page.keyboard.press("Home")
    expect(rail).to_have_attribute("aria-valuenow", "1")
    for step in range(2, last[1] + 1):
        page.keyboard.press("ArrowRight")
        expect(rail).to_have_attribute("aria-valuenow", str(step))
    assert over.count()
    assert opened.errors == []


def test_a_wrong_answer_is_told_why_and_changes_nothing(
    open_study: Callable[..., Opened],
) -> None:
    opened = open_study("footbridge", 1, more=", blind=True")
    page = opened.page
    before = at(page)
    page.locator(".tk-opt", has_text="Slinger").first.click()
    reasons = page.get_by_role("region", name="Why not")
    expect(reasons).to_contain_text("Too far: 2 away, range 1.")
    expect(reasons).to_contain_text("FM-RNG-03")
    expect(reasons).to_contain_text("Nothing has changed.")
    assert at(page) == before
    assert opened.errors == []


def test_another_die_grows_a_branch(open_study: Callable[..., Opened]) -> None:
    opened = open_study("footbridge", 1)
    page = opened.page
    focus(page)
    page.keyboard.press("1")
    dice = page.get_by_role("button", name="die shows")
    expect(dice.first).to_be_visible()
    settled(page)
    dice.first.click()
    faces = page.locator(".tk-pop button, .tk-whatif button, [role=dialog] button")
    shown = page.get_by_role("button", name="what if", exact=False)
    picked = faces if faces.count() else shown
    picked.filter(has_not_text="now").last.click()
    expect(page.locator(".tk-rail-b")).to_have_count(1)
    page.keyboard.press("b")
    assert opened.errors == []


@pytest.mark.parametrize("app", ["lab", "notebook", "voila"])
def test_a_name_with_markup_is_text_everywhere(
    open_notebook: Callable[..., Opened], notebook: Callable[..., str], app: str
) -> None:
    opened = open_notebook(notebook(BATTLE.format(name=RUDE)), app=app, width=1400)
    page = opened.page
    dialogs: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    study = page.locator(".tk-study")
    expect(study).to_be_visible()
    expect(study.locator(".tk-opt", has_text=RUDE).first).to_be_visible()
    expect(study.locator(".tk-st-board svg")).to_contain_text("<img")
    expect(study.locator(".tk-st-order")).to_contain_text(RUDE)
    study.locator(".tk-opt", has_text=RUDE).first.click()
    expect(study.locator(".tk-st-log")).to_contain_text(RUDE)
    assert page.locator("img[src='x']").count() == 0
    assert dialogs == [] and opened.errors == []


def test_a_folded_kind_is_one_row_until_it_is_picked(
    open_notebook: Callable[..., Opened], notebook: Callable[..., str]
) -> None:
    cell = STUDY.format(sample="footbridge", seed=7, more="")
    opened = open_notebook(notebook(cell), width=1400)
    study = opened.page.locator(".tk-study")
    talk = study.locator(".tk-opt", has_text="Talk")
    expect(talk).to_have_count(1)
    expect(talk).to_contain_text("5 ways")
    talk.click()
    rows = study.locator(".tk-opt:not(.tk-wayback)")
    expect(rows).to_have_count(5)
    expect(rows.first).to_contain_text("Ren")
    study.locator(".tk-wayback").click()
    expect(talk).to_contain_text("5 ways")
    talk.click()
    study.locator(".tk-opt", has_text="Wolf").click()
    expect(study.locator(".tk-st-log")).to_contain_text("Aki talks with Wolf.")
    assert opened.errors == []


PRACTICE = """
import tabletop_kit as tk
def counted(dice):
    apples = dice.randint(1, 900)
    if apples % 5 == 0:
        raise RuntimeError("no fives")
    return tk.Predict(
        f"{apples} apples and one?", (apples, apples + 1), apples + 1, "Count on."
    )
practice = tk.Practice(counted, seed=1)
practice
"""


def test_practice_brings_another_one_and_says_when_it_cannot(
    open_notebook: Callable[..., Opened], notebook: Callable[..., str]
) -> None:
    opened = open_notebook(notebook(PRACTICE), width=1000)
    exercise = opened.page.locator(".tk-exercise")
    asked = [Random(f"{n}/practice").randint(1, 900) for n in range(1, 40)]
    failing = next(n for n, apples in enumerate(asked) if apples % 5 == 0)
    for apples in asked[:failing]:
        expect(exercise.get_by_role("heading")).to_have_text(
            f"{apples} apples and one?"
        )
        exercise.get_by_role("button", name=str(apples + 1)).click()
        expect(exercise.locator(".tk-ex-told")).to_contain_text("Right.")
        exercise.get_by_role("button", name="Another one").click()
    expect(exercise.get_by_text("RuntimeError: no fives").first).to_be_visible()
    expect(exercise.get_by_role("heading")).to_have_text(
        f"{asked[failing - 1]} apples and one?"
    )


def test_exercises_tell_right_from_wrong(
    open_notebook: Callable[..., Opened], notebook: Callable[..., str]
) -> None:
    opened = open_notebook(notebook(EXERCISES % RUDE, "spot"), width=1100)
    page = opened.page
    predict, spot = (page.locator(".tk-exercise").nth(n) for n in (0, 1))
    predict.get_by_role("button", name="3").click()
    expect(predict).to_contain_text("Not so.")
    predict.get_by_role("button", name="2").click()
    expect(predict).to_contain_text("Right.")
    expect(predict).to_contain_text("FM-ROW-03")
    spot.get_by_role("button", name="Ren spears").click()
    expect(spot).to_contain_text("Legal")
    spot.get_by_role("button", name=RUDE).click()
    expect(spot).to_contain_text("Too far: 3 away, range 1.")
    assert page.locator("img[src='x']").count() == 0
    assert opened.errors == []


def test_a_study_survives_a_reload(open_study: Callable[..., Opened]) -> None:
    opened = open_study("footbridge", 1)
    page = opened.page
    focus(page)
    page.keyboard.press("1")
    page.wait_for_function(
        "() => Number(document.querySelector('.tk-study [role=slider]')"
        ".getAttribute('aria-valuemax')) > 4"
    )
    settled(page)
    before = at(page)
    opened.reload()
    expect(page.locator(".tk-study")).to_be_visible()
    assert at(page) == before
    focus(page)
    page.keyboard.press("1")
    page.wait_for_function(
        "(most) => Number(document.querySelector('.tk-study [role=slider]')"
        ".getAttribute('aria-valuemax')) > most",
        arg=before[1],
    )
    assert opened.errors == []


def test_the_policy_plays_to_the_end_in_the_page(
    open_study: Callable[..., Opened],
) -> None:
    opened = open_study("long_hall", 4)
    page = opened.page
    page.get_by_role("button", name="to the end", exact=True).click()
    expect(page.locator(".tk-study")).to_contain_text("victory for PCs", timeout=20_000)
    settled(page)
    assert opened.errors == []


@pytest.mark.parametrize("width", [700, 1000, 1400])
def test_nothing_overlaps_clips_or_scrolls_sideways(
    open_study: Callable[..., Opened], width: int
) -> None:
    opened = open_study("market_street", 5, width=width)
    page = opened.page
    focus(page)
    page.keyboard.press("1")
    settled(page)
    found: dict[str, Any] = page.evaluate(
        """() => {
            const study = document.querySelector(".tk-study");
            const box = study.getBoundingClientRect();
            const small = [...study.querySelectorAll("svg text, button, p, span, li, b")]
                .filter((e) => e.childElementCount === 0 && e.textContent.trim() &&
                    e.getClientRects().length && !e.closest(".tk-sr"))
                .filter((e) => parseFloat(getComputedStyle(e).fontSize) < 10.9)
                .map((e) => e.textContent);
            const outside = [...study.querySelectorAll(".tk-st-board text")]
                .filter((e) => {
                    const b = e.getBoundingClientRect();
                    return b.width && (b.left < box.left - 1 || b.right > box.right + 1);
                }).map((e) => e.textContent);
            return { wide: study.scrollWidth - study.clientWidth, small, outside };
        }"""
    )
    assert found == {"wide": 0, "small": [], "outside": []}


SKIRMISH = """
import sys
sys.path.insert(0, {folder!r})
import skirmish
import tabletop_kit as tk
study = tk.study(skirmish.SAMPLES["two"], seed=1)
study
"""


def test_a_declaration_is_taken_and_a_note_survives_a_reload(
    open_notebook: Callable[..., Opened], notebook: Callable[..., str]
) -> None:
    cell = SKIRMISH.format(folder=str(Path(__file__).parent))
    opened = open_notebook(notebook(cell), width=1400)
    page = opened.page
    note = page.get_by_role("note", name="Note")
    focus(page)
    page.keyboard.press("n")
    field = page.locator(".tk-write textarea")
    expect(field).to_be_focused()
    field.press_sequentially(f"{RUDE} n 1")
    field.press("Control+Enter")
    expect(note).to_contain_text(f"{RUDE} n 1")
    opened.reload()
    expect(note).to_contain_text(f"{RUDE} n 1")
    offers = page.get_by_role("group", name="May also be declared")
    offers.locator(".tk-opt").last.click()
    expect(page.locator(".tk-st-log")).to_contain_text("Side 1 surrenders.")
    expect(note).to_have_count(0)
    assert opened.errors == []


# One of each make; tools.execute runs all of them, without a page.
ALIVE = (
    "index.ipynb",
    "formation/02_rows_and_range.ipynb",
    "formation/04_turns.ipynb",
    "formation/07b_effects.ipynb",
    "formation/09_timing_classes.ipynb",
    "formation/13_talk_and_flee.ipynb",
    "formation/15_whole_battle.ipynb",
)


@pytest.mark.parametrize("chapter", ALIVE)
def test_a_chapter_runs_from_top_to_bottom_alive(
    open_notebook: Callable[..., Opened], chapter: str
) -> None:
    opened = open_notebook(chapter, width=1400)
    failed: list[str] = opened.page.evaluate(
        """() => [...window.jupyterapp.shell.currentWidget.content.model.cells]
            .filter((cell) => cell.type === "code")
            .flatMap((cell) => [...Array(cell.outputs.length).keys()]
                .map((n) => cell.outputs.get(n).toJSON()))
            .filter((output) => output.output_type === "error")
            .map((output) => output.evalue)"""
    )
    assert failed == []
    expect(opened.page.locator(".tk-study, .tk-exercise").first).to_be_visible()
    assert opened.errors == []
