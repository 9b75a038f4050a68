"""Exercises of every kind, answered in a browser by mouse and by keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import OpenNotebook
from jupyter_pages import App, Opened
from playwright.sync_api import Browser, Locator, Page, expect
from test_exercises import (
    REFUSED,
    RUDE,
    a_chance,
    a_row,
    an_order,
    asked_of_aki,
)

import tabletop_kit as tk
from tabletop_kit.widgets.assets import joined, styles
from tabletop_kit.widgets.exercises import Exercise

pytestmark = pytest.mark.browser

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Exercises</title><style>
html { background: light-dark(#fff, #1b1c1f); color-scheme: light dark }
body { margin: 16px auto; max-width: 800px; padding: 0 16px }
main > div { margin-bottom: 16px }
STYLES</style></head><body><main><h1>Exercises</h1></main>
<script type="application/json" id="data">DATA</script>
<script type="module">
const module = await import(URL.createObjectURL(
  new Blob([MODULE], { type: "text/javascript" })));
for (const asked of JSON.parse(document.getElementById("data").textContent)) {
  let at = 0;
  let hear = null;
  const el = document.createElement("div");
  document.querySelector("main").append(el);
  module.default.render({ el, model: {
    get: (name) => ({ ...asked[at], more: asked.length > 1, seed: at, level: 2 })[name],
    on: (_, heard) => { hear = heard; },
    off: () => {},
    send: () => { at = (at + 1) % asked.length; hear({ tell: "another" }); },
  } });
}
document.body.dataset.ready = "yes";
</script></body></html>
"""


def an_order_of_many(dice: Random) -> tk.PutInOrder:
    return an_order(seed=dice.randint(0, 99))


def inside(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


Show = Callable[..., Page]


@pytest.fixture
def show(chromium: Browser) -> Iterator[Show]:
    """show(exercise, ..., width=700, dark=False): fails at the end on any error."""
    contexts, errors = [], []

    def show_(*exercises: Exercise, width: int = 700, dark: bool = False) -> Page:
        context = chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            offline=True,
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        data = [exercise._asked_in_a_page() for exercise in exercises]
        text = PAGE.replace("STYLES", styles("exercise"))
        text = text.replace("MODULE", inside(joined("exercise")))
        page.set_content(text.replace("DATA", inside(data)))
        page.wait_for_selector("body[data-ready]", state="attached")
        return page

    yield show_
    for context in contexts:
        context.close()
    assert not errors


def all_kinds() -> list[Exercise]:
    return [
        tk.Predict("How many?", (1, 2), 2, "Count them.", ("FM-ROW-03",)),
        tk.SpotIllegal("Which are illegal?", {"She strikes.": (), RUDE: (REFUSED(),)}),
        a_chance(),
        tk.WhatMayShe(asked_of_aki()),
        an_order(),
        a_row(),
        tk.Practice(an_order_of_many),
    ]


def test_a_guess_is_told_how_far_off_it_is(show: Show) -> None:
    page = show(a_chance(Fraction(5, 12)))
    told = page.locator(".tk-ex-told")
    guess = page.get_by_role("spinbutton", name="Your guess")
    slider = page.get_by_role("slider", name="Your guess, on a scale")
    for typed, words in (
        ("90", "Far off: 48.3 points too high."),
        ("30", "Close: 11.7 points too low."),
        ("45", "Well guessed: 3.3 points too high."),
        ("42", "On the spot."),
    ):
        guess.fill(typed)
        expect(slider).to_have_value(typed)
        guess.press("Enter")
        expect(told.locator("b")).to_have_text(words)
    expect(told).to_contain_text("The exact chance is 5/12, about 41.7%.")
    expect(told).to_contain_text("FM-ACT-04")
    expect(page.locator("[aria-live]")).to_contain_text("On the spot.")
    slider.press("ArrowRight")
    expect(guess).to_have_value("43")
    guess.fill("101")
    page.get_by_role("button", name="Check").click()
    expect(told.locator("b")).to_have_text("On the spot.")


def test_a_guess_inside_a_bracket_is_on_the_spot(show: Show) -> None:
    page = show(a_chance(tk.Bracket(Fraction(1, 4), Fraction(1, 2))))
    guess = page.get_by_role("spinbutton")
    for typed, words in (("40", "On the spot."), ("56", "Close: 6 points too high.")):
        guess.fill(typed)
        guess.press("Enter")
        expect(page.locator(".tk-ex-told b")).to_have_text(words)


def test_what_is_allowed_is_ticked(show: Show) -> None:
    menu = asked_of_aki()
    page = show(tk.WhatMayShe(menu))
    rows = page.locator(".tk-ex-ticks > li")
    boxes = page.get_by_role("checkbox")
    answers = list(menu.thinkable())
    assert rows.count() == len(answers) > 3
    boxes.first.focus()
    for number in range(len(answers)):
        expect(boxes.nth(number)).to_be_focused()
        page.keyboard.press("Space")
        page.keyboard.press("ArrowDown")
    page.get_by_role("button", name="Check").press("Enter")
    legal = 0
    for number, answer in enumerate(answers):
        row, reasons = rows.nth(number), menu.why_not(answer)
        legal += not reasons
        expect(row).to_contain_text(
            "Not so: refused." if reasons else "Right: allowed."
        )
        for reason in reasons:
            expect(row).to_contain_text(reason.sentence)
            expect(row).to_contain_text(reason.clause)
    total = f"{legal} of {len(answers)} right."
    expect(page.locator(".tk-ex-sum")).to_have_text(total)
    expect(page.locator("[aria-live]")).to_have_text(total)
    refused = next(n for n, answer in enumerate(answers) if menu.why_not(answer))
    page.keyboard.press(str(refused + 1))
    expect(rows.nth(refused).locator(".tk-ex-told")).to_have_count(0)
    expect(page.locator(".tk-ex-sum")).to_be_empty()
    page.get_by_role("button", name="Check").click()
    expect(rows.nth(refused)).to_contain_text("Right: refused.")


def test_a_key_looks_like_no_answer(show: Show) -> None:
    numbers = tk.Predict("How far?", (2, 3, "−1"), 3, "Count.", ("FM-A", "FM-B"))
    words = tk.Predict("Which?", ("a miss", "a critical"), "a miss", "Each is one.")
    page = show(numbers, words)
    keys = page.locator(".tk-key")
    expect(keys).to_have_text(["A", "B", "C", "1", "2"])
    page.get_by_role("button", name="2", exact=True).focus()
    page.keyboard.press("b")
    told = page.locator(".tk-ex-told")
    expect(told).to_have_text("Right.Count. FM-A FM-B")
    page.get_by_role("button", name="a miss").focus()
    page.keyboard.press("2")
    expect(told.nth(1)).to_contain_text("Not so.")


def labels(page: Page) -> list[str]:
    return page.locator(".tk-ex-item .tk-olabel").all_inner_texts()


def test_an_order_is_made_by_mouse_and_by_keys(show: Show) -> None:
    exercise = an_order()
    page = show(exercise)
    check = page.get_by_role("button", name="Check")
    check.click()
    told = page.locator(".tk-ex-told")
    expect(told).to_contain_text("in the right place.")
    marks = page.locator(".tk-ex-mark")
    expect(marks).to_have_count(0)
    expect(told).not_to_contain_text("The quicker one first.")
    page.get_by_role("button", name="Show the places").press("Enter")
    where = exercise.items.index(labels(page)[0]) + 1
    said = "Right." if where == 1 else f"Belongs at {where}."
    expect(marks.first).to_have_text(said)
    expect(told).to_contain_text("The quicker one first.")
    expect(check).to_be_focused()

    last = exercise.items[-1]
    down = page.get_by_role("button", name=f"Move down: {last}")
    while labels(page)[-1] != last:
        down.click()
        expect(down).to_be_focused()
    expect(told).to_have_count(0)
    said = f"{last}: {len(exercise.items)} of {len(exercise.items)}."
    expect(page.locator("[aria-live]")).to_have_text(said)
    before = labels(page)
    down.press("Enter")
    assert labels(page) == before
    for place, item in enumerate(exercise.items):
        up = page.get_by_role("button", name=f"Move up: {item}", exact=True)
        up.focus()
        while labels(page)[place] != item:
            page.keyboard.press("Alt+ArrowUp")
            expect(up).to_be_focused()
    assert labels(page) == exercise.items
    check.press("Enter")
    expect(told.locator("b")).to_have_text("Right.")
    expect(told).to_contain_text("The quicker one first.")


def test_a_row_is_filled_in(show: Show) -> None:
    page = show(a_row())
    cells = page.locator(".tk-ex-blank")
    check = page.get_by_role("button", name="Check")
    check.click()
    expect(page.locator(".tk-ex-told b")).to_have_text("0 of 2 right.")
    expect(cells.first.locator(".tk-ex-mark")).to_have_text("It is 11.")
    page.get_by_label("Damage").fill("011")
    expect(cells.first.locator(".tk-ex-mark")).to_have_count(0)
    page.get_by_label("Damage").press("Enter")
    expect(page.locator(".tk-ex-told b")).to_have_text("1 of 2 right.")
    page.get_by_role("combobox").select_option(RUDE)
    check.click()
    expect(page.locator(".tk-ex-told")).to_contain_text("Right.")
    expect(page.locator(".tk-ex-told")).to_contain_text("FM-ACT-04")
    expect(page.locator("[aria-live]")).to_contain_text("Damage: 11")


def test_practice_brings_new_ones_of_any_kind(show: Show) -> None:
    page = show(tk.Practice(an_order_of_many, shown=2))
    before = labels(page)
    page.get_by_role("button", name="Check").click()
    page.get_by_role("button", name="Another one").click()
    assert labels(page) != before and sorted(labels(page)) == sorted(before)
    expect(page.locator(".tk-ex-told")).to_have_count(0)


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing_and_everything_fits(show: Show, dark: bool) -> None:
    page = show(*all_kinds(), width=360 if dark else 700, dark=dark)
    assert page.locator(".tk-exercise").count() == 7
    for answered in (False, True):
        if answered:
            page.get_by_role("button", name="2", exact=True).click()
            page.locator(".tk-ex-spot button").last.click()
            for check in page.get_by_role("button", name="Check").all():
                check.click()
        found = Axe().run(page)
        assert not found.violations_count, found.generate_report()
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0
    assert page.locator("img, script:not([type])").count() == 0


def test_a_notebook_leaves_their_keys_to_them(open_notebook: OpenNotebook) -> None:
    opened = open_notebook("widgets/04a_worksheets.ipynb", width=1000, height=4000)
    page = opened.page
    exercises = page.locator(".tk-exercise")
    expect(exercises).to_have_count(6)
    cells = page.locator(".jp-Cell").count()
    guess, _, ticks, order, row, practice = exercises.all()
    guess.get_by_role("spinbutton").fill("")
    guess.get_by_role("spinbutton").press_sequentially("12")
    guess.get_by_role("slider").press("ArrowUp")
    guess.get_by_role("button", name="Check").press("Enter")
    expect(guess.locator(".tk-ex-told")).to_contain_text("Close: 10.2 points too high.")
    ticks.get_by_role("checkbox").first.focus()
    for key in ("a", "b", "x", "Space", "ArrowDown", "Space"):
        page.keyboard.press(key)
    ticks.get_by_role("button", name="Check").press("Space")
    expect(ticks.locator(".tk-ex-sum")).to_have_text("4 of 4 right.")
    order.get_by_role("button", name="Move up: Mio").press("Alt+ArrowUp")
    expect(order.locator(".tk-olabel").first).to_have_text("Mio")
    row.get_by_label("Damage").press_sequentially("11")
    row.get_by_label("Still up").select_option("yes")
    row.get_by_label("Damage").press("Enter")
    expect(row.locator(".tk-ex-told")).to_contain_text("Right.")
    practice.get_by_role("button", name="Another one").click()
    expect(practice.get_by_text("No. 2")).to_be_visible()
    expect(practice.locator(".tk-ex-item")).to_have_count(3)
    assert page.locator(".jp-Cell").count() == cells
    assert opened.errors == []


JAPANESE = (
    "山奥の古い砦を守り続けてきた白銀の甲冑の騎士団長にして王国一の剣の使い手" * 2
)[:60]
KOREAN = (
    "깊은 산속의 낡은 요새를 지키는 은빛 갑옷의 기사단장이자 왕국 제일의 검술사 " * 2
)[:60]
SETUP = f"""
from fractions import Fraction
from msgspec.structs import replace
import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.core.menus import Refusal
from tabletop_kit.formation import attacks
WOLF, AKI, CLAUSES = {JAPANESE!r}, {KOREAN!r}, ("FM-ACT-04",)
bridge, names = formation.samples["footbridge"], dict(Wolf=WOLF, Aki=AKI)
people = [replace(c, name=names.get(c.name, c.name)) for c in bridge.combatants]
bridge = replace(bridge, combatants=tuple(people))
far = Refusal("too_far", "FM-RNG-03", "Too far: {{distance}} away, range 1.")
def added(dice):
    least = dice.randint(1, 900)
    return tk.Predict(f"{{least}} and 1?", (least, least + 1), least + 1, "Add.")
"""
KINDS = (
    'tk.Predict(f"Who strikes {WOLF}?", (f"{WOLF} 1234", AKI), AKI, WOLF, CLAUSES)',
    'tk.SpotIllegal("Illegal?", {AKI: (), f"{WOLF} to {AKI}": (far(distance=3),)})',
    'tk.PredictChance(f"{WOLF} hits {AKI}?", Fraction(5, 12), WOLF, CLAUSES)',
    "tk.WhatMayShe(attacks.Attacks(formation.opening(bridge), 0))",
    'tk.PutInOrder("Who acts when?", (f"{AKI} 9", f"{WOLF} 8", "Mio 7"), WOLF, CLAUSES)',
    """tk.FillRow(
        f"What becomes of {WOLF}?",
        {"Name": WOLF, "HP": 1234, "Damage": 11, "By": AKI},
        hidden=("Damage", "By"),
        because=AKI,
        choices={"By": (AKI, WOLF)},
        above=[{"Name": AKI, "HP": 5, "Damage": 2, "By": WOLF}],
    )""",
    "tk.Practice(added)",
    "tk.Replay(tk.Game(bridge, seed=7).play(formation.sensible))",
)
CELLS = """() => [...window.jupyterapp.shell.currentWidget.content.model.cells]
    .map((cell) => cell.type + cell.sharedModel.getSource())"""
MISFITS = """(all) => all.flatMap((root) => [...root.querySelectorAll("*")].filter((e) => {
    if (e.closest(".tk-sr") || !e.clientWidth) return false;
    const { overflowX, fontSize } = getComputedStyle(e);
    const isCut = e.scrollWidth > e.clientWidth + 1 && overflowX !== "visible";
    return isCut || (e.innerText?.trim() && parseFloat(fontSize) < 10.9);
}).map((e) => `${e.className}: ${e.textContent}`))"""


def play(exercise: Locator, number: int) -> None:
    """Answer one of each kind badly and well, by keys and by mouse."""
    keys = exercise.page.keyboard
    told = exercise.locator(".tk-ex-told")
    check = exercise.get_by_role("button", name="Check")
    options = exercise.locator("button.tk-opt")
    match number:
        case 0:
            options.nth(1).focus()
            keys.press("1")
            expect(told).to_contain_text("Not so.")
            keys.press("ArrowUp")
            keys.press("ArrowDown")
            keys.press("Enter")
            expect(told).to_contain_text("Right.")
        case 1:
            options.nth(0).click()
            expect(told).to_contain_text("Legal: no rule forbids it.")
            keys.press("2")
            expect(told.nth(1)).to_contain_text("Too far: 3 away, range 1.")
        case 2:
            check.click()
            expect(told).to_contain_text("Close: 8.3 points too high.")
            exercise.get_by_role("slider").focus()
            for _ in range(4):
                keys.press("ArrowDown")
                keys.press("ArrowLeft")
            exercise.get_by_role("spinbutton").press("Enter")
            expect(told).to_contain_text("On the spot.")
        case 3:
            rows, total = exercise.locator("li"), exercise.locator(".tk-ex-sum")
            check.click()
            many = rows.count()
            wrong = exercise.locator(".tk-ex-bad").count()
            expect(total).to_have_text(f"{many - wrong} of {many} right.")
            bad = [n for n in range(many) if rows.nth(n).locator(".tk-ex-bad").count()]
            exercise.get_by_role("checkbox").first.focus()
            for at in range(many):
                if at in bad:
                    keys.press("Space")
                keys.press("ArrowDown")
            check.press("Space")
            expect(total).to_have_text(f"{many} of {many} right.")
        case 4:
            check.click()
            expect(told).to_contain_text("in the right place.")
            names = exercise.locator(".tk-olabel")
            for place, name in enumerate((KOREAN, JAPANESE, "Mio")):
                exercise.get_by_role("button", name=f"Move up: {name}").focus()
                while not names.nth(place).inner_text().startswith(name):
                    keys.press("Alt+ArrowUp")
            check.press("Enter")
            expect(told).to_contain_text("Right.")
        case 5:
            check.click()
            expect(told).to_contain_text("0 of 2 right.")
            exercise.get_by_role("combobox").focus()
            keys.press("ArrowDown")
            exercise.get_by_label("Damage").focus()
            for key in ("1", "0", "ArrowUp", "Enter"):
                keys.press(key)
            expect(told).to_contain_text("Right.")
        case 6:
            expect(exercise).to_contain_text("No. 1")
            options.first.focus()
            keys.press("a")
            expect(told).to_contain_text("Not so.")
            exercise.get_by_role("button", name="Another one").press("Enter")
            expect(exercise).to_contain_text("No. 2")
            options.nth(1).click()
            expect(told).to_contain_text("Right.")


def step_through(opened: Opened) -> None:
    """Step through the replay by mouse and by keys, to its last step but one."""
    replay = opened.page.locator(".tk-replay")
    count, rail = replay.locator(".tk-count"), replay.get_by_role("slider")
    expect(count).to_contain_text("step 1 of 59")
    replay.get_by_role("button", name="Forward").click()
    expect(count).to_contain_text("step 2 of 59")
    rail.focus()
    for key, step in (("ArrowRight", 3), ("ArrowLeft", 2), ("b", 2), ("End", 59)):
        opened.page.keyboard.press(key)
        expect(count).to_contain_text(f"step {step} of 59")
    replay.get_by_role("button", name="Back (left arrow)").click()
    expect(count).to_contain_text("step 58 of 59")


def axe_finds_nothing(page: Page) -> None:
    found = Axe().run(page, context=".tk-exercise, .tk-replay")
    assert not found.violations_count, found.generate_report()


@pytest.mark.parametrize("app", ["notebook", "voila"])
def test_every_kind_and_a_replay_are_played(
    open_notebook: OpenNotebook, notebook: Callable[..., str], app: App
) -> None:
    name = notebook(SETUP, *KINDS)
    opened = open_notebook(name, app=app, width=700, height=5000)
    page = opened.page
    exercises = page.locator(".tk-exercise")
    expect(page.locator(".tk-rail")).to_be_visible(timeout=60_000)
    expect(exercises).to_have_count(7)
    before = page.evaluate(CELLS) if app == "notebook" else []
    for number, exercise in enumerate(exercises.all()):
        play(exercise, number)
        exercise.locator("button").first.focus()
        for key in ("a", "b", "x", "d", "d", "m", "z"):
            page.keyboard.press(key)
    assert exercises.evaluate_all(MISFITS) == []
    step_through(opened)
    assert page.locator(".tk-replay").evaluate_all(MISFITS) == []
    if app == "notebook":
        assert page.evaluate(CELLS) == before
        opened.reload()
        expect(page.locator(".tk-count")).to_contain_text("step 58 of 59")
        expect(exercises).to_have_count(7)
        expect(exercises.last).to_contain_text("No. 2")
        play(exercises.first, 0)
        opened.command("apputils:change-theme", theme="JupyterLab Dark")
    axe_finds_nothing(page)
    assert opened.errors == []


def test_in_a_notebook_nobody_trusts_answers_are_behind_folds(
    open_notebook: OpenNotebook,
) -> None:
    name = "widgets/04a_worksheets.ipynb"
    opened = open_notebook(name, app="notebook", run=False, height=4000)
    page = opened.page
    fold = page.locator("details", has_text="The exact chance is 1/6")
    answer = fold.locator("p")
    expect(fold).to_have_count(1)
    expect(answer).to_be_hidden()
    fold.locator("summary").click()
    expect(answer).to_be_visible()
    expect(page.locator("details", has_text="Another one").first).to_be_visible()
    assert page.locator(".tk-exercise, iframe").count() == 0
    assert opened.errors == []
