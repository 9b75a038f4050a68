"""Labyrinth Battle, the four tables: rows as data, what is refused, what is played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars
import pytest

from tabletop_kit.core.tables import TableError, row
from tabletop_kit.labyrinth_battle import result_tables
from tabletop_kit.labyrinth_battle.result_tables import STANDARD, ResultTables

NOTHING = {"roll": "2–12", "effect": "nothing"}


def problems(name: Any, *rows: Any, rank: int | None = None) -> tuple[str, ...]:
    with pytest.raises(TableError) as refused:
        STANDARD.with_rows(name, rows, rank)
    return refused.value.problems


def test_the_rows_of_the_ledger() -> None:
    critical, fumble = STANDARD.critical_table, STANDARD.combat_fumble_table
    assert [critical.at(n).effect for n in range(2, 13)] == [
        "raise_weapon_level",
        "extra_action",
        "inflict_curse",
        "multiply_power",
        "move_target",
        "add_power_dice",
        "add_target_level",
        "may_set_hp",
        "suppress_skill",
        "add_power_dice",
        "set_hp",
    ]
    assert critical.at(5).number("times") == 2 and critical.at(12).number("hp") == 0
    assert [critical.at(n).number("dice") for n in (7, 9, 11)] == [1, 1, 2]
    assert [fumble.at(n).effect for n in range(2, 13)] == [
        "reinforcements",
        "retreat",
        "hit_ally",
        "ally_acted",
        "effects_end",
        "hurt_self",
        "halve_hp",
        "destroy_item",
        "set_trap",
        "lose_vigor",
        "destroy_weapon",
    ]
    assert fumble.at(12).number("hp") == 1 and fumble.at(3).number("steps") == 1


def test_the_same_rows_from_a_list_a_frame_text_and_a_file(tmp_path: Path) -> None:
    columns = {"roll": ["2–7", "8–12"], "effect": ["nothing", "multiply_power"]}
    frame = polars.DataFrame({**columns, "times": [None, 3], "words": ["", "Three."]})
    text = (
        "roll, effect, times, words\n2–7, nothing, ,\n8–12, multiply_power, 3, Three."
    )
    file = tmp_path / "critical.csv"
    file.write_text(text, encoding="utf-8")
    rows = (
        row("2–7", "nothing"),
        row("8–12", "multiply_power", times=3, words="Three."),
    )
    for source in (frame, text, file, str(file), rows, frame.to_dicts()):
        assert STANDARD.with_rows("critical", source).critical == rows
    assert STANDARD.with_rows("critical", rows).combat_fumble == STANDARD.combat_fumble


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"roll": "3–12"}, "row 2: expected a row for every total"),
        ({"roll": "1–12"}, "row 1–12: expected totals that 2D6 can show"),
        ({"effect": "explode"}, "expected a known effect"),
        ({"times": 2}, "got 'times'"),
        ({"effect": "multiply_power"}, "'times' is missing"),
        ({"effect": "add_power_dice", "dice": 0}, "dice: expected 1 to 10, got 0"),
        ({"effect": "add_power_dice", "dice": 99}, "dice: expected 1 to 10, got 99"),
        ({"effect": "set_hp", "hp": -1}, "hp: expected 0 to 999, got -1"),
        ({"then": "the other table"}, "then: expected 'critical table'"),
        ({"again": 2}, "fewer than 1 further roll"),
    ],
)
def test_what_cannot_be_played_is_refused(changed: dict[str, Any], said: str) -> None:
    assert any(said in one for one in problems("critical", {**NOTHING, **changed}))


def test_overlapping_and_double_rows_are_named() -> None:
    first, second = {**NOTHING, "roll": "2–8"}, {**NOTHING, "roll": "8–12"}
    assert any("overlap at 8" in one for one in problems("fatal_wound", first, second))
    assert any(
        "got it twice" in one for one in problems("fatal_wound", NOTHING, NOTHING)
    )


def test_treasure_has_five_ranks() -> None:
    rows = [{"roll": "1–6", "effect": "materials", "count": 2}]
    changed = STANDARD.with_rows("treasure", rows, 5)
    assert changed.treasure_tables[4].at(3).number("count") == 2
    assert changed.treasure[:4] == STANDARD.treasure[:4]
    for rank in (None, 0, 6, "1", True):
        with pytest.raises(ValueError, match="rank: expected 1 to 5"):
            STANDARD.with_rows("treasure", rows, rank)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected 5 tables"):
        ResultTables(treasure=())


def test_other_names_and_sources_are_refused() -> None:
    with pytest.raises(ValueError, match="name: expected one of 'critical'"):
        STANDARD.with_rows("luck", [NOTHING])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected rows, a polars frame or CSV"):
        STANDARD.with_rows("critical", 7)


def test_every_number_of_every_effect_has_limits() -> None:
    effects = (
        *result_tables.CRITICAL_EFFECTS,
        *result_tables.FUMBLE_EFFECTS,
        *result_tables.FATAL_WOUND_EFFECTS,
        *result_tables.TREASURE_EFFECTS,
    )
    numbers = {number for effect in effects for number in effect.numbers}
    assert numbers == set(result_tables.LIMITS)


def test_row_words_are_plain_text_and_stay_so() -> None:
    words = "<b>Boom</b> {who}"
    table = STANDARD.with_rows("critical", [{**NOTHING, "words": words}]).critical_table
    assert table.at(7).words == words
    assert "<b>Boom" not in table._repr_html_()
