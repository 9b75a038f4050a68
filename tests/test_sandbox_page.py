"""The sandbox in JupyterLab, Notebook 7 and Voila: drawn, dragged on, loaded again."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from jupyter_pages import App, Opened
from playwright.sync_api import Locator, expect

from tabletop_kit import formation
from tabletop_kit.core.scenes import Scene, Token, Zone
from tabletop_kit.core.systems import system_of
from tabletop_kit.widgets import canvas_painter, overlays

pytestmark = pytest.mark.browser

SETUP = """
import tabletop_kit as tk
from tabletop_kit import formation
box = tk.Sandbox(formation.samples["footbridge"], theme="light")
box
"""
BLUE, BOARD = (0x1A, 0x66, 0xC2), (0xF5, 0xF4, 0xF0)
SCENE = formation.picture.scene(formation.opening(formation.samples["footbridge"]))
AKI = 0

Write = Callable[..., str]
Open = Callable[..., Opened]
Point = tuple[float, float]


def canvas_of(opened: Opened, number: int = 0) -> Locator:
    """A board, once it shows something."""
    canvas = opened.page.locator(".tk-sandbox canvas").nth(number)
    expect(canvas).to_be_visible(timeout=40_000)
    expect(canvas).to_have_attribute("role", "application")
    canvas.page.wait_for_function(  # the kernel has heard how much room there is
        """(canvas) => {
            const shown = canvas.getBoundingClientRect().width * devicePixelRatio;
            return Math.abs(canvas.width - shown) < 2;
        }""",
        arg=canvas.element_handle(),
    )
    wait_for_color(canvas, (2, 40), BOARD)
    return canvas


def wait_for_color(canvas: Locator, at: Point, color: tuple[int, int, int]) -> None:
    """Wait until a pixel of a board has a color; the page may lay it out again meanwhile."""
    deadline = time.monotonic() + 30
    while not canvas.evaluate(HAS_COLOR, [*at, list(color)]):
        assert time.monotonic() < deadline, f"no {color} at {at}"
        canvas.page.wait_for_timeout(20)


HAS_COLOR = """(canvas, [x, y, wanted]) => {
    const shown = canvas.getBoundingClientRect().width;
    if (!shown || !canvas.width) return false;
    const k = canvas.width / shown;
    const dot = canvas.getContext("2d").getImageData(x * k, y * k, 1, 1).data;
    return wanted.every((one, n) => Math.abs(one - dot[n]) < 4) && dot[3] > 250;
}"""


def placed(canvas: Locator, x: float, y: float) -> Point:
    """A scene point as pixels of the board."""
    box = canvas.bounding_box()
    assert box
    sheet = canvas_painter.sheet_for(SCENE, box["width"] - 24)
    return sheet.margin + sheet.kx * x, sheet.margin + sheet.ky * y


def body(canvas: Locator, scene: Scene = SCENE, who: int = AKI) -> Point:
    """A point of somebody's token beside the letters."""
    tokens = [one for one in scene.items if isinstance(one, Token)]
    token = next(one for one in tokens if one.id == who)
    x, y = placed(canvas, *token.at)
    return x, y - token.radius * 0.7


def lane(canvas: Locator, zone: str) -> Point:
    """A free spot of a row."""
    zones = [one for one in SCENE.items if isinstance(one, Zone)]
    x, y = overlays.middle(next(one for one in zones if one.id == zone))
    return placed(canvas, x - 40, y + 10)


def after(zone: str) -> Scene:
    """The scene once Aki is there."""
    bridge = formation.samples["footbridge"]
    system = system_of(bridge)
    moved = system.placed(bridge, AKI, zone, (0, 0))
    return system.scene(system.start(moved))


def drag(canvas: Locator, start: Point, end: Point) -> None:
    """Drag with the mouse, in pixels of the board."""
    canvas.scroll_into_view_if_needed()
    box, mouse = canvas.bounding_box(), canvas.page.mouse
    assert box
    mouse.move(box["x"] + start[0], box["y"] + start[1])
    mouse.down()
    mouse.move(box["x"] + end[0], box["y"] + end[1], steps=5)
    mouse.up()


def say(opened: Opened, words: str, number: int = 0) -> None:
    """Wait until the board has said this."""
    live = opened.page.locator(".tk-sb-said").nth(number)
    expect(live).to_contain_text(words)


def python(opened: Opened, code: str) -> str:
    """What code prints in the notebook's kernel."""
    printed: str = opened.page.evaluate(
        """async (code) => {
            const widget = window.jupyterapp.shell.currentWidget;
            const kernel = widget.sessionContext.session.kernel;
            const run = kernel.requestExecute({ code, store_history: false });
            let out = "";
            run.onIOPub = (said) => {
                if (said.header.msg_type === "stream") out += said.content.text;
                if (said.header.msg_type === "error") out += said.content.evalue;
            };
            await run.done;
            return out.trim();
        }""",
        code,
    )
    return printed


def where(opened: Opened) -> str:
    return python(opened, "print(box.position.slots[0].name)")


DARK_BOARD = (0x23, 0x25, 0x29)


def test_it_is_as_dark_as_the_page_and_has_words_for_all(
    open_notebook: Open, notebook: Write
) -> None:
    cell = SETUP.replace(', theme="light"', "")
    opened = open_notebook(notebook(cell), width=700, dark=True)
    canvas = opened.page.locator(".tk-sandbox canvas").first
    expect(canvas).to_have_attribute("role", "application")
    wait_for_color(canvas, (2, 40), DARK_BOARD)
    opened.page.get_by_text("The board in words").click()
    text = opened.page.locator(".tk-sb-text")
    expect(text).to_contain_text("Aki, HP 16 of 16")
    python(opened, 'box.overlay({"lane0": 0.5}, "Chance")')
    expect(text).to_contain_text("Chance: Wayfarers, back row 50%.")
    box = opened.page.locator(".tk-sandbox").first
    assert box.evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0
    for theme in ("dark", "light"):
        if theme == "light":
            opened.command("apputils:change-theme", theme="JupyterLab Light")
            wait_for_color(canvas, (2, 40), BOARD)
        found = Axe().run(opened.page, context=".tk-sandbox")
        assert not found.violations_count, found.generate_report()


@pytest.mark.parametrize("app", ["lab", "notebook", "voila"])
def test_a_token_is_drawn_and_dragged(
    open_notebook: Open, notebook: Write, app: App
) -> None:
    opened = open_notebook(notebook(SETUP), app=app)
    canvas = canvas_of(opened)
    wait_for_color(canvas, body(canvas), BLUE)
    drag(canvas, body(canvas), lane(canvas, "lane0"))
    say(opened, "Aki is now in: Wayfarers, back row.")
    wait_for_color(canvas, body(canvas, after("lane0")), BLUE)
    if app != "voila":
        assert where(opened) == "PC_BACK"
    assert opened.errors == []


def test_whoever_is_let_go_beyond_the_board_stays(
    open_notebook: Open, notebook: Write
) -> None:
    opened = open_notebook(notebook(SETUP), width=700)
    canvas = canvas_of(opened)
    box = canvas.bounding_box()
    assert box
    drag(canvas, body(canvas), (box["width"] / 2, box["height"] + 60))
    say(opened, "Aki stays.")
    canvas.click(
        position={"x": lane(canvas, "lane0")[0], "y": lane(canvas, "lane0")[1]}
    )
    assert where(opened) == "PC_FRONT"
    wait_for_color(canvas, body(canvas), BLUE)
    assert opened.errors == []


def test_an_illegal_place_says_why_and_changes_nothing(
    open_notebook: Open, notebook: Write
) -> None:
    opened = open_notebook(notebook(SETUP), width=700)
    canvas = canvas_of(opened)
    drag(canvas, body(canvas), lane(canvas, "lane2"))
    alert = opened.page.get_by_role("alert")
    expect(alert).to_have_text("Aki begins in a row of their own side.FM-PREP-01")
    say(opened, "Nobody has moved.")
    assert where(opened) == "PC_FRONT"
    drag(canvas, body(canvas), lane(canvas, "lane0"))
    say(opened, "Aki is now in")
    expect(alert).to_be_hidden()


REFUSING = """
from tabletop_kit.core.menus import Refusal
crowded = Refusal("crowded", "FM-INV-04", "{name} finds no room there.")
early = Refusal("early", "FM-PREP-01", "It is too early.")

class NotHere(ValueError):
    reasons = (crowded(name="<b>Aki</b>"), early())

def placed(self, at, who, zone, point):
    if zone == "lane2":
        raise NotHere("no room")
    return before(self, at, who, zone, point)

before = type(box.system).placed
type(box.system).placed = placed
"""
PLACES = """(root) => {
    const all = [...root.querySelectorAll("canvas, button.tk-btn-line, .tk-key, summary")];
    return all.filter((one) => one.checkVisibility()).map((one) => {
        const { x, y, height } = one.getBoundingClientRect();
        return [x, y, height];
    });
}"""


@pytest.mark.parametrize("width", [700, 1400])
def test_every_reason_has_its_clause_and_nothing_else_moves(
    open_notebook: Open, notebook: Write, width: int
) -> None:
    opened = open_notebook(notebook(SETUP), width=width)
    canvas = canvas_of(opened)
    python(opened, REFUSING)
    root = opened.page.locator(".tk-sandbox").first
    before = root.evaluate(PLACES)
    drag(canvas, body(canvas), lane(canvas, "lane2"))
    alert = opened.page.get_by_role("alert")
    expect(alert.locator("p")).to_have_text(
        ["<b>Aki</b> finds no room there.FM-INV-04", "It is too early.FM-PREP-01"]
    )
    assert root.evaluate(PLACES) == before
    assert alert.evaluate("(note) => note.scrollHeight - note.clientHeight") <= 0
    chip = opened.page.get_by_role("button", name="FM-INV-04")
    expect(chip).to_have_attribute("title", "Sharing a row after a revival")
    chip.click()
    words = opened.page.get_by_role("dialog", name="Sharing a row after a revival")
    expect(words).to_contain_text("the two share it")
    assert root.evaluate(PLACES) == before
    shown, board = words.bounding_box(), root.bounding_box()
    assert shown and board
    assert board["x"] <= shown["x"]
    assert shown["x"] + shown["width"] <= board["x"] + board["width"]
    found = Axe().run(opened.page, context=".tk-sandbox")
    assert not found.violations_count, found.generate_report()
    opened.page.keyboard.press("Escape")
    expect(words).to_have_count(0)
    expect(chip).to_be_focused()
    drag(canvas, body(canvas), lane(canvas, "lane0"))
    say(opened, "Aki is now in")
    expect(alert).to_be_hidden()
    assert root.evaluate(PLACES) == before
    assert opened.errors == []


SLOW = """
import time
from pathlib import Path

def slow(value, gate):
    def work():
        while not (Path(FOLDER) / gate).exists():
            time.sleep(0.05)
        return value
    return work

rows = {"lane0": slow(0.2, "1"), "lane1": slow(0.6, "2"), "lane3": slow(0.8, "3")}
box._lay = lambda position: (rows, "Chance")
"""
"""Each part takes until there is a file of its number."""


def test_what_takes_long_is_told_shown_in_parts_and_stopped(
    open_notebook: Open, notebook: Write, tmp_path: Path
) -> None:
    opened = open_notebook(notebook(SETUP), width=700)
    opened.page.emulate_media(reduced_motion="reduce")
    canvas = canvas_of(opened)
    python(opened, SLOW.replace("FOLDER", repr(str(tmp_path))))
    root = opened.page.locator(".tk-sandbox").first
    before = root.evaluate(PLACES)
    drag(canvas, body(canvas), lane(canvas, "lane0"))
    stop = opened.page.get_by_role("button", name="Stop")
    bar = opened.page.locator(".tk-sb-bar i")
    say(opened, "Aki is now in: Wayfarers, back row. Working: Chance, 0 of 3 …")
    expect(canvas).to_have_attribute("aria-busy", "true")
    assert bar.evaluate("(bar) => getComputedStyle(bar).animationName") == "none"
    (tmp_path / "1").touch()
    say(opened, "Working: Chance, 1 of 3 …")
    expect(opened.page.locator(".tk-sb-text")).to_contain_text("back row 20%")
    assert [one for one in root.evaluate(PLACES) if one in before] == before
    stop.click()
    say(opened, "Stopping when this part is there …")
    (tmp_path / "2").touch()
    say(opened, "Stopped. 2 of 3 parts are there. The board stands as it is.")
    expect(stop).to_be_hidden()
    expect(canvas).not_to_have_attribute("aria-busy", "true")
    expect(canvas).to_be_focused()
    expect(opened.page.locator(".tk-sb-text")).to_contain_text("front row 60%.")
    assert where(opened) == "PC_BACK"
    assert opened.errors == []


SLOW_RULE = """
import time
from pathlib import Path

def placed(self, at, who, zone, point):
    while not (Path(FOLDER) / "go").exists():
        time.sleep(0.05)
    return before(self, at, who, zone, point)

before = type(box.system).placed
type(box.system).placed = placed
"""


def test_a_rule_that_takes_long_is_waited_for_in_words(
    open_notebook: Open, notebook: Write, tmp_path: Path
) -> None:
    opened = open_notebook(notebook(SETUP))
    canvas = canvas_of(opened)
    python(opened, SLOW_RULE.replace("FOLDER", repr(str(tmp_path))))
    x, y = body(canvas)
    canvas.click(position={"x": x, "y": y})
    busy = opened.page.locator(".tk-sb-busy")
    expect(busy).to_have_text("Working …")
    (tmp_path / "go").touch()
    say(opened, "Aki is in hand.")
    expect(busy).to_have_text("")
    expect(canvas).not_to_have_attribute("aria-busy", "true")


def test_two_clicks_place_somebody_and_undo_takes_it_back(
    open_notebook: Open, notebook: Write
) -> None:
    opened = open_notebook(notebook(SETUP))
    canvas = canvas_of(opened)
    x, y = body(canvas)
    canvas.click(position={"x": x, "y": y})
    say(opened, "Aki is in hand.")
    x, y = lane(canvas, "lane0")
    canvas.click(position={"x": x, "y": y})
    say(opened, "Aki is now in")
    opened.page.get_by_role("button", name="Undo").click()
    say(opened, "One move taken back.")
    expect(canvas).to_be_focused()
    assert where(opened) == "PC_FRONT"


def test_a_reload_keeps_the_position_and_goes_on(
    open_notebook: Open, notebook: Write
) -> None:
    opened = open_notebook(notebook(SETUP))
    canvas = canvas_of(opened)
    drag(canvas, body(canvas), lane(canvas, "lane0"))
    say(opened, "Aki is now in: Wayfarers, back row.")
    opened.reload()
    canvas = canvas_of(opened)
    moved = after("lane0")
    wait_for_color(canvas, body(canvas, moved), BLUE)
    drag(canvas, body(canvas, moved), lane(canvas, "lane1"))
    say(opened, "Aki is now in: Wayfarers, front row.")
    wait_for_color(canvas, body(canvas), BLUE)
    assert where(opened) == "PC_FRONT"


def test_a_second_view_and_a_second_page_show_the_same(
    open_notebook: Open, notebook: Write
) -> None:
    name = notebook(SETUP, "box")
    opened = open_notebook(name)
    first, second = canvas_of(opened), canvas_of(opened, 1)
    drag(second, body(second), lane(second, "lane0"))
    say(opened, "Aki is now in: Wayfarers, back row.")
    moved = after("lane0")
    for canvas in (first, second):
        wait_for_color(canvas, body(canvas, moved), BLUE)
    opened.command("docmanager:save")
    other = open_notebook(name, run=False)
    theirs = canvas_of(other)
    wait_for_color(theirs, body(theirs, moved), BLUE)
    drag(theirs, body(theirs, moved), lane(theirs, "lane1"))
    say(opened, "Aki is now in: Wayfarers, front row.")
    wait_for_color(first, body(first), BLUE)


def test_by_keyboard_alone_and_tab_leaves_the_board(
    open_notebook: Open, notebook: Write
) -> None:
    opened = open_notebook(notebook(SETUP))
    canvas = canvas_of(opened)
    keys = opened.page.keyboard
    canvas.focus()
    for key, words in (
        ("Home", "Ren, HP 12 of 12. In: Wayfarers, back row."),
        ("ArrowRight", "Mio"),
        ("ArrowRight", "Aki, HP 16 of 16"),
        ("Enter", "Aki is in hand."),
        ("ArrowRight", "Bridge gang, front row: not here."),
        ("ArrowLeft", "Wayfarers, front row. Enter"),
        ("ArrowLeft", "Wayfarers, back row. Enter"),
        ("Enter", "Aki is now in: Wayfarers, back row."),
        ("Control+z", "One move taken back."),
        ("Enter", "Aki is in hand."),
        ("Escape", "Aki stays."),
    ):
        keys.press(key)
        say(opened, words)
    assert where(opened) == "PC_FRONT"
    keys.press("Tab")
    assert not canvas.evaluate("(canvas) => canvas === document.activeElement")


def test_the_wheel_is_the_page_s_own(open_notebook: Open, notebook: Write) -> None:
    opened = open_notebook(notebook(SETUP))
    prevented = canvas_of(opened).evaluate(
        """(canvas) => {
            const given = { deltaY: 40, bubbles: true, cancelable: true };
            const wheel = new WheelEvent("wheel", given);
            canvas.dispatchEvent(wheel);
            return wheel.defaultPrevented;
        }"""
    )
    assert prevented is False


def test_what_fails_is_said_and_loses_nothing(
    open_notebook: Open, notebook: Write
) -> None:
    opened = open_notebook(notebook(SETUP))
    canvas = canvas_of(opened)
    alert = opened.page.get_by_role("alert")
    python(opened, "box.lay(lambda position: 1 / 0)")
    expect(alert).to_contain_text("The overlay could not be worked out: ZeroDivision")
    python(opened, "box.lay(None)\nbefore = box.system.scene")
    broken = "lambda *a: (_ for _ in ()).throw(RuntimeError('no scene'))"
    python(opened, f"type(box.system).scene = {broken}\nbox.draw()")
    expect(alert).to_contain_text("The board could not be drawn")
    wait_for_color(canvas, body(canvas), BLUE)
    python(opened, "type(box.system).scene = lambda self, *a: before(*a)\nbox.draw()")
    drag(canvas, body(canvas), lane(canvas, "lane0"))
    say(opened, "Aki is now in")
    assert where(opened) == "PC_BACK"
