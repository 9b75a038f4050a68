"""Bad input to what shows things, and what of a result is shown."""

from __future__ import annotations

from enum import Enum, IntEnum
from fractions import Fraction
from typing import Any

import pytest
import smallest
from msgspec import Struct
from skirmish import SAMPLES, SKIRMISH, sensible

import tabletop_kit as tk
from tabletop_kit.core.dice import dice
from tabletop_kit.core.game import Game
from tabletop_kit.core.odds import Odds
from tabletop_kit.core.outcomes import Outcomes, columns
from tabletop_kit.widgets import results

TWO = SAMPLES["two"]
tiny: Any = smallest.load()


class Sum(Struct, frozen=True):
    total: int


class Pair(Struct, frozen=True):
    first: Sum
    second: Sum
    ways: int = 1


class Row(IntEnum):
    FRONT = 1


class Mood(Enum):
    CALM = "calm"


class Mixed(Struct, frozen=True):
    rows: tuple[Row, ...]
    mood: Mood
    hp: int | str


def test_the_positions_after_an_answer() -> None:
    game = Game(TWO, seed=3)
    found = tk.outcomes(game, game.options()[0].value, policy=sensible)
    frame = found.to_polars()
    assert frame.columns[:2] == ["who", "side"]
    assert frame.height == len(found.ways)
    shown = results.outcomes(found)["text/plain"]
    assert "encounter" not in shown
    with pytest.raises(ValueError, match=r"column: expected one of \[.*, got 'who'"):
        found.chart("who")


def test_fields_of_one_name_are_told_apart() -> None:
    pair = columns(Pair(Sum(1), Sum(2)))
    assert pair == {"first.total": 1, "second.total": 2, "result.ways": 1}
    found = Outcomes({Pair(Sum(1), Sum(2)): 3})
    assert found.to_polars().to_dicts() == [{**pair, "ways": 3, "chance": 1.0}]


def test_tuples_enums_and_mixed_columns_as_text() -> None:
    one, two = Mixed((Row.FRONT,), Mood.CALM, 3), Mixed((), Mood.CALM, "?")
    frame = Outcomes({one: 1, two: 2**64}).to_polars()
    assert sorted(frame["rows"]) == ["", "FRONT"] and set(frame["mood"]) == {"calm"}
    assert sorted(frame["hp"]) == ["3", "?"] and "1" in set(frame["ways"])


def test_the_column_that_is_drawn() -> None:
    pytest.importorskip("altair")
    found = Outcomes({Mixed((), Mood.CALM, 3): 1})
    assert "hp" in repr(found.chart())
    assert "result" in repr(Outcomes(dict(dice(1, 6).ways)).chart())
    for options, said in (
        ({"column": "mood"}, r"column: expected one of \['hp'\], got 'mood'"),
        ({"color": "x"}, r"color: expected one of \['rows', 'mood', 'hp'\], got 'x'"),
    ):
        with pytest.raises(ValueError, match=said):
            found.chart(**options)
    with pytest.raises(ValueError, match="results with a column of numbers, got None"):
        Outcomes({"text": 1}).chart()


def test_a_grid_of_nothing() -> None:
    for rows, columns_ in (({}, {"a": 1}), ({"a": 1}, {}), ([1], {"a": 1})):
        with pytest.raises(ValueError, match="expected labels and values, got"):
            tk.grid(max, rows, columns_)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"active": 9}, "active: expected a combatant's number, 0 to 3, got 9"),
        ({"targets": [True]}, "targets: expected .*got True"),
        ({"measure": [(0, 9)]}, "measure: expected .*got 9"),
        ({"viewer": "zz"}, "viewer: expected 'gm', .*got 'zz'"),
        ({"viewer": 9}, "viewer: expected 'gm', .*got 9"),
    ],
)
def test_a_board_of_nobody(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        tk.Board(TWO, **options)


def test_a_study_of_nobody() -> None:
    with pytest.raises(ValueError, match=r"viewer: expected 'gm', .*got 'zz'"):
        tk.study(TWO, viewer="zz")
    with pytest.raises(ValueError, match=r"opponents: expected .*got 'zz'"):
        tk.study(TWO, opponents={"zz": sensible})
    with pytest.raises(ValueError, match=r"such as tabletop_kit.systems\(\).*'footb"):
        tk.study("footbridge")


def test_opponents_that_never_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabletop_kit.widgets.study.MOST_BY_ITSELF", 50)

    class Idle(tiny.Tiny):  # type: ignore[misc]
        def advance(self, ask: Any, bout: Any) -> Any:
            ask.choose(tiny.Nerve(bout, 0))
            return bout

    with tk.core.systems.known_as(Idle()), pytest.raises(RuntimeError, match="no end"):
        side = tiny.Duel().side_of(0)
        tk.study(tiny.Duel(), opponents={side: lambda menu: tiny.Fight()})


def test_a_prediction_with_numbers_that_are_equal() -> None:
    asked = tk.Predict("?", (1, True, 1.0), True, "so")
    assert [choice["right"] for choice in asked.choices] == [False, True, False]
    half = tk.Predict("?", (0.5, 1.0), Fraction(1, 2), "so")
    assert [choice["right"] for choice in half.choices] == [True, False]
    with pytest.raises(ValueError, match="answer: expected one of"):
        tk.Predict("?", (1, 2), 3, "so")


@pytest.mark.parametrize("actions", [{}, "text", {"a": "text"}, {"a": None}])
def test_actions_without_reasons(actions: Any) -> None:
    with pytest.raises(ValueError, match=r"actions.*: expected .*reasons"):
        tk.SpotIllegal("?", actions)


def test_sampled_odds_say_their_margin() -> None:
    odds = Odds({"a": 0.5}, 0.0, 1, 1, battles=2_000, margin=0.0219)
    assert "±0.0219, 2000 battles sampled" in repr(odds)
    assert "±" not in repr(Odds({"a": 0.5}, 0.0, 1, 1))
    assert SKIRMISH.name == "skirmish"
