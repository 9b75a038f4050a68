"""Labyrinth Battle, weapons and targets: with what, at whom, who may hold back."""

from __future__ import annotations

from typing import Any

from labyrinth_fights import (
    AS_ITSELF,
    BOW,
    IMPROVISED,
    KETTLE,
    LAMP,
    SEVEN,
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

from tabletop_kit.labyrinth_battle import targets
from tabletop_kit.labyrinth_battle.attacks import Attack, AttackAtRandom, Attacks
from tabletop_kit.labyrinth_battle.measures import BadStatus, CharacterKind
from tabletop_kit.labyrinth_battle.states import State

ROSA, PIM, GOB, BAT = range(4)


def codes(state: State, who: int, *answer: Any) -> list[str]:
    reasons = Attacks(state, who).why_not(Attack(*answer))
    return [reason.code for reason in reasons]


def clauses(state: State, who: int, *answer: Any) -> list[str]:
    reasons = Attacks(state, who).why_not(Attack(*answer))
    return [reason.clause for reason in reasons]


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
        arm = targets.as_weapon(item, IMPROVISED)
        assert arm is not None
        assert (arm.kind, arm.range, arm.power) == ("melee", 0, 1)
    assert targets.as_weapon(KETTLE, AS_ITSELF) is None
    assert codes(room(), ROSA, "kettle", AS_ITSELF, "Gob") == ["no_weapon"]
    hit = strike(room(), ROSA, GOB, SEVEN, weapon="sword", use=IMPROVISED)
    assert hit.result.hp[GOB] == 12 - 1
    assert "LB-WPN-03" in hit.events[0].under


def test_the_first_of_two_of_one_name_is_meant() -> None:
    strong = replace(SWORD, power=5)
    state = fight(pc("Rosa", items=(SWORD,)), foe("Gob", items=(strong,)))
    (own,), (theirs,) = state.carried[0], state.carried[1]
    state = state.with_carried(1, ()).with_carried(0, (own, theirs))
    assert strike(state, 0, 1, SEVEN).result.hp[1] == 12 - 3
    assert targets.thing_named(state, 0, "sword") == state.carried[0][0]


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


def test_the_foolish_hold_back_by_the_same_rule() -> None:
    fool = room(lit=(3,)).gains(ROSA, BadStatus.FOOLISH)
    menu = Attacks(fool, ROSA)
    assert menu.allows(AttackAtRandom("sword", AS_ITSELF, True))
    why = menu.why_not(AttackAtRandom("bow", AS_ITSELF, True))
    assert [reason.code for reason in why] == ["ranged"]
