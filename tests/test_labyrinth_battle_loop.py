"""Labyrinth Battle: the kit and a straight loop end the same battles the same way."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from benchmarks.hand_written_labyrinth import PLAYS, battle, plain
from benchmarks.labyrinth import BRANNOC, FACING, KNIGHT, played, struck, trusted
from tabletop_kit import labyrinth_battle
from tabletop_kit.core.menus import Menu, Refused
from tabletop_kit.labyrinth_battle import (
    BadStatus,
    Encounter,
    armory,
    attacks,
    rounds,
    targets,
)

STAIRS = labyrinth_battle.samples["kitchen_stairs"]


def changed(*people: int, **more: Any) -> Encounter:
    """The kitchen stairs with something else about some of them."""
    sheets = [
        replace(sheet, **more) if who in people else sheet
        for who, sheet in enumerate(STAIRS.combatants)
    ]
    return replace(STAIRS, combatants=tuple(sheets))


def same(encounter: Encounter, seeds: int) -> Counter[str]:
    """The endings of so many battles, the same in both."""
    found = Counter[str]()
    for seed in range(seeds):
        kit = played(encounter, seed, plain)
        assert kit == battle(encounter, seed), seed
        found[kit.ending] += 1
    return found


@pytest.mark.parametrize("name", PLAYS)
def test_they_end_alike(name: str) -> None:
    found = same(labyrinth_battle.samples[name], 40)
    assert min(found["the court wins"], found["the foes win"]) >= 8


def test_they_end_alike_among_the_careless() -> None:
    """Valor of 1 and evasion of 12: most blows are criticals or fumbles."""
    same(changed(*range(9), valor=1, evasion=12), 30)


def test_they_end_alike_near_death() -> None:
    """Little evasion and few HP: many fatal wounds, many statuses."""
    same(changed(0, 1, 2, 3, evasion=5, hp_max=5, followers=9), 40)


def test_they_end_alike_in_armour_and_in_the_dark() -> None:
    names = ("sling", "bread knife", "tin armour", "quilted coat", "star fragment")
    armoured = changed(*range(9), items=armory.things(*names))
    same(replace(armoured, lit=()), 20)


@pytest.mark.parametrize("status", BadStatus)
def test_they_end_alike_with_every_bad_status(status: BadStatus) -> None:
    setup = changed(0, 2, 3, 4, 6, statuses=(status,))
    same(setup, 15)


def test_trusted_answers_are_the_same_answers() -> None:
    for seed in range(3):
        assert played(STAIRS, seed, trusted) == played(STAIRS, seed, plain)


def test_the_stairs_are_plain() -> None:
    assert [len(side) for side in STAIRS.members.values()] == [4, 5]
    assert not STAIRS.learned and not STAIRS.known_traps and not STAIRS.unidentified


def test_every_row_of_both_attacks_is_in_the_outcomes() -> None:
    felled = struck(KNIGHT, BRANNOC)
    assert not felled.unresolved
    fates = {(BRANNOC in s.dead, BRANNOC in s.incapacitated) for s in felled.ways}
    assert fates == {(True, False), (False, True), (False, False)}
    assert {doom.at for s in felled.ways for doom in s.dooms} == {
        "battle_end",
        "quarter_end",
        "quarters",
    }
    ill = {status for s in felled.ways for who, status in s.statuses if who == BRANNOC}
    assert ill == set(BadStatus)
    blow = struck(BRANNOC, KNIGHT)
    assert max(len(s.joined) for s in blow.ways) == 6
    assert any(s.again == BRANNOC for s in blow.ways)
    assert not FACING.dead


def test_plain_is_legal_and_asked_nothing_twice() -> None:
    def checked(menu: Menu[Any]) -> Any:
        answer = plain(menu)
        assert menu.allows(answer)
        return answer

    for seed in range(4):
        assert played(STAIRS, seed, checked) == battle(STAIRS, seed)


def test_what_was_listed_is_legal_and_anything_else_is_looked_at() -> None:
    def liar(menu: Menu[Any]) -> Any:
        first = next(menu.values())
        return rounds.Pick("Mold Knight") if isinstance(first, rounds.Pick) else first

    with pytest.raises(Refused, match="Mold Knight"):
        for seed in range(9):  # until the court goes first
            played(STAIRS, seed, liar)


def test_one_more_action_is_a_unit_even_in_an_ambush() -> None:
    state = replace(FACING, phase="ambush", first=None, again=KNIGHT)
    answers = [attacks.Attack("mouldy lance", targets.Use.AS_ITSELF, "Brannoc"), (3, 4)]
    after = tk.play(rounds.advance, state, answers=[*answers, (3, 4)]).result
    assert after.again is None and KNIGHT in after.acted and after.phase == "ambush"
    assert after.hp[BRANNOC] < 1
