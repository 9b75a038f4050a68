"""Set-up and ambush: who stands where, and who gets ahead of the first round."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.asking import Ask
from tabletop_kit.core.playing import Played
from tabletop_kit.labyrinth_battle import (
    ambush,
    armory,
    attacks,
    battlefields,
    encounters,
    moving,
    rounds,
    setting_up,
    sheets,
    states,
    tactics_check,
    unidentified,
)
from tabletop_kit.labyrinth_battle.battles import samples
from tabletop_kit.labyrinth_battle.checks import Checked
from tabletop_kit.labyrinth_battle.measures import BadStatus, CharacterKind, Side

CELLAR = samples["cellar"]
PIM, ODILE, BRANNOC, GOBLIN, RAT, SLIME = range(6)
PutDown, Represent = setting_up.PutDown, ambush.Represent


def begun(setup: encounters.Encounter, *answers: Any, faces: Any = ()) -> Played:
    start = states.opening(setup)
    return tk.play(setting_up.set_up, start, answers=answers, faces=faces)


def pick_and_turn(ask: Ask, state: states.State) -> states.State:
    """Two units in a row."""
    return rounds.advance(ask, rounds.advance(ask, state))


def rests(state: states.State, name: str) -> states.State:
    """After a turn in which this one of the side at turn does nothing."""
    answers = [rounds.Pick(name), moving.Stay(), rounds.Pass()]
    after: states.State = tk.play(pick_and_turn, state, answers=answers).result
    return after


def rats(count: int, search: int = 3, **changes: Any) -> encounters.Encounter:
    """A dark room with so many rats, and Odile alone."""
    there = [
        replace(armory.monsters["Needle Rat"], name=f"Rat {n}") for n in range(count)
    ]
    odile = replace(armory.land_makers["Odile"], search=search)
    given = {"count_known": False, **changes}
    return encounters.Encounter((odile, *there), (3, *[4] * count), **given)


def told_check(played: Played) -> Checked:
    """The first check that was told of."""
    return next(event for event in played.events if isinstance(event, Checked))


def test_only_who_has_no_area_is_placed_in_order() -> None:
    setup = replace(CELLAR, placement=(2, 3, 3, 0, 5, 0))
    played = begun(setup, PutDown(6), PutDown(4))
    assert played.result.areas[:6] == (2, 3, 3, 6, 5, 4)
    placed = [
        event for event in played.events if isinstance(event, setting_up.Stationed)
    ]
    assert placed == [setting_up.Stationed(GOBLIN, 6), setting_up.Stationed(SLIME, 4)]
    assert [state.areas[3:6] for state in played.told[:2]] == [(6, 5, 0), (6, 5, 4)]


@pytest.mark.parametrize("area", [1, 2, 3])
def test_monsters_begin_on_their_own_side(area: int) -> None:
    setup = replace(CELLAR, placement=(2, 3, 3, 0, 5, 4))
    menu = setting_up.Placements(states.opening(setup), "gm", GOBLIN)
    (reason,) = menu.why_not(PutDown(area))
    assert (reason.code, reason.clause) == ("not_theirs", "LB-SET-06")
    with pytest.raises(tk.Refused):
        begun(setup, PutDown(area))
    assert [reason.code for reason in menu.why_not(PutDown(7))] == ["no_such_area"]


def test_by_default_the_first_of_their_areas() -> None:
    setup = replace(CELLAR, placement=(2, 3, 3, 0, 0, 0))
    menu = setting_up.Placements(states.opening(setup), "gm", RAT)
    assert tk.first_legal(menu) == PutDown(4)


def test_areas_are_named_from_both_ends() -> None:
    said = [PutDown(area).words(str) for area in encounters.AREAS]
    assert said[0] == "in area 1, the court's headquarters"
    assert said[2:4] == [
        "in area 3, the court's vanguard",
        "in area 4, the enemy vanguard",
    ]
    assert said[5] == "in area 6, the enemy headquarters"


def test_undiscovered_traps_are_set_and_not_told() -> None:
    trap = encounters.PlacedTrap(armory.traps["pit"], area=4)
    played = begun(replace(CELLAR, traps=(trap,)))
    assert played.result.traps == (battlefields.SetTrap(0, 4),)
    assert played.words() == begun(CELLAR).words()
    assert all("LB-SET-07" not in event.under for event in played.events)


def test_set_up_leads_to_the_tactics_check() -> None:
    played = begun(CELLAR)
    assert played.result.phase == "tactics"
    assert played.events == [setting_up.FieldReady(), ambush.RoundsBegin()]


def test_data_is_kept_back_before_the_ambush() -> None:
    setup = replace(samples["humming_dark"], count_known=False)
    played = begun(setup, unidentified.KeepBack(), Represent("Odile"), faces=[(1, 2)])
    kinds = [type(event).__name__ for event in played.events]
    assert kinds == ["FieldReady", "KeptBack", "KeptBack", "Checked", "Ambushed"]


# Ambush


def test_LB_EDGE_12_behind_their_lines_no_check_and_one_turn_each() -> None:
    setup = replace(CELLAR, placement=(2, 4, 3, 4, 5, 6), count_known=False)
    state = begun(setup).result
    assert state.phase == "ambush"
    for name in ("Snub", "Rattle", "Wine Slime"):
        state = rests(state, name)
    assert tk.play(rounds.advance, state).result.phase == "tactics"


@pytest.mark.parametrize(("faces", "phase"), [((1, 1), "ambush"), ((1, 2), "tactics")])
def test_LB_EDGE_13_a_crowd_is_heard(faces: tuple[int, int], phase: str) -> None:
    played = begun(rats(17, search=2), Represent("Odile"), faces=[faces])
    assert told_check(played).difficulty == 3
    assert played.result.phase == phase


def test_LB_EDGE_14_nobody_has_acted_and_poison_does_not_tick() -> None:
    state = begun(rats(1), Represent("Odile"), faces=[(1, 2)]).result
    state = state.gains(0, BadStatus.POISON)
    taken = rests(state, "Rat 0")
    assert taken.acted == (1,)
    after = tk.play(rounds.advance, taken).result
    assert (after.phase, after.acted, after.first) == ("tactics", (), None)
    assert after.hp == state.hp


@pytest.mark.parametrize(("covers", "acted"), [(True, ()), (False, (PIM,))])
def test_the_fallen_after_an_ambush_by_house_rule(
    covers: bool, acted: tuple[int, ...]
) -> None:
    variant = encounters.Variant(refresh_covers_fallen=covers)
    setup = replace(CELLAR, placement=(2, 4, 3, 4, 5, 6), variant=variant)
    state = begun(setup).result.falls(PIM).done(GOBLIN).done(RAT).done(SLIME)
    state = replace(state, reacted=((PIM, "step between"),), refused_ghosts=(PIM,))
    after = tk.play(rounds.advance, state).result
    assert after.acted == acted
    assert after.reacted == () and after.refused_ghosts == ()


def test_LB_EDGE_57_only_the_place_of_who_strikes_counts() -> None:
    state = begun(replace(CELLAR, placement=(1, 6, 3, 6, 6, 5))).result
    assert state.phase == "ambush"
    assert attacks.hit_bonus(state, ODILE, False) == 2
    assert attacks.hit_bonus(state, GOBLIN, False) == 0
    assert attacks.hit_bonus(state.put(GOBLIN, 1), GOBLIN, False) == 2


def test_a_known_number_calls_for_no_check() -> None:
    played = begun(rats(3, count_known=True))
    assert played.rolls == [] and played.result.phase == "tactics"


@pytest.mark.parametrize("count", [1, 5, 20])
def test_the_difficulty_is_20_less_the_number_of_monsters(count: int) -> None:
    played = begun(rats(count), Represent("Odile"), faces=[(3, 4)])
    told = told_check(played)
    assert (told.difficulty, told.score_name, told.score) == (20 - count, "search", 3)


def test_dead_monsters_and_rivals_are_no_monsters_met() -> None:
    dead = replace(armory.monsters["Needle Rat"], name="Old Rat", is_dead=True)
    setup = rats(3)
    setup = replace(
        setup, combatants=(*setup.combatants, dead), placement=(*setup.placement, 4)
    )
    told = told_check(begun(setup, Represent("Odile"), faces=[(3, 4)]))
    assert told.difficulty == 17
    rival = sheets.Combatant("Otta", Side.FOE, CharacterKind.NPC, hp_max=9)
    odile = setup.combatants[0]
    only = encounters.Encounter((odile, rival), (4, 5), count_known=False)
    assert begun(only).result.phase == "tactics"
    mixed = replace(
        only,
        combatants=(odile, rival, dead, setup.combatants[1]),
        placement=(3, 5, 4, 4),
    )
    told = told_check(begun(mixed, Represent("Odile"), faces=[(3, 4)]))
    assert told.difficulty == 19
    assert rounds.has_turns(
        begun(mixed, Represent("Odile"), faces=[(1, 1)]).result, Side.FOE
    )


def test_a_piece_behind_their_lines_counts_in_any_condition() -> None:
    start = states.opening(replace(CELLAR, placement=(2, 4, 3, 4, 5, 6)))
    for state in (
        start.falls(ODILE),
        start.dies(ODILE),
        start.gains(ODILE, BadStatus.SLEEP),
    ):
        played = tk.play(ambush.test, state)
        assert played.result.phase == "ambush"
        assert played.events[0] == ambush.CaughtFromBehind(ODILE)


@pytest.mark.parametrize("blocks", [False, True])
def test_sleep_blocks_reactions_bars_sleeping_lookouts(blocks: bool) -> None:
    variant = encounters.Variant(sleep_blocks_reactions=blocks)
    state = states.opening(rats(3, variant=variant)).gains(0, BadStatus.SLEEP)
    menu = ambush.Lookouts(state, Side.COURT)
    assert menu.any() is not blocks
    if blocks:
        played = tk.play(ambush.test, state)
        assert played.result.phase == "ambush" and played.rolls == []


def test_everybody_of_their_side_takes_one_turn_and_nobody_of_the_court() -> None:
    state = begun(rats(3), Represent("Odile"), faces=[(1, 2)]).result
    assert [pick.who for pick in rounds.Picks(state, Side.FOE).values()] == [
        "Rat 0",
        "Rat 1",
        "Rat 2",
    ]
    while state.phase == "ambush" and rounds.has_turns(state, Side.FOE):
        pick = next(rounds.Picks(state, Side.FOE).values(rounds.Pick))
        state = rests(state, pick.who)
    assert state.acted == (1, 2, 3)
    after = tk.play(rounds.advance, state)
    assert after.events == [ambush.RoundsBegin()]
    answers = [Represent("Odile")]
    first = tk.play(rounds.advance, after.result, answers=answers, faces=[(6, 6)])
    assert isinstance(first.events[0], tactics_check.RoundBegins)
    assert first.result.first == Side.COURT


def test_a_sleeping_monster_takes_no_free_turn() -> None:
    state = begun(rats(2), Represent("Odile"), faces=[(1, 2)]).result
    asleep = state.gains(1, BadStatus.SLEEP).gains(2, BadStatus.SLEEP)
    assert tk.play(rounds.advance, asleep).result.phase == "tactics"


def test_an_ambush_that_fells_the_court_ends_the_battle() -> None:
    state = begun(rats(3), Represent("Odile"), faces=[(1, 2)]).result
    down = state.falls(0).with_hp(0, 0)
    assert tk.play(rounds.advance, down).result.outcome == "foe_won"
