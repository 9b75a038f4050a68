"""Exercises that are guessed, ticked, ordered and filled in: what they ask and refuse."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from skirmish import SAMPLES

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.core.game import Game
from tabletop_kit.core.menus import Menu, Refusal
from tabletop_kit.formation import attacks
from tabletop_kit.widgets.exercises import Exercise

RUDE = "<img src=x onerror=alert(1)>"
REFUSED = Refusal("too_far", "FM-RNG-03", RUDE)


def a_chance(chance: Any = Fraction(5, 12)) -> tk.PredictChance:
    return tk.PredictChance(f"How often? {RUDE}", chance, RUDE, ("FM-ACT-04",))


def asked_of_aki() -> Menu[Any]:
    """What Aki may do on the footbridge: her first turn, six in two rows each."""
    state = formation.opening(formation.samples["footbridge"])
    return attacks.Attacks(state, 0)


def an_order(seed: int = 1) -> tk.PutInOrder:
    items = ["Aki 9", "Wolf 8", RUDE, "戦士 5"]
    return tk.PutInOrder(
        "Who acts when?", items, "The quicker one first.", ("FM-PREP-02",), seed
    )


def a_row() -> tk.FillRow:
    row = {"Power": 6, "Damage": 11, "Name": RUDE}
    return tk.FillRow(
        "What does it come to?",
        row,
        hidden=("Name", "Damage"),
        because=RUDE,
        clauses=("FM-ACT-04",),
        choices={"Name": ("yes", RUDE)},
        above=[{"Power": 5, "Damage": 2, "Name": RUDE}],
    )


def carried(exercise: Exercise) -> list[dict[str, Any]]:
    (found,) = re.findall(
        r'^<div data-tk-exercise="([^"]*)">', exercise._static(), re.M
    )
    exercises: list[dict[str, Any]] = json.loads(html.unescape(found))["exercises"]
    return exercises


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (Fraction(1, 4), "1/4, or 25%"),
        (Fraction(5, 12), "5/12, about 41.7%"),
        (Fraction(1, 2000), "0.05%"),
        (Fraction(9999, 10_000), "99.99%"),
        (Fraction(1, 3**9), "about 0.005%"),
        (0, "0%"),
        (1, "100%"),
        (0.25, "25%"),
        (0.123, "12.3%"),
        (tk.Bracket(Fraction(1, 4), Fraction(1, 2)), "between 25% and 50%"),
        (tk.Bracket(Fraction(1, 4), Fraction(10_001, 40_000)), "about 25%"),
    ],
)
def test_a_chance_in_words(chance: Any, words: str) -> None:
    asked = a_chance(chance)
    exact = "" if isinstance(chance, tk.Bracket) else "exact "
    assert asked.details["exact"] == f"The {exact}chance is {words}."
    assert asked.details["low"] <= float(chance) <= asked.details["high"]
    assert html.escape(words) in asked._folded()


@pytest.mark.parametrize(
    "chance", [35, -0.1, True, "1/2", None, float("nan"), tk.outcomes]
)
def test_no_chance(chance: Any) -> None:
    with pytest.raises(ValueError, match=r"^chance: expected .* 0 to 1, got "):
        a_chance(chance)


def test_every_tick_follows_the_menu() -> None:
    menu = asked_of_aki()
    asked = tk.WhatMayShe(menu)
    assert asked.question == "What may Aki do now?"
    for choice, answer in zip(asked.choices, menu.thinkable(), strict=True):
        reasons = menu.why_not(answer)
        assert choice["label"].lower() == menu.words(answer).lower()
        assert choice["right"] is (not reasons)
        listed = [[r.sentence, r.clause] for r in reasons]
        clause = menu.clause_of(answer)
        assert choice["because"] == (listed or [["No rule forbids it.", clause]])
    assert {choice["right"] for choice in asked.choices} == {True, False}


def test_ticks_of_a_game_in_the_words_of_whoever_is_asked() -> None:
    game = Game(SAMPLES["two"], seed=1)
    menu = game.ask
    assert isinstance(menu, Menu)
    some = [*menu.thinkable()][:3]
    asked = tk.WhatMayShe(game, some, question=RUDE)
    assert asked.question == RUDE and "<img" not in asked._static()
    for choice, answer in zip(asked.choices, some, strict=True):
        reasons = game.why_not(answer)
        if reasons:
            assert choice["because"] == [[r.sentence, r.clause] for r in reasons]
    knows_nothing = asked_of_aki()
    assert len(tk.WhatMayShe(knows_nothing, knows_nothing.values()).choices) > 0


@pytest.mark.parametrize(
    ("asked", "answers", "said"),
    [
        (asked_of_aki, None, "asked: expected a menu"),
        (Game(SAMPLES["two"]).ask, [], "answers: expected 1 to 24, got 0"),
        (asked_of_aki(), ["text"], "answers: expected answers to .*, got 'text'"),
        (asked_of_aki(), [*asked_of_aki().values()] * 30, "answers: expected 1 to 24"),
    ],
)
def test_nothing_to_tick(asked: Any, answers: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        tk.WhatMayShe(asked, answers)


def test_an_order_is_shuffled_by_its_seed() -> None:
    shown = [[c["label"] for c in an_order(seed).choices] for seed in range(30)]
    assert shown[3] == [c["label"] for c in an_order(3).choices]
    assert len({*map(tuple, shown)}) > 5 and an_order().items not in shown
    for choice in an_order().choices:
        assert an_order().items[choice["right"]] == choice["label"]
    two = [tk.PutInOrder("?", ["ab", "c"], "so", (), s) for s in range(9)]
    assert all([c["right"] for c in order.choices] == [1, 0] for order in two)


@pytest.mark.parametrize("items", ["Aki", [], ["Aki"], [1, "1"]])
def test_no_order(items: Any) -> None:
    with pytest.raises(ValueError, match="items: expected 2 or more that read diff"):
        tk.PutInOrder("?", items, "so")


def test_a_row_asks_for_its_blanks_in_the_order_of_columns() -> None:
    asked = a_row()
    assert [blank["label"] for blank in asked.choices] == ["Damage", "Name"]
    assert asked.details["row"] == ["6", None, None]
    assert [blank["options"] for blank in asked.choices] == [[], ["yes", RUDE]]
    assert "6 | ? | ?" in asked._plain()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"row": {}}, "row: expected columns and values, got {}"),
        ({"hidden": ()}, r"hidden: expected one of \('a', 'b'\) or more, got none"),
        ({"hidden": ("c",)}, r"hidden: expected columns of \('a', 'b'\), got 'c'"),
        (
            {"hidden": "b"},
            "row, b: expected a whole number, or choices for it, got 'x'",
        ),
        ({"choices": {"c": (1,)}}, r"choices: expected columns of .*, got 'c'"),
        ({"choices": {"a": (1, 2)}}, r"choices, a: expected 3 among \(1, 2\)"),
        ({"above": [{"b": 1, "a": 2}]}, r"above, row 0: expected the columns .*, got"),
    ],
)
def test_no_row(change: dict[str, Any], said: str) -> None:
    given: dict[str, Any] = {"row": {"a": 3, "b": "x"}, "hidden": "a"} | change
    with pytest.raises(ValueError, match=said):
        tk.FillRow("?", because="so", **given)


def test_one_id_is_not_taken_for_several() -> None:
    for make in (
        lambda: tk.Predict("?", (1,), 1, "so", "FM-ACT-04"),
        lambda: tk.PredictChance("?", 0.5, "so", "FM-ACT-04"),
        lambda: tk.PutInOrder("?", (1, 2), "so", "FM-ACT-04"),
        lambda: tk.FillRow("?", {"a": 1}, ("a",), "so", "FM-ACT-04"),
    ):
        with pytest.raises(ValueError, match="clauses: expected several ids, got 'FM"):
            make()


@pytest.mark.parametrize(
    "make", [a_chance, lambda: tk.WhatMayShe(asked_of_aki()), an_order, a_row]
)
def test_every_kind_is_text_folded_carried_and_practiced(
    make: Callable[[], Exercise],
) -> None:
    asked = make()
    static = asked._static()
    assert "<img" not in static and "<details" in asked._folded()
    assert asked.question in asked._plain()
    (one,) = carried(asked)
    assert one["kind"] == asked.kind and one["choices"] == asked.choices
    assert one.get("details", {}) == asked.details

    def made(dice: Random) -> Exercise:
        return make()

    practice = tk.Practice(made, shown=2)
    assert practice.details == asked.details and practice.kind == asked.kind
    assert carried(practice) == [one, one]
    with pytest.raises(ValueError, match="make: expected an exercise such as"):
        tk.Practice(lambda dice: practice)


def test_a_page_hears_only_of_what_is_shown() -> None:
    asked: Any = a_chance()
    inside: Any = an_order()
    practice = tk.Practice(lambda dice: a_row())
    assert not any(one.comm for one in (asked, inside, practice))
    before = tk.display_mode()
    try:
        tk.display_mode("live")
        bundle, _ = asked._repr_mimebundle_()
    finally:
        tk.display_mode(before)
    (shown,) = (value for kind, value in bundle.items() if "widget-view" in kind)
    assert shown["model_id"] == asked.model_id == asked.comm.comm_id
    assert inside.model_id == inside.comm.comm_id
