"""Labyrinth Battle, fumbles: every row of the table, for PCs, NPCs and monsters."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import pytest
from labyrinth_fights import (
    AS_ITSELF,
    CLAWS,
    LAMP,
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
from tabletop_kit.core.playing import Played
from tabletop_kit.core.tables import row
from tabletop_kit.labyrinth_battle import attacks, fumbles, result_tables, rounds, traps
from tabletop_kit.labyrinth_battle.battlefields import Lasting, SetTrap
from tabletop_kit.labyrinth_battle.encounters import PlacedTrap, Variant
from tabletop_kit.labyrinth_battle.measures import BadStatus, CharacterKind, Side
from tabletop_kit.labyrinth_battle.result_tables import ResultTables
from tabletop_kit.labyrinth_battle.sheets import Hurt, Item, Trap
from tabletop_kit.labyrinth_battle.states import State

NPC, IMPORTANT = CharacterKind.NPC, CharacterKind.IMPORTANT_NPC
ROSA, PIM, GOB, BAT = range(4)
PIT, SPIKES = Trap("pit", Hurt("1D6")), Trap("spikes", Hurt("2D6"))


def met(**setup: Any) -> State:
    """Rosa and Pim against Gob, level 3, and Bat, level 2; all in area 4."""
    rosa = pc("Rosa", items=(SWORD, LAMP), vigor=2)
    pim = pc("Pim", vigor=2, affection=(("Rosa", 1),))
    gob, bat = foe("Gob", level=3), foe("Bat", level=2)
    return fight(rosa, pim, gob, bat, **setup)


def fumble(state: State, *answers: Any, who: int = ROSA, target: int = GOB) -> Played:
    return strike(state, who, target, ONES, *answers)


def nothing_came(played: Played) -> bool:
    return any(isinstance(event, fumbles.NothingBroke) for event in played.events)


# ---- row 2 -------------------------------------------------------------------------


def test_row_2_brings_copies_of_the_lowest_level_monster() -> None:
    state = met().with_hp(BAT, 1).gains(BAT, BadStatus.POISON)
    places = [fumbles.Arrive(area) for area in (4, 5, 6)]
    after = fumble(state, ONES, (3,), *places).result
    assert after.joined == (BAT, BAT, BAT)
    assert after.areas[4:7] == (4, 5, 6) and after.hp[4:7] == (12, 12, 12)
    assert after.items(4) == (replace(CLAWS),)
    assert not after.has(4, BadStatus.POISON) and 4 not in after.acted
    assert after.members(Side.FOE) == (GOB, BAT, 4, 5, 6)


def test_row_2_newcomers_act_and_can_be_struck() -> None:
    after = fumble(met(), ONES, (1,), fumbles.Arrive(4)).result
    assert strike(after, PIM, 4, SEVEN).result.hp[4] == 12 - 3
    assert strike(after, 4, PIM, SEVEN).result.hp[PIM] == 12 - 2
    assert rounds.has_turns(after, Side.FOE)
    assert rounds.Picks(after, Side.FOE).allows(rounds.Pick(after.setup.name_of(4)))


def test_row_2_copies_a_copy_by_its_sheet() -> None:
    one = fumble(met(), ONES, (1,), fumbles.Arrive(4)).result
    gone = replace(one.dies(BAT), acted=())
    assert fumble(gone, ONES, (1,), fumbles.Arrive(5)).result.joined == (BAT, BAT)


def test_row_2_brings_at_most_six() -> None:
    many = fumble(met(), ONES, (6,), *[fumbles.Arrive(4)] * 6).result
    assert len(many.joined) == 6
    full = replace(many, acted=())
    assert nothing_came(fumble(full, ONES))


def test_row_2_does_nothing_where_no_monster_is_left() -> None:
    npcs = fight(pc("Rosa"), foe("Tom", NPC))
    assert nothing_came(strike(npcs, 0, 1, ONES, ONES))
    mixed = fight(pc("Rosa"), foe("Tom", NPC), foe("Gob"))
    assert nothing_came(strike(mixed.dies(2), 0, 1, ONES, ONES))


def test_row_2_only_into_the_areas_of_the_monsters() -> None:
    menu = fumbles.Arrivals(met(), "gm", 4)
    assert [answer.area for answer in menu.values()] == [4, 5, 6]
    why = menu.why_not(fumbles.Arrive(1))
    assert [reason.code for reason in why] == ["not_own_area"]


@pytest.mark.parametrize("kind", [CharacterKind.MONSTER, NPC, IMPORTANT])
def test_row_2_by_a_foe_gives_a_PC_followers(kind: CharacterKind) -> None:
    state = fight(pc("Rosa", followers=2), pc("Pim"), foe("Gob", kind))
    after = strike(state, 2, 0, ONES, ONES, fumbles.Recruit("Rosa"), (5,)).result
    assert after.followers[0] == 7 and after.joined == ()
    menu = fumbles.Recruits(state.dies(1), Side.COURT, 2)
    assert [answer.who for answer in menu.values()] == ["Rosa"]
    porter = replace(pc("Hob"), kind=NPC)
    court = fight(porter, foe("Gob", kind))
    assert nothing_came(strike(court, 1, 0, ONES, ONES))


# ---- rows 3 to 6 -------------------------------------------------------------------


def test_row_3_takes_the_whole_side_back_the_fallen_too() -> None:
    state = met().put(PIM, 1).with_hp(PIM, 0).falls(PIM)
    assert fumble(state, (1, 2)).result.areas[:4] == (3, 1, 4, 4)
    lying = met().with_hp(PIM, 0).falls(PIM)
    assert fumble(lying, (1, 2)).result.areas[:4] == (3, 3, 4, 4)
    back = fumble(met().put(BAT, 6), (1, 2), who=GOB, target=ROSA).result
    assert back.areas[:4] == (4, 4, 5, 6)
    home = met().put(ROSA, 1).put(PIM, 1).put(GOB, 1)
    assert nothing_came(fumble(home, (1, 2)))


def test_row_3_sets_off_traps_behind() -> None:
    state = met(traps=(PlacedTrap(PIT, 3),)).put(PIM, 6)
    after = fumble(state, (1, 2), (4,)).result
    assert after.areas[:2] == (3, 5)
    assert (after.hp[ROSA], after.hp[PIM]) == (12 - 4, 12)


def test_row_4_is_the_weapons_own_power_on_an_ally_in_the_area() -> None:
    assert fumble(met(), (2, 2)).result.hp[PIM] == 12 - 3
    held = strike(met(), ROSA, GOB, ONES, (2, 2), held_back=True)
    assert held.result.hp[PIM] == 12 - 3


def test_row_4_kills_an_ally_who_lies_there() -> None:
    lying = met().with_hp(PIM, 0).falls(PIM)
    blow = attacks.aimed(lying, ROSA, "sword", AS_ITSELF, GOB, False)

    def policy(menu: Menu[Any]) -> Any:
        return next(menu.values())

    four = ResultTables().with_rows("combat_fumble", [row("2–12", "hit_ally")])
    only = replace(lying, setup=replace(lying.setup, tables=four))
    ends = tk.outcomes(fumbles.fumble, only, blow, policy=policy)
    assert ends.chance(lambda end: PIM in end.dead) == 1


def test_LB_EDGE_55_row_4_spares_who_is_alone() -> None:
    alone = met().put(PIM, 3)
    played = fumble(alone, (2, 2))
    assert played.result == alone.done(ROSA) and nothing_came(played)
    assert nothing_came(fumble(met().dies(PIM), (2, 2)))


def test_row_5_costs_an_ally_who_could_act_the_turn() -> None:
    assert fumble(met(), (2, 3)).result.acted == (ROSA, PIM)
    assert nothing_came(fumble(met().done(PIM), (2, 3)))
    asleep = met().gains(PIM, BadStatus.SLEEP)
    assert nothing_came(fumble(asleep, (2, 3)))


def test_row_6_ends_what_the_own_side_has_put_up() -> None:
    both = (Lasting(Side.COURT, PIM, "hymn"), Lasting(Side.FOE, GOB, "roar"))
    state = replace(met(), lasting=both)
    assert fumble(state, (3, 3)).result.lasting == both[1:]
    by_gob = fumble(state, (3, 3), who=GOB, target=ROSA)
    assert by_gob.result.lasting == both[:1]
    assert nothing_came(fumble(met(), (3, 3)))


# ---- rows 7 to 12 ------------------------------------------------------------------


def test_row_7_is_damage_so_armour_counts() -> None:
    coat = Item("coat", reduction=2)
    state = fight(pc("Rosa", items=(SWORD, coat)), foe("Gob"))
    assert strike(state, 0, 1, ONES, SEVEN, (5,)).result.hp[0] == 12 - 3


@pytest.mark.parametrize(("rounds_to", "left"), [("up", 5), ("down", 4)])
def test_round_fractions_row_8_halves_9_HP(
    rounds_to: Literal["up", "down"], left: int
) -> None:
    state = met(variant=Variant(round_fractions=rounds_to)).with_hp(ROSA, 9)
    assert fumble(state, (4, 4)).result.hp[ROSA] == left
    asleep = fumble(state.with_hp(ROSA, 8), (4, 4))
    assert asleep.result.hp[ROSA] == 4


def test_row_8_of_1_HP_rounded_down_is_a_fatal_wound() -> None:
    state = met(variant=Variant(round_fractions="down")).with_hp(ROSA, 1)
    assert fumble(state, (4, 4), SEVEN).result.incapacitated == (ROSA,)
    assert fumble(met().with_hp(ROSA, 1), (4, 4)).result.hp[ROSA] == 1


@pytest.mark.parametrize("faces", [(4, 5), (5, 6)])
def test_rows_9_and_11_cost_a_monster_1D6(faces: tuple[int, int]) -> None:
    played = fumble(met(), faces, (5,), who=GOB, target=ROSA)
    assert played.result.hp[GOB] == 12 - 5
    assert played.result.carried == met().carried


def test_row_9_breaks_something_of_a_PC_or_an_NPC() -> None:
    after = fumble(met(), (4, 5), (2,)).result
    assert after.items(ROSA) == (SWORD,) and after.lit() == frozenset()
    hard = fight(pc("Rosa", items=(CLAWS,)), foe("Gob"))
    assert nothing_came(strike(hard, 0, 1, ONES, (4, 5)))


def test_row_9_treats_an_NPC_like_a_PC() -> None:
    npc = fight(pc("Rosa"), foe("Tom", NPC, items=(SWORD, CLAWS)))
    after = strike(npc, 1, 0, ONES, (4, 5)).result  # one breakable: no throw
    assert after.items(1) == (CLAWS,) and after.hp[1] == 12


def test_row_10_lays_a_trap_that_goes_off_under_the_next() -> None:
    state = met(loose_traps=(PIT, SPIKES))
    laid = fumble(state, (4, 6), (1,)).result
    assert laid.traps == (SetTrap(0, 4),) and laid.hp == state.hp
    stepped = tk.play(traps.entered, laid, PIM, answers=[(3,)]).result
    assert stepped.hp[PIM] == 12 - 3
    second = fumble(replace(laid, acted=()), (4, 6)).result
    assert second.traps == (SetTrap(0, 4), SetTrap(1, 4))
    assert nothing_came(fumble(replace(second, acted=()), (4, 6)))
    assert nothing_came(fumble(met(), (4, 6)))


def test_row_10_does_not_name_the_trap() -> None:
    state = met(loose_traps=(PIT,))
    told = fumble(state, (4, 6)).events
    assert all("pit" not in event.words(state.setup.name_of) for event in told)


def test_row_11_discourages_all_who_like_the_attacker() -> None:
    after = fumble(met(), (5, 6)).result
    assert after.vigor[:2] == (1, 1)
    tired = met().with_vigor(ROSA, 0)
    assert fumble(tired, (5, 6)).result.vigor[:2] == (0, 1)
    by_pim = strike(met(), PIM, GOB, ONES, (5, 6)).result
    assert by_pim.vigor[:2] == (2, 1)


def test_row_12_breaks_the_weapon_and_puts_somebody_at_1_HP() -> None:
    after = fumble(met(), (6, 6), (4,)).result
    assert after.items(ROSA) == (LAMP,) and after.hp[BAT] == 1
    by_gob = fumble(met(), (6, 6), (3,), (2,), who=GOB, target=ROSA).result
    assert by_gob.hp[GOB] == 12 - 3 and by_gob.hp[PIM] == 1
    assert by_gob.carried == met().carried


def test_row_12_raises_the_fallen_and_never_the_dead() -> None:
    lying = met().with_hp(PIM, -3).falls(PIM)
    after = fumble(lying, (6, 6), (2,)).result
    assert after.hp[PIM] == 1 and after.incapacitated == ()
    dead = fumble(met().dies(PIM), (6, 6), (2,))
    assert dead.rolls[-1][0].sides == 3 and dead.result.hp[GOB] == 1


def test_row_12_stops_where_the_battle_is_decided() -> None:
    last = fight(pc("Rosa"), foe("Gob")).with_hp(1, 2)
    played = strike(last, 1, 0, ONES, (6, 6), (3,))
    assert played.result.dead == (1,) and played.result.hp[0] == 12


# ---- tables of one's own, odds -----------------------------------------------------


def test_a_row_may_ask_for_further_rolls() -> None:
    rows = [row("2–7", "hurt_self", dice=1, again=1), row("8–12", "nothing")]
    tables = ResultTables().with_rows("combat_fumble", rows)
    state = met()
    state = replace(state, setup=replace(state.setup, tables=tables))
    assert fumble(state, SEVEN, (2,), ONES, (1,), (6, 6)).result.hp[ROSA] == 12 - 3


def test_a_weapon_breaks_once() -> None:
    given: dict[str, Any] = {"hp": 1, "monster_dice": 1, "again": 1}
    rows = [row("2–7", "destroy_weapon", **given), row("8–12", "nothing")]
    tables = ResultTables().with_rows("combat_fumble", rows)
    state = met()
    state = replace(state, setup=replace(state.setup, tables=tables))
    played = fumble(state, SEVEN, (4,), SEVEN, (3,), (6, 6))
    assert sum(isinstance(event, fumbles.Broke) for event in played.events) == 1
    assert played.result.items(ROSA) == (LAMP,)
    assert [played.result.hp[who] for who in (GOB, BAT)] == [1, 1]


def test_every_effect_of_the_table_is_known() -> None:
    known = {effect.id for effect in result_tables.FUMBLE_EFFECTS}
    assert known == set(fumbles.EFFECTS)


def test_odds_of_a_fumble_add_up() -> None:
    def policy(menu: Menu[Any]) -> Any:
        return next(menu.values())

    state = met(loose_traps=(PIT, SPIKES))
    blow = attacks.aimed(state, ROSA, "sword", AS_ITSELF, GOB, False)
    ends = tk.outcomes(fumbles.fumble, state, blow, policy=policy)
    assert ends.chance(lambda end: len(end.joined) == 6) == Fraction(1, 36 * 6)
    assert ends.chance(lambda end: bool(end.traps)) == Fraction(3, 36)
    assert sum(ends.ways.values()) == ends.total
