"""Bad input to what shows things, and what of a result is shown."""

from __future__ import annotations

from enum import Enum, IntEnum
from fractions import Fraction
from typing import Any, Literal

import pytest
import smallest
from msgspec import Struct
from skirmish import SAMPLES, SKIRMISH, sensible

import tabletop_kit as tk
from tabletop_kit import formation
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


class Told(Struct, frozen=True):
    """What a rule came to.

    Args:
        hit_points_left: what the target has left, 0 or more; None for a miss.
        fate: how it ends.
        rows: see there.
    """

    hit_points_left: int | None
    fate: Literal["great_success", "so_so"]
    by_name: str = "iron_bar"
    rows: tuple[Row, ...] = (Row.FRONT,)


def test_a_result_in_a_players_words() -> None:
    told = results.described(Told(3, "so_so"))
    assert {name: column.words for name, column in told.items()} == {
        "hit_points_left": "what the target has left",
        "fate": "how it ends",
        "by_name": "by name",
        "rows": "see there",
    }
    assert results.in_words(Told(3, "great_success")) == (
        "what the target has left: 3; how it ends: great success; "
        "by name: iron_bar; see there: front"  # a name stays as it is written
    )
    missed = results.in_words(Told(None, "so_so", rows=()))
    assert missed.startswith("what the target has left: none, a miss; how it ends: so")
    assert missed.endswith("see there: none")
    assert [results.in_words(value) for value in (True, None, 7)] == [
        "yes",
        "none",
        "7",
    ]


def test_results_within_a_result_are_told_apart_in_words() -> None:
    pair = Pair(Sum(1), Sum(2))
    assert results.in_words(pair) == "first, total: 1; second, total: 2; ways: 1"
    shown = results.outcomes(Outcomes({pair: 3}))["text/plain"]
    assert shown.splitlines()[0] == "first, total | second, total | ways | chance"


def test_the_table_of_outcomes_has_no_names_for_programs() -> None:
    found = Outcomes({Told(3, "so_so"): 1, Told(None, "so_so"): 2})
    html = results.outcomes(found)["text/html"]
    assert ">what the target has left</th>" in html and "hit_points" not in html
    assert ">a miss</td>" in html and ">so so</td>" in html and "so_so" not in html
    assert found.to_polars().columns[0] == "hit_points_left"  # a program's still


def test_of_many_columns_those_that_differ_are_shown() -> None:
    game = tk.Game(formation.samples["footbridge"], seed=7)
    found = tk.outcomes(game, next(iter(game.ask.values())))
    head, *_, note = results.outcomes(found)["text/plain"].splitlines()
    assert head == "hp | chance"
    assert note.startswith("19 more columns are the same in every row; ")


def test_a_label_is_text() -> None:
    rude = type("Rude", (Struct,), {"__annotations__": {"n": int}}, frozen=True)
    rude.__doc__ = "Rude.\n\nArgs:\n    n: <b>bold</b>, and more."
    shown = results.outcomes(Outcomes({rude(1): 1}))["text/html"]
    assert "<b>" not in shown and "&lt;b&gt;bold" in shown
