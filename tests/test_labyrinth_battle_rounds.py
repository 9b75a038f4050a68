"""Rounds: who may be picked, what one turn holds, when sides hand over, what is new."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.asking import Ask, Taken
from tabletop_kit.labyrinth_battle import (
    attacks,
    endings,
    escaping,
    moving,
    rounds,
    targets,
)
from tabletop_kit.labyrinth_battle.encounters import Encounter, Variant
from tabletop_kit.labyrinth_battle.measures import (
    BadStatus,
    CharacterKind,
    Side,
    WeaponKind,
)
from tabletop_kit.labyrinth_battle.rounds import Pass, Pick, Picks
from tabletop_kit.labyrinth_battle.sheets import Combatant, Item
from tabletop_kit.labyrinth_battle.states import State, opening

COURT, FOE = Side
PC, MONSTER = CharacterKind.PC, CharacterKind.MONSTER
SLEEP, POISON = BadStatus.SLEEP, BadStatus.POISON
CLUB = Item("club", WeaponKind.MELEE, power=9)
STAY, FORWARD, REST = moving.Stay(), moving.Forward(), Pass()
AKI, REN, BRUTE, WOLF = range(4)


def met(
    aki: int = 3, ren: int = 3, brute: int = 4, wolf: int = 4, **house: Any
) -> State:
    """Two against two in these areas, the court first."""
    sheets = (
        Combatant("Aki", COURT, PC, 10, valor=3, items=(CLUB,)),
        Combatant("Ren", COURT, PC, 10, valor=2, items=(CLUB,)),
        Combatant("Brute", FOE, MONSTER, 10, valor=1, monster_kind="brute"),
        Combatant("Wolf", FOE, MONSTER, 10, valor=1, monster_kind="wolf"),
    )
    setup = Encounter(sheets, (aki, ren, brute, wolf), Variant(**house))
    return replace(opening(setup), phase="turns", first=COURT)


def picks(state: State, side: Side) -> list[str]:
    return [answer.who for answer in Picks(state, side).values()]


def codes(state: State, side: Side, name: str) -> list[str]:
    return [reason.code for reason in Picks(state, side).why_not(Pick(name))]


def all_of(state: State, *people: int) -> State:
    for who in people:
        state = state.done(who)
    return state


def unit(state: State, *answers: Any) -> State:
    after: State = tk.play(rounds.advance, state, answers=answers).result
    return after


def pick_and_turn(ask: Ask, state: State) -> State:
    """Two units in a row."""
    return rounds.advance(ask, rounds.advance(ask, state))


def turn(state: State, name: str, *answers: Any) -> State:
    """After the turn of this one of the side at turn, with these answers."""
    script = [Pick(name), *answers]
    after: State = tk.play(pick_and_turn, state, answers=script).result
    return after


def rests(state: State, name: str) -> State:
    """After a turn in which this one does nothing."""
    return turn(state, name, STAY, REST)


# ---- picks ---------------------------------------------------------------------------


def test_any_order_within_a_side_and_nobody_twice() -> None:
    for order in (("Aki", "Ren"), ("Ren", "Aki")):
        state = met()
        for name in order:
            state = rests(state, name)
        assert state.acted == (AKI, REN)
    once = rests(met(), "Ren")
    assert picks(once, COURT) == ["Aki"] and codes(once, COURT, "Ren") == ["acted"]
    with pytest.raises(tk.Refused):
        unit(met(), Pick("Brute"))


def test_why_somebody_cannot_be_picked() -> None:
    state = met().falls(AKI).gains(REN, SLEEP).dies(WOLF)
    assert codes(state, COURT, "Aki") == ["acted", "down"]
    assert codes(state, COURT, "Ren") == ["asleep"]
    assert codes(state, FOE, "Wolf") == ["acted", "dead"]
    assert codes(state, COURT, "Brute") == ["no_such_who"]


def test_a_pick_is_a_unit_of_its_own() -> None:
    state = met()
    picked = tk.play(rounds.advance, state, answers=[Pick("Ren")])
    assert picked.result == replace(state, picked=REN)
    assert picked.events == [rounds.TurnTaken(REN)]
    assert picked.told == [picked.result]
    after = tk.play(rounds.advance, picked.result, answers=[FORWARD, REST])
    assert after.result == state.put(REN, 4).done(REN)
    assert rounds.TurnTaken(REN) not in after.events


def test_who_was_picked_has_the_next_unit_in_an_ambush_too() -> None:
    ambushed = replace(met(), phase="ambush", first=None)
    picked = unit(ambushed, Pick("Wolf"))
    assert picked == replace(ambushed, picked=WOLF)
    assert unit(picked, FORWARD, REST) == ambushed.put(WOLF, 3).done(WOLF)


def test_nobody_surrenders_between_a_pick_and_its_step() -> None:
    give_up = Taken(endings.Surrender())
    assert unit(met(), give_up).surrendered == COURT
    picked = unit(met(), Pick("Aki"))
    with pytest.raises(tk.Refused):
        unit(picked, give_up)
    after = unit(picked, STAY, REST)
    assert unit(after, give_up).surrendered == COURT


def test_LB_EDGE_08_turns_are_not_interleaved() -> None:
    state = met(aki=4, ren=3)
    assert moving.blockade(state, AKI) == moving.Blockade(AKI, 1, 2)
    with pytest.raises(tk.Refused):
        turn(state, "Aki", Pick("Ren"), FORWARD, REST)
    with pytest.raises(tk.Refused):
        turn(state, "Aki", STAY, Pick("Ren"))
    state = turn(state, "Ren", FORWARD, REST)
    assert moving.blockade(state, AKI) is None
    assert turn(state, "Aki", FORWARD, REST).areas[AKI] == 5


def test_the_step_comes_before_the_action_and_only_there() -> None:
    back = escaping.ExtraMove("back")
    with pytest.raises(tk.Refused):
        turn(met(), "Aki", back)
    with pytest.raises(tk.Refused):
        turn(met(), "Aki", STAY, FORWARD)
    twice = turn(met(), "Aki", moving.Back(), back)
    assert twice.areas[AKI] == 1 and twice.acted == (AKI,)


# ---- actions -------------------------------------------------------------------------


def test_a_missed_blow_uses_up_the_turn_like_a_good_one() -> None:
    state = met(aki=4)
    blow = attacks.Attack("club", targets.Use.AS_ITSELF, "Brute", False)
    miss = turn(state, "Aki", STAY, blow, (1, 3))
    assert miss.hp[BRUTE] == 10 and miss.acted == (AKI,)
    hit = turn(state, "Aki", STAY, blow, (3, 3))
    assert hit.hp[BRUTE] == 1 and hit.acted == (AKI,)


def test_passing_step_action_or_both() -> None:
    state = met()
    assert rests(state, "Aki") == state.done(AKI)
    moved = turn(state, "Aki", FORWARD, REST)
    assert moved == state.put(AKI, 4).done(AKI)
    assert tk.play(rounds.act, state, AKI, answers=[REST]).events == [
        rounds.Waited(AKI)
    ]


def test_every_kind_of_action_has_one_rule() -> None:
    kinds = [kind.make for kind in rounds.Actions.kinds]
    assert len(kinds) == len(set(kinds)) and set(kinds) == set(rounds.RULES)


def test_an_answer_of_another_question_is_refused() -> None:
    with pytest.raises(tk.Refused):
        tk.play(rounds.act, met(), AKI, answers=[STAY])


# ---- handing over --------------------------------------------------------------------


def test_one_whole_side_then_the_other_then_the_end() -> None:
    state = met()
    names = {COURT: ("Aki", "Ren"), FOE: ("Wolf", "Brute")}
    for side in (COURT, FOE):
        for name in names[side]:
            assert rounds.side_to_act(state) == side
            state = rests(state, name)
    assert rounds.side_to_act(state) is None and state.handed_over
    state = unit(state)
    assert state.phase == "tactics" and state.acted == () and state.first is None
    assert not state.handed_over


def test_the_other_side_may_be_first() -> None:
    state = replace(met(), first=FOE)
    state = rests(state, "Wolf")
    assert rounds.side_to_act(state) == FOE
    state = rests(state, "Brute")
    assert rounds.side_to_act(state) == COURT and not state.handed_over
    assert unit(state, Pick("Ren")).handed_over and rests(state, "Ren").handed_over


def test_who_gets_up_after_the_hand_over_waits() -> None:
    state = met().falls(REN).done(AKI)
    state = rounds.refreshed(state).done(AKI)
    assert REN not in state.acted
    state = rests(state, "Wolf").rises(REN, 2)
    assert rounds.side_to_act(state) == FOE and codes(state, COURT, "Ren") == []
    state = rests(state, "Brute")
    assert rounds.side_to_act(state) is None
    assert picks(unit(state), COURT) == ["Aki", "Ren"]


def test_LB_EDGE_38_a_second_side_that_cannot_act_is_skipped() -> None:
    state = met().gains(BRUTE, SLEEP).done(BRUTE).falls(WOLF)
    state = rests(state, "Aki")
    assert rounds.side_to_act(state) == COURT
    state = rests(state, "Ren")
    assert rounds.side_to_act(state) is None
    assert unit(state).phase == "tactics"


def test_LB_EDGE_60_a_first_side_that_cannot_act_hands_over_at_once() -> None:
    state = met().gains(AKI, SLEEP).done(AKI).falls(REN)
    assert not endings.is_decided(state)
    assert rounds.side_to_act(state) == FOE
    assert picks(state, FOE) == ["Brute", "Wolf"]


# ---- the end of a round --------------------------------------------------------------


def over(state: State) -> State:
    ended: State = tk.play(rounds.end_round, state).result
    return ended


def test_LB_EDGE_17_poison_wakes_a_sleeper_before_the_refresh() -> None:
    state = met().gains(AKI, SLEEP).gains(AKI, POISON).gains(REN, SLEEP)
    state = over(all_of(state, AKI, REN, BRUTE, WOLF))
    assert state.hp[AKI] == 9 and not state.is_asleep(AKI)
    assert state.acted == (REN,) and state.is_asleep(REN)


def test_LB_EDGE_33_no_round_end_after_a_decided_battle() -> None:
    state = met().gains(AKI, POISON).with_hp(AKI, 1).dies(BRUTE).dies(WOLF)
    ended = unit(state)
    assert ended.hp[AKI] == 1 and ended.outcome == "court_won"
    assert ended.has(AKI, POISON)


def test_poison_may_decide_the_battle_before_the_refresh() -> None:
    state = met().dies(WOLF).gains(BRUTE, POISON).with_hp(BRUTE, 1)
    ended = over(all_of(state, AKI, REN, BRUTE))
    assert BRUTE in ended.dead and ended.phase == "turns" and AKI in ended.acted
    assert unit(ended).outcome == "court_won"


def test_LB_EDGE_39_healed_in_the_round_of_the_fall_is_acted() -> None:
    state = met().falls(AKI).rises(AKI, 3)
    assert codes(state, COURT, "Aki") == ["acted"]
    assert picks(over(state), COURT) == ["Aki", "Ren"]


@pytest.mark.parametrize("covers", [True, False])
def test_LB_EDGE_59_felled_in_one_round_and_healed_in_the_next(covers: bool) -> None:
    state = over(all_of(met(refresh_covers_fallen=covers).falls(AKI), REN, BRUTE, WOLF))
    assert picks(state, COURT) == ["Ren"]
    healed = state.rises(AKI, 3)
    assert picks(healed, COURT) == (["Aki", "Ren"] if covers else ["Ren"])
    assert picks(over(healed), COURT) == ["Aki", "Ren"]


@pytest.mark.parametrize("covers", [True, False])
def test_LB_EDGE_69_revived_in_the_round_of_the_death_or_in_the_next(
    covers: bool,
) -> None:
    at_once = met(refresh_covers_fallen=covers).dies(AKI).rises(AKI, 4)
    assert codes(at_once, COURT, "Aki") == ["acted"]
    assert picks(over(at_once), COURT) == ["Aki", "Ren"]
    later = over(met(refresh_covers_fallen=covers).dies(AKI)).rises(AKI, 4)
    assert picks(later, COURT) == (["Aki", "Ren"] if covers else ["Ren"])


def test_what_lasts_for_a_round_is_gone_after_it() -> None:
    state = replace(
        met(), haunted=(AKI,), refused_ghosts=(REN,), reacted=((AKI, "shield"),)
    )
    played = tk.play(rounds.end_round, state)
    assert played.events == [rounds.RoundOver()] and played.told == [played.result]
    after = played.result
    assert (after.haunted, after.refused_ghosts, after.reacted) == ((), (), ())


def test_a_decided_battle_ends_before_anything_else() -> None:
    state = met().dies(BRUTE).dies(WOLF)
    for phase in ("ambush", "tactics", "turns"):
        assert unit(replace(state, phase=phase)).outcome == "court_won"
