"""Special movement: a second step, who may flee, what comes of it, what stays hidden."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.labyrinth_battle import checks, escaping, moving, rounds
from tabletop_kit.labyrinth_battle.encounters import Encounter, Variant
from tabletop_kit.labyrinth_battle.escaping import (
    CourtEscaped,
    DrivenOff,
    Escape,
    EscapeTo,
    ExtraMove,
    FoesEscaped,
    Kept,
    NoWayBack,
)
from tabletop_kit.labyrinth_battle.measures import BadStatus, CharacterKind, Side
from tabletop_kit.labyrinth_battle.sheets import Combatant
from tabletop_kit.labyrinth_battle.states import State, opening

COURT, FOE = Side
PC, MONSTER = CharacterKind.PC, CharacterKind.MONSTER
ESCAPE = Escape()
AKI, REN, BRUTE, WOLF, IMP, OWL = range(6)


def met(court: int = 1, foes: int = 4, **more: Any) -> State:
    """Two of the court in one area, four foes of evasion 7 to 10 in another."""
    sheets = [
        Combatant("Aki", COURT, PC, 10, search=2, evasion=8),
        Combatant("Ren", COURT, PC, 10, search=1, evasion=9),
    ]
    for name, evasion in (("Brute", 7), ("Wolf", 8), ("Imp", 9), ("Owl", 10)):
        sheets.append(
            Combatant(name, FOE, MONSTER, 10, evasion, search=1, monster_kind="foe")
        )
    areas = (court,) * 2 + (foes,) * 4
    setup = Encounter(tuple(sheets), areas, rooms=("room 7", "room 9"), **more)
    return replace(opening(setup), phase="turns", first=COURT)


def codes(state: State, who: int, answer: Any = ESCAPE) -> list[str]:
    return [one.code for one in rounds.Actions(state, who).why_not(answer)]


def tries(state: State, who: int, *script: Any) -> Any:
    return tk.play(rounds.act, state, who, answers=[ESCAPE, *script])


# ---- the extra move ------------------------------------------------------------------


def test_the_extra_move_is_a_step_and_uses_up_the_turn() -> None:
    state = met(court=2)
    for answer, area in ((ExtraMove("forward"), 3), (ExtraMove("back"), 1)):
        moved = tk.play(rounds.act, state, AKI, answers=[answer])
        assert moved.result == state.put(AKI, area).done(AKI)
        assert moved.events[0] == escaping.Hurried(AKI)
    assert codes(met(), AKI, ExtraMove("back")) == ["no_farther"]
    assert codes(met(court=6), AKI, ExtraMove("forward")) == ["no_farther"]
    assert codes(state, AKI, ExtraMove("sideways")) == ["no_such_way"]  # type: ignore[arg-type]


def test_no_more_than_two_steps_a_turn() -> None:
    script = [moving.Forward(), ExtraMove("forward")]
    turn = tk.play(rounds.take_turn, met(), AKI, answers=script)
    assert turn.result.areas[AKI] == 3 and turn.result.acted == (AKI,)


# ---- who may try ---------------------------------------------------------------------


def test_LB_EDGE_35_the_fallen_must_be_there_too() -> None:
    assert codes(met(), AKI) == []
    for state in (met().falls(REN), met().dies(REN)):
        assert codes(state, AKI) == []
        assert codes(state.put(REN, 2), AKI) == ["not_gathered"]
    (why,) = rounds.Actions(met().put(REN, 2), AKI).why_not(ESCAPE)
    assert why.sentence == "Not everybody is in area 1: Ren is in 2."
    gone = met().put(REN, 0)
    assert codes(gone, AKI) == []


def test_headquarters_are_ones_own_and_monsters_have_theirs() -> None:
    assert codes(met(court=6), AKI) == ["not_gathered"]
    assert codes(met(foes=6), BRUTE) == []
    assert codes(met(foes=5), BRUTE) == ["not_gathered"]
    assert codes(met(foes=6).put(OWL, 5), BRUTE) == ["not_gathered"]


# ---- the check -----------------------------------------------------------------------


@pytest.mark.parametrize(("faces", "gets_out"), [((5, 3), True), ((4, 3), False)])
def test_search_against_the_highest_evasion(
    faces: tuple[int, int], gets_out: bool
) -> None:
    tried = tries(met(), AKI, faces)  # search 2 against the owl's 10
    assert (tried.result.outcome == "court_escaped") is gets_out
    assert tried.result.acted == (AKI,)
    told = next(one for one in tried.events if isinstance(one, checks.Checked))
    assert (told.made_for, told.score_name, told.difficulty) == ("escape", "search", 10)
    last = tried.events[-1]
    assert last == (CourtEscaped(AKI, "the room before") if gets_out else Kept(AKI))


def test_only_who_counts_counts() -> None:
    state = met().gains(OWL, BadStatus.SLEEP).dies(IMP)  # the wolf's 8 is left
    assert tries(state, AKI, (3, 3)).result.outcome == "court_escaped"
    assert tries(state, AKI, (2, 3)).result.outcome == ""
    asleep = met().falls(OWL)
    for who in (BRUTE, WOLF, IMP):
        asleep = asleep.dies(who)
    # Everybody else is dead: the battle would be over, but the check stands: 7.
    told = tries(asleep, AKI, (1, 1)).events
    assert next(one.difficulty for one in told if hasattr(one, "difficulty")) == 7


def test_a_failure_costs_the_turn_and_the_next_may_try() -> None:
    state = met()
    failed = tries(state, AKI, (1, 1))
    assert failed.result == state.done(AKI)
    assert tries(failed.result, REN, (6, 6)).result.outcome == "court_escaped"


# ---- what comes of it ----------------------------------------------------------------


def test_the_court_is_off_the_field_and_nobody_has_won() -> None:
    fled = tries(met().falls(REN), AKI, (6, 6)).result
    assert fled.areas == (0, 0, 4, 4, 4, 4, *fled.areas[6:])
    ended = tk.play(rounds.advance, fled).result
    assert ended.phase == "over" and ended.outcome == "court_escaped"


@pytest.mark.parametrize("removes", ["fleeing_side", "opposing_side"])
def test_which_side_leaves_is_a_house_rule(removes: Any) -> None:
    state = met(variant=Variant(escape_removes=removes))
    fled = tries(state, AKI, (6, 6))
    gone, stays = (COURT, FOE) if removes == "fleeing_side" else (FOE, COURT)
    assert fled.result.on_field(gone) == ()
    assert fled.result.on_field(stays) == state.members(stays)
    assert fled.result.outcome == "court_escaped"
    assert isinstance(fled.events[-1], DrivenOff) is (removes == "opposing_side")


def test_LB_EDGE_36_double_six_and_no_way_back() -> None:
    cut = met(way_back=False)
    tried = tries(cut, AKI, (6, 6))
    assert codes(cut, AKI) == [] and tried.result == cut.done(AKI)
    assert tried.events[-1] == NoWayBack(AKI, "the room before")
    foes = met(foes=6, way_back=False)
    fled = tries(foes, OWL, (6, 6), EscapeTo("room 7")).result
    assert fled.outcome == "foe_escaped"


def test_monsters_turn_up_where_the_game_master_says() -> None:
    state = met(foes=6)
    for room in ("room 7", "room 9"):
        fled = tries(state, BRUTE, (5, 3), EscapeTo(room))  # search 1 against 9
        assert fled.events[-1] == FoesEscaped(BRUTE, room)
        assert fled.result.on_field(FOE) == () and fled.result.outcome == "foe_escaped"
    assert tries(state, BRUTE, (4, 3)).result.outcome == ""
    with pytest.raises(tk.Refused):
        tries(state, BRUTE, (5, 3), EscapeTo("room 8"))
    asked = escaping.EscapeRooms(state, "gm", BRUTE)
    assert [answer.room for answer in asked.values()] == ["room 7", "room 9"]


def test_LB_EDGE_37_no_treasure_where_monsters_escape() -> None:
    state = met(foes=6).dies(BRUTE).dies(WOLF)
    fled = tries(state, IMP, (6, 6), EscapeTo("room 7")).result
    ended = tk.play(rounds.advance, fled).result
    assert (ended.phase, ended.outcome, ended.loot) == ("over", "foe_escaped", ())


def test_LB_EDGE_64_a_hidden_evasion_is_not_announced() -> None:
    state = met(unidentified=("foe",))
    tried = tries(state, AKI, (5, 3))
    told = next(one for one in tried.events if isinstance(one, checks.Checked))
    assert tried.result.outcome == "court_escaped" and told.difficulty == 10
    shown = told.seen_by(state.knower(COURT))
    assert isinstance(shown, checks.Checked) and shown.difficulty is None
    known = tries(replace(state, disclosed=("foe",)), AKI, (5, 3))
    open_one = next(one for one in known.events if isinstance(one, checks.Checked))
    seen = open_one.seen_by(known.result.knower(COURT))
    assert isinstance(seen, checks.Checked) and seen.difficulty == 10
