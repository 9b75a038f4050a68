"""Labyrinth Battle, damage: the sum, hope, armour, interrupts, holding back."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from labyrinth_fights import (
    AS_ITSELF,
    IMPROVISED,
    KETTLE,
    ONES,
    SEVEN,
    SWORD,
    fight,
    foe,
    pc,
    strike,
)
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.menus import Menu
from tabletop_kit.labyrinth_battle import (
    attacks,
    bad_statuses,
    damage,
    endings,
    falling,
    wounds,
)
from tabletop_kit.labyrinth_battle.attacks import Blow
from tabletop_kit.labyrinth_battle.breakthroughs import LetAllPass
from tabletop_kit.labyrinth_battle.encounters import Encounter, Variant
from tabletop_kit.labyrinth_battle.measures import (
    ActionType,
    BadStatus,
    CharacterKind,
    Side,
)
from tabletop_kit.labyrinth_battle.sheets import Item, Reduce, Skill
from tabletop_kit.labyrinth_battle.states import State, opening

NPC, IMPORTANT = CharacterKind.NPC, CharacterKind.IMPORTANT_NPC
SHIELD = Skill("shield", ActionType.INTERRUPT, Reduce(2), range=1)
PARRY = Skill("parry", ActionType.INTERRUPT, Reduce(3))
HIDE = Skill("hide", ActionType.CONSTANT, Reduce(2))
COAT = Item("coat", reduction=1)
TAKE = damage.TakeIt()


def lowered(state: State, target: int, points: int, *answers: Any) -> Any:
    return tk.play(damage.lowered, state, target, points, answers=answers)


# ---- the sum -----------------------------------------------------------------------


def test_LB_DMG_01_power_and_hostility_toward_this_target() -> None:
    rosa = pc("Rosa", hostility=(("Gob", 2),))
    state = fight(rosa, foe("Gob"), foe("Bat"))
    assert strike(state, 0, 1, SEVEN).result.hp[1] == 12 - 5
    assert strike(state, 0, 2, SEVEN).result.hp[2] == 12 - 3
    assert strike(state, 0, 2, (5, 6)).result.hp[2] == 12 - 3


def test_LB_HOLD_02_two_less_to_hit_and_two_less_power() -> None:
    rosa = pc("Rosa", hostility=(("Gob", 1),))
    state = fight(rosa, foe("Gob"))
    assert strike(state, 0, 1, (3, 5), held_back=True).result.hp[1] == 12 - 2
    assert strike(state, 0, 1, (3, 4), held_back=True).result.hp[1] == 12
    assert strike(state, 0, 1, (3, 3)).result.hp[1] == 12 - 4


def test_LB_EDGE_28_the_floor_is_at_the_end() -> None:
    state = fight(pc("Rosa", items=(KETTLE,), hope=1), foe("Gob"))

    def tap(*answers: Any) -> Any:
        swung = (state, 0, 1, (6, 5), *answers)
        return strike(*swung, use=IMPROVISED, held_back=True).events

    hit = [e for e in tap(damage.SpendHope(1), (1,)) if isinstance(e, damage.Hit)]
    assert (hit[0].power, hit[0].hope, hit[0].damage) == (-1, 1, 0)
    hit = [e for e in tap(damage.SpendHope(1), (3,)) if isinstance(e, damage.Hit)]
    assert hit[0].damage == 2
    hit = [e for e in tap(damage.SpendHope(0)) if isinstance(e, damage.Hit)]
    assert hit[0].damage == 0


# ---- hope --------------------------------------------------------------------------


def offered(state: State, who: int) -> list[int]:
    menu = damage.Hopes(state, who, Blow(who, 1, 0, 3, 3))
    return [answer.points for answer in menu.values()]


@pytest.mark.parametrize(("valor", "hope", "most"), [(3, 5, 3), (3, 2, 2), (1, 9, 1)])
def test_LB_HOPE_01_up_to_valor_and_hope(valor: int, hope: int, most: int) -> None:
    state = fight(pc("Rosa", valor=valor, hope=hope), foe("Gob"))
    assert offered(state, 0) == list(range(most + 1))
    menu = damage.Hopes(state, 0, Blow(0, 1, 0, 3, 3))
    code = "above_valor" if valor < hope else "no_hope"
    assert [r.code for r in menu.why_not(damage.SpendHope(most + 1))] == [code]


def test_LB_HOPE_01_nobody_is_asked_who_could_spend_none() -> None:
    for who in (pc("Rosa", valor=0, hope=3), pc("Rosa", hope=0)):
        strike(fight(who, foe("Gob", evasion=2)), 0, 1, SEVEN)
    for kind in (CharacterKind.MONSTER, NPC):
        state = fight(pc("Rosa"), foe("Gob", kind, hope=3))
        assert strike(state, 1, 0, SEVEN).result.hp[0] == 12 - 2
    queen = fight(pc("Rosa"), foe("Queen", IMPORTANT, hope=3))
    struck = strike(queen, 1, 0, SEVEN, damage.SpendHope(2), (4, 4))
    assert struck.result.hp[0] == 12 - 2 - 8 and struck.result.hope[1] == 1


def test_LB_HOPE_02_power_2_hostility_1_two_dice() -> None:
    knife = replace(SWORD, power=2)
    rosa = pc("Rosa", items=(knife,), hope=2, hostility=(("Gob", 1),))
    played = strike(fight(rosa, foe("Gob")), 0, 1, SEVEN, damage.SpendHope(2), (3, 6))
    assert played.result.hp[1] == 12 - 12 and played.result.hope[0] == 0
    found = tk.outcomes(damage.hope_dice, 2)
    assert found.chance(lambda points: points == 9) == Fraction(4, 36)


def test_LB_EDGE_27_a_miss_costs_no_hope() -> None:
    state = fight(pc("Rosa", hope=3), foe("Gob"))
    assert strike(state, 0, 1, (1, 2)).result.hope == state.hope
    assert strike(state, 0, 1, ONES, (6, 5)).result.hope == state.hope


# ---- armour and interrupts ---------------------------------------------------------


def test_LB_DMG_03_the_best_of_a_name_and_the_sum_of_names() -> None:
    gob = foe("Gob", items=(COAT, replace(COAT, reduction=2)), skills=(HIDE,))
    state = fight(pc("Rosa"), gob)
    assert lowered(state, 1, 7).result[1] == 7 - 2 - 2
    assert lowered(state, 1, 3).result[1] == 0
    assert lowered(state, 0, 3).events == []


def test_LB_DMG_02_hp_may_fall_below_0() -> None:
    state = fight(pc("Rosa", items=(replace(SWORD, power=15),)), foe("Gob", NPC))
    assert strike(state, 0, 1, SEVEN).result.hp[1] == -3


def warded() -> State:
    """Rosa parries for herself, Pim has a shield, range 1; Gob strikes."""
    return fight(pc("Rosa", skills=(PARRY,)), pc("Pim", skills=(SHIELD,)), foe("Gob"))


def test_interrupts_are_asked_one_by_one_and_once_a_round() -> None:
    rosas, pims = damage.Ward("Rosa", "parry"), damage.Ward("Pim", "shield")
    both = lowered(warded(), 0, 6, pims, rosas)
    assert both.result[1] == 6 - 2 - 3
    assert both.result[0].reacted == ((0, "parry"), (1, "shield"))
    assert lowered(both.result[0], 0, 6).result[1] == 6  # nobody is asked
    enough = lowered(warded(), 0, 2, rosas)
    assert enough.result[1] == 0  # and nobody is asked for more
    assert lowered(warded(), 0, 6, TAKE).result[1] == 6


def test_interrupts_reach_as_far_as_their_range() -> None:
    apart = warded().put(1, 3)
    assert lowered(apart, 0, 6, damage.Ward("Pim", "shield"), TAKE).result[1] == 4
    far = damage.Wards(warded().put(1, 2), Side.COURT, damage.Incoming(0, 6))
    why = far.why_not(damage.Ward("Pim", "shield"))
    assert [reason.code for reason in why] == ["out_of_reach"]
    assert lowered(warded().put(1, 2), 1, 6, TAKE).result[1] == 6
    alone = warded().put(1, 2).with_hp(0, 0).falls(0)
    assert lowered(alone, 0, 6).result[1] == 6


def test_who_is_down_or_by_house_rule_asleep_uses_no_interrupt() -> None:
    asleep = warded().gains(0, BadStatus.SLEEP)
    ward = damage.Ward("Rosa", "parry")
    assert lowered(asleep, 1, 6, ward, TAKE).result[1] == 3
    strict = replace(asleep.setup, variant=Variant(sleep_blocks_reactions=True))
    menu = damage.Wards(
        replace(asleep, setup=strict), Side.COURT, damage.Incoming(1, 6)
    )
    assert [reason.code for reason in menu.why_not(ward)] == ["cannot_react"]


def test_letting_everything_pass_lasts_for_the_turn() -> None:
    passed = lowered(warded(), 0, 6, LetAllPass()).result
    assert passed[1] == 6 and passed[0].passing == (Side.COURT,)
    assert lowered(passed[0], 0, 6).result[1] == 6


def test_the_obese_pay_for_an_interrupt() -> None:
    state = warded().gains(1, BadStatus.OBESITY).put(0, 3)
    used = lowered(state, 0, 6, damage.Ward("Pim", "shield"), TAKE)
    assert used.result[0].hp[1] == 12 - 1


def test_a_ghost_pays_affection_for_an_interrupt() -> None:
    people = (
        pc("Rosa", is_dead=True, is_ghost=True, hp=-1, skills=(SHIELD,)),
        pc("Pim", affection=(("Rosa", 3),)),
        foe("Gob"),
    )
    state = replace(opening(Encounter(people, (4, 4, 4))), phase="turns")
    ward = damage.Ward("Rosa", "shield")
    paid = lowered(state, 1, 5, ward, (2,))
    assert paid.result[1] == 3 and paid.result[0].affection == ((1, 0, 1),)
    assert paid.result[0].haunted == (0,)
    short = lowered(state, 1, 5, ward, (4,))
    assert short.result[1] == 5 and short.result[0].affection == ((1, 0, 3),)
    no_ghosts = replace(state.setup, variant=Variant(ghost_rule=False))
    assert lowered(replace(state, setup=no_ghosts), 1, 5).result[1] == 5


def test_what_hidden_armour_keeps_off_is_not_told() -> None:
    gob = foe("Gob", items=(COAT,), skills=(HIDE, replace(SHIELD, name="wall")))
    state = fight(pc("Rosa"), gob, unidentified=("Gob",))
    knows = state.knower("court")
    played = lowered(state, 1, 9, damage.Ward("Gob", "wall"))
    for event in played.events:
        words = event.seen_by(knows).words(state.setup.name_of)
        assert "?" in words and "3" not in words and "2" not in words
        assert "wall" not in words


def test_the_power_of_a_hidden_attacker_is_not_told() -> None:
    gob = foe("Gob", hostility=(("Rosa", 1),))
    state = fight(pc("Rosa"), gob, unidentified=("Gob",))
    hit = [e for e in strike(state, 1, 0, SEVEN).events if isinstance(e, damage.Hit)]
    seen = hit[0].seen_by(state.knower("court"))
    assert isinstance(seen, damage.Hit)
    assert (seen.power, seen.hostility, seen.damage) == (None, None, 3)


# ---- what is left ------------------------------------------------------------------


def test_LB_EDGE_16_armour_takes_the_poison_off() -> None:
    rosa = pc("Rosa", items=(COAT,), statuses=(BadStatus.POISON,))
    awake = fight(rosa, foe("Gob"))
    asleep = awake.gains(0, BadStatus.SLEEP)
    assert tk.play(bad_statuses.round_end, asleep).result.is_asleep(0)
    lying = awake.with_hp(0, 0).falls(0)
    assert tk.play(bad_statuses.round_end, lying).result.dead == ()


def test_LB_EDGE_20_the_incapacitated_stay_so_when_held_back() -> None:
    state = fight(pc("Rosa"), foe("Gob")).with_hp(1, 0).falls(1)
    held = strike(state, 0, 1, (5, 4), held_back=True).result
    assert held.incapacitated == (1,) and held.dead == () and held.hp[1] == -1
    assert strike(state, 0, 1, (5, 4)).result.dead == (1,)


def test_LB_EDGE_21_a_rival_at_minus_1_rolls_no_fatal_wound() -> None:
    state = fight(pc("Rosa"), foe("Queen", IMPORTANT, hp=0 + 1))
    low = state.with_hp(1, 1)
    held = strike(low, 0, 1, (5, 4), held_back=True)
    assert held.result.hp[1] == 0 and held.result.incapacitated == (1,)
    strong = fight(
        pc("Rosa", items=(replace(SWORD, power=4),)), foe("Queen", IMPORTANT)
    )
    held = strike(strong.with_hp(1, 1), 0, 1, (5, 4), held_back=True)
    assert held.result.hp[1] == -1 and held.result.incapacitated == (1,)


def test_hold_back_skips_fatal_table_false_rolls_and_death_is_incapacitation() -> None:
    rolls = Variant(hold_back_skips_fatal_table=False)
    queen = foe("Queen", IMPORTANT)
    state = fight(pc("Rosa"), queen, variant=rolls).with_hp(1, 1)
    dead = strike(state, 0, 1, (5, 4), ONES, held_back=True)  # row 2 of the table
    assert dead.result.dead == () and dead.result.incapacitated == (1,)


def test_LB_EDGE_41_the_obese_still_pay_after_the_last_monster() -> None:
    state = fight(pc("Rosa"), foe("Gob")).gains(0, BadStatus.OBESITY)
    state = state.with_hp(0, 1).with_hp(1, 3)
    played = strike(state, 0, 1, SEVEN, SEVEN).result  # and a fatal wound, row 7
    assert played.dead == (1,) and played.incapacitated == (0,)
    closed = tk.play(endings.close, played).result
    assert closed.outcome == "court_won"


def test_LB_EDGE_42_an_ordinary_npc_lies_down_at_minus_4() -> None:
    state = fight(pc("Rosa", items=(replace(SWORD, power=7),)), foe("Tom", NPC))
    played = strike(state.with_hp(1, 3), 0, 1, SEVEN)
    assert played.result.hp[1] == -4 and played.result.incapacitated == (1,)
    assert len(played.rolls) == 1  # no table


def test_LB_EDGE_46_armour_comes_after_the_halving_of_a_fall() -> None:
    state = fight(pc("Rosa", items=(replace(COAT, reduction=2),)), foe("Gob"))
    answers = [(6, 4, 1), falling.GrabHold(), (6, 5)]  # 11, halved to 6
    fallen = tk.play(falling.fall_from_height, state, 0, answers=answers)
    assert fallen.result.hp[0] == 12 - 4


def test_LB_EDGE_61_a_reduction_spares_and_poison_kills_a_spared_monster() -> None:
    state = fight(pc("Rosa"), foe("Gob")).with_hp(1, 1)
    spared = strike(state, 0, 1, (5, 4), held_back=True).result
    assert spared.incapacitated == (1,)
    reduced = tk.play(wounds.reduce_hp, spared, 1, 2).result
    assert reduced.hp[1] == -2 and reduced.incapacitated == (1,)
    poisoned = reduced.gains(1, BadStatus.POISON)
    assert tk.play(bad_statuses.round_end, poisoned).result.dead == (1,)


def test_odds_of_a_hit_with_hope_are_those_of_its_dice() -> None:
    state = fight(pc("Rosa", hope=2), foe("Gob"))
    blow = attacks.aimed(state, 0, "sword", AS_ITSELF, 1, False)

    def spends(menu: Menu[Any]) -> Any:
        return damage.SpendHope(2)

    found = tk.outcomes(damage.summed, state, blow, policy=spends)
    dealt = found.of(lambda pair: pair[1])
    assert dealt.chance(lambda points: points == 3 + 7) == Fraction(6, 36)
    assert found.chance(lambda pair: pair[0].hope[0] == 0) == 1
