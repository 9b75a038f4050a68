"""Support actions: what each costs, the fallen, what is found, what is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.events import Event
from tabletop_kit.core.playing import Played
from tabletop_kit.labyrinth_battle import (
    armory,
    bad_statuses,
    battles,
    checks,
    encounters,
    escaping,
    rounds,
    states,
    support,
    traps,
    unidentified,
)
from tabletop_kit.labyrinth_battle.exchange import Exchange
from tabletop_kit.labyrinth_battle.measures import BadStatus, Side
from tabletop_kit.labyrinth_battle.states import State
from tabletop_kit.labyrinth_battle.support import (
    Investigate,
    IsAllowed,
    NotAllowed,
    Rescue,
    SomethingElse,
)
from tabletop_kit.labyrinth_battle.using import Cooperate, UseItem, UseSkill

GUTTER = battles.samples["gutter"]
ILVANE, PIM, ODILE, SERA, BRANNOC, RAT, OGRE, KNIGHT, IMP, CHOIR = range(10)
COURT, FOE = Side
WARDS = ((ILVANE, "raised shield"), (BRANNOC, "step between"))
BEGUN = replace(states.opening(GUTTER), phase="turns", first=COURT, suppressed=WARDS)
BESIDE = BEGUN.put(PIM, 3).with_hp(ODILE, 0).falls(ODILE)
PASS = rounds.Pass()


def acts(state: State, who: int, *answers: Any) -> Played:
    return tk.play(rounds.act, state, who, answers=answers)


def codes(state: State, who: int, answer: Any) -> list[str]:
    return [one.code for one in rounds.Actions(state, who).why_not(answer)]


def named(events: Sequence[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


# each costs the turn


@pytest.mark.parametrize(
    "answers",
    [
        [Rescue("Odile", "back")],
        [Exchange("Brannoc", ("brass kettle",))],
        [Investigate("sluice", "search"), (1, 2)],
        [Cooperate("Brannoc", "hit")],
        [UseSkill("second helping", "Odile")],
        [UseItem("packed lunch", "Odile")],
        [SomethingElse(), IsAllowed()],
    ],
)
def test_it_uses_up_the_turn(answers: list[Any]) -> None:
    played = acts(BESIDE, PIM, *answers)
    assert PIM in played.result.acted
    fat = acts(BESIDE.gains(PIM, BadStatus.OBESITY), PIM, *answers)
    assert fat.result.hp[PIM] == 11
    assert len(named(fat.events, bad_statuses.OutOfBreath)) == 1


def test_recognition_is_among_them() -> None:
    assert set(unidentified.RULES) <= set(support.RULES)
    assert set(traps.RULES) <= set(support.RULES)
    assert {kind.make for kind in support.KINDS} == set(support.RULES)


# rescue


def test_rescue_moves_the_fallen_of_any_side() -> None:
    back = acts(BESIDE, PIM, Rescue("Odile", "back")).result
    assert (back.areas[ODILE], back.areas[PIM]) == (2, 3)
    forward = acts(BESIDE, PIM, Rescue("Odile", "forward")).result
    assert forward.areas[ODILE] == 4 and ODILE in forward.incapacitated
    rat = BEGUN.dies(RAT).put(PIM, 4)
    assert acts(rat, PIM, Rescue("Needle Rat", "forward")).result.areas[RAT] == 3
    assert acts(rat, PIM, Rescue("Needle Rat", "back")).result.areas[RAT] == 5


def test_rescue_is_refused() -> None:
    assert codes(BESIDE, PIM, Rescue("Brannoc", "back")) == ["standing"]
    asleep = BESIDE.gains(BRANNOC, BadStatus.SLEEP)
    assert codes(asleep, PIM, Rescue("Brannoc", "back")) == ["standing"]
    assert codes(BESIDE, SERA, Rescue("Odile", "back")) == ["not_here"]
    home = BESIDE.put(PIM, 1).put(ODILE, 1)
    assert codes(home, PIM, Rescue("Odile", "back")) == ["edge"]
    assert codes(home, PIM, Rescue("Odile", "forward")) == []
    assert codes(BESIDE, PIM, Rescue("Pim", "back")) == ["no_such_target"]
    far = BESIDE.put(PIM, 6).put(ODILE, 6)
    assert codes(far, PIM, Rescue("Odile", "forward")) == ["edge"]


def test_nothing_goes_off_under_the_carried() -> None:
    front = BESIDE.put(PIM, 4).put(ODILE, 4)
    played = acts(front, PIM, Rescue("Odile", "forward"))
    assert played.events == [support.Carried(PIM, ODILE, 5)] and not played.rolls


def test_LB_EDGE_35_the_body_has_to_come_home() -> None:
    flight = escaping.Escape()
    gone = BEGUN.dies(ODILE).put(ODILE, 2)
    for who in (ILVANE, PIM, SERA, BRANNOC):
        gone = gone.put(who, 1)
    assert codes(gone, ILVANE, flight)
    fetched = acts(gone.put(PIM, 2), PIM, Rescue("Odile", "back")).result
    assert codes(fetched, ILVANE, flight)  # Pim himself is out there
    assert codes(fetched.put(PIM, 1), ILVANE, flight) == []


# investigate


def room(
    objects: tuple[encounters.RoomObject, ...], *placed: encounters.PlacedTrap
) -> State:
    setup = replace(GUTTER, objects=objects, traps=placed)
    return replace(states.opening(setup), phase="turns", first=COURT)


def test_investigate_counts_the_whole_court() -> None:
    search = Investigate("sluice", "search")
    for state in (BEGUN, BEGUN.dies(ILVANE), BEGUN.put(ILVANE, 0)):
        check = acts(state, PIM, search, (4, 4)).events[0]
        assert isinstance(check, checks.Checked)
        assert (check.difficulty, check.score) == (12, 3)
    assert acts(BEGUN, PIM, search, (4, 5)).result.searched == ("sluice",)
    assert acts(BEGUN, PIM, search, (4, 4)).result.searched == ()
    assert acts(BEGUN, PIM, Investigate("sluice", "wit"), (4, 5)).result.searched == ()


def test_investigate_brings_everything_to_light() -> None:
    pit = encounters.PlacedTrap(armory.traps["pit"], 4, hidden_in="chest")
    wire = encounters.PlacedTrap(armory.traps["tripwire"], 4)
    both = (encounters.RoomObject("chest", "a letter"), encounters.RoomObject("rug"))
    state = room(both, pit, wire)
    found = acts(state, PIM, Investigate("chest", "search"), (5, 5))
    assert named(found.events, support.Uncovered) == [
        support.Uncovered(PIM, "chest", "a letter")
    ]
    assert named(found.events, support.TrapUncovered) == [
        support.TrapUncovered(PIM, "chest", "pit")
    ]
    known = {trap.trap: trap.is_found for trap in found.result.traps}
    assert known == {0: True, 1: False}
    assert codes(found.result, ODILE, Investigate("chest", "wit")) == ["searched"]
    rug = acts(state, PIM, Investigate("rug", "search"), (5, 5))
    assert named(rug.events, support.NothingHidden)
    failed = acts(state, PIM, Investigate("chest", "search"), (1, 2))
    assert failed.events[1:] == [support.NothingFound(PIM, "chest")]
    assert failed.result == state.done(PIM)


def test_investigate_is_refused() -> None:
    assert codes(BEGUN, IMP, Investigate("sluice", "wit")) == ["not_the_court"]
    assert codes(BEGUN, PIM, Investigate("sluice", "valor")) == ["no_such_score"]
    assert codes(BEGUN, PIM, Investigate("door", "wit")) == ["no_such_object"]


# by permission


def test_something_else_needs_a_yes() -> None:
    allowed = acts(BEGUN, PIM, SomethingElse(), IsAllowed())
    assert allowed.result == BEGUN.done(PIM)
    refused = acts(BEGUN, PIM, SomethingElse(), NotAllowed(), PASS)
    assert refused.events[0] == support.TurnedDown(PIM)
    asked = tk.play(
        support.something_else, BEGUN, PIM, SomethingElse(), answers=[NotAllowed()]
    ).result
    assert codes(asked, PIM, SomethingElse()) == ["no_again"]
    assert codes(asked, PIM, PASS) == []
    assert codes(tk.play(rounds.end_round, asked).result, PIM, SomethingElse()) == []
    assert next(support.Permissions(BEGUN, "gm", PIM).values()) == NotAllowed()


def test_the_menu_keeps_its_order() -> None:
    makes = [kind.make for kind in support.KINDS]
    assert makes == [
        Rescue,
        Exchange,
        Investigate,
        traps.Disarm,
        Cooperate,
        UseSkill,
        UseItem,
        unidentified.Recognize,
        SomethingElse,
    ]
