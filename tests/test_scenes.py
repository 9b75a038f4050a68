"""Scenes, their elements and their pictures: names, ids, deltas, room for words."""

import base64
import subprocess
import sys
from itertools import combinations
from xml.etree import ElementTree

import msgspec
import pytest
from msgspec.structs import replace

from tabletop_kit.core import elements, pictures, scenes
from tabletop_kit.core.pieces import text_width

SVG = "{http://www.w3.org/2000/svg}"
LANES = (0, 164, 360, 524)
NAMES = (
    ("蓮見ユウ", "Mirel"),
    ("Isaut", "Tovan"),
    ("Toll Captain", "Reed Warden", "잿빛나방"),
    ("Oska", "Reed Shaman the Great"),
)
MARKS = tuple(
    scenes.Badge(icon=icon, number=number)
    for icon, number in (("poison", 12), ("up", 2), ("shield", None), ("down", 3))
)


def board(**first: object) -> scenes.Scene:
    """Nine combatants in four lanes; `first` changes the one with number 0."""
    items: list[scenes.Item] = []
    people: list[scenes.Token] = []
    for lane, (x, names) in enumerate(zip(LANES, NAMES, strict=True)):
        ours = lane < 2
        side, tall = "ab"[not ours], 24 + 3 * 78
        items.append(
            scenes.Zone(
                f"lane-{lane}",
                scenes.Rect(x, 24, 156, tall, 8),
                "lane",
                side,
                label=("Back row", "Front row")[lane in (1, 2)],
                label_at="top-left" if ours else "top-right",
            )
        )
        for place, name in enumerate(names):
            number = len(people)
            people.append(
                scenes.Token(
                    number,
                    f"lane-{lane}",
                    (x + (124 if ours else 32), 46 + 234 * (place + 0.5) / len(names)),
                    side,
                    name,
                    hp=(120 - number, 120),
                    mp=(11, 18),
                    badges=MARKS[: number % 5],
                    plate=scenes.Plate("left" if ours else "right", 138),
                )
            )
    people[0] = replace(people[0], **first)
    us = scenes.Label("ours", "Wayfarers", (2, 11), "start", "side-a", 12.5)
    them = scenes.Label("theirs", "Toll gang", (678, 11), "end", "side-b", 12.5)
    blow = scenes.Link("blow", 2, 4, "attack", side="a", say="Isaut attacks")
    return scenes.Scene(
        "Board",
        "Four against five",
        680,
        306,
        (*items, *people, us, them, blow),
        stretch=True,
    )


def text_boxes(pieces: elements.Elements) -> dict[str, tuple[float, ...]]:
    """Where each text may be at most, in the narrowest picture."""

    def moved(name: str) -> tuple[float, float]:
        if name not in pieces:
            return 0, 0
        attributes = pieces[name][1]
        x, y = moved(attributes["in"])
        return tuple(
            place + sum(pair)
            for place, pair in zip(
                (x, y), attributes.get("at", ((0,), (0,))), strict=True
            )
        )

    out: dict[str, tuple[float, ...]] = {}
    for name, (tag, attributes, words) in pieces.items():
        if tag != "text":
            continue
        size, x0, y0 = attributes["font-size"][1], *moved(attributes["in"])
        x, y = x0 + sum(attributes["x"]), y0 + sum(attributes["y"]) - size * 0.355
        bold = attributes["class"].split()[-1] not in ("tk-val", "tk-label")
        wide = text_width(words, size, bold)
        if "textLength" in attributes:
            wide = attributes["textLength"][1]
        left = (
            x - wide * {"start": 0, "middle": 0.5, "end": 1}[attributes["text-anchor"]]
        )
        out[name] = (left, y - size / 2, left + wide, y + size / 2)
    return out


@pytest.mark.parametrize("state", ["", "active", "acted", "down", "dead"])
def test_no_word_covers_another(state: str) -> None:
    boxes = text_boxes(elements.drawn(board(states=(state,) if state else ())))
    assert len(boxes) > 40
    for (one, a), (other, b) in combinations(boxes.items(), 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, (one, a, other, b)
    assert all(a[0] >= 0 and a[2] <= 680 for a in boxes.values())


@pytest.mark.parametrize(
    "name",
    [
        "The Free Company of the Long Northern Road",
        "北の街道を守る自由な旅人たちの長い長い名前の傭兵団" * 2,
    ],
)
def test_long_names_of_sides_stay_on_their_half(name: str) -> None:
    both = (
        scenes.Label("a", name, (2, 11), "start", "side-a", 12.5, 282),
        scenes.Label("b", name, (598, 11), "end", "side-b", 12.5, 282),
    )
    scene = scenes.Scene("Sides", "Two sides", 600, 24, both)
    ours, theirs = text_boxes(elements.drawn(scene)).values()
    assert ours[0] >= 0 and theirs[2] <= 600 and ours[2] < theirs[0]
    picture = pictures.svg(scene)
    is_cut = "…</text>" in picture
    assert is_cut == name.startswith("北")
    assert f"<title>{name}</title>" in picture if is_cut else f">{name}<" in picture


@pytest.mark.parametrize(
    ("names", "signs"),
    [
        (("Aki", "Mio Reed", "白狼"), ("Ak", "MR", "白")),
        (("Hound 1", "Hobgoblin 1", "Hound 2"), ("H1", "Ho", "H2")),
        (("Guard 1", "Guard 10", "Guard 11"), ("G1", "10", "11")),
        (("Wolf", "Wolfhound", "Wolfling"), ("Wo", "Wl", "Wf")),
        (("白狼", "白虎", "白"), ("白", "虎", "白2")),
        (("!", "?"), ("?", "?")),
    ],
)
def test_names_that_differ_have_monograms_that_differ(
    names: tuple[str, ...], signs: tuple[str, ...]
) -> None:
    assert scenes.monograms(names) == signs


def test_many_of_a_kind_can_be_told_apart() -> None:
    hounds = tuple(f"Hound {number}" for number in range(1, 21))
    imps = tuple(f"Hill Imp {number}" for number in range(1, 21))
    signs = scenes.monograms(hounds + imps)
    assert len(set(signs)) == 40 and all(1 <= len(sign) <= 2 for sign in signs)


def test_no_word_is_smaller_than_11() -> None:
    for _, attributes, _ in elements.drawn(board()).values():
        assert attributes.get("font-size", (0, 11))[1] >= 11


@pytest.mark.parametrize(
    "name",
    [
        "<img src=x onerror=alert(1)>",
        "</text><script>alert(1)</script>",
        "\x00\x1b\ud800'\"&",
    ],
)
def test_a_name_with_markup_is_text(name: str) -> None:
    token = scenes.Token(
        0, name, (20, 30), "a", name, badges=(scenes.Badge(word=name),)
    )
    zone = scenes.Zone(name, scenes.Rect(0, 0, 200, 60), label=name)
    picture = pictures.svg(scenes.Scene(name, name, 200, 60, (zone, token)))
    root = ElementTree.fromstring(picture.encode())
    tags = {part.tag.removeprefix(SVG) for part in root.iter()}
    assert tags <= {"svg", "style", "g", "rect", "circle", "path", "text", "title"}
    shown = "".join("\ufffd" if sign in "\x00\x1b\ud800" else sign for sign in name)
    assert shown in [part.text for part in root.iter(f"{SVG}text")]
    assert all("onerror" not in key for part in root.iter() for key in part.attrib)


def test_ids_stay_and_few_attributes_change() -> None:
    before = elements.drawn(board(hp=(28, 28)))
    after = elements.drawn(board(hp=(21, 28)))
    assert list(before) == list(after)
    step = elements.changed(before, after)
    assert set(step) == {"token-0", "token-0.hp", "token-0.hp-text"}
    bar = step["token-0.hp"]
    assert bar and set(bar[1]) == {"width"}
    assert elements.changed(before, elements.drawn(board(hp=(28, 28)))) == {}


@pytest.mark.parametrize(
    "change",
    [
        {"states": ("active",)},
        {"states": ("down",), "hp": (0, 20)},
        {"hp": (None, 20), "mp": None},
        {"badges": MARKS, "delta": "-7"},
        {"side": "c", "name": "Sedge", "lift": 3},
        {"at": (300, 90), "zone": "lane-1", "nudge": (3, 4)},
    ],
)
def test_a_delta_leads_from_before_to_after(change: dict[str, object]) -> None:
    before, after = elements.drawn(board()), elements.drawn(board(**change))
    for one, other in ((before, after), (after, before)):
        delta = elements.changed(one, other)
        assert delta
        assert elements.applied(one, delta) == other
        assert msgspec.json.decode(msgspec.json.encode(delta)).keys() == delta.keys()


def test_what_is_hidden_is_nowhere() -> None:
    scene = board(hp=(None, 777), mp=(None, 888))
    everything = repr(elements.drawn(scene)) + scenes.text(scene) + pictures.svg(scene)
    assert "777" not in everything and "888" not in everything
    assert elements.drawn(scene)["token-0.hp-text"][2] == "?"


def test_rings_for_the_page_are_always_there() -> None:
    pieces = elements.drawn(board())
    for number in range(9):
        for ring in ("pick", "sel", "target"):
            assert pieces[f"token-{number}.{ring}"][1]["in"] == f"token-{number}"


def test_every_group_is_known_and_every_layer() -> None:
    pieces = elements.drawn(board(delta="miss", lift=2))
    for name, (_, attributes, _) in pieces.items():
        assert attributes["in"] in elements.LAYERS or attributes["in"] in pieces, name


def test_two_of_one_name_and_lines_to_nobody_are_refused() -> None:
    zone = scenes.Zone("hall", scenes.Rect(0, 0, 9, 9))
    with pytest.raises(ValueError, match="two items of the scene are called zone-hall"):
        elements.drawn(scenes.Scene("", "", 9, 9, (zone, zone)))
    line = scenes.Link("way", "hall", "cellar", "passage")
    with pytest.raises(
        ValueError, match="link-way: no zone or token is called 'cellar'"
    ):
        elements.drawn(scenes.Scene("", "", 9, 9, (zone, line)))
    area = scenes.Area("reach", ("attic",))
    with pytest.raises(ValueError, match="area reach: no zone is called 'attic'"):
        elements.drawn(scenes.Scene("", "", 9, 9, (zone, area)))


def test_words_place_by_place() -> None:
    places = scenes.spoken(board(states=("active",)))
    assert places[0] == (
        "Back row",
        [
            "蓮見ユウ, HP 120 of 120, MP 11 of 18, to act",
            "Mirel, HP 119 of 120, MP 11 of 18, poisoned 12",
        ],
    )
    assert places[-1] == ("Isaut attacks", [])
    assert scenes.text(board()).startswith(
        "Board. Four against five\nBack row:\n  蓮見ユウ"
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_needs_nothing_else(theme: str) -> None:
    picture = pictures.svg(board(states=("target",)), theme=theme)
    for left in ("light-dark(", "var(--tk", "var(--jp", "http", "@import", "<script"):
        assert left not in picture.replace(SVG[1:-1], ""), left
    assert ElementTree.fromstring(picture).get("role") == "img"
    assert 'lang="ja"' in picture and 'lang="ko"' in picture
    assert len(base64.b64encode(picture.encode())) < 60_000


def test_a_picture_is_the_same_bytes_in_every_process() -> None:
    code = (
        "import hashlib; from test_scenes import board; from tabletop_kit.core import pictures;"
        "print(hashlib.sha256(pictures.svg(board()).encode()).hexdigest())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": f"tests{':' + ':'.join(sys.path)}",
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1


def test_wider_and_taller() -> None:
    scene = board()
    root = ElementTree.fromstring(pictures.svg(scene, 1000, 500, margin=0))
    assert (root.get("width"), root.get("height")) == ("1000", "500")
    low = ElementTree.fromstring(pictures.svg(scene, 680, 100, margin=0))
    assert low.get("height") == "306"  # never lower than its own height


def test_every_icon_and_texture_is_there() -> None:
    assert {*scenes.ICON_WORDS, "check", "list", "info"} <= set(pictures.icons())
    assert {"hatch", "blocked", "wall", "water", "unknown", "fire"} <= set(
        pictures.patterns()
    )


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="light or dark expected, not 'sepia'"):
        pictures.svg(board(), theme="sepia")
