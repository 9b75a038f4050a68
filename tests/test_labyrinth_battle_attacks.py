"""Labyrinth Battle, attacks: the hit check, and what it leads to."""

from __future__ import annotations

from fractions import Fraction
from time import process_time
from typing import Any

import pytest
from labyrinth_fights import (
    AS_ITSELF,
    ONES,
    SEVEN,
    SIXES,
    SWORD,
    fight,
    foe,
    pc,
    strike,
)
from labyrinth_fights import (
    four_in_a_room as room,
)
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.menus import Menu
from tabletop_kit.labyrinth_battle import attacks, checks, damage, fumbles, rounds
from tabletop_kit.labyrinth_battle.attacks import Attack, AttackAtRandom, Attacks
from tabletop_kit.labyrinth_battle.battlefields import Cooperation
from tabletop_kit.labyrinth_battle.measures import ActionType, BadStatus, CharacterKind
from tabletop_kit.labyrinth_battle.sheets import Empower, Skill
from tabletop_kit.labyrinth_battle.states import State

ROSA, PIM, GOB, BAT = range(4)


def firstly(menu: Menu[Any]) -> Any:
    """The first answer, and no action after the first."""
    if isinstance(menu, rounds.Actions):
        return rounds.Pass()
    return next(menu.values())


# ---- the foolish -------------------------------------------------------------------


def test_LB_FOOL_03_chance_picks_among_the_legal_targets() -> None:
    fool = room(lit=(3, 5)).gains(ROSA, BadStatus.FOOLISH)
    chosen = Attacks(fool, ROSA).why_not(Attack("bow", AS_ITSELF, "Gob"))
    assert [reason.code for reason in chosen] == ["foolish"]
    ends = tk.outcomes(
        attacks.attack_at_random,
        fool,
        ROSA,
        AttackAtRandom("bow", AS_ITSELF),
        policy=firstly,
    )
    struck = ends.chance(lambda end: end.hp[GOB] < 12 and end.hp[BAT] == 12)
    other = ends.chance(lambda end: end.hp[BAT] < 12 and end.hp[GOB] == 12)
    assert struck == other != 0
    alone = fool.dies(GOB).put(BAT, 6)
    why = Attacks(alone, ROSA).why_not(AttackAtRandom("bow", AS_ITSELF))
    assert [reason.code for reason in why] == ["no_target"]
    sane = Attacks(room(), ROSA).why_not(AttackAtRandom("sword", AS_ITSELF))
    assert [reason.code for reason in sane] == ["not_foolish"]


# ---- the hit check -----------------------------------------------------------------


def result_of(
    state: State, who: int, target: int, *faces: tuple[int, ...], back: bool = False
) -> checks.CheckResult:
    played = tk.play(attacks.hit, state, who, target, back, faces=faces)
    result: checks.CheckResult = played.result[1]
    return result


def test_LB_HIT_01_valor_3_against_evasion_9() -> None:
    found = tk.outcomes(attacks.hit, room(), ROSA, GOB)
    assert found.chance(lambda pair: pair[1].succeeds) == Fraction(26, 36)


def test_LB_HIT_02_LB_HIT_04_reached_or_missed_by_1() -> None:
    two = fight(pc("Rosa", valor=2), foe("Gob"))
    assert strike(two, 0, 1, SEVEN).result.hp[1] == 12 - 3
    missed = strike(two, 0, 1, (4, 2))
    assert missed.result == two.done(0)
    assert isinstance(missed.events[-1], attacks.Missed)


def test_LB_HIT_03_the_table_comes_before_the_damage() -> None:
    played = strike(room(), ROSA, GOB, SIXES, (2, 3))
    assert played.result.hp[GOB] == 12 - 3 * 2
    names = [type(event).__name__ for event in played.events]
    assert names.index("CriticalRow") < names.index("Hit")


def test_LB_HIT_05_the_fumble_table_and_nothing_else() -> None:
    played = strike(room(), ROSA, GOB, ONES, SEVEN, (2,))
    assert played.result.hp[GOB] == 12 and played.result.hp[ROSA] == 12 - 2
    assert played.result.acted == (ROSA,)


def test_LB_EHQ_01_LB_EDGE_57_whoever_stands_in_the_enemy_headquarters() -> None:
    there = room(lit=(5,)).put(ROSA, 6)
    assert result_of(there, ROSA, BAT, (2, 2)) == "success"
    assert result_of(there.put(ROSA, 5), ROSA, BAT, (2, 2)) == "failure"
    assert attacks.hit_bonus(room().put(GOB, 1), GOB, False) == 2
    assert attacks.hit_bonus(room().put(GOB, 6), GOB, False) == 0
    assert attacks.hit_bonus(room().put(ROSA, 1), ROSA, False) == 0


def test_LB_EDGE_22_holding_back_in_the_enemy_headquarters() -> None:
    there = room().put(ROSA, 6).put(GOB, 6)
    assert attacks.hit_bonus(there, ROSA, True) == 0
    hit = strike(there, ROSA, GOB, (3, 3), held_back=True)
    assert hit.result.hp[GOB] == 12 - (3 - 2)


def test_LB_EDGE_43_the_fallen_have_evasion_7() -> None:
    state = fight(pc("Rosa"), foe("Gob", evasion=5))
    assert result_of(state, 0, 1, (1, 2)) == "success"
    lying = state.with_hp(1, 0).falls(1)
    assert result_of(lying, 0, 1, (1, 2)) == "failure"
    assert result_of(state.gains(1, BadStatus.SLEEP), 0, 1, (1, 2)) == "failure"


def test_LB_EDGE_29_cursed_and_distracted_a_1_and_a_2() -> None:
    state = fight(pc("Rosa", valor=9), foe("Gob"))
    state = state.gains(0, BadStatus.CURSE).gains(0, BadStatus.DISTRACTION)
    played = strike(state, 0, 1, (1, 2), SEVEN, (1,))
    assert any(isinstance(event, fumbles.FumbleRow) for event in played.events)
    assert not played.result.has(0, BadStatus.DISTRACTION)
    assert played.result.has(0, BadStatus.CURSE)
    assert played.result.hp[1] == 12


def test_LB_EDGE_54_a_double_six_on_a_hidden_evasion() -> None:
    state = fight(pc("Rosa"), foe("Gob", evasion=77), unidentified=("Gob",))
    played = strike(state, 0, 1, SIXES, (2, 3))
    assert played.result.hp[1] == 12 - 6
    knows = state.knower("court")
    for event in played.events:
        seen = event.seen_by(knows)
        assert "77" not in seen.words(state.setup.name_of)
        assert 77 not in [number for _, number, _ in seen.account()]


def test_LB_DMG_01_acted_whatever_comes_of_it() -> None:
    for answers in ((SEVEN,), ((1, 2),), (ONES, (6, 5))):
        assert strike(room(), ROSA, GOB, *answers).result.acted == (ROSA,)


def test_the_power_of_the_side_is_raised_by_its_skills() -> None:
    orders = Skill("orders", ActionType.CONSTANT, Empower(2))
    state = fight(pc("Rosa"), pc("Pim", skills=(orders,)), foe("Gob"))
    assert strike(state, 0, 2, SEVEN).result.hp[2] == 12 - 3 - 2
    assert strike(state.with_hp(1, 0).falls(1), 0, 2, SEVEN).result.hp[2] == 12 - 3


def test_help_for_a_hit_is_used_up_by_it() -> None:
    state = fight(pc("Rosa"), pc("Pim", affection=(("Rosa", 2),)), foe("Gob"))
    helped = replace(state, cooperations=(Cooperation(1, 0, "hit"),))
    assert strike(helped, 0, 2, (2, 2)).result.hp[2] == 9
    assert strike(helped, 0, 2, (2, 2)).result.cooperations == ()
    assert strike(state, 0, 2, (2, 2)).result.hp[2] == 12


# ---- the whole of it ---------------------------------------------------------------


def test_every_offered_attack_runs_and_all_is_told() -> None:
    state = room(lit=(3, 5)).put(PIM, 3)
    for who in range(4):
        for answer in Attacks(state, who).values():
            assert isinstance(answer, Attack)
            for faces in (SEVEN, (1, 2)):
                played = tk.play(attacks.attack, state, who, answer, answers=[faces])
                assert played.told[-1].hp == played.result.hp


@pytest.mark.parametrize("points", [0, 2])
def test_one_attack_with_all_its_tables_is_quick_and_adds_up(points: int) -> None:
    def hopes(menu: Menu[Any]) -> Any:
        wanted = damage.SpendHope(points)
        return wanted if menu.allows(wanted) else firstly(menu)

    queen = foe("Queen", CharacterKind.IMPORTANT_NPC, hope=2, items=(SWORD,))
    state = fight(pc("Rosa", hp=5, followers=4), queen, foe("Gob"))
    start = process_time()
    ends = tk.outcomes(
        attacks.attack, state, 1, Attack("sword", AS_ITSELF, "Rosa"), policy=hopes
    )
    assert process_time() - start < 0.5  # 20 to 60 ms alone
    assert sum(ends.ways.values()) == ends.total and not ends.unresolved
    missed = ends.chance(lambda end: end == state.done(1))
    no_difference = Fraction(5 + 3 + 2, 36)  # rows 6, 10 and 11 of the fumble table
    assert missed == Fraction(14, 36) + Fraction(1, 36) * no_difference
