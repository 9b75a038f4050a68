"""Sheets of Labyrinth Battle: what the deeds of skills, items and traps refuse."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from tabletop_kit.core.dice import dice
from tabletop_kit.labyrinth_battle import samples, sheets
from tabletop_kit.labyrinth_battle.encounters import PlacedTrap
from tabletop_kit.labyrinth_battle.measures import (
    ActionType,
    BadStatus,
    CharacterKind,
    Side,
    WeaponKind,
)
from tabletop_kit.labyrinth_battle.sheets import Combatant, Item


@pytest.mark.parametrize(
    ("deed", "most"),
    [
        (sheets.Heal, 999),
        (sheets.Revive, 999),
        (sheets.Reduce, 99),
        (sheets.Empower, 99),
    ],
)
def test_an_amount_has_its_limits(
    deed: Callable[[int], sheets.Deed], most: int
) -> None:
    assert deed(1) != deed(most)
    for wrong in (0, most + 1):
        said = f"amount: expected a whole number from 1 to {most}, got {wrong}"
        with pytest.raises(ValueError, match=said):
            deed(wrong)


def test_deeds_refuse_what_they_do_not_know() -> None:
    for deed in (sheets.Hurt, sheets.Desert):
        assert deed("2D6").thrown == dice(2, 6)
        with pytest.raises(ValueError, match=r"^dice: "):
            deed("many")
    with pytest.raises(ValueError, match="raises_ghosts: expected a bool, got 2"):
        sheets.Revive(5, 2)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Heal: expected fields out of amount, got"):
        sheets.Heal(5, dice="1D6")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "deed",
    [
        sheets.Disclose(),
        sheets.Heal(4),
        sheets.Revive(5, raises_ghosts=True),
        sheets.Inflict(BadStatus.CURSE),
        sheets.Reduce(2),
        sheets.Empower(1),
        sheets.Desert("2D6"),
        sheets.Hurt(),
        sheets.Drop(),
    ],
)
def test_a_deed_is_read_as_it_was_written(deed: sheets.Deed) -> None:
    again: sheets.Deed = msgspec.json.decode(
        msgspec.json.encode(deed), type=sheets.Deed
    )
    assert again == deed and type(again) is type(deed)
    assert type(deed) in sheets.DEEDS


def test_two_weapons_have_two_names() -> None:
    dull, keen = (
        Item("sword", WeaponKind.MELEE),
        Item("sword", WeaponKind.MELEE, power=9),
    )
    aki = Combatant("Aki", Side.COURT, CharacterKind.PC, hp_max=9, items=(dull, dull))
    assert aki.items == (dull, dull)
    with pytest.raises(ValueError, match=r"weapons of Aki: .*sword"):
        replace(aki, items=(dull, keen))


def test_an_item_is_used_as_an_auxiliary_or_a_support_action() -> None:
    Item("pie", type=ActionType.AUXILIARY)
    for type in (ActionType.INTERRUPT, ActionType.PLANNED, "support"):
        with pytest.raises(ValueError, match="type of pie: expected"):
            Item("pie", type=type)  # type: ignore[arg-type]


def test_what_is_no_trap_is_refused_by_its_place() -> None:
    cellar = samples["cellar"]
    with pytest.raises(ValueError, match=r"trap of traps\[0\]: expected a Trap"):
        replace(cellar, traps=(PlacedTrap("pit", area=4),))  # type: ignore[arg-type]
