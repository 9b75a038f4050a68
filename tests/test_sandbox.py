"""The sandbox without a page: what is drawn, and what comes of moving somebody."""

from __future__ import annotations

import asyncio
import contextlib
import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import ipycanvas.canvas
import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.core import pictures, scenes, systems
from tabletop_kit.core.elements import LAYERS, drawn
from tabletop_kit.core.menus import Refusal
from tabletop_kit.widgets import canvas_painter, canvas_shapes, overlays
from tabletop_kit.widgets.canvas_painter import CanvasPainter
from tabletop_kit.widgets.sandbox import GROUND, HAND, OVERLAY, TOKENS

BRIDGE = formation.samples["footbridge"]
AKI, REN, MIO, BRUTE, WOLF, SLINGER = range(6)
PC_BACK, PC_FRONT, ENEMY_FRONT, ENEMY_BACK = formation.Slot
PLUM = pictures.tokens("light")["--tk-accent"]

ALL = scenes.Scene(
    "All",
    "All primitives",
    600,
    350,
    (
        scenes.Zone("g", scenes.Rect(0, 0, 300, 200), grid=20, label="Hall"),
        scenes.Zone("w", scenes.Rect(310, 0, 60, 90), role="wall"),
        scenes.Zone("wa", scenes.Rect(380, 0, 90, 90), role="water"),
        scenes.Zone("fi", scenes.Rect(480, 0, 90, 90), role="fire"),
        scenes.Zone("un", scenes.Rect(310, 100, 90, 90, 6), role="unknown"),
        scenes.Zone("th", scenes.Rect(410, 100, 90, 90), states=("threatened",)),
        scenes.Zone("h", scenes.Hex(60, 260, 30), role="cell", level=2, cost=3),
        scenes.Zone("d", scenes.Disc(380, 260, 40), role="light", label="Lamp"),
        scenes.Zone("p", scenes.Polygon(((440, 220), (500, 230), (480, 300)))),
        scenes.Area("danger", of=("h",)),
        scenes.Area("command", shape=scenes.Disc(200, 110, 70), side="a"),
        scenes.Token(0, "g", (60, 60), "a", "蓮見ユウ", hp=(3, 13), states=("active",)),
        scenes.Token(1, "g", (200, 110), "b", "Brute", states=("acted", "target")),
        scenes.Token(2, "g", (60, 150), "c", "하람", hp=(0, 14), states=("down",)),
        scenes.Token(3, "h", (60, 260), "a", "Flyer", lift=4, states=("pick",)),
        scenes.Link("hit", 0, 1, "attack", side="a", label="9 - 8"),
        scenes.Link("far", 1, 2, "measure", number=3),
        scenes.Badge("gate", (430, 320), icon="gate", label="1 < 4", tone="danger"),
        scenes.Meter("food", (20, 320), 120, 3, 7, tick=True, label="Supplies"),
        scenes.Label("words", "Words in the middle", (300, 330)),
    ),
)


def painter_of(scene: scenes.Scene, theme: str = "light") -> CanvasPainter:
    return CanvasPainter(drawn(scene), canvas_painter.sheet_for(scene, 680), theme)


def texts(commands: list[Any]) -> list[str]:
    return [given[0] for name, *given in commands if name == "fill_text"]


def fills(commands: list[Any]) -> list[str]:
    return [given[0] for name, *given in commands if name == "fill_style"]


def spot(box: tk.Sandbox, who: int) -> tuple[float, float]:
    """Somebody's place on the board, in pixels."""
    sheet = canvas_painter.sheet_for(box.plain_scene(), 680)
    tokens = [one for one in box.plain_scene().items if isinstance(one, scenes.Token)]
    x, y = next(one.at for one in tokens if one.id == who)
    return sheet.margin + sheet.kx * x, sheet.margin + sheet.ky * y


def middle_of(box: tk.Sandbox, zone: str) -> tuple[float, float]:
    sheet = canvas_painter.sheet_for(box.plain_scene(), 680)
    x, y = overlays.middle(box.zone_called(zone))
    return sheet.margin + sheet.kx * (x - 50), sheet.margin + sheet.ky * y


def drag(box: tk.Sandbox, who: int, zone: str) -> None:
    start, end = spot(box, who), middle_of(box, zone)
    box.point("down", *start)
    box.point("move", *end)
    box.point("up", *end)


# ---- the painter


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_primitive_becomes_commands_that_a_canvas_knows(theme: str) -> None:
    canvas, painter = ipycanvas.Canvas(), painter_of(ALL, theme)
    names = set()
    for command in [*painter.board(), *painter.layers(*LAYERS)]:
        name, *given = command
        names.add(name)
        assert hasattr(canvas, name), name
        for value in given:
            assert not isinstance(value, float) or math.isfinite(value), command
    assert {"arc", "bezier_curve_to", "clip", "rotate", "set_line_dash"} <= names
    canvas_painter.play([(canvas, painter.layers(*LAYERS))], density=2)


def test_a_disc_a_square_and_a_diamond_in_their_colors() -> None:
    look = pictures.tokens("light")
    scene = replace(ALL, items=(ALL.items[0], ALL.items[11]))
    commands = painter_of(scene).layers("tokens")
    assert look["--tk-a"] in fills(commands)
    assert [name for name, *_ in commands].count("arc") >= 4
    square = replace(ALL, items=(ALL.items[0], replace(ALL.items[12], states=())))
    commands = painter_of(square).layers("tokens")
    at = commands.index(("fill_style", look["--tk-b"]))
    assert commands[at - 1] == ("close_path",)
    acted = painter_of(replace(ALL, items=(ALL.items[0], ALL.items[12])))
    assert look["--tk-b-tint"] in fills(acted.layers("tokens"))


def test_states_that_do_not_hold_draw_nothing() -> None:
    ready = replace(ALL.items[11], states=())
    plain = painter_of(replace(ALL, items=(ready,))).layers("tokens")
    picked = replace(ready, states=("selected",))
    marked = painter_of(replace(ALL, items=(picked,))).layers("tokens")
    assert ("stroke_style", PLUM) not in plain
    assert ("stroke_style", PLUM) in marked


def test_names_are_text_and_keep_their_script() -> None:
    rude = replace(ALL.items[11], name="<b onload=x>Ann</b>")
    assert rude.name in texts(painter_of(replace(ALL, items=(rude,))).layers("tokens"))
    fonts = [c[1] for c in painter_of(ALL).layers("tokens") if c[0] == "font"]
    assert any(f.index("CJK KR") < f.index("CJK JP") for f in fonts)
    assert any(f.index("CJK KR") > f.index("CJK JP") for f in fonts)


def test_a_name_too_long_for_its_room_is_squeezed() -> None:
    long = replace(ALL.items[11], name="Reed Shaman the Great")
    commands = painter_of(replace(ALL, items=(long,))).layers("tokens")
    words = next(c for c in commands if c[0] == "fill_text" and c[1] == long.name)
    assert len(words) == 5 and words[4] < 110
    longest = replace(long, name=f"{long.name} and of Everywhere Else")
    shown = texts(painter_of(replace(ALL, items=(longest,))).layers("tokens"))
    assert any(one.endswith("…") and longest.name.startswith(one[:-1]) for one in shown)


def test_a_path_with_arcs_ends_where_it_should() -> None:
    half = list(canvas_shapes.outline(["M", 0, 0, "a", 2, 2, 0, 0, 1, 4, 0]))[1]
    assert half[:4] == ("arc", 2, 0, 2) and half[-1] is False
    corner = list(canvas_shapes.outline(["M", 0, 0, "A", 1, 1, 0, 0, 0, 1, 1]))[1]
    assert corner[1:4] == pytest.approx((1, 0, 1)) and corner[-1] is True
    large = list(canvas_shapes.outline(["M", 0, 0, "A", 1, 1, 0, 1, 1, 1, 1]))[1]
    assert large[1:4] == pytest.approx((1, 0, 1)) and large[-1] is False


def test_colors() -> None:
    assert canvas_shapes.plain_color("none") == ""
    assert canvas_shapes.plain_color("#1a66c2", 0.5) == "#1a66c280"
    assert canvas_shapes.plain_color("rgb(0 0 0 / .28)") == "#00000047"
    mixed = canvas_shapes.plain_color("color-mix(in srgb, #ffffff 25%, #000000)")
    assert mixed == "#404040"
    with pytest.raises(ValueError, match="expected #rrggbb"):
        canvas_shapes.plain_color("url(x)")


def test_what_cannot_be_drawn_is_refused_before_anything_is_sent() -> None:
    canvas, manager = ipycanvas.Canvas(), ipycanvas.canvas._CANVAS_MANAGER
    with pytest.raises(ValueError, match="expected numbers"):
        canvas_painter.play([(canvas, [("move_to", 1.0, math.nan)])])
    with pytest.raises(AttributeError):
        canvas_painter.play([(canvas, [("begin_path",), ("no_such_command",)])])
    assert manager._commands_cache == [] and manager._caching is False
    assert manager._current_canvas is None  # the next drawing names its canvas


# ---- moving somebody


def test_a_drag_to_a_legal_row_gives_the_encounter_and_the_position() -> None:
    box = tk.Sandbox(BRIDGE)
    drag(box, AKI, "lane0")
    assert box.position.slots[AKI] == PC_BACK
    assert box.encounter.placement[AKI] == PC_BACK
    assert box.position.setup is box.encounter and box.encounter is not BRIDGE
    assert box.said == "Aki is now in: Wayfarers, back row." and box.note == ""
    assert box.selected == AKI
    game = tk.Game(box.encounter, at=box.position)
    assert game.state.slots[AKI] == PC_BACK


def test_a_drag_to_an_illegal_row_changes_nothing_and_says_why() -> None:
    box = tk.Sandbox(BRIDGE)
    before = box.position
    drag(box, AKI, "lane2")
    assert box.position is before and box.encounter is BRIDGE
    assert box.note == "Aki begins in a row of their own side."
    assert box.said == "Nobody has moved."
    drag(box, AKI, "lane0")
    assert box.note == ""


def test_a_drag_to_nowhere_puts_nobody_down() -> None:
    box = tk.Sandbox(BRIDGE)
    box.point("down", *spot(box, AKI))
    box.point("move", 2, 2)
    box.point("up", 2, 2)
    assert box.said == "Aki stays." and box.encounter is BRIDGE


def test_two_clicks() -> None:
    box = tk.Sandbox(BRIDGE)
    for place in (spot(box, AKI), middle_of(box, "lane0")):
        box.point("down", *place)
        box.point("up", *place)
    assert box.position.slots[AKI] == PC_BACK
    for place in (spot(box, AKI), spot(box, AKI)):
        box.point("down", *place)
        box.point("up", *place)
    assert box.said == "Aki stays."


@pytest.mark.parametrize("how", ["out", "up"])
def test_whoever_is_let_go_beyond_the_board_stays(how: str) -> None:
    box = tk.Sandbox(BRIDGE)
    box.point("down", *spot(box, AKI))
    box.point("move", 300, 40)
    box.point(how, -30, 50)
    assert box.said == "Aki stays." and box.encounter is BRIDGE
    drawn_then = box.layers()[HAND]
    box.point("down", *middle_of(box, "lane0"))
    box.point("up", *middle_of(box, "lane0"))
    assert box.position.slots[AKI] == PC_FRONT and drawn_then == []


def test_a_finger_that_is_lifted_puts_down_where_it_was_last() -> None:
    box = tk.Sandbox(BRIDGE)
    box.point("down", *spot(box, AKI))
    box.point("move", *middle_of(box, "lane0"))
    box.point("lifted", -1, -1)
    assert box.position.slots[AKI] == PC_BACK


def test_by_keyboard() -> None:
    box = tk.Sandbox(BRIDGE)
    said = []
    for key in ("Home", "End", "Enter", "Home", "Enter"):
        box.press(key)
        said.append(box.said)
    assert said[0].startswith("Ren, HP 12 of 12. In: Wayfarers, back row")
    assert said[1].startswith("Slinger")
    assert said[2].startswith("Slinger is in hand")
    assert said[3] == "Wayfarers, back row: not here."
    assert said[4] == "Nobody has moved."
    for key in ("Enter", "ArrowLeft", "Enter"):
        box.press(key)
    assert box.position.slots[SLINGER] == ENEMY_FRONT
    box.press(" ")
    box.press("Escape")
    assert box.said == "Slinger stays."


def test_undo_and_as_it_was() -> None:
    box = tk.Sandbox(BRIDGE)
    box.put("Aki", "lane0")
    box.put("Ren", "lane1")
    box.undo()
    assert box.position.slots[:2] == (PC_BACK, PC_BACK)
    box.put("Mio", "Wayfarers, front row")
    box.reset()
    assert box.encounter is BRIDGE and not box.is_changed
    box.undo()
    assert box.encounter is BRIDGE


def test_putting_somebody_where_they_are_is_no_move() -> None:
    box = tk.Sandbox(BRIDGE)
    box.put(AKI, "lane1")
    assert not box.is_changed and box.said == "Aki stays in: Wayfarers, front row."


@pytest.mark.parametrize("who", ["Nobody", 6, -1, 1.0, None, formation.Slot.PC_BACK])
def test_nobody_is_refused(who: Any) -> None:
    with pytest.raises(ValueError, match="number below 6 or name"):
        tk.Sandbox(BRIDGE).put(who, "lane0")


def test_no_place_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a place, one of 'lane0'"):
        tk.Sandbox(BRIDGE).put("Aki", "frontline")
    with pytest.raises(ValueError, match="theme"):
        tk.Sandbox(BRIDGE, theme="blue")
    with pytest.raises(ValueError, match="encounter: expected"):
        tk.Sandbox(3)


def test_an_ambush_puts_the_surprised_in_front() -> None:
    """FM-AMB-02: they cannot be set up behind."""
    box = tk.Sandbox(formation.samples["from_the_rocks"])
    side = box.encounter.ambush
    held = [n for n in range(7) if box.encounter.side_of(n) != side]
    back = "lane3" if box.encounter.side_of(held[0]) == "enemy" else "lane0"
    with pytest.raises(ValueError, match="taken by surprise"):
        box.put(held[0], back)
    free = next(n for n in range(7) if n not in held)
    others = [box.encounter.placement[n] for n in held]
    box.put(free, next(zone for zone in box.places(free)))
    assert [box.encounter.placement[n] for n in held] == others


def test_in_mid_battle_the_position_s_own_rules_hold() -> None:
    begun = formation.opening(BRIDGE)
    combat = replace(begun, phase=formation.Phase.COMBAT, order=tuple(range(6)))
    box = tk.Sandbox(combat)
    with pytest.raises(ValueError, match="cannot share that row"):
        box.put("Aki", "lane2")  # FM-INV-04
    box.put("Brute", "lane3")
    box.put("Wolf", "lane3")
    box.put("Aki", "lane2")
    assert box.position.slots[AKI] == ENEMY_FRONT and box.encounter is BRIDGE
    assert "invader" in box.text()
    house = replace(BRIDGE, variant=formation.Variant(empty_row_rule="off"))
    other = replace(combat, setup=house)
    with pytest.raises(ValueError, match="keeps to their own side"):
        tk.Sandbox(other).put("Aki", "lane2")


def test_a_system_that_places_nobody_says_so() -> None:
    with pytest.raises(ValueError, match="nobody can be moved by hand"):
        systems.System.placed(formation.system.FORMATION, BRIDGE, AKI, "lane0", (0, 0))


def test_a_study_begins_here() -> None:
    box = tk.Sandbox(BRIDGE)
    box.put("Aki", "lane0")
    study = box.study(seed=3)
    assert study.game.encounter is box.encounter
    assert study.game.state.slots[AKI] == PC_BACK


# ---- overlays


def test_an_overlay_has_tints_numbers_and_words() -> None:
    box = tk.Sandbox(BRIDGE)
    plain = box.layers()
    box.overlay({"lane0": 0.2, "lane1": 0.9, "Brute": (1, "first")}, "Chance to win")
    words = box.text().splitlines()[-1]
    assert words == (
        "Chance to win: Wayfarers, back row 20%; Wayfarers, front row 90%; Brute first."
    )
    shown = box.layers()
    assert {"20%", "90%", "first", "Chance to win"} <= set(texts(shown[TOKENS]))
    assert shown[GROUND] == plain[GROUND] and shown[OVERLAY] != plain[OVERLAY]
    look = pictures.tokens("light")
    tints = fills(shown[OVERLAY])
    assert look["--tk-accent-tint"] in tints and look["--tk-accent-2"] in tints
    box.overlay(None)
    assert box.layers() == plain and "20%" not in box.text()


def test_numbers_beyond_one_are_shown_as_they_are() -> None:
    assert overlays.labels({"a": 6, "b": 3}) == {"a": (1, "6"), "b": (0.5, "3")}
    assert overlays.labels({"a": 2.25, "b": 0}) == {"a": (1, "2.25"), "b": (0, "0")}
    assert overlays.labels({"a": 1, "b": 0}) == {"a": (1, "1"), "b": (0, "0")}
    assert overlays.labels({"a": 0.0}) == {"a": (0, "0%")}
    assert overlays.labels({"a": "here"}) == {"a": (0, "here")}


@pytest.mark.parametrize("values", [{"nowhere": 1}, {9: 1}, {"lane0": object()}])
def test_what_cannot_be_laid_is_refused_and_the_old_stays(values: Any) -> None:
    box = tk.Sandbox(BRIDGE)
    box.overlay({"lane0": 0.5})
    with pytest.raises(ValueError, match="expected a"):
        box.overlay(values)
    assert "50%" in box.text()


def test_what_is_laid_follows_each_move() -> None:
    box = tk.Sandbox(BRIDGE)
    asked = []

    def lay(position: Any) -> Any:
        asked.append(position)
        return {"lane0": position.slots.count(PC_BACK)}, "Heads"

    box.lay(lay)
    assert "Heads: Wayfarers, back row 2." in box.text()
    drag(box, AKI, "lane0")
    assert "Heads: Wayfarers, back row 3." in box.text()
    assert asked[-1] is box.position
    box.lay(None)
    assert "Heads" not in box.text()


def test_an_overlay_of_another_position_is_taken_off() -> None:
    box = tk.Sandbox(BRIDGE)
    box.overlay({"lane0": 0.5}, "Chance")
    box.put("Aki", "lane0")
    assert "Chance" not in box.text()


# ---- work that takes long


def heads(position: Any) -> Any:
    """Two numbers that are worked out one after the other."""
    count = position.slots.count
    return {"lane0": lambda: count(PC_BACK), "lane1": lambda: count(PC_FRONT)}, "Heads"


def test_parts_are_told_and_shown_one_after_another() -> None:
    box = tk.Sandbox(BRIDGE)
    panel = box.widget.children[1]
    seen: list[Any] = []

    def look(values: int) -> int:
        seen.append((panel.work, "Heads" in panel.text))
        return values

    box.lay(lambda at: ({"lane0": lambda: look(2), "lane1": lambda: look(1)}, "Heads"))
    first = {"words": "Working: Heads, 0 of 2 …", "done": 0, "of": 2}
    second = {"words": "Working: Heads, 1 of 2 …", "done": 1, "of": 2}
    assert seen == [(first, False), (second, True)]
    assert panel.work == {} and "front row 1." in panel.text


def test_a_function_is_told_of_before_it_is_asked() -> None:
    box = tk.Sandbox(BRIDGE)
    panel = box.widget.children[1]
    said: list[Any] = []
    box.on_change(lambda changed: said.append(panel.work["words"]))
    box.lay(lambda position: said.append(panel.work["words"]) or {})
    box.put("Aki", "lane0")
    assert said == [
        "Working: what lies over the board …",
        "Working: what lies over the board …",
        "Working: what follows …",
    ]
    assert box.work is None and panel.work == {}


def test_an_interrupt_keeps_the_move_and_the_parts_that_are_there() -> None:
    box = tk.Sandbox(BRIDGE)
    box.lay(heads)

    def swallowed() -> float:
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return 0.5  # half a result

    box._lay = lambda position: ({"lane0": lambda: 3, "lane1": swallowed}, "Heads")
    with pytest.raises(KeyboardInterrupt):
        box.put("Aki", "lane0")
    assert box.position.slots[AKI] == PC_BACK
    assert box.text().endswith("Heads: Wayfarers, back row 3.")
    assert box.said == "Stopped. 1 of 2 parts are there. The board stands as it is."
    assert box.work is None
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_in_a_page_is_heard_and_the_page_goes_on() -> None:
    box = tk.Sandbox(BRIDGE)
    panel = box.widget.children[1]
    box._lay = lambda position: signal.raise_signal(signal.SIGINT)
    drag(box, AKI, "lane0")
    assert panel.said == "Stopped. The board stands as it is." and panel.work == {}
    box._hear({"ask": "undo"})
    assert panel.said == "Stopped. The board stands as it is."
    box._lay = None
    drag(box, REN, "lane1")
    assert panel.said == "Ren is now in: Wayfarers, front row."


def in_a_page(box: tk.Sandbox, keys: str, asked: list[Any], then: str) -> None:
    """Press keys as a page does, in a loop as a kernel's; ask `then` after a part."""
    heard = box._in_page(box._hear)

    async def until(holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not holds():
                await asyncio.sleep(0.001)

    async def main() -> None:
        for key in keys.split():
            heard({"ask": "key", "key": key})
        await until(lambda: len(asked) > 0)
        heard({"ask": then})
        await until(lambda: box._steps is None)

    with ThreadPoolExecutor(1) as aside:  # a loop of its own
        aside.submit(asyncio.run, main()).result()


def slow(part: Any, asked: list[Any]) -> Any:
    """A part that takes a while."""

    def work() -> float:
        asked.append(part)
        time.sleep(0.05)
        return 0.5

    return work


MOVE = "End Enter ArrowLeft Enter"


def test_stop_is_heard_between_two_parts() -> None:
    box = tk.Sandbox(BRIDGE)
    asked: list[Any] = []
    parts = {f"lane{n}": slow(n, asked) for n in range(4)}
    box._lay = lambda position: (parts, "Heads")
    in_a_page(box, MOVE, asked, "stop")
    assert box.position.slots[SLINGER] == ENEMY_FRONT
    assert 0 < len(asked) < 4
    assert box.said.startswith(f"Stopped. {len(asked)} of 4 parts are there.")
    assert "Wayfarers, back row 50%" in box.text() and box.work is None


def test_stop_from_another_thread_waits_for_the_part_at_hand() -> None:
    box = tk.Sandbox(BRIDGE)
    asked: list[Any] = []
    begun, may_end = threading.Event(), threading.Event()

    def held() -> float:
        asked.append("lane1")
        begun.set()
        assert may_end.wait(20)
        return 0.6

    box._lay = lambda position: (
        {"lane0": lambda: 0.2, "lane1": held, "lane2": lambda: 0.8},
        "Heads",
    )
    with ThreadPoolExecutor(2) as aside:
        work = aside.submit(in_a_page, box, MOVE, asked, "nothing")
        assert begun.wait(20)
        stop = aside.submit(box._hear, {"ask": "stop"})
        assert not wait([stop], timeout=0.05).done
        may_end.set()
        stop.result(20)
        work.result(20)
    assert box.said == "Stopped. 2 of 3 parts are there. The board stands as it is."
    assert box.text().endswith("front row 60%.") and box.work is None


def test_another_move_ends_the_work_of_the_one_before() -> None:
    box = tk.Sandbox(BRIDGE)
    asked: list[Any] = []
    box._lay = lambda at: {f"lane{n}": slow((at, n), asked) for n in range(4)}
    in_a_page(box, MOVE, asked, "undo")
    assert [n for at, n in asked if at is box.position] == [0, 1, 2, 3]
    assert len(asked) < 8 and not box.is_changed


def test_a_position_that_comes_back_shows_what_was_worked_out_for_it() -> None:
    box = tk.Sandbox(BRIDGE)
    asked: list[Any] = []
    box.lay(lambda position: asked.append(position) or heads(position))
    box.put("Aki", "lane0")
    box.put("Ren", "lane1")
    box.undo()
    assert len(asked) == 3 and "back row 3" in box.text()
    box.reset()
    assert len(asked) == 3 and "back row 2" in box.text()
    box.put("Aki", "lane0")
    box.lay(heads)
    box.undo()  # what another function found is not shown
    assert "back row 2; Wayfarers, front row 1" in box.text()


# ---- why not

CROWDED = Refusal("crowded", "FM-INV-04", "{name} finds no room.")
EARLY = Refusal("early", "XX-NO-01", "It is too early.")


class NotHere(ValueError):
    """Refuses for two reasons."""

    reasons = (CROWDED(name="<b>Aki</b>"), EARLY())


def test_every_reason_is_shown_with_its_clause(monkeypatch: pytest.MonkeyPatch) -> None:
    def placed(*given: Any) -> Any:
        raise NotHere("no room")

    monkeypatch.setattr(type(formation.system.FORMATION), "placed", placed)
    box = tk.Sandbox(BRIDGE)
    panel = box.widget.children[1]
    drag(box, AKI, "lane0")
    assert box.said == "Nobody has moved."
    assert box.note == "<b>Aki</b> finds no room. It is too early."
    assert panel.reasons == [
        {"words": "<b>Aki</b> finds no room.", "clause": "FM-INV-04"},
        {"words": "It is too early.", "clause": "XX-NO-01"},
    ]
    assert [*panel.clauses] == ["FM-INV-04"]  # no chapter has the other one
    assert panel.clauses["FM-INV-04"]["text"].startswith("If a fallen enemy")
    box.press("Home")
    assert panel.reasons == [] and panel.clauses == {}


# ---- what fails


def test_a_failing_function_is_told_and_the_move_stands() -> None:
    box = tk.Sandbox(BRIDGE)
    heard = []
    box.on_change(lambda changed: 1 / 0)
    box.on_change(lambda changed: heard.append(changed.position.slots[AKI]))
    drag(box, AKI, "lane0")
    assert box.position.slots[AKI] == PC_BACK and heard == [PC_BACK]
    assert "failed: ZeroDivisionError" in box.note
    box.lay(lambda position: {"nowhere": 1})
    assert "The overlay could not be worked out: ValueError" in box.note
    assert "nowhere" not in box.text().splitlines()[-1]


class Failing(systems.System):
    """Formation with a picture that can fail."""

    name, title = "formation", "Formation"
    fails = False

    def __getattribute__(self, name: str) -> Any:
        if name == "scene" and type(self).fails:
            raise RuntimeError("no scene")
        if name in ("fails", "__class__"):
            return super().__getattribute__(name)
        return getattr(formation.system.FORMATION, name)


@pytest.fixture
def failing() -> Iterator[type[Failing]]:
    with systems.known_as(Failing()):
        yield Failing
    Failing.fails = False


def test_a_drawing_that_fails_is_told_and_loses_nothing(failing: Any) -> None:
    box = tk.Sandbox(BRIDGE)
    view = box.widget.children[1]
    failing.fails = True
    box.draw()
    assert "The board could not be drawn: RuntimeError: no scene" in view.note
    box.point("down", 100, 100)
    box._hear({"ask": "key", "key": "Home"})
    assert "no scene" in view.note
    failing.fails = False
    drag(box, AKI, "lane0")
    assert view.note == "" and view.said == "Aki is now in: Wayfarers, back row."
    assert view.moved and "Aki" in view.text


# ---- the page


def test_a_page_that_opens_later_is_drawn_for(monkeypatch: pytest.MonkeyPatch) -> None:
    box = tk.Sandbox(BRIDGE)
    canvases, panel = box.widget.children
    sent: list[Any] = []
    manager = ipycanvas.canvas._CANVAS_MANAGER
    monkeypatch.setattr(manager, "_send_custom", lambda *given: sent.append(given[0]))
    top = canvases[HAND]
    top._handle_frontend_event(top, {"event": "client_ready"}, [])
    assert len(sent) == 1
    switch = ipycanvas.canvas.COMMANDS["switchCanvas"]
    named = [command[1][0] for command in sent[0] if command[0] == switch]
    assert named == [f"IPY_MODEL_{canvases[n].model_id}" for n in range(4)]
    panel._handle_custom_msg({"ask": "redraw"}, [])
    assert len(sent) == 2
    panel._handle_custom_msg(
        {"ask": "room", "width": 700, "density": 2, "theme": "dark"}, []
    )
    assert canvases.width == 1400
    panel._handle_custom_msg("nonsense", [])
    panel._handle_custom_msg({"ask": "room", "width": "wide"}, [])
    assert canvases.width == 1400


def test_the_board_fits_its_room() -> None:
    box = tk.Sandbox(BRIDGE)
    canvases, panel = box.widget.children
    for room, width in ((300, 576), (592, 592), (800, 800), (3000, 1000)):
        panel._handle_custom_msg({"ask": "room", "width": room, "density": 1}, [])
        assert canvases.width == width
    assert canvases.layout.max_width == "1000px"


def test_a_drag_draws_only_what_is_in_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    box = tk.Sandbox(BRIDGE)
    assert box.widget
    drawings: list[Any] = []
    monkeypatch.setattr(
        canvas_painter, "play", lambda pairs, density: drawings.append(list(pairs))
    )
    box.point("down", *spot(box, AKI))
    assert [len(pairs) for pairs in drawings] == [4]
    box.point("move", 200, 120)
    assert len(drawings[1]) == 1
    assert "Aki" in texts(drawings[1][0][1])
    box.point("up", 2, 2)
    box.point("move", 300, 120)
    assert len(drawings) == 3


def test_a_move_is_shown_before_what_follows_it_is_worked_out() -> None:
    box = tk.Sandbox(BRIDGE)
    panel = box.widget.children[1]
    said = []
    box.lay(lambda position: said.append((panel.said, panel.text)) or {})
    drag(box, AKI, "lane0")
    assert said[-1][0] == "Aki is now in: Wayfarers, back row."
    assert "front row\n" in said[-1][1]


def test_forms() -> None:
    box = tk.Sandbox(BRIDGE)
    box.overlay({"lane0": 0.5}, "Chance")
    before = tk.display_mode()
    try:
        tk.display_mode("static")
        static = box._repr_mimebundle_()
        assert set(static) == {"text/html", "text/plain"}
        assert static["text/html"].startswith("<img ")
        assert "Chance: Wayfarers, back row 50%." in static["text/plain"]
        assert "50%" in box.svg()
        tk.display_mode("live")
        live = box._repr_mimebundle_()
        live = live[0] if isinstance(live, tuple) else live
        assert "application/vnd.jupyter.widget-view+json" in live
        assert "text/html" not in live
        tk.display_mode("both")
        both = box._repr_mimebundle_()
        both = both[0] if isinstance(both, tuple) else both
        assert "text/html" in both
    finally:
        tk.display_mode(before)
