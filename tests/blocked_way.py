"""Aki, Ren and Mio on the way forward, and the foes who stand in it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.labyrinth_battle import moving
from tabletop_kit.labyrinth_battle.encounters import Encounter
from tabletop_kit.labyrinth_battle.measures import CharacterKind, Side
from tabletop_kit.labyrinth_battle.moving import Moves
from tabletop_kit.labyrinth_battle.sheets import Combatant
from tabletop_kit.labyrinth_battle.states import State, opening

COURT, FOE = Side
PC, MONSTER = CharacterKind.PC, CharacterKind.MONSTER
AKI, REN, MIO = range(3)


def court(name: str, **values: Any) -> Combatant:
    return Combatant(name, COURT, PC, **{"hp_max": 10, "valor": 3, **values})


def foe(name: str, valor: int, **values: Any) -> Combatant:
    given = {"hp_max": 10, "monster_kind": "foe", **values}
    return Combatant(name, FOE, MONSTER, valor=valor, **given)


def met(
    *foes: tuple[int, int], at: tuple[int, int, int] = (4, 1, 1), **more: Any
) -> State:
    """Aki, Ren and Mio in these areas, and foes of a valor in an area."""
    ours = (
        court("Aki", followers=more.pop("aki", 0)),
        court("Ren", followers=more.pop("ren", 0)),
        court("Mio", followers=more.pop("mio", 0)),
    )
    theirs = tuple([foe(f"F{n}", valor) for n, (valor, _) in enumerate(foes)])
    areas = (*at, *[area for _, area in foes])
    setup = Encounter((*ours, *theirs), areas, **more)
    return replace(opening(setup), phase="turns", first=COURT)


def codes(state: State, who: int, answer: Any) -> list[str]:
    return [one.code for one in Moves(state, who).why_not(answer)]


def held(state: State, who: int = AKI) -> tuple[int, int] | None:
    block = moving.blockade(state, who)
    return (block.heads, block.valor) if block else None


def stepped(state: State, *answers: Any, who: int = AKI) -> Any:
    return tk.play(moving.move, state, who, answers=answers)
