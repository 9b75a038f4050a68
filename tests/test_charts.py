"""What the charts draw, what they say of it, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest
from skirmish import SAMPLES

import tabletop_kit as tk
from tabletop_kit.core.dice import dice
from tabletop_kit.core.outcomes import Outcomes
from tabletop_kit.formation import attacks
from tabletop_kit.widgets import charts, comparisons, plots

pytest.importorskip("altair")

BLOWS = tk.outcomes(attacks.strike, 6, 4)
TWO_DICE = Outcomes(dict(dice(2, 6).ways))


def parts(chart: charts.Chart) -> Iterator[dict[str, Any]]:
    """Every mapping within a chart's specification."""
    todo: list[Any] = [chart.chart.to_dict()]
    while todo:
        part = todo.pop()
        if isinstance(part, dict):
            yield part
            todo += part.values()
        elif isinstance(part, list):
            todo += part


def values(chart: charts.Chart, *columns: str) -> list[tuple[Any, ...]]:
    """The rows that have all these columns, as tuples."""
    found = [part for part in parts(chart) if set(columns) <= set(part)]
    return [tuple(part[column] for column in columns) for part in found]


def texts(chart: charts.Chart) -> set[str]:
    found = [part.get(key) for part in parts(chart) for key in ("text", "words")]
    return {text for text in found if isinstance(text, str)}


def test_bars_as_before() -> None:
    chart = TWO_DICE.chart(title="Two dice")
    heights = {x: y for x, y in values(chart, "x", "y") if isinstance(y, float)}
    assert round(heights[7], 6) == round(100 / 6, 6) and len(heights) == 11
    assert repr(chart).startswith("Two dice. Exact odds. result and chance: 2: 2.8 %")
    assert repr(TWO_DICE.chart()).startswith("How likely is each result? Exact odds.")


def test_what_is_not_drawn_is_said() -> None:
    rare = Outcomes({1: 9_999, 2: 1})
    assert "Rarer than drawn, or cut: under 0.1 %." in repr(rare.chart())
    cut = Outcomes({1: 3}, unresolved=1)
    assert "Exact odds. Rarer than drawn, or cut: 25.0 %." in repr(cut.chart())
    assert "Rarer" not in repr(rare.chart(least=0))


def test_a_second_table_beside_the_bars() -> None:
    halved = BLOWS.of(lambda blow: blow.damage // 2)
    chart = BLOWS.chart("damage", beside=(halved, "defending"))
    assert "defending: 0: 2.8 %; 2: 5.6 %; 3: 19.4 %" in repr(chart)
    path = sorted(values(chart, "n", "x", "y"))
    assert path[0][1:] == (-0.5, 0.0) and path[-1][2] == 0.0
    at = [y for _, x, y in path if x == 0.5]  # down from 0, and nothing at 1
    assert [round(y, 2) for y in at] == [2.78, 0.0]
    assert "defending" in texts(chart)
    words = Outcomes({"text": 1})
    with pytest.raises(ValueError, match="beside: expected results with a column"):
        BLOWS.chart("damage", beside=(words, "x"))


def test_a_bracket_over_what_a_double_six_brings() -> None:
    name = "after a double six"
    chart = BLOWS.chart("damage", marked=(lambda blow: blow.dice.double_six, name))
    assert f"{name}: 2.8 %" in texts(chart) and f"{name}: 2.8 %" in repr(chart)
    ends = [x for _, x, _ in sorted(values(chart, "n", "x", "y"))]
    assert ends[0] == ends[1] == 16 - 0.4  # 6 + 12 + 2 − 4
    none = BLOWS.chart("damage", marked=(lambda blow: blow.damage > 10**6, "never"))
    assert repr(none).endswith("never: under 0.1 %")  # what was cut may hold it
    assert not values(none, "n", "x", "y")


def test_nothing_is_frequent_enough_to_be_drawn() -> None:
    rare = Outcomes(dict.fromkeys(range(10_000), 1))
    chart = rare.chart(beside=(rare, "also"), marked=(bool, "some"), line=(3, "three"))
    assert "Rarer than drawn, or cut: 100.0 %." in repr(chart)


def test_clauses_and_footer_stand_below() -> None:
    chart = TWO_DICE.chart(footer="By hand.", clauses=("FM-DICE-01", "FM-SUM-05"))
    assert "By hand. · FM-DICE-01 · FM-SUM-05" in texts(chart)


def test_a_line_keeps_its_words_inside() -> None:
    for at, side in ((3, "left"), (12, "right")):
        chart = TWO_DICE.chart(line=(at, "many words beside it"))
        marks = [p["mark"] for p in parts(chart) if isinstance(p.get("mark"), dict)]
        aligned = {m["align"] for m in marks if m.get("fontWeight") == "bold"}
        assert aligned == {side}


def test_curves() -> None:
    rows = [
        {"x": x, "y": Fraction(x * k, 10), "k": f"times {k}"}
        for k in (1, 2)
        for x in (3, 1, 2)
    ]
    chart = plots.curves(rows, "x", "y", "k", shares=True, title="Which?")
    assert repr(chart) == (
        "Which? times 1: 1: 10.0 %, 2: 20.0 %, 3: 30.0 %; "
        "times 2: 1: 20.0 %, 2: 40.0 %, 3: 60.0 %"
    )
    assert {"times 1", "times 2"} <= texts(chart)
    dashes = [p["mark"]["strokeDash"] for p in parts(chart) if _dashed(p)]
    assert len({tuple(dash) for dash in dashes}) == 2
    single = plots.curves(rows[:3], "x", "y")
    assert repr(single) == "x and y: 1: 0.1, 2: 0.2, 3: 0.3"


def _dashed(part: dict[str, Any]) -> bool:
    return isinstance(part.get("mark"), dict) and "strokeDash" in part["mark"]


def test_names_behind_the_ends_of_lines_keep_apart() -> None:
    apart = {"a": {1.0: 0.0, 3.0: 10.0}, "b": {1.0: 9.0, 3.0: 0.0}}
    assert plots._ends(apart) == {"a": 0, "b": 0}
    alike = {name: {1.0: 5.0, 3.0: 10.0} for name in "abc"}
    assert plots._ends(alike) == {"a": 0, "b": 15, "c": 30}
    low = {name: {1.0: 10.0, 3.0: 0.0} for name in "abc"}
    assert plots._ends(low) == {"a": -30, "b": -15, "c": 0}  # above the foot


def test_heat_with_white_text_from_step_4() -> None:
    rows = [{"x": n, "y": 1, "v": n} for n in range(7)]
    chart = plots.heat(rows, "x", "y", "v")
    steps = sorted(values(chart, "words", "step"))
    assert steps == [(str(n), min(6, n + 1)) for n in range(7)]
    tests = [p["test"] for p in parts(chart) if "test" in p]
    assert tests == ["(datum.step >= 4)"]
    assert repr(chart).endswith("y 1, by x: 0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6")
    even = plots.heat([{"x": 1, "y": 1, "v": 2}], "x", "y", "v", digits=1)
    assert values(even, "words", "step") == [("2.0", 3)]


def test_wilson() -> None:
    low, high = comparisons.interval(0, 10)
    assert low == 0 and round(high, 4) == 0.2775  # 1.96² / (10 + 1.96²)
    low, high = comparisons.interval(5, 10)
    assert round(low, 4) == 0.2366 and round(low + high, 9) == 1
    for wins, battles in ((-1, 3), (4, 3), (0, 0)):
        with pytest.raises(ValueError, match=f"wins: expected 0 to {battles}, got"):
            comparisons.interval(wins, battles)


def test_the_four_kinds_of_bar() -> None:
    rows: list[dict[str, Any]] = [
        {"f": "sampled", "wins": 50, "battles": 100},
        {"f": "exact", "chance": Fraction(1, 3)},
        {"f": "cut", "chance": tk.Bracket(Fraction(1, 2), Fraction(3, 5))},
        {"f": "nearly exact", "chance": tk.Bracket(Fraction(1, 2), Fraction(1, 2))},
    ]
    chart = comparisons.chances(rows, "f")
    assert repr(chart) == (
        "sampled: 50.0 %, ± 9.6, 100 battles; exact: 33.3 %, exact; "
        "cut: 50.0 %, to 60.0 %, cut; nearly exact: 50.0 %, exact"
    )
    stripes = [p for p in parts(chart) if set(p) == {"name", "at"}]
    assert len(stripes) == 12 and {p["name"] for p in stripes} == {"cut"}
    whiskers = {p["name"] for p in parts(chart) if p.get("kind") == "sampled"}
    assert whiskers == {"sampled"}


def test_compared_by_hand() -> None:
    # of 8 battles 3 were lost by the change, 1 won: (1 − 3) / 8
    before = [True, True, True, True, False, False, False, False]
    after = [False, False, False, True, True, False, False, False]
    row = comparisons.compared(before, after)
    assert (row["before"], row["after"]) == (0.5, 0.25)
    by_hand = 1.96 * (4 + 1 - 4 / 10) ** 0.5 / 10
    assert row["margin"] == pytest.approx(by_hand)
    assert comparisons.compared([True], [True])["margin"] > 0
    with pytest.raises(ValueError, match="expected a battle or more"):
        comparisons.compared([], [])
    with pytest.raises(ValueError, match="shorter"):
        comparisons.compared([True], [])


def test_grey_within_chance() -> None:
    def toned(before: float, after: float, **more: float) -> tuple[str, str, bool]:
        row = {"r": "x", "before": before, "after": after, **more}
        chart = comparisons.before_after([row], "r")
        ((figure, note, tone),) = values(chart, "figure", "note", "tone")
        return figure, note, tone == charts.ink("ink-3")

    assert toned(0.5, 0.6, margin=0.05) == ("+10.0", "± 5.0", False)
    assert toned(0.5, 0.45, margin=0.05) == ("−5.0", "± 5.0, within chance", True)
    assert toned(0.5, 0.44, margin=0.05) == ("−6.0", "± 5.0", False)
    assert toned(0.5, 0.51) == ("+1.0", "", False)  # exact: no chance in it
    assert toned(0.5, 0.5) == ("same", "", True)
    chart = comparisons.before_after([{"r": "a\nb", "before": 0.0, "after": 1.0}], "r")
    assert "a, b: 0.0 % to 100.0 %, +100.0" in repr(chart)
    assert "Ring: before. Dot: after." in repr(chart)


REFUSED: tuple[tuple[Callable[[], Any], str], ...] = (
    (lambda: plots.heat([], "x", "y", "v"), r"rows: expected dicts, one or more"),
    (lambda: plots.curves("rows", "x", "y"), r"rows: expected dicts, .* got 'rows'"),  # type: ignore[arg-type]
    (lambda: plots.curves([3], "x", "y"), r"rows: expected dicts"),  # type: ignore[list-item]
    (
        lambda: plots.curves([{"x": 1, "y": 2}, {"x": 1}], "x", "y"),
        r"y in row 1: expected one of \['x'\], got 'y'",
    ),
    (
        lambda: plots.curves([{"x": "1", "y": 2}], "x", "y"),
        r"x: expected a number, got '1'",
    ),
    (
        lambda: plots.curves([{"x": True, "y": 2}], "x", "y"),
        r"x: expected a number, got True",
    ),
    (
        lambda: plots.curves([{"x": 1, "y": float("nan")}], "x", "y"),
        r"y: expected a number, got nan",
    ),
    (
        lambda: plots.curves([{"x": 1, "y": 1.2}], "x", "y", shares=True),
        r"y: expected a chance from 0 to 1, got 1.2",
    ),
    (
        lambda: plots.curves(
            [{"x": 1, "y": 1, "k": n} for n in range(5)], "x", "y", "k"
        ),
        r"by: expected up to 4 lines, got 5",
    ),
    (
        lambda: comparisons.chances([{"f": "a", "chance": 0}] * 2, "f"),
        r"f: expected each once, got 'a'",
    ),
    (
        lambda: comparisons.chances([{"f": "a", "wins": 1}], "f"),
        r"row: expected wins and battles, or chance",
    ),
    (
        lambda: comparisons.before_after([{"f": "a", "before": 0}], "f"),
        r"after in row 0: expected one of \['f', 'before'\], got 'after'",
    ),
)


@pytest.mark.parametrize(("call", "said"), REFUSED)
def test_rows_that_cannot_be_drawn(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        call()


def test_every_chart_is_a_picture_without_a_network() -> None:
    shown = [
        plots.curves([{"x": 1, "y": 2}], "x", "y"),
        plots.heat([{"x": 1, "y": 2, "v": 3}], "x", "y", "v"),
        comparisons.chances([{"f": next(iter(SAMPLES)), "chance": 0.5}], "f"),
        comparisons.before_after([{"f": "a", "before": 0, "after": 1}], "f"),
    ]
    for chart in shown:
        bundle = chart._repr_mimebundle_()
        assert "data:image/svg+xml;base64," in bundle["text/html"]
        assert bundle["text/plain"] == chart.words
        assert "http" not in chart.svg().replace("http://www.w3.org", "")
