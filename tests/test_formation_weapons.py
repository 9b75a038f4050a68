"""Special weapons: a bat, a naginata, twin swords, the second weapon, and answers."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.core.playing import Played
from tabletop_kit.formation import (
    Attack,
    Defend,
    Range,
    Slot,
    State,
    Variant,
    Weapon,
    abilities,
    magic,
    reactions,
    special_weapons,
    states,
    turns,
)
from tabletop_kit.formation.special_weapons import NoSecond, Swap, Sweep

BRIDGE = formation.samples["footbridge"]
AKI, REN, MIO, BRUTE, WOLF, SLINGER = range(6)
FRONT = Sweep("enemy front")
BAT = Weapon("bat", Range(1), on_critical=replace(abilities.CONFUSED, turns=3))
NAGINATA = Weapon("naginata", Range(2), target="row")
TWIN = Weapon("twin swords", Range(1), attacks=2)
FLAIL = Weapon("flail", Range(1), target="row", attacks=2, on_critical=BAT.on_critical)
SPARE = Weapon("bow", Range(3))
IN_FRONT = (*[Slot.PC_FRONT] * 3, *[Slot.ENEMY_FRONT] * 3)

GUARD = abilities.Ability(
    name="guard",
    timing=abilities.Timing.WHEN_ATTACKED,
    target=abilities.Target.SELF,
    effects=(abilities.Buff("physical_defense", 3, turns=0),),
)
GLARE = abilities.Ability(
    name="glare",
    timing=abilities.Timing.WHEN_ATTACKED,
    effects=(abilities.STOPPED,),
)
VANISH = abilities.Ability(
    name="vanish",
    timing=abilities.Timing.WHEN_ATTACKED,
    target=abilities.Target.SELF,
    effects=(abilities.Escape(),),
)
CHEER = abilities.Ability(
    name="cheer",
    timing=abilities.Timing.FOLLOW_UP,
    target=abilities.Target.SELF,
    effects=(abilities.Buff("agility", 1),),
)


def ready(
    weapon: Weapon,
    gifts: dict[int, abilities.Ability] | None = None,
    sub: Weapon | None = SPARE,
    **variant: Any,
) -> State:
    """The bridge in turn 1, all in front, Aki first, with this weapon in hand."""
    people = list(BRIDGE.combatants)
    people[AKI] = replace(people[AKI], weapon=weapon, sub_weapon=sub)
    for who, gift in (gifts or {}).items():
        people[who] = replace(people[who], abilities=(gift,))
    setup = replace(
        BRIDGE,
        combatants=tuple(people),
        placement=IN_FRONT,
        variant=Variant(**variant),
    )
    state: State = tk.play(turns.prepare, states.opening(setup)).result
    return state


def aki(state: State, *answers: Any) -> Played:
    return tk.play(turns.act, state, AKI, answers=answers)


def left(state: State) -> tuple[int, ...]:
    return state.hp[BRUTE:]


def confusion(state: State, who: int) -> list[int | None]:
    return [one.turns for one in state.ailments(who)]


def use(name: str, target: str) -> magic.Use:
    return magic.Use(name, target)


# ---- the bat -----------------------------------------------------------------------


def test_FM_EDGE_19_a_chain_confuses_once_and_at_0_damage_too() -> None:
    hard = abilities.Buff("physical_defense", 60)
    state = ready(BAT).gains(BRUTE, hard)
    chained = aki(state, Attack("Brute"), (6, 6), (6, 6), (2, 3))
    assert chained.result.hp[BRUTE] == 14
    assert confusion(chained.result, BRUTE) == [3]


def test_FM_WPN_02_three_turns_counted_from_this_one() -> None:
    state = ready(BAT).gains(BRUTE, abilities.Buff("physical_defense", 60))
    state = aki(state, Attack("Brute"), (6, 6), (2, 3)).result
    counted = []
    for _ in range(3):
        state = tk.play(turns.end_turn, state).result
        counted.append(confusion(state, BRUTE))
    assert counted == [[2], [1], []]


def test_FM_WPN_02_it_takes_a_critical_and_a_target_that_stands() -> None:
    state = ready(BAT)
    assert confusion(aki(state, Attack("Brute"), (6, 5)).result, BRUTE) == []
    assert confusion(aki(state, Attack("Brute"), (1, 1)).result, BRUTE) == []
    felled = aki(state, Attack("Wolf"), (6, 6), (1, 2))
    told = [type(event).__name__ for event in felled.events]
    assert felled.result.lasting == () and told == ["Hit", "Fell"]
    sword = aki(state.swap(AKI), Attack("Brute"), (6, 6), (1, 2)).result
    assert sword.lasting == ()


# ---- the naginata ------------------------------------------------------------------


def test_FM_WPN_03_each_subtracts_their_own_defense() -> None:
    people = list(BRIDGE.combatants)
    people[AKI] = replace(people[AKI], weapon=NAGINATA, attack_power=8)
    for who, defense in ((BRUTE, 3), (WOLF, 6), (SLINGER, 20)):
        people[who] = replace(people[who], hp_max=50, physical_defense=defense)
    setup = replace(BRIDGE, combatants=tuple(people), placement=IN_FRONT)
    start = tk.play(turns.prepare, states.opening(setup)).result
    assert left(aki(start, FRONT, (3, 4)).result) == (50 - 12, 50 - 9, 50)
    guarded = aki(start.defended(WOLF), FRONT, (3, 4)).result
    assert left(guarded) == (38, 50 - 4, 50)
    on_fire = start.imbue(AKI, formation.Element.FIRE)
    assert left(aki(on_fire, FRONT, (3, 4)).result) == (50 - 14, 50 - 14, 50 - 13)


def test_FM_EDGE_20_one_throw_for_all_or_one_for_each() -> None:
    state = ready(NAGINATA)
    missed = aki(state, FRONT, (1, 1))
    assert left(missed.result) == (14, 8, 9) and len(missed.events) == 3
    lucky = aki(state, FRONT, (6, 6), (1, 2))
    assert left(lucky.result) == (0, 0, 0) and len(lucky.rolls) == 2
    by_each = ready(NAGINATA, row_attack_roll="per_target")
    mixed = aki(by_each, FRONT, (6, 6), (1, 2), (1, 1), (1, 2))
    assert left(mixed.result) == (0, 8, 9 - (6 + 3 - 1))


def test_FM_EDGE_21_a_friend_in_the_row_is_not_hit() -> None:
    shared = ready(NAGINATA).moved(REN, Slot.ENEMY_FRONT)
    swept = aki(shared, FRONT, (3, 4)).result
    assert swept.hp[REN] == 12 and left(swept) == (5, 0, 0)
    at_home = ready(NAGINATA).moved(WOLF, Slot.PC_BACK)
    assert left(aki(at_home, Sweep("PC back"), (3, 4)).result) == (14, 0, 9)


def test_FM_WPN_03_the_fallen_and_the_fled_are_no_targets() -> None:
    state = ready(NAGINATA).hurt(WOLF, 8).left(SLINGER)
    swept = aki(state, FRONT, (3, 4))
    assert [type(event).__name__ for event in swept.events] == ["Hit"]

    def why_not(state: State) -> list[str]:
        return [reason.code for reason in turns.Actions(state, AKI).why_not(FRONT)]

    assert why_not(state.hurt(BRUTE, 14)) == ["nobody_there"]
    assert why_not(swept.result) == ["already_acted"]
    assert why_not(state.gains(AKI, abilities.STOPPED)) == ["unable"]


def test_FM_WPN_03_all_are_struck_before_anybody_falls() -> None:
    told = [
        type(event).__name__ for event in aki(ready(NAGINATA), FRONT, (3, 4)).events
    ]
    assert told == ["Hit", "Hit", "Hit", "Fell", "Fell"]


def test_FM_WPN_03_odds_stop_counting_where_nothing_changes_any_more() -> None:
    found = tk.outcomes(special_weapons.sweep_once, ready(NAGINATA), AKI, "enemy front")
    down = found.of(lambda state: state.hp.count(0))
    # the wolf and the slinger fall from 4 on, the brute by a critical alone
    ways = {0: 3, 2: 32, 3: 1}  # of 36: totals 2 and 3; 4 to 11; 12
    assert down.ways.keys() == ways.keys()
    for count, way in ways.items():
        assert abs(down.ways[count] / down.total - way / 36) < 1e-9


def test_a_weapon_that_sweeps_twice_and_confuses() -> None:
    state = ready(FLAIL).gains(BRUTE, abilities.Buff("physical_defense", 60))
    twice = aki(state, FRONT, (6, 6), (1, 2), FRONT, (3, 4))
    assert left(twice.result) == (14, 0, 0)
    assert confusion(twice.result, BRUTE) == [3]
    assert twice.result.acted == (AKI,)
    once = aki(state, FRONT, (1, 2), NoSecond())
    assert left(once.result) == (14, 8 - 7, 9 - 8)
    menu = special_weapons.SecondAttacks(state, AKI)
    assert [r.code for r in menu.why_not(Attack("Brute"))] == ["takes_a_row"]


# ---- twin swords -------------------------------------------------------------------


def test_FM_EDGE_22_no_second_attack_once_the_battle_is_over() -> None:
    last = ready(TWIN).hurt(BRUTE, 14).hurt(SLINGER, 9)
    over = aki(last, Attack("Wolf"), (3, 4))
    assert len(over.rolls) == 1 and turns.is_decided(over.result)
    other = aki(
        last.healed(SLINGER, 9), Attack("Wolf"), (3, 4), Attack("Slinger"), (1, 2)
    )
    assert left(other.result) == (0, 0, 9 - (6 + 3 - 1))


def test_FM_WPN_04_the_second_is_aimed_after_the_first_or_left_out() -> None:
    state = ready(TWIN)
    both = aki(state, Attack("Wolf"), (3, 4), Attack("Brute"), (3, 4))
    assert left(both.result) == (5, 0, 9) and both.result.acted == (AKI,)
    with pytest.raises(tk.Refused):
        aki(state, Attack("Wolf"), (3, 4), Attack("Wolf"), (3, 4))
    fumbled = aki(state, Attack("Brute"), (1, 1), Attack("Brute"), (1, 2))
    assert left(fumbled.result) == (14 - 5, 8, 9)
    assert left(aki(state, Attack("Brute"), (1, 2), NoSecond()).result) == (9, 8, 9)
    far = state.moved(BRUTE, Slot.ENEMY_BACK).moved(SLINGER, Slot.ENEMY_BACK)
    assert len(aki(far, Attack("Wolf"), (3, 4)).rolls) == 1


def test_FM_WPN_04_one_blow_with_the_other_weapon() -> None:
    assert len(aki(ready(TWIN).swap(AKI), Attack("Brute"), (1, 2)).rolls) == 1


# ---- answers to them ---------------------------------------------------------------


def test_FM_EDGE_23_an_answer_to_each_of_two_attacks() -> None:
    state = ready(TWIN, {BRUTE: GUARD})
    guard = use("guard", "Brute")
    twice = aki(state, Attack("Brute"), guard, (3, 4), Attack("Brute"), guard, (3, 4))
    assert left(twice.result) == (14 - 2 * (6 + 7 - 4 - 3), 8, 9)


def test_FM_EDGE_23_each_target_of_a_sweep_may_answer_once() -> None:
    state = ready(NAGINATA, {BRUTE: GUARD, WOLF: GUARD})
    guards = use("guard", "Brute"), use("guard", "Wolf")
    swept = aki(state, FRONT, *guards, (1, 3))
    assert left(swept.result) == (14 - (6 + 4 - 7), 8 - (6 + 4 - 5), 0)
    assert swept.result.lasting == ()  # the guards were for this attack
    assert len(swept.rolls) == 1


def test_FM_EDGE_42_stopped_by_an_answer_the_first_is_made_the_second_not() -> None:
    state = ready(TWIN, {BRUTE: GLARE, REN: CHEER})
    stopped = aki(
        state, Attack("Brute"), use("glare", "Aki"), (3, 4), use("cheer", "Ren")
    )
    assert left(stopped.result) == (5, 8, 9)
    assert stopped.result.total(REN, "agility") == 5
    assert len(stopped.rolls) == 1 and not stopped.result.is_able(AKI)


def test_FM_TIME_04_who_is_gone_before_the_dice_is_not_struck() -> None:
    state = ready(NAGINATA, {WOLF: VANISH})
    swept = aki(state, FRONT, use("vanish", "Wolf"), (3, 4)).result
    assert left(swept) == (5, 8, 0) and swept.escaped == (WOLF,)
    alone = state.hurt(BRUTE, 14).moved(SLINGER, Slot.ENEMY_BACK)
    nobody = aki(alone, FRONT, use("vanish", "Wolf"))
    assert nobody.rolls == [] and nobody.result.acted == (AKI,)
    assert nobody.events[-1] == reactions.NobodyLeft(AKI)
    last = aki(alone.hurt(SLINGER, 9), FRONT, use("vanish", "Wolf"))
    assert last.rolls == [] and turns.is_decided(last.result)


def test_FM_TIME_04_a_guard_against_a_sweep_is_over_before_it_is_followed_up() -> None:
    shove = abilities.Ability(
        name="shove",
        timing=abilities.Timing.FOLLOW_UP,
        element=formation.Element.PHYSICAL,
        damage=abilities.Damage.NORMAL,
        value=abilities.Amount(constant=8),
    )
    state = ready(NAGINATA, {BRUTE: GUARD, REN: shove})
    follow = use("shove", "Brute"), formation.getting_ready.Enough()
    swept = aki(state, FRONT, use("guard", "Brute"), (1, 3), *follow)
    assert swept.result.hp[BRUTE] == 14 - (6 + 4 - 7) - (8 - 4)


def test_FM_TIME_06_one_sweep_is_followed_up_once() -> None:
    state = ready(NAGINATA, {REN: CHEER})
    cheered = aki(state, FRONT, (3, 4), use("cheer", "Ren"))
    assert cheered.result.total(REN, "agility") == 5


# ---- the other weapon --------------------------------------------------------------


def test_FM_ACT_15_a_swap_is_the_action_and_takes_what_the_weapon_adds() -> None:
    light = Weapon("dagger", Range(1), (abilities.Modifier("agility", -7, "dagger"),))
    state = ready(NAGINATA, sub=light)
    swapped = aki(state, Swap())
    assert swapped.result.weapon(AKI) == light and swapped.result.acted == (AKI,)
    assert swapped.events == [special_weapons.Swapped(AKI, "dagger")]
    assert swapped.told == [swapped.result]
    everybody = replace(swapped.result, acted=tuple(range(6)))
    assert tk.play(turns.end_turn, everybody).result.order[-1] == AKI
    back = aki(replace(swapped.result, acted=()), Swap()).result
    assert back.weapon(AKI) == NAGINATA and back.swapped == ()


def test_FM_ACT_15_what_refuses_a_swap() -> None:
    def why_not(state: State, who: int = AKI) -> list[str]:
        return [r.code for r in turns.Actions(state, who).why_not(Swap())]

    state = ready(NAGINATA)
    assert why_not(state) == []
    assert why_not(state, REN) == ["no_second_weapon"]
    assert why_not(state.done(AKI)) == ["already_acted"]
    assert why_not(state.gains(AKI, abilities.ASLEEP)) == ["unable"]


def test_what_is_offered_to_whom() -> None:
    state = ready(NAGINATA)
    kinds = [type(answer) for answer in turns.Actions(state, AKI).values()]
    assert kinds.count(Sweep) == 1 and Attack not in kinds
    assert Swap in kinds and Defend in kinds
    plain = [type(answer) for answer in turns.Actions(state, REN).thinkable()]
    assert Sweep not in plain


@pytest.mark.parametrize(
    "effect", [abilities.Heal(), abilities.Refresh(), abilities.Revive()], ids=str
)
def test_a_critical_effect_that_needs_a_value_is_refused(
    effect: abilities.Effect,
) -> None:
    with pytest.raises(ValueError) as refused:
        Weapon("leech", Range(1), on_critical=effect)
    assert str(refused.value) == (
        f"on_critical of leech: expected an effect that needs no value, got {effect}"
    )
