"""Small fights of Labyrinth Battle for its tests: round numbers, everybody in area 4."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.playing import Played
from tabletop_kit.labyrinth_battle import attacks, targets
from tabletop_kit.labyrinth_battle.encounters import Encounter
from tabletop_kit.labyrinth_battle.measures import CharacterKind, Side, WeaponKind
from tabletop_kit.labyrinth_battle.sheets import Combatant, Item
from tabletop_kit.labyrinth_battle.states import State, opening

SWORD = Item("sword", WeaponKind.MELEE, power=3, level=0)
PIKE = Item("pike", WeaponKind.MELEE, range=1, power=3)
BOW = Item("bow", WeaponKind.RANGED, range=2, power=4)
CLAWS = Item("claws", WeaponKind.MELEE, power=2, breakable=False)
KETTLE = Item("kettle")
LAMP = Item("star fragment", light=1)
AS_ITSELF, IMPROVISED = targets.Use
ONES, SIXES, SEVEN = (1, 1), (6, 6), (3, 4)


def pc(name: str, **more: Any) -> Combatant:
    """A PC with valor 3, evasion 9, 12 HP and a sword."""
    given = {"items": (SWORD,), "valor": 3, "evasion": 9, "hp_max": 12, **more}
    return Combatant(name, Side.COURT, CharacterKind.PC, **given)


def foe(
    name: str, kind: CharacterKind = CharacterKind.MONSTER, **more: Any
) -> Combatant:
    """A foe with valor 2, evasion 9, 12 HP and claws; a monster, unless it is said."""
    given = {"items": (CLAWS,), "valor": 2, "evasion": 9, "hp_max": 12, **more}
    if kind == CharacterKind.MONSTER:
        given.setdefault("monster_kind", name)
    return Combatant(name, Side.FOE, kind, **given)


def fight(
    *people: Combatant, areas: Iterable[int] | None = None, **setup: Any
) -> State:
    """A battle in which it is the court's turn; all stand in area 4, unless told."""
    start = Encounter(people, (4,) * len(people), **setup)
    state = replace(opening(start), phase="turns", first=Side.COURT)
    for who, area in enumerate(areas or ()):
        state = state.put(who, area)
    return state


def strike(
    state: State,
    who: int,
    target: int,
    *answers: Any,
    weapon: str = "",
    use: targets.Use = AS_ITSELF,
    held_back: bool = False,
) -> Played:
    """An attack with these dice and answers, with the first thing carried."""
    name = weapon or state.items(who)[0].name
    given = (name, use, target, held_back)
    return tk.play(attacks.attack_with, state, who, *given, answers=answers)


def four_in_a_room(**setup: Any) -> State:
    """Rosa with sword, bow and kettle in 3, Pim with a pike in 2, Gob in 3, Bat in 5."""
    return fight(
        pc("Rosa", items=(SWORD, BOW, KETTLE)),
        pc("Pim", items=(PIKE, LAMP)),
        foe("Gob"),
        foe("Bat"),
        areas=(3, 2, 3, 5),
        **setup,
    )
