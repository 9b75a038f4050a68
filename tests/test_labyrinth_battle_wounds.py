"""Wounds: what damage, a reduction and a setting of HP do, and who lies there."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from wounded_odile import (
    ARMOR,
    NO_GHOST,
    ODILE,
    SNUB,
    down,
    fate,
    hit,
    met,
    put_at,
    reduced,
    ruled,
    wound,
)

import tabletop_kit as tk
from tabletop_kit.labyrinth_battle import bad_statuses, damage, rounds, sheets, wounds
from tabletop_kit.labyrinth_battle.measures import ActionType, BadStatus

# ---- damage ------------------------------------------------------------------------


def test_damage_is_told_with_the_state_it_leads_to() -> None:
    played = hit(met(4), ODILE, 3)
    assert played.events == [wounds.Wounded(ODILE, 3)]
    assert played.told == [played.result] and played.result.hp[ODILE] == 1


def test_damage_to_the_dead_is_nothing() -> None:
    dead = met().dies(ODILE)
    assert hit(dead, ODILE, 9).result == dead
    assert reduced(dead, ODILE, 2).result == dead
    assert put_at(dead, ODILE, 5).result == dead


def test_no_damage_wakes_nobody_and_1_does() -> None:
    dozing = met(6, items=ARMOR).gains(ODILE, BadStatus.SLEEP)
    kept_off = hit(dozing, ODILE, 1)
    assert kept_off.result == dozing
    assert kept_off.events[-1] == wounds.Unhurt(ODILE)
    woken = hit(dozing, ODILE, 2)
    assert not woken.result.is_asleep(ODILE)
    assert woken.events[-2:] == [wounds.Wounded(ODILE, 1), wounds.Woken(ODILE)]


def test_the_damage_of_a_hidden_monster_is_not_told() -> None:
    told = wounds.Wounded(SNUB, 4).seen_by(lambda who: False)
    assert told == replace(wounds.Wounded(SNUB, 4), taken=None)
    healed = wounds.Healed(SNUB, 4).seen_by(lambda who: False)
    assert healed == replace(wounds.Healed(SNUB, 4), points=None)


def test_LB_EDGE_15_poison_kills_who_lies_there() -> None:
    poisoned = down().gains(ODILE, BadStatus.POISON)
    played = tk.play(bad_statuses.round_end, poisoned, answers=[NO_GHOST])
    assert fate(played.result) == "dead" and not played.rolls


def test_LB_EDGE_16_damage_that_is_lowered_to_0_is_not_taken() -> None:
    lying = hit(met(items=ARMOR), ODILE, 6, (3, 4)).result
    assert fate(hit(lying, ODILE, 1).result) == "down"
    assert fate(hit(lying, ODILE, 2, NO_GHOST).result) == "dead"


def test_LB_EDGE_18_a_second_sleep_shaken_off_may_fell() -> None:
    state = replace(met(items=ARMOR), slept=(ODILE,))
    sleep = (bad_statuses.inflict, state, ODILE, BadStatus.SLEEP)
    shaken = tk.play(*sleep, answers=[bad_statuses.ShakeOff(), (5,), (6, 6), (4,)])
    after = shaken.result
    assert after.hp[ODILE] == -2 and not after.is_asleep(ODILE)  # armor is no help
    assert after.has(ODILE, BadStatus.CURSE) and fate(after) == "down"
    saved = tk.play(*sleep, answers=[bad_statuses.ShakeOff(), (5,), (5, 6), (5, 5)])
    assert saved.result.hp[ODILE] == 1 and fate(saved.result) == "up"


# ---- at 0 --------------------------------------------------------------------------


@pytest.mark.parametrize(("damage", "left"), [(4, "up"), (5, "dead"), (6, "dead")])
def test_a_monster_at_0_is_dead(damage: int, left: str) -> None:
    assert fate(hit(met().with_hp(SNUB, 5), SNUB, damage).result, SNUB) == left
    assert fate(reduced(met().with_hp(SNUB, 5), SNUB, damage).result, SNUB) == left


def test_who_rolls_a_fatal_wound() -> None:
    assert len(hit(met(), ODILE, 3, (3, 4)).rolls) == 1
    assert len(hit(met(kind="important_npc"), ODILE, 3, (3, 4)).rolls) == 1
    assert not hit(met(kind="npc"), ODILE, 3).rolls
    assert not hit(met(), ODILE, 2).rolls


def test_LB_EDGE_20_holding_back_spares_who_lies_there() -> None:
    played = hit(down(), ODILE, 4, held_back=True)
    assert fate(played.result) == "down" and played.result.hp[ODILE] == -6
    assert played.events[-1] == wounds.Spared(ODILE)


def test_LB_EDGE_21_holding_back_asks_for_no_roll() -> None:
    played = hit(met(), ODILE, 4, held_back=True)
    assert fate(played.result) == "down" and not played.rolls
    assert played.events[-1].under == ("LB-HOLD-03",)


@pytest.mark.parametrize("total", [2, 3, 4, 5, 6, 7])
def test_hold_back_skips_fatal_table_false_rolls_and_kills_nobody(total: int) -> None:
    more: dict[int, list[Any]] = {3: [(1, 1)], 6: [(2,)]}
    strict = ruled(met(), hold_back_skips_fatal_table=False)
    first = (total // 2, total - total // 2)
    played = hit(strict, ODILE, 4, first, *more.get(total, ()), held_back=True)
    assert fate(played.result) == "down" and played.result.dooms == ()
    assert played.rolls


def test_hold_back_skips_fatal_table_false_may_leave_somebody_up() -> None:
    strict = ruled(met(), hold_back_skips_fatal_table=False)
    saved = hit(strict, ODILE, 4, (4, 5), (1, 1), held_back=True).result
    assert fate(saved) == "up" and saved.hp[ODILE] == 3
    monster = hit(strict, SNUB, 99, held_back=True)
    assert fate(monster.result, SNUB) == "down" and not monster.rolls


def test_LB_EDGE_24_a_monster_put_at_0_by_somebody_who_holds_back() -> None:
    state = met()
    assert fate(put_at(state, SNUB, 0, held_back=True).result, SNUB) == "down"
    assert fate(put_at(state, SNUB, 0).result, SNUB) == "dead"


def test_LB_EDGE_25_put_at_0_a_pc_rolls_and_no_damage_follows() -> None:
    played = put_at(met(), ODILE, 0, (3, 4))
    assert fate(played.result) == "down" and played.result.hp[ODILE] == 0
    assert wounds.Wounded not in map(type, played.events)
    cancelled = put_at(met(), ODILE, 0, (4, 5), (1, 2)).result
    assert cancelled.hp[ODILE] == 0 and fate(cancelled) == "down"


def test_LB_EDGE_26_hp_that_are_set_wake_nobody() -> None:
    dozing = met(9).gains(ODILE, BadStatus.SLEEP)
    left = put_at(dozing, ODILE, 4).result
    assert left.hp[ODILE] == 4 and left.is_asleep(ODILE)


def test_hp_that_are_set_raise_who_lay_there_and_never_above_the_most() -> None:
    doomed = wound(4)
    up = put_at(doomed, ODILE, 2).result
    assert fate(up) == "up" and up.dooms == () and ODILE in up.acted
    assert put_at(met(), ODILE, 99).result.hp[ODILE] == up.sheet(ODILE).hp_max
    assert fate(put_at(doomed, ODILE, 0).result) == "down"


def test_LB_EDGE_39_healed_in_the_same_round_the_turn_is_gone() -> None:
    mended = tk.play(wounds.heal, down(), ODILE, 5)
    assert mended.result.hp[ODILE] == 3 and fate(mended.result) == "up"
    assert ODILE in mended.result.acted
    assert mended.events == [wounds.Healed(ODILE, 5), wounds.Risen(ODILE)]
    assert ODILE not in rounds.refreshed(mended.result).acted


@pytest.mark.parametrize(("covers", "acted"), [(True, False), (False, True)])
def test_LB_EDGE_59_healed_in_the_next_round(covers: bool, acted: bool) -> None:
    fallen = ruled(down(), refresh_covers_fallen=covers)
    later = tk.play(wounds.heal, rounds.refreshed(fallen), ODILE, 5).result
    assert (ODILE in later.acted) == acted


def test_healing_stops_at_the_most_and_below_1_nobody_is_up() -> None:
    most = met().sheet(ODILE).hp_max
    full = tk.play(wounds.heal, met(most - 1), ODILE, 5)
    assert full.result.hp[ODILE] == most and full.events == [wounds.Healed(ODILE, 1)]
    lifted = tk.play(wounds.heal, down(), ODILE, 2).result
    assert lifted.hp[ODILE] == 0 and fate(lifted) == "down"
    assert fate(hit(lifted, ODILE, 1, NO_GHOST).result) == "dead"


def test_LB_EDGE_42_an_ordinary_npc_lies_down() -> None:
    played = hit(met(kind="npc"), ODILE, 7)
    assert played.result.hp[ODILE] == -4 and fate(played.result) == "down"
    assert not played.rolls


def test_LB_EDGE_43_on_the_floor_evasion_is_7() -> None:
    assert down(evasion=5).evasion(ODILE) == 7
    assert down(evasion=11).evasion(ODILE) == 7
    assert met(evasion=5).evasion(ODILE) == 5


def test_LB_EDGE_58_damage_to_who_lies_at_minus_2_kills() -> None:
    assert fate(hit(down(), ODILE, 1, NO_GHOST).result) == "dead"
    lying = hit(down(), ODILE, 1, held_back=True).result
    assert lying.hp[ODILE] == -3 and fate(lying) == "down"


def test_LB_EDGE_61_a_spared_monster_survives_a_reduction_but_no_poison() -> None:
    spared = hit(met().with_hp(SNUB, 5), SNUB, 5, held_back=True).result
    starved = reduced(spared, SNUB, 2).result
    assert starved.hp[SNUB] == -2 and fate(starved, SNUB) == "down"
    poisoned = starved.gains(SNUB, BadStatus.POISON)
    bitten = tk.play(bad_statuses.round_end, poisoned).result
    assert fate(bitten, SNUB) == "dead"


def test_a_reduction_asks_once() -> None:
    first = reduced(met(), ODILE, 3, (3, 4))
    assert fate(first.result) == "down" and len(first.rolls) == 1
    again = reduced(first.result, ODILE, 1)
    assert again.result.hp[ODILE] == -1 and not again.rolls
    assert again.events == [wounds.Weakened(ODILE, 1)]


def test_who_falls_by_the_own_interrupt_lies_there_when_the_damage_comes() -> None:
    shield = sheets.Skill("shield", ActionType.INTERRUPT, sheets.Reduce(1))
    heavy = met(1, kind="npc", skills=(shield,)).gains(ODILE, BadStatus.OBESITY)
    played = hit(heavy, ODILE, 3, damage.Ward("Odile", "shield"))
    assert fate(played.result) == "dead" and played.result.hp[ODILE] == -2
    enough = hit(heavy, ODILE, 1, damage.Ward("Odile", "shield"))
    assert fate(enough.result) == "down"
