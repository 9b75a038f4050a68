"""The study widget in a browser, with a stand-in for the kernel: no Jupyter, a few seconds."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import skirmish
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect
from study_page import SAMPLE, page

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.core.game import Game
from tabletop_kit.widgets.study import Study

pytestmark = pytest.mark.browser

SECRET = [
    {
        "words": "Out of reach: 3 away, reach 2.",
        "clause": "FM-RNG-03",
        "numbers": [["a", 3]],
    }
]


class Opened:
    """A page with the widget, and what went wrong in it."""

    def __init__(self, chromium: Browser, folder: Path, **changes: Any) -> None:
        size = changes.pop("size", {"width": 1400, "height": 900})
        dark = changes.pop("dark", False)
        data = json.loads(SAMPLE.read_text("utf-8"))
        data["meta"] |= changes.pop("meta", {})
        data |= changes
        file = folder / "study.html"
        file.write_text(page(data), "utf-8")
        self.context = chromium.new_context(
            viewport=size, color_scheme="dark" if dark else "light"
        )
        self.tab = self.context.new_page()
        self.tab.set_default_timeout(5000)
        self.errors: list[str] = []
        self.asked: list[str] = []
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))
        self.tab.on(
            "console",
            lambda m: self.errors.append(m.text) if m.type == "error" else None,
        )
        self.tab.on("request", lambda request: self.asked.append(request.url))
        self.tab.goto(file.as_uri())
        self.tab.wait_for_selector("body[data-ready]")
        self.tab.locator(".tk-rail").focus()

    def settle(self) -> None:
        """Wait until all panels show the step."""
        self.tab.wait_for_function(
            "!document.querySelector('.tk-study:not([data-settled])')"
        )

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tab.keyboard.press(key)
        self.settle()

    def step(self) -> str:
        return self.text(".tk-count").split("step ")[1]

    def text(self, selector: str) -> str:
        self.settle()
        return self.tab.inner_text(selector)

    def sent(self, ask: str) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = self.tab.evaluate("page.sent")
        return [message for message in messages if message["ask"] == ask]

    def close(self) -> None:
        self.context.close()
        assert not self.errors
        assert all(url.startswith(("file:", "blob:", "data:")) for url in self.asked)


@pytest.fixture
def opened(chromium: Browser, tmp_path: Path) -> Iterator[Opened]:
    study = Opened(chromium, tmp_path)
    yield study
    study.close()


def test_steps_by_key(opened: Opened) -> None:
    assert opened.step() == "36 of 36"
    opened.press("Home")
    assert opened.step() == "1 of 36"
    opened.press("ArrowRight", "ArrowRight")
    assert opened.step() == "3 of 36"
    opened.press("PageDown", "PageDown", "PageUp")
    assert opened.text(".tk-crumbs [aria-current]") == "Turn 1"
    opened.press("End", "ArrowLeft", "ArrowLeft")
    assert opened.step() == "34 of 36"
    rail = opened.tab.locator(".tk-rail")
    assert "step 34 of 36" in (rail.get_attribute("aria-valuetext") or "")


def test_answer_opens_a_branch_and_is_not_asked_twice(opened: Opened) -> None:
    opened.press("1")
    opened.tab.wait_for_function("page.state.frames.length > 53")
    assert opened.text(".tk-count").endswith("step 39 of 39")
    assert "9\nattack\n+\n7" in opened.text(".tk-sum")
    opened.press("ArrowLeft", "ArrowLeft", "ArrowLeft")
    assert opened.step() == "36 of 39"
    assert opened.tab.locator(".tk-opt.tk-chosen").count() == 1
    opened.press("1")
    assert opened.step() == "37 of 39"
    assert len(opened.sent("answer")) == 1


def test_an_answered_question_reads_as_its_answer(opened: Opened) -> None:
    words = "Tovan chooses: Defend."
    asked = "Tovan: What do you do?"
    log = opened.text(".tk-st-log")
    assert words in log and asked not in log
    opened.tab.locator(".tk-ev-t", has_text="Defend").first.click()
    assert opened.text(".tk-said") == words
    assert opened.tab.text_content(".tk-study > .tk-sr") == words
    assert opened.text(".tk-ask-h h3") == asked
    assert "Defend" in opened.text(".tk-opt.tk-chosen")
    opened.press("ArrowRight")
    assert words in opened.text(".tk-agenda")
    assert opened.tab.locator(".tk-agenda .tk-opt", has_text="Defend").count() == 1


def test_one_question_with_two_answers_has_two_ways_on(opened: Opened) -> None:
    ways = {"Not now.": "main line", "Second arrow.": "a branch"}
    opened.press("b")
    while "Second arrow" not in opened.text(".tk-st-log"):
        opened.press("b")
    opened.tab.locator(".tk-ev-t", has_text="Second arrow").first.click()
    for answer in ("Second arrow.", "Not now."):
        if ways[answer] == "main line":
            opened.tab.locator("button", has_text="main line").click()
            opened.tab.locator(".tk-ev-t", has_text="Not now").first.click()
        assert answer in opened.text(".tk-said")
        assert ways[answer] in opened.text(".tk-st-log .tk-ph")
        assert opened.text(".tk-ask-h h3").endswith("Follow up?")


def test_a_question_asked_after_its_answer_takes_it_in(
    chromium: Browser, tmp_path: Path
) -> None:
    data = json.loads(SAMPLE.read_text("utf-8"))
    unasked = [f for f in data["frames"] if f["kind"] != "ask" or f["id"] == 41]
    study = Opened(chromium, tmp_path, frames=unasked)
    assert study.step() == "36 of 36"  # what a policy answered is told by the answer
    study.tab.locator(".tk-ev-t", has_text="Defend").first.click()
    before = study.step()
    study.tab.locator("button", has_text="Answer this differently").click()
    study.tab.wait_for_selector(".tk-ask-b.tk-answered")
    assert study.step() == before
    assert "Tovan chooses: Defend." in study.text(".tk-said")
    assert len(study.sent("open")) == 1
    study.close()


def waiting_for_dice() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(SAMPLE.read_text("utf-8"))
    told = next(frame for frame in data["frames"] if frame["id"] == 40)
    dice = {"dice": "2D6", "count": 2, "sides": 6, "faces": None}
    dice |= {"by": 1, "why": "attack", "node": 41}
    waiting = {"id": 60, "parent": 40, "node": 41, "kind": "wait", "dice": dice}
    waiting |= {"say": [1, " throws 2D6 (attack)."], "clauses": ["FM-ACT-02"]}
    frames = [f for f in data["frames"] if f["id"] not in (41,)]
    frames.append({**waiting, "heading": told["heading"]})
    return {"frames": frames, "at": 60}


def test_dice_thrown_by_hand(chromium: Browser, tmp_path: Path) -> None:
    study = Opened(chromium, tmp_path, **waiting_for_dice())
    study.press("Enter", "6", "2", "Backspace", "9")
    assert not study.sent("faces")
    study.tab.locator(".tk-pick .tk-faces .tk-die").nth(3).click()
    study.press("Enter")
    asked = {"ask": "faces", "frame": 60, "node": 41, "faces": [6, 4]}
    assert study.sent("faces") == [asked]
    study.tab.wait_for_function("page.state.frames.length > 53")
    assert "19" in study.text(".tk-sum") and not study.tab.locator(".tk-pick").count()
    study.close()


def test_dice_the_kernel_throws(chromium: Browser, tmp_path: Path) -> None:
    study = Opened(chromium, tmp_path, **waiting_for_dice())
    study.tab.locator("button", has_text="Throw them for me").click()
    assert study.sent("throw") == [{"ask": "throw", "frame": 60}]
    study.close()


def test_playing_on_lasts_as_long_as_the_kernel_says(opened: Opened) -> None:
    opened.tab.locator("button", has_text="to the end").last.click()
    stop = opened.tab.locator(".tk-ask-f button", has_text="stop")
    stop.wait_for()
    opened.tab.wait_for_timeout(1800)
    stop.click()
    opened.tab.locator(".tk-ask-f button", has_text="a step").wait_for()
    assert [m["how"] for m in opened.sent("play")] == ["end"]


def test_many_answers_leave_the_page_as_it_was(opened: Opened) -> None:
    grown = opened.tab.evaluate(
        """() => {
            const count = () => document.querySelectorAll(
                ".tk-study :not(.tk-log, .tk-log *)").length;
            const ask = page.state.frames.find((frame) => frame.id === 41);
            let [id, parent] = [2000, 41];
            const frame = (more) => {
                id += 1;
                const heading = `Turn ${3 + Math.floor(id / 40)}`;
                return { id, parent, node: id, heading, clauses: ask.clauses, ...more };
            };
            const answer = () => {
                const frames = [frame({ kind: "choice", say: [1, ": wait."], key: "wait" })];
                parent = frames[0].id;
                frames.push(frame({ kind: "event", say: ["On."] }));
                parent = frames[1].id;
                frames.push(frame({ ...ask, id: undefined, parent, heading: undefined }));
                Object.assign(frames[2], { id, parent, heading: frames[1].heading });
                page.fire("msg:custom", { tell: "frames", frames, at: id });
            };
            parent = 40;
            for (let n = 0; n < 300; n += 1) answer();
            const before = count();
            for (let n = 0; n < 300; n += 1) answer();
            return count() - before;
        }"""
    )
    assert opened.step() == "1236 of 1236"
    assert abs(grown) < 60


def test_another_answer_at_an_earlier_question(opened: Opened) -> None:
    opened.press("Home")
    while "What do you do" not in opened.text(".tk-ask-h"):
        opened.press("ArrowRight")
    opened.press("2")
    opened.tab.wait_for_function("page.state.frames.length > 53")
    assert "a branch" in opened.text(".tk-st-log .tk-ph")
    opened.tab.locator("button", has_text="main line").click()
    assert "main line" in opened.text(".tk-st-log .tk-ph")
    opened.press("b")
    assert "a branch" in opened.text(".tk-st-log .tk-ph")


def test_why_not_names_all_reasons_and_changes_nothing(opened: Opened) -> None:
    opened.press("w", "w", "w", "w")
    reasons = opened.text(".tk-reasons")
    assert (
        "2 reasons" in reasons
        and "Costs 9 MP" in reasons
        and "Nothing has changed." in reasons
    )
    assert opened.step() == "36 of 36" and not opened.sent("answer")
    opened.press("Escape")
    assert not opened.tab.locator(".tk-reasons").count()


def test_what_if_a_die_were_another(opened: Opened) -> None:
    while not opened.tab.locator(".tk-st-now .tk-die:visible").count():
        opened.press("ArrowLeft")
    opened.tab.locator(".tk-st-now .tk-die").first.click()
    assert opened.tab.locator(".tk-pop .tk-die").count() == 6
    opened.press("ArrowRight", "Enter")
    opened.tab.wait_for_function("page.state.frames.length > 53")
    assert len(opened.sent("faces")) == 1
    assert "what if" in opened.text(".tk-rail")


def test_odds_come_when_the_question_rests(opened: Opened) -> None:
    opened.tab.wait_for_selector(".tk-obar")
    assert len(opened.sent("odds")) == 1
    assert "97 %" in opened.text(".tk-st-ask")


def test_blind_options_look_alike_until_picked(
    chromium: Browser, tmp_path: Path
) -> None:
    data = json.loads(SAMPLE.read_text("utf-8"))
    asked = next(frame for frame in data["frames"] if frame["id"] == data["at"])
    for kind in asked["question"]["kinds"]:
        for option in kind["options"]:
            option |= {"refused": False, "reasons": None}
    key = asked["question"]["kinds"][0]["options"][0]["key"]
    changes = {
        "meta": {"blind": True},
        "frames": data["frames"],
        "secrets": {key: SECRET},
    }
    study = Opened(chromium, tmp_path, **changes)
    assert not study.tab.locator(".tk-opt.tk-no").count()
    study.press("1")
    study.tab.wait_for_selector(".tk-reasons")
    assert "3 away, reach 2" in study.text(".tk-reasons")
    assert "Nothing has changed." in study.text(".tk-reasons")
    assert study.step() == "36 of 36" and not study.sent("odds")
    study.close()


def test_waiting_and_failing(opened: Opened) -> None:
    opened.tab.evaluate("window.silent = true")
    opened.press("1")
    assert opened.tab.locator(".tk-pending").count() == 1
    opened.tab.evaluate(
        "page.tell({ tell: 'error', title: 'Not played', text: 'Try again.' })"
    )
    opened.tab.wait_for_selector(".tk-note.tk-error[role=alert]")
    assert not opened.tab.locator(".tk-pending").count()
    assert opened.step() == "36 of 36"


def test_board_by_key(opened: Opened) -> None:
    opened.tab.locator('.tk-token[tabindex="0"]').focus()
    opened.press("ArrowRight", "ArrowRight", "ArrowRight")
    token = "document.activeElement.dataset.id"
    assert opened.tab.evaluate(token).startswith("token-")
    opened.tab.locator("[data-id=token-5]").focus()
    opened.press("Enter")
    assert "Toll Captain" in opened.tab.evaluate("document.activeElement.textContent")
    opened.press("Enter")
    opened.tab.wait_for_function("page.state.frames.length > 53")


def test_focus_stays_inside(opened: Opened) -> None:
    opened.tab.locator(".tk-opt").first.focus()
    for key in ["ArrowLeft"] * 12 + ["t", "t", "?", "Escape", "b", "End"]:
        opened.press(key)
        assert opened.tab.evaluate("page.host.contains(document.activeElement)"), key


def test_board_as_text(opened: Opened) -> None:
    opened.press("t")
    words = opened.text(".tk-astext")
    assert "Wayfarers, front row\nOska, HP 3 of 30" in words


def test_names_are_text(chromium: Browser, tmp_path: Path) -> None:
    data = json.loads(SAMPLE.read_text("utf-8"))
    people = data["meta"]["people"]
    people[1]["name"] = "<img src=x onerror=alert(1)>"
    study = Opened(chromium, tmp_path, meta={"people": people})
    study.press("1", "ArrowLeft", "ArrowLeft")
    assert "<img" in study.text(".tk-st-order")
    assert not study.tab.locator("img").count()
    study.close()


def test_two_views_and_a_reload_agree(opened: Opened) -> None:
    opened.tab.evaluate(
        "() => { const el = document.createElement('div'); document.body.append(el);"
        " page.addView(el) }"
    )
    opened.press("1")
    opened.tab.wait_for_function("page.state.frames.length > 53")
    many = opened.tab.evaluate("page.state.frames.length")
    opened.press("1")  # while the view beside has not told where it is
    opened.tab.wait_for_function(f"page.state.frames.length > {many}")
    opened.settle()
    counts = opened.tab.locator(".tk-count").all_inner_texts()
    assert counts[0] == counts[1]
    opened.tab.evaluate("() => { page.leave(); page.addView(page.host) }")
    assert opened.tab.locator(".tk-count").all_inner_texts() == counts


def test_an_older_place_that_the_kernel_repeats_is_not_followed(opened: Opened) -> None:
    opened.press("Home", "End")
    opened.tab.wait_for_function("page.saved() === 1")
    before = opened.tab.evaluate("page.state.at")
    after = opened.tab.evaluate(
        """() => {
            const study = page.host.querySelector(".tk-study");
            study.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
            page.model.set("at", 0);
            return page.state.at;
        }"""
    )
    assert after not in (0, before) and opened.step() == "35 of 36"
    opened.tab.wait_for_function("page.saved() === 2")
    opened.tab.evaluate("page.model.set('at', 0)")
    assert opened.step() == "1 of 36"


@pytest.mark.parametrize("width", [690, 1000, 1400])
def test_nothing_scrolls_sideways(opened: Opened, width: int) -> None:
    opened.tab.set_viewport_size({"width": width, "height": 900})
    opened.press("Home", "End")
    wide = "[...page.host.querySelectorAll('*')].filter(e => e.scrollWidth > e.clientWidth + 1"
    wide += " && e.clientWidth > 0 && getComputedStyle(e).overflowX !== 'visible'"
    wide += " && !e.matches('.tk-sr')).map(e => e.className)"
    assert opened.tab.evaluate(wide) == []
    assert opened.tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


# ---- studies of real games, with a stand-in for the kernel


def real(study: Study, **more: Any) -> dict[str, Any]:
    """What the page is given of a study."""
    shown = {"meta": study.meta, "frames": study.frames, "at": study.at}
    data: dict[str, Any] = json.loads(json.dumps(shown | more))
    return data


def footbridge() -> Study:
    return tk.study(formation.samples["footbridge"], seed=7)


@pytest.fixture
def show(chromium: Browser, tmp_path: Path) -> Iterator[Any]:
    """show(data, ...): the page of a study, opened."""
    pages: list[Opened] = []

    def show_(data: dict[str, Any], **more: Any) -> Opened:
        pages.append(Opened(chromium, tmp_path, **data, **more))
        return pages[-1]

    yield show_
    for one in pages:
        one.close()


def test_turns_that_pass_are_named_and_can_be_watched(show: Any) -> None:
    market = formation.samples["market_street"]
    played = tk.study(market, seed=5, opponents=formation.sensible)
    data, known = real(played), len(played.film.frames)
    options = data["frames"][-1]["question"]["kinds"][0]["options"]
    key = next(option["key"] for option in options if not option["refused"])
    played._hear(played, {"ask": "answer", "frame": played.at, "key": key}, [])
    told = {"tell": "frames", "at": played.now, "frames": played.film.frames[known:]}
    study = show(data)
    expect(study.tab.locator(".tk-passed")).to_have_count(0)
    study.tab.evaluate("window.silent = true")
    study.press("1")
    study.tab.evaluate("(told) => page.tell(told)", json.loads(json.dumps(told)))
    note = study.tab.locator(".tk-passed")
    expect(note).to_contain_text("2 turns passed: 잿빛나방, 강바람.")
    said = study.tab.locator(".tk-sr-in")
    expect(said).to_contain_text("2 turns passed: 잿빛나방, 강바람. ")
    last = study.step()
    study.tab.get_by_label("Speed").select_option("4")
    note.get_by_role("button", name="Watch").click()
    expect(study.tab.locator(".tk-said")).to_contain_text("잿빛나방")
    assert study.step() != last
    expect(study.tab.locator(".tk-count")).to_contain_text(last, timeout=10_000)
    note.get_by_role("button", name="Close").click()
    expect(note).to_have_count(0)


@pytest.mark.parametrize("width", [732, 992])
def test_on_a_branch_every_bar_keeps_to_its_row(opened: Opened, width: int) -> None:
    opened.tab.set_viewport_size({"width": width, "height": 900})
    opened.press("b")
    main_line = opened.tab.get_by_role("button", name="Back to the main line")
    expect(main_line).to_be_visible()
    rows = """(selector) => {
        const boxes = [...document.querySelector(selector).children]
            .filter((one) => one.offsetWidth).map((one) => one.getBoundingClientRect());
        return Math.max(...boxes.map(({ top }) => top))
            < Math.min(...boxes.map(({ bottom }) => bottom));
    }"""
    for bar in (".tk-transport", ".tk-ask-f", ".tk-ask-h p"):
        assert opened.tab.evaluate(rows, bar), bar


def test_what_others_may_declare_stands_under_the_question(show: Any) -> None:
    asked = tk.study(skirmish.SAMPLES["two"], seed=1)
    study = show(real(asked))
    group = study.tab.get_by_role("group", name="May also be declared")
    expect(group).to_contain_text("side 0: Surrender?")
    expect(group).to_contain_text("side 1: Surrender?")
    expect(group).to_contain_text("SK-END-02")
    assert study.text(".tk-ask-h p").startswith("2 choices")
    rows = group.locator(".tk-opt")
    expect(rows.locator(".tk-key")).to_have_text(["3", "4"])
    rows.nth(1).click()
    expect(study.tab.locator(".tk-said")).to_have_text("It is declared.")
    (taken,) = study.sent("take")
    assert (taken["offer"], taken["frame"]) == (1, asked.at)
    assert not study.sent("answer")
    study.press("ArrowLeft")
    assert study.text(".tk-said") == "side 1: declared."
    chosen = study.tab.locator(".tk-opt.tk-chosen")
    expect(chosen).to_have_count(1)
    assert chosen.get_attribute("data-row").startswith("offer 1/")
    study.press("4")  # known already: nobody is asked again
    assert study.text(".tk-said") == "It is declared." and len(study.sent("take")) == 1


def test_an_offer_by_key_that_is_refused(show: Any) -> None:
    data = real(tk.study(skirmish.SAMPLES["two"], seed=1))
    key = data["frames"][-1]["offers"][0]["kinds"][0]["options"][0]["key"]
    study = show(data, secrets={key: SECRET})
    before = study.step()
    study.press("3")
    group = study.tab.get_by_role("group", name="May also be declared")
    reasons = group.get_by_role("region", name="Why not")
    expect(reasons).to_have_count(1)
    expect(reasons).to_contain_text("3 away, reach 2")
    assert study.step() == before


def test_offers_wait_beside_dice_too(show: Any) -> None:
    data = real(tk.study(skirmish.SAMPLES["two"], seed=1))
    asked = data["frames"][-1]
    waiting = {k: v for k, v in asked.items() if k != "question"} | {"kind": "wait"}
    dice = {
        "dice": "2D6",
        "count": 2,
        "sides": 6,
        "faces": None,
        "by": 0,
        "why": "attack",
    }
    waiting["dice"] = dice | {"node": 0}
    study = show(data | {"frames": [*data["frames"][:-1], waiting]})
    study.press("3")
    assert not study.sent("take")  # a face, no row
    study.tab.locator(".tk-offers .tk-opt").first.click()
    expect(study.tab.locator(".tk-said")).to_have_text("It is declared.")


FATES: dict[str, dict[str, float]] = {
    "4": {"none": 0.25, "hurt": 0.5, "down": 0.25, "mean": -6.5, "unresolved": 0},
    "3": {"none": 0.5, "hurt": 0.5, "down": 0, "mean": -2, "unresolved": 0},
    "5": {"none": 1, "hurt": 0, "down": 0, "mean": 0, "unresolved": 0},
}


def test_the_fates_of_one_and_of_several(show: Any) -> None:
    asked = footbridge()
    data = real(asked)
    options = [o for k in data["frames"][-1]["question"]["kinds"] for o in k["options"]]
    one, many = [o["key"] for o in options if not o["refused"]][:2]
    odds = {one: {"who": 3, **FATES["3"]}, many: FATES}
    study = show(data, odds={str(asked.at): odds})
    rows = [
        study.tab.locator(f".tk-opt[data-key={json.dumps(k)}]") for k in (one, many)
    ]
    expect(rows[1].locator(".tk-odds em")).to_have_text("×3")
    expect(rows[1].locator(".tk-odds b")).to_have_text("25 %")
    bar = rows[1].get_by_role("img")
    expect(bar).to_have_attribute(
        "aria-label",
        "the worst off of 3: 25 % down, 50 % hurt, 25 % no damage, −6.5 HP on average",
    )
    each = "Wolf: 25 % down, 50 % hurt, 25 % no damage, −6.5 HP on average"
    assert each in (rows[1].get_attribute("aria-description") or "")
    tip = study.tab.locator(".tk-fates")
    expect(tip).to_be_hidden()
    rows[1].hover()
    lines = tip.locator("p")
    expect(lines).to_have_text(
        [
            each,
            "Brute: 50 % hurt, 50 % no damage, −2.0 HP on average",
            "Slinger: surely no damage",
        ]
    )
    rows[0].focus()
    expect(lines).to_have_text(["50 % hurt, 50 % no damage, −2.0 HP on average"])
    study.press("Home")
    expect(tip).to_be_hidden()


def test_fates_that_were_drawn_say_so(show: Any) -> None:
    asked = footbridge()
    data = real(asked)
    options = [o for k in data["frames"][-1]["question"]["kinds"] for o in k["options"]]
    key = next(o["key"] for o in options if not o["refused"])
    fate = {**FATES["4"], "who": 4, "drawn": 400}
    study = show(data, odds={str(asked.at): {key: fate}})
    row = study.tab.locator(f".tk-opt[data-key={json.dumps(key)}]")
    expect(row.locator(".tk-odds b")).to_have_text("≈ 25 %")
    about = "about, from 400 tries: 25 % down, 50 % hurt"
    assert about in (row.get_attribute("aria-description") or "")


def test_a_row_with_one_way_tells_what_it_comes_to(show: Any) -> None:
    game = Game(formation.samples["six_thieves"], seed=1).play(formation.sensible, 7)
    asked = tk.study(game)
    data = real(asked)
    options = [o for k in data["frames"][-1]["question"]["kinds"] for o in k["options"]]
    rain = next(
        o["key"] for o in options if "ember rain" in o["key"] and not o["refused"]
    )
    study = show(data, odds={str(asked.at): {rain: FATES}})
    row = study.tab.locator(".tk-opt", has_text="Ember rain").first
    expect(row).to_contain_text("25 %")
    expect(row).to_contain_text("×3")
    row.click()  # what it is refused for stays to be read
    within = study.tab.locator(".tk-opt:not(.tk-no, .tk-wayback)")
    expect(within).to_have_count(1)
    expect(within).to_contain_text("25 %")
    within.click()
    assert [message["key"] for message in study.sent("answer")] == [rain]


def test_a_note_is_written_shown_changed_and_taken_away(show: Any) -> None:
    study = show(real(footbridge()))
    study.press("n")
    field = study.tab.get_by_role("textbox", name="Note")
    expect(field).to_be_focused()
    field.press_sequentially("Who is <b>near</b>? 1 t")  # keys are words here
    field.press("Control+Enter")
    note = study.tab.get_by_role("note", name="Note")
    expect(note).to_contain_text("Who is <b>near</b>? 1 t")
    expect(study.tab.locator(".tk-rail-flag")).to_have_count(1)
    study.press("Home")
    expect(note).to_have_count(0)
    study.press("End")
    expect(note).to_have_count(1)
    assert study.tab.text_content(".tk-study > .tk-sr").endswith(
        "Note: Who is <b>near</b>? 1 t"
    )
    study.tab.evaluate("() => { page.leave(); page.addView(page.host) }")
    expect(note).to_have_count(1)
    note.get_by_role("button").click()
    expect(field).to_have_value("Who is <b>near</b>? 1 t")
    field.fill("Nobody")
    field.press("Escape")
    expect(note).to_contain_text("Who is")
    study.tab.get_by_role("button", name="Note at this step (N)").click()
    expect(field).to_have_value("Nobody")  # what was begun is there again
    study.tab.get_by_role("button", name="Keep").click()
    expect(note.locator("p")).to_have_text("Nobody")
    study.press("n")
    study.tab.get_by_role("button", name="Remove").click()
    expect(note).to_have_count(0)
    expect(study.tab.locator(".tk-rail-flag")).to_have_count(0)
    assert [m["text"] for m in study.sent("note")] == [
        "Who is <b>near</b>? 1 t",
        "Nobody",
        "",
    ]


def test_a_replay_shows_notes_and_writes_none(show: Any) -> None:
    data = real(footbridge())
    meta = data["meta"] | {
        "live": False,
        "notes": [{"frame": data["at"], "text": "Look"}],
    }
    study = show(data | {"meta": meta, "notes": None})
    expect(study.tab.get_by_role("note", name="Note")).to_have_text("Look")
    expect(study.tab.locator(".tk-rail-flag")).to_have_count(1)
    study.press("n")
    assert not study.tab.locator(".tk-pop").count()
    expect(study.tab.get_by_role("button", name="Note at this step (N)")).to_have_count(
        0
    )


def test_a_number_picks_a_face_while_faces_are_asked_for(opened: Opened) -> None:
    while not opened.tab.locator(".tk-st-now .tk-die:visible").count():
        opened.press("ArrowLeft")
    opened.tab.locator(".tk-st-now .tk-die").first.click()
    opened.tab.keyboard.press("5")
    opened.tab.wait_for_function("page.state.frames.length > 53")
    (sent,) = opened.sent("faces")
    assert sent["faces"][0] == 5 and not opened.sent("answer")


# ---- a first fight: what to press, and what comes of it


def test_the_first_question_says_how_to_answer(show: Any) -> None:
    study = show(real(footbridge()))
    note = study.tab.locator(".tk-st-ask .tk-note")
    expect(note).to_contain_text("You answer for everybody who is asked here.")
    assert study.text(".tk-ask-h p").startswith("Wayfarers\n7 choices")
    note.get_by_role("button", name="Close").click()
    expect(note).to_have_count(0)


def test_it_is_not_said_again_later(opened: Opened) -> None:
    assert opened.tab.locator(".tk-st-ask .tk-note").count() == 0
    opened.press("Home")
    while "What do you do" not in opened.text(".tk-ask-h"):
        opened.press("ArrowRight")
    assert opened.tab.locator(".tk-st-ask .tk-note").count() == 0
    assert "Answered. Try another" in opened.text(".tk-ask-h p")


def test_a_token_is_pressed_once_to_see_and_again_to_do(opened: Opened) -> None:
    token = opened.tab.locator("[data-id=token-5] .tk-tk-body").first
    tip = opened.tab.locator(".tk-st-board > .tk-tip")
    token.click()
    expect(tip).to_have_text("Press again: Attack → Rod → Toll Captain")
    assert not opened.sent("answer")
    opened.tab.locator("[data-id=token-4] .tk-tk-body").first.hover()
    expect(tip).to_be_hidden()
    token.click()
    assert not opened.sent("answer")  # it was let go of
    token.click()
    opened.tab.wait_for_function("page.state.frames.length > 53")
    expect(tip).to_be_hidden()
    assert len(opened.sent("answer")) == 1


def test_a_token_that_is_no_target_says_why(show: Any) -> None:
    study = show(real(footbridge()))
    study.tab.locator("[data-id=token-2] .tk-tk-body").first.click()
    tip = study.tab.locator(".tk-st-board > .tk-tip")
    words = "Not allowed: Normal attack → Mio. Your own side is no target."
    expect(tip).to_have_text(words)
    expect(study.tab.locator(".tk-reasons")).to_contain_text("FM-ACT-03")
    study.tab.locator("[data-id=token-2] .tk-tk-body").first.click()
    expect(study.tab.locator(".tk-reasons")).to_have_count(1)
    assert not study.sent("answer")
    study.tab.locator(".tk-rail").focus()
    study.press("ArrowLeft")
    expect(tip).to_be_hidden()


def test_the_second_half_of_a_double_click_answers_nothing(opened: Opened) -> None:
    opened.tab.locator(".tk-opt").first.dblclick(delay=0)
    opened.tab.wait_for_function("page.state.frames.length > 53")
    opened.settle()
    assert len(opened.sent("answer")) == 1 and opened.step() == "39 of 39"
    row = opened.tab.locator(".tk-opt").first
    row.dispatch_event("click", {"detail": 2, "bubbles": True})
    assert len(opened.sent("answer")) == 1
    row.click()
    opened.tab.wait_for_function("page.sent.filter(m => m.ask === 'answer').length > 1")


def test_undo_leads_to_the_answer_before_and_redo_on(opened: Opened) -> None:
    undo = opened.tab.locator(".tk-transport").get_by_role("button", name="undo")
    undo.click()
    assert opened.text(".tk-said") == "Tovan chooses: Defend."
    opened.press("u")
    assert opened.text(".tk-said").endswith("chooses: Not now.")
    opened.press("Control+y")
    assert opened.text(".tk-said") == "Tovan chooses: Defend."
    opened.press("Control+z", "Control+Shift+z", "Control+Shift+z")
    assert opened.step() == "36 of 36"
    opened.press("Home", "u", "Control+z")
    assert opened.step() == "1 of 36"
    assert undo.get_attribute("aria-disabled") == "true"


def test_one_button_leads_back_to_the_open_question(opened: Opened) -> None:
    bar = opened.tab.locator(".tk-ask-f")
    expect(bar).to_contain_text("Let the rules play")
    opened.press("ArrowLeft")
    expect(bar).not_to_contain_text("Let the rules play")
    bar.get_by_role("button", name="to the open question").click()
    assert opened.step() == "36 of 36"


def test_what_lies_ahead_is_not_replayed_at_the_last_step(opened: Opened) -> None:
    every = opened.tab.locator(".tk-transport").get_by_role("button", name="all")
    assert every.get_attribute("aria-disabled") == "true"
    every.click(force=True)
    assert opened.step() == "36 of 36"
    opened.press("Home")
    assert every.get_attribute("aria-disabled") is None
    every.click()
    opened.tab.wait_for_function(
        "document.querySelector('.tk-count').innerText.endsWith('step 2 of 36')"
    )
    opened.press("Home")


def test_where_all_is_over_one_plays_again(show: Any) -> None:
    game = Game(formation.samples["footbridge"], seed=7).play(formation.sensible)
    study = show(real(Study(game)))
    assert study.text(".tk-said").startswith("The battle is over: ")
    assert study.text(".tk-ask-h h3") == "The battle is over"
    expect(study.tab.locator(".tk-agenda .tk-opt")).to_have_count(6)
    study.tab.get_by_role("button", name="from the first question").click()
    assert study.text(".tk-ask-h h3").startswith("Aki: ")
    assert study.step().startswith("5 of")
    study.press("End", "Control+z")
    assert study.text(".tk-ask-h p") == "A question was answered here"


def test_a_rule_is_read_where_one_asks_for_it(show: Any) -> None:
    study = show(real(footbridge()), size={"width": 700, "height": 800})
    study.tab.evaluate("scrollTo(0, 0)")
    study.tab.locator(".tk-st-ask .tk-chip", has_text="FM-TURN-03").click()
    beside = study.tab.get_by_role("dialog", name="Declare in order")
    expect(beside).to_contain_text("When your place in the order comes")
    expect(beside).to_be_in_viewport(ratio=1)
    beside.get_by_role("button", name="where it was used").click()
    expect(study.tab.locator(".tk-st-clause .tk-ph")).to_contain_text("pinned")
    expect(study.tab.locator(".tk-st-clause h4")).to_be_in_viewport()
    expect(beside).to_have_count(0)


def test_a_pinned_rule_is_let_go_by_the_next_answer(opened: Opened) -> None:
    opened.tab.locator(".tk-st-ask .tk-chip").first.click()
    head = opened.tab.locator(".tk-st-clause .tk-ph")
    expect(head).to_contain_text("pinned")
    opened.press("ArrowLeft", "ArrowRight")
    expect(head).to_contain_text("pinned")
    opened.press("1")
    opened.tab.wait_for_function("page.state.frames.length > 53")
    expect(head).to_contain_text("of this step")


def test_the_one_who_acts_stays_gold_while_others_react(show: Any) -> None:
    game = Game(formation.samples["familiars"], seed=1)
    while not isinstance(game.ask, formation.reactions.Reactions):
        game.play(formation.sensible, questions=1)
    asked = game.ask.who
    actor = game.system.active(game._since()[0])
    assert isinstance(asked, int) and actor not in (None, asked)
    study = show(real(tk.study(game)))
    chips = study.tab.locator(".tk-turn")
    expect(study.tab.locator(".tk-turn.tk-is-active")).to_contain_text(
        game.encounter.name_of(actor)
    )
    expect(study.tab.locator(".tk-turn.tk-is-asked")).to_contain_text(
        game.encounter.name_of(asked)
    )
    assert chips.count() == 6


def test_the_question_is_in_sight_and_nothing_jumps(show: Any) -> None:
    game = Game(formation.samples["footbridge"], seed=7)
    game.play(formation.sensible, 5)
    study = show(real(tk.study(game)), size={"width": 700, "height": 900})
    tops = """[...document.querySelectorAll('.tk-st-grid > *')].map(
        (e) => [e.className, e.offsetTop, e.offsetHeight].join(' '))"""
    first = study.tab.evaluate(tops)
    row = study.tab.locator(".tk-st-ask .tk-opt").first.bounding_box()
    assert row and row["y"] + row["height"] < 800
    for _ in range(12):
        study.press("ArrowLeft")
        assert study.tab.evaluate(tops) == first


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [700, 1400])
def test_axe_finds_nothing(show: Any, width: int, dark: bool) -> None:
    asked = tk.study(skirmish.SAMPLES["two"], seed=1)
    note = {"frame": asked.at, "node": 0, "step": "now", "text": "Look around."}
    key = asked.film.frames[asked.at]["question"]["kinds"][0]["options"][0]["key"]
    odds = {str(asked.at): {key: {"who": 2, **FATES["3"]}}}
    more: dict[str, Any] = {"size": {"width": width, "height": 900}, "dark": dark}
    offered = show(real(asked, notes=[note], odds=odds), **more)
    fight = tk.study(
        Game(formation.samples["footbridge"], seed=7).play(formation.sensible, 6)
    )
    played = show(real(fight), **more)
    steps = {
        offered: (("Home", "End"), ("n",), ("Escape",)),
        played: (("w",), ("ArrowLeft",), ("ArrowLeft", "t"), ("t", "?")),
    }
    for study, ways in steps.items():
        for keys in ways:
            study.press(*keys)
            found = Axe().run(study.tab)
            assert not found.violations_count, found.generate_report()
