"""Labyrinth Battle, attacks: weapons, targets, the hit check, what it leads to."""

from __future__ import annotations

from fractions import Fraction
from time import process_time
from typing import Any

import pytest
from labyrinth_fights import (
    AS_ITSELF,
    BOW,
    IMPROVISED,
    KETTLE,
    LAMP,
    ONES,
    PIKE,
    SEVEN,
    SIXES,
    SWORD,
    fight,
    foe,
    pc,
    strike,
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


def room(**setup: Any) -> State:
    """Rosa with sword, bow and kettle in 3, Pim with a pike in 2, Gob in 3, Bat in 5."""
    return fight(
        pc("Rosa", items=(SWORD, BOW, KETTLE)),
        pc("Pim", items=(PIKE, LAMP)),
        foe("Gob"),
        foe("Bat"),
        areas=(3, 2, 3, 5),
        **setup,
    )


def codes(state: State, who: int, *answer: Any) -> list[str]:
    reasons = Attacks(state, who).why_not(Attack(*answer))
    return [reason.code for reason in reasons]


def clauses(state: State, who: int, *answer: Any) -> list[str]:
    reasons = Attacks(state, who).why_not(Attack(*answer))
    return [reason.clause for reason in reasons]


def aimed_at(state: State, who: int, weapon: str, use: attacks.Use) -> set[str]:
    answers = Attacks(state, who).values(Attack)
    return {
        one.target
        for one in answers
        if isinstance(one, Attack) and (one.weapon, one.use) == (weapon, use)
    }


# ---- with what ---------------------------------------------------------------------


def test_LB_WPN_01_only_from_the_own_slots() -> None:
    assert codes(room(), ROSA, "pike", AS_ITSELF, "Gob") == ["not_carried"]
    assert codes(room(), ROSA, "sword", AS_ITSELF, "Gob") == []
    assert clauses(room(), ROSA, "pike", IMPROVISED, "Gob") == ["LB-WPN-01"]


def test_LB_WPN_01_empty_slots_attack_nobody() -> None:
    state = room().with_carried(ROSA, ())
    assert not [*Attacks(state, ROSA).values()]
    assert codes(state, ROSA, "pike", AS_ITSELF, "Gob")[0] == "nothing_carried"


def test_LB_WPN_03_any_item_has_range_0_and_power_1() -> None:
    for item in (SWORD, BOW, KETTLE, LAMP):
        arm = attacks.as_weapon(item, IMPROVISED)
        assert arm is not None
        assert (arm.kind, arm.range, arm.power) == ("melee", 0, 1)
    assert attacks.as_weapon(KETTLE, AS_ITSELF) is None
    assert codes(room(), ROSA, "kettle", AS_ITSELF, "Gob") == ["no_weapon"]
    hit = strike(room(), ROSA, GOB, SEVEN, weapon="sword", use=IMPROVISED)
    assert hit.result.hp[GOB] == 12 - 1
    assert "LB-WPN-03" in hit.events[0].under


def test_the_first_of_two_of_one_name_is_meant() -> None:
    strong = replace(SWORD, power=5)
    state = fight(pc("Rosa", items=(SWORD, strong)), foe("Gob"))
    assert strike(state, 0, 1, SEVEN).result.hp[1] == 12 - 3
    assert attacks.thing_named(state, 0, "sword") == state.carried[0][0]


# ---- at whom -----------------------------------------------------------------------


def test_LB_TGT_02_range_1_reaches_three_areas() -> None:
    state = room().put(PIM, 3)
    reached = {
        area
        for area in range(1, 7)
        if not codes(state.put(GOB, area), PIM, "pike", AS_ITSELF, "Gob")
    }
    assert reached == {2, 3, 4}
    far = Attacks(state.put(GOB, 5), PIM).why_not(Attack("pike", AS_ITSELF, "Gob"))
    assert dict(far[0].numbers) == {"distance": 2, "range": 1}


def test_LB_TGT_03_range_0_is_the_own_area() -> None:
    assert codes(room().put(GOB, 4), ROSA, "sword", AS_ITSELF, "Gob") == ["other_area"]
    assert clauses(room(), ROSA, "sword", AS_ITSELF, "Bat") == ["LB-TGT-03"]


def test_LB_TGT_04_lit_3_and_4_a_bow_of_range_2() -> None:
    state = room(lit=(3, 4)).put(PIM, 0)
    assert codes(state.put(GOB, 4), ROSA, "bow", AS_ITSELF, "Gob") == []
    assert codes(state.put(GOB, 5), ROSA, "bow", AS_ITSELF, "Gob") == ["dark"]
    assert codes(state.put(GOB, 5), ROSA, "sword", AS_ITSELF, "Gob") == ["other_area"]


def test_LB_TGT_01_the_fallen_yes_the_dead_and_the_gone_no() -> None:
    lying = room().with_hp(GOB, 0).falls(GOB)
    assert codes(lying, ROSA, "sword", AS_ITSELF, "Gob") == []
    assert codes(lying.dies(GOB), ROSA, "sword", AS_ITSELF, "Gob") == ["dead"]
    assert codes(room().put(GOB, 0), ROSA, "sword", AS_ITSELF, "Gob") == ["gone"]


def test_LB_ATK_01_never_the_own_side() -> None:
    together = room().put(PIM, 3)
    assert codes(together, ROSA, "sword", AS_ITSELF, "Pim") == ["own_side"]
    assert codes(room().put(BAT, 3), GOB, "claws", AS_ITSELF, "Bat") == ["own_side"]


def test_LB_EDGE_30_an_archer_in_the_dark() -> None:
    dark = room().put(PIM, 0)
    assert dark.lit() == frozenset()
    assert codes(dark, ROSA, "bow", AS_ITSELF, "Gob") == ["dark"]
    assert codes(dark, ROSA, "bow", IMPROVISED, "Gob") == []
    assert codes(dark, ROSA, "bow", IMPROVISED, "Gob", True) == []


def test_LB_EDGE_31_only_the_light_on_the_target_counts() -> None:
    shooter = room(lit=(3,)).put(PIM, 0)
    assert codes(shooter, ROSA, "bow", AS_ITSELF, "Bat") == ["dark"]
    target = room(lit=(5,)).put(PIM, 0)
    assert codes(target, ROSA, "bow", AS_ITSELF, "Bat") == []


def test_LB_HOLD_01_a_PC_with_a_melee_weapon() -> None:
    state = room(lit=(3,))
    assert codes(state, ROSA, "sword", AS_ITSELF, "Gob", True) == []
    assert codes(state, ROSA, "bow", AS_ITSELF, "Gob", True) == ["ranged"]
    assert codes(state, GOB, "claws", AS_ITSELF, "Rosa", True) == ["not_a_pc"]
    npc = fight(pc("Rosa"), foe("Queen", CharacterKind.IMPORTANT_NPC))
    assert codes(npc, 1, "claws", AS_ITSELF, "Rosa", True) == ["not_a_pc"]


def test_what_is_thinkable_without_a_reason_is_what_is_legal() -> None:
    dark = room().put(PIM, 3)
    for state in (room(), dark, room().gains(ROSA, BadStatus.FOOLISH)):
        for who in range(4):
            menu = Attacks(state, who)
            fine = [one for one in menu.thinkable() if not menu.why_not(one)]
            assert fine == [*menu.values()]


def test_a_hidden_range_reaches_nobody() -> None:
    state = fight(pc("Rosa"), foe("Gob"), areas=(3, 5), unidentified=("Gob",))
    claws = Attacks(state, 1).why_not(Attack("claws", AS_ITSELF, "Rosa"))
    assert claws[0].seen_by(state.knower("court")).numbers == ()


# ---- the foolish -------------------------------------------------------------------


def test_LB_FOOL_03_chance_picks_among_the_legal_targets() -> None:
    fool = room(lit=(3, 5)).gains(ROSA, BadStatus.FOOLISH)
    assert codes(fool, ROSA, "bow", AS_ITSELF, "Gob") == ["foolish"]
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


def test_the_foolish_hold_back_by_the_same_rule() -> None:
    fool = room(lit=(3,)).gains(ROSA, BadStatus.FOOLISH)
    menu = Attacks(fool, ROSA)
    assert menu.allows(AttackAtRandom("sword", AS_ITSELF, True))
    why = menu.why_not(AttackAtRandom("bow", AS_ITSELF, True))
    assert [reason.code for reason in why] == ["ranged"]


# ---- the hit check -----------------------------------------------------------------


def firstly(menu: Menu[Any]) -> Any:
    """The first answer, and no action after the first."""
    if isinstance(menu, rounds.Actions):
        return rounds.Pass()
    return next(menu.values())


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
