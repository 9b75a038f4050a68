"""Traps: what goes off under whom, and where each can be disarmed."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.playing import Played
from tabletop_kit.labyrinth_battle import (
    armory,
    battlefields,
    battles,
    encounters,
    falling,
    moving,
    rounds,
    states,
    traps,
)
from tabletop_kit.labyrinth_battle.encounters import PlacedTrap
from tabletop_kit.labyrinth_battle.measures import BadStatus, Side
from tabletop_kit.labyrinth_battle.states import State
from tabletop_kit.labyrinth_battle.traps import Disarm, Disarmed, NotDisarmed, WentOff

GUTTER = battles.samples["gutter"]
ILVANE, PIM, ODILE, SERA, BRANNOC, RAT, OGRE, KNIGHT, IMP, CHOIR = range(10)


def trap(name: str, area: int = 5, **more: Any) -> PlacedTrap:
    return PlacedTrap(armory.traps[name], area, **more)


def laid(*placed: PlacedTrap, **more: Any) -> State:
    setup = replace(GUTTER, traps=placed, **more)
    state = replace(states.opening(setup), phase="turns", first=Side.COURT)
    return state.put(ODILE, 4).dies(RAT).dies(OGRE).dies(KNIGHT)


def steps(state: State, who: int, *answers: Any) -> Played:
    return tk.play(moving.step, state, who, moving.FORWARD, answers=answers)


def acts(state: State, who: int, *answers: Any) -> Played:
    return tk.play(rounds.act, state, who, answers=answers)


def codes(state: State, who: int, name: str) -> list[str]:
    return [one.code for one in rounds.Actions(state, who).why_not(Disarm(name))]


def test_it_goes_off_under_friend_and_foe_and_stays() -> None:
    state = laid(trap("tripwire"))
    hurt = steps(state, ODILE, (4,)).result
    assert hurt.hp[ODILE] == 7 and hurt.traps[0].is_found
    again = tk.play(traps.entered, hurt, ODILE, answers=[(2,)]).result
    assert again.hp[ODILE] == 5 and again.traps == hurt.traps
    assert steps(state, CHOIR, (5,)).result.hp[CHOIR] == 13
    elsewhere = laid(trap("tripwire", 6))
    assert steps(elsewhere, ODILE).result == elsewhere.put(ODILE, 5)


def test_each_trap_there_goes_off() -> None:
    state = laid(trap("tripwire"), trap("music box"), trap("pit", 3))
    both = steps(state, ODILE, (1,), (2,))
    assert [e.trap for e in both.events if isinstance(e, WentOff)] == [
        "tripwire",
        "music box",
    ]
    assert both.result.hp[ODILE] == 10 and both.result.followers[ODILE] == 10


def test_what_traps_do() -> None:
    pit = steps(laid(trap("pit")), ODILE, (1, 2, 3), falling.JustFall()).result
    assert pit.hp[ODILE] == 5
    thorns = steps(laid(trap("poison thorns")), ODILE).result
    assert thorns.has(ODILE, BadStatus.POISON)
    box = steps(laid(trap("music box")), ODILE, (6,)).result
    assert box.followers[ODILE] == 6 and box.people == GUTTER.people + 6


def test_a_trap_that_an_object_hid_is_found_by_going_off() -> None:
    chest = (encounters.RoomObject("chest"),)
    state = laid(trap("tripwire", hidden_in="chest"), objects=chest)
    found = steps(state, ODILE, (1,)).result.traps[0]
    assert found.is_found and found.hidden_in == ""


def test_traps_on_somebody_do_not_go_off() -> None:
    state = laid(trap("tripwire", 0, host="Lantern Imp"))
    assert steps(state, ODILE).result == state.put(ODILE, 5)


def test_nothing_more_happens_to_the_dead_or_after_the_end() -> None:
    state = laid(trap("tripwire"), trap("sleeping gas"))
    weak = replace(state, dead=(OGRE, KNIGHT)).put(RAT, 6).with_hp(RAT, 1)
    slain = steps(weak, RAT, (4,))
    assert RAT in slain.result.dead and not slain.result.is_asleep(RAT)
    assert len([e for e in slain.events if isinstance(e, WentOff)]) == 1
    last = laid(trap("tripwire"), trap("music box")).dies(IMP).with_hp(CHOIR, 1)
    assert len(steps(last, CHOIR, (6,)).rolls) == 1
    alone = laid(trap("tripwire"), trap("music box")).with_hp(ODILE, 1)
    for who in (ILVANE, PIM, SERA, BRANNOC):
        alone = alone.dies(who)
    down = steps(alone, ODILE, (6,), (3, 4)).result  # the fatal wound, and no more
    assert down.incapacitated == (ODILE,) and down.followers[ODILE] == 12
    body = laid(trap("tripwire")).dies(ODILE).put(ODILE, 5)
    assert tk.play(traps.entered, body, ODILE).result == body


def test_LB_EDGE_66_a_trap_between_step_and_action() -> None:
    for placed, dice in (("sleeping gas", ()), ("tripwire", ((6,), (3, 4)))):
        state = laid(trap(placed)).with_hp(ODILE, 5)
        turn = tk.play(
            rounds.take_turn, state, ODILE, answers=[moving.Forward(), *dice]
        )
        assert ODILE in turn.result.acted and not turn.result.is_able(ODILE)
        assert rounds.has_turns(turn.result, Side.COURT)  # the next one is picked


def test_disarming() -> None:
    state = laid(trap("tripwire", is_found=True)).put(ODILE, 6)
    done = acts(state, ODILE, Disarm("tripwire"), (2, 3))
    assert done.result.traps == () and done.events[-1] == Disarmed(ODILE, "tripwire")
    assert ODILE in done.result.acted
    failed = acts(state, ODILE, Disarm("tripwire"), (2, 2))
    assert failed.result == state.done(ODILE)
    assert failed.events[-1] == NotDisarmed(ODILE, "tripwire")
    fat = acts(state.gains(ODILE, BadStatus.OBESITY), ODILE, Disarm("tripwire"), (2, 2))
    assert fat.result.hp[ODILE] == 10


@pytest.mark.parametrize("area", range(1, 7))
def test_the_room_is_disarmed_from_the_enemy_headquarters(area: int) -> None:
    state = laid(trap("tripwire", 5, is_found=True)).put(ODILE, area)
    assert codes(state, ODILE, "tripwire") == (
        [] if area == 6 else ["not_in_headquarters"]
    )


def test_LB_EDGE_52_a_trap_on_a_monster_needs_its_area() -> None:
    state = laid(trap("music box", 0, host="Lantern Imp", is_found=True))
    assert codes(state.put(ODILE, 6), ODILE, "music box") == ["not_at_host"]
    assert codes(state.put(ODILE, 5), ODILE, "music box") == []
    assert codes(state.put(ODILE, 6).put(IMP, 6), ODILE, "music box") == []
    assert codes(state.put(ODILE, 4), ODILE, "music box") == ["not_at_host"]
    gone = state.put(ODILE, 6).put(IMP, 0)
    assert codes(gone, ODILE, "music box") == ["not_at_host"]


def test_what_cannot_be_disarmed() -> None:
    state = laid(trap("falling gate", is_found=True), trap("pit")).put(ODILE, 6)
    assert codes(state, ODILE, "falling gate") == ["no_check"]
    reason = rounds.Actions(state, ODILE).why_not(Disarm("falling gate"))[0]
    assert reason.sentence == "It is disarmed by another way than a check: key."
    assert codes(state, ODILE, "pit") == ["no_such_trap"]
    foes = laid(trap("tripwire", is_found=True)).put(CHOIR, 1)
    assert codes(foes, CHOIR, "tripwire") == ["court_only"]


def test_two_traps_of_a_name() -> None:
    loose = (armory.traps["pit"],)
    state = laid(
        trap("tripwire", is_found=True), trap("pit", is_found=True), loose_traps=loose
    ).put(ODILE, 6)
    second = battlefields.SetTrap(2, 4, is_found=True)
    state = replace(state, traps=tuple(sorted((*state.traps, second))))
    left = acts(state, ODILE, Disarm("pit"), (6, 6)).result.traps
    assert [one.trap for one in left] == [0, 2]
