"""Death: what the dead cannot do, who comes back, and who is gone for good."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.labyrinth_battle import (
    armory,
    battles,
    death,
    ghosts,
    rounds,
    sheets,
    states,
    using,
    wounds,
)
from tabletop_kit.labyrinth_battle.battlefields import Cooperation, Doom
from tabletop_kit.labyrinth_battle.encounters import Variant
from tabletop_kit.labyrinth_battle.measures import BadStatus, CharacterKind, Side
from tabletop_kit.labyrinth_battle.states import State

PIM, ODILE, BRANNOC, SNUB, RATTLE, SLIME = range(6)
PEOPLE = list(battles.samples["cellar"].combatants)
CARRIED = tuple(
    [armory.goods[one] for one in ("resurrection potion", "grail", "packed lunch")]
)
PEOPLE[BRANNOC] = replace(PEOPLE[BRANNOC], items=CARRIED)
CELLAR = replace(battles.samples["cellar"], combatants=tuple(PEOPLE))
BEGUN = replace(states.opening(CELLAR), phase="turns", first=Side.COURT)
KILLED = BEGUN.with_hp(ODILE, 0).dies(ODILE)
NO_GHOST = ghosts.Rest()


def codes(state: State, item: str) -> list[str]:
    answer = using.UseItem(item, "Odile")
    return [one.code for one in rounds.Actions(state, BRANNOC).why_not(answer)]


def used(state: State, item: str) -> State:
    answers = [using.UseItem(item, "Odile")]
    after: State = tk.play(rounds.act, state, BRANNOC, answers=answers).result
    return after


def ruled(state: State, **rules: Any) -> State:
    return replace(state, setup=replace(state.setup, variant=Variant(**rules)))


def test_the_dead_are_acted_and_cannot_act() -> None:
    died = tk.play(death.die, BEGUN, ODILE, answers=[NO_GHOST])
    assert ODILE in died.result.acted and not died.result.is_able(ODILE)
    assert not died.result.can_react(ODILE) and not died.result.is_up(ODILE)
    assert died.events == [death.Died(ODILE)] and died.told == [died.result]
    unacted = replace(died.result, acted=())
    (why,) = rounds.Picks(unacted, Side.COURT).why_not(rounds.Pick("Odile"))
    assert why.clause == "LB-DEAD-01"


def test_death_happens_once_and_takes_what_was_on_them() -> None:
    sick = BEGUN.gains(ODILE, BadStatus.POISON).gains(PIM, BadStatus.POISON)
    sick = sick.falls(ODILE).doomed(Doom(ODILE, "battle_end"))
    sick = replace(sick, cooperations=(Cooperation(PIM, ODILE, "hit"),))
    died = tk.play(death.die, sick, ODILE, answers=[NO_GHOST]).result
    assert died.statuses == ((PIM, BadStatus.POISON),)
    assert died.dooms == () and died.cooperations == () and died.incapacitated == ()
    again = tk.play(death.die, died, ODILE)
    assert again.result == died and again.events == []


def test_ordinary_healing_is_nothing_to_the_dead() -> None:
    assert codes(KILLED, "packed lunch") == ["dead"]
    healed = tk.play(wounds.heal, KILLED, ODILE, 5)
    assert healed.result == KILLED and healed.events == []
    assert codes(BEGUN.with_hp(ODILE, 0).falls(ODILE), "packed lunch") == []


def test_potion_and_grail_raise_the_dead() -> None:
    assert codes(KILLED, "resurrection potion") == codes(KILLED, "grail") == []
    risen = used(KILLED, "resurrection potion")
    assert risen.is_up(ODILE) and risen.hp[ODILE] == 5
    assert used(KILLED, "grail").hp[ODILE] == KILLED.sheet(ODILE).hp_max
    assert used(KILLED.with_hp(ODILE, -9), "resurrection potion").hp[ODILE] == 5
    assert codes(BEGUN, "resurrection potion") == ["not_dead"]
    told = tk.play(death.revive, KILLED, ODILE, sheets.Revive(5))
    assert told.events == [death.Revived(ODILE, 5)] and told.told == [told.result]
    alive = tk.play(death.revive, BEGUN, ODILE, sheets.Revive(5))
    assert alive.result == BEGUN


def test_LB_EDGE_47_the_potion_is_not_for_ghosts_the_grail_is() -> None:
    haunting = replace(KILLED, ghosts=(ODILE,))
    assert codes(haunting, "resurrection potion") == ["a_ghost"]
    kept = tk.play(death.revive, haunting, ODILE, sheets.Revive(5)).result
    assert kept == haunting
    assert codes(haunting, "grail") == []
    risen = used(haunting, "grail")
    assert risen.is_up(ODILE) and risen.ghosts == ()


@pytest.mark.parametrize(("covers", "waits"), [(True, False), (False, True)])
def test_LB_EDGE_69_when_the_revived_may_act(covers: bool, waits: bool) -> None:
    state = ruled(KILLED, refresh_covers_fallen=covers)
    assert ODILE in used(state, "resurrection potion").acted  # the same round
    later = replace(rounds.refreshed(state), phase="turns", first=Side.COURT)
    risen = used(later, "resurrection potion")
    assert (ODILE in risen.acted) == waits


def test_the_dead_of_an_earlier_battle_can_be_raised_in_the_same_game() -> None:
    dead = replace(PEOPLE[ODILE], is_dead=True)
    people = (*PEOPLE[:ODILE], dead, *PEOPLE[BRANNOC:])
    second = states.opening(replace(CELLAR, combatants=people))
    second = replace(second, phase="turns", first=Side.COURT)
    assert used(second, "resurrection potion").is_up(ODILE)


def test_at_the_end_of_the_game_the_dead_are_gone() -> None:
    dead = replace(PEOPLE[ODILE], is_dead=True)
    ghost = replace(PEOPLE[PIM], is_dead=True, is_ghost=True)
    assert death.end_of_game([ghost, dead, PEOPLE[BRANNOC]]) == (PEOPLE[BRANNOC],)


def test_who_is_asked_about_the_ghost_state() -> None:
    assert not tk.play(death.die, BEGUN, SNUB).result.ghosts
    people = list(PEOPLE)
    people[ODILE] = replace(PEOPLE[ODILE], kind=CharacterKind.IMPORTANT_NPC)
    npc = states.opening(replace(CELLAR, combatants=tuple(people)))
    assert not tk.play(death.die, npc, ODILE).result.ghosts
    off = ruled(BEGUN, ghost_rule=False)
    assert not tk.play(death.die, off, ODILE).result.ghosts
