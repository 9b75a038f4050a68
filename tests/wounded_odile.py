"""Odile of the cellar, as another sheet has her, and what is done to her HP."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.playing import Played
from tabletop_kit.labyrinth_battle import battles, ghosts, sheets, states, wounds
from tabletop_kit.labyrinth_battle.encounters import Encounter, Variant
from tabletop_kit.labyrinth_battle.measures import CharacterKind, Side
from tabletop_kit.labyrinth_battle.states import State

CELLAR = battles.samples["cellar"]
PIM, ODILE, BRANNOC, SNUB, RATTLE, SLIME = range(6)
NO_GHOST = ghosts.Rest()
ARMOR = (sheets.Item("armor", reduction=1, breakable=False),)
PAN, LAMP = sheets.Item("pan"), sheets.Item("lamp")


def met(
    hp: int = 3, kind: str = "pc", where: Encounter = CELLAR, **sheet: Any
) -> State:
    """Odile as another sheet has her, at these HP; nobody can step in between."""
    people = [replace(one, skills=()) for one in where.combatants]
    people[ODILE] = replace(people[ODILE], kind=CharacterKind(kind), **sheet)
    setup = replace(where, combatants=tuple(people))
    state = replace(states.opening(setup), phase="turns", first=Side.FOE)
    return state.with_hp(ODILE, hp)


def ruled(state: State, **rules: Any) -> State:
    setup = replace(state.setup, variant=Variant(**rules))
    return replace(state, setup=setup)


def hit(
    state: State, who: int, damage: int, *answers: Any, held_back: bool = False
) -> Played:
    return tk.play(wounds.take_damage, state, who, damage, held_back, answers=answers)


def reduced(state: State, who: int, points: int, *answers: Any) -> Played:
    return tk.play(wounds.reduce_hp, state, who, points, answers=answers)


def put_at(
    state: State, who: int, points: int, *answers: Any, held_back: bool = False
) -> Played:
    return tk.play(wounds.set_hp, state, who, points, held_back, answers=answers)


def wound(total: int, *answers: Any, damage: int = 5, **sheet: Any) -> State:
    """Odile, at 3 HP, takes damage, and this row comes up."""
    first = (total // 2, total - total // 2)
    state: State = hit(met(**sheet), ODILE, damage, first, *answers).result
    return state


def fate(state: State, who: int = ODILE) -> str:
    if who in state.dead:
        return "dead"
    return "down" if who in state.incapacitated else "up"


def down(**sheet: Any) -> State:
    """Odile lies at -2."""
    return wound(7, **sheet)
