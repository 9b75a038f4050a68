"""Breakthroughs: who may pay, what it costs, and which blockade is broken."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from blocked_way import AKI, COURT, FOE, MIO, REN, codes, met, stepped
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.menus import Menu
from tabletop_kit.labyrinth_battle import (
    attacks,
    breakthroughs,
    escaping,
    moving,
    rounds,
    targets,
)
from tabletop_kit.labyrinth_battle.breakthroughs import (
    BlockadeStands,
    Blocked,
    BreakThrough,
    Breakthroughs,
    BrokenThrough,
    FellShort,
    LetAllPass,
    LetItStand,
)
from tabletop_kit.labyrinth_battle.encounters import Variant
from tabletop_kit.labyrinth_battle.measures import BadStatus, WeaponKind
from tabletop_kit.labyrinth_battle.moving import (
    Back,
    Blockade,
    Forward,
    Moved,
    Moves,
    Stay,
)
from tabletop_kit.labyrinth_battle.sheets import Item
from tabletop_kit.labyrinth_battle.states import State, opening

SLEEP = BadStatus.SLEEP
OBESITY = BadStatus.OBESITY
CLUB = Item("club", WeaponKind.MELEE, power=2)
FORWARD = Forward()
BACK = Back()
STAY = Stay()
STAND = LetItStand()
ALL_PASS = LetAllPass()
REST = rounds.Pass()
EXTRA = escaping.ExtraMove("forward")


def payers(state: State, tried: tuple[int, ...] = ()) -> list[str]:
    block = moving.blockade(state, AKI)
    assert block is not None
    menu = Breakthroughs(state, COURT, replace(block, tried=tried))
    answers = menu.values(BreakThrough)
    return [one.payer for one in answers if isinstance(one, BreakThrough)]


def test_LB_EDGE_05_who_may_pay() -> None:
    state = met((3, 4), aki=1, ren=2, mio=3)
    assert payers(state.done(REN)) == ["Aki", "Ren", "Mio"]
    assert payers(state.falls(REN)) == ["Aki", "Mio"]
    assert payers(state.dies(MIO)) == ["Aki", "Ren"]
    menu = Breakthroughs(state.falls(REN), COURT, moving.blockade(state, AKI))
    assert [r.code for r in menu.why_not(BreakThrough("Ren"))] == ["cannot_react"]
    assert [r.code for r in menu.why_not(BreakThrough("F0"))] == ["no_such_payer"]
    far = stepped(state.done(REN), FORWARD, BreakThrough("Ren"), (2,))
    assert far.result.areas[AKI] == 5 and far.result.followers[REN] == 0


@pytest.mark.parametrize("blocks", [False, True])
def test_a_sleeper_pays_unless_the_house_rule_forbids_it(blocks: bool) -> None:
    variant = Variant(sleep_blocks_reactions=blocks)
    state = met((3, 4), ren=5, variant=variant).gains(REN, SLEEP)
    assert payers(state) == ([] if blocks else ["Ren"])
    expected = ["blocked", "nobody_pays"] if blocks else []
    assert codes(state, AKI, FORWARD) == expected
    if blocks:
        menu = Breakthroughs(state, COURT, moving.blockade(state, AKI))
        assert [r.code for r in menu.why_not(BreakThrough("Ren"))] == ["asleep"]


def test_a_payment_opens_this_blockade_and_uses_up_nobodys_turn() -> None:
    state = met((3, 4), ren=9)
    paid = stepped(state, FORWARD, BreakThrough("Ren"), (4,))
    assert paid.result == state.with_followers(REN, 5).put(AKI, 5)
    assert paid.events == [
        Blocked(AKI, 1, 3),
        BrokenThrough(REN, AKI, 4, 5),
        Moved(AKI, "forward", 5),
    ]
    assert [told.areas[AKI] for told in paid.told] == [4, 4, 5]
    assert [told.followers[REN] for told in paid.told] == [9, 5, 5]


def test_LB_EDGE_06_more_than_there_are_is_not_spent() -> None:
    state = met((3, 4), ren=3, mio=5)
    answers = (FORWARD, BreakThrough("Ren"), (5,), BreakThrough("Mio"), (5,))
    short = stepped(state, *answers)
    assert short.events[1] == FellShort(REN, 5, 3)
    assert short.result == state.with_followers(MIO, 0).put(AKI, 5)
    stands = stepped(state, FORWARD, BreakThrough("Ren"), (4,), STAND)
    assert stands.result == state and stands.events[-1] == BlockadeStands(AKI)


def test_LB_EDGE_07_a_second_step_has_its_own_blockade() -> None:
    state = met((3, 4), (2, 5), aki=9)
    pays = BreakThrough("Aki")
    script = [FORWARD, pays, (2,), EXTRA, pays, (3,), REST]
    turn = tk.play(rounds.take_turn, state, AKI, answers=script[:-1])
    assert turn.result.areas[AKI] == 6 and turn.result.followers[AKI] == 4
    once = [FORWARD, pays, (2,), EXTRA, STAND]
    stopped = tk.play(rounds.take_turn, state, AKI, answers=once)
    assert stopped.result.areas[AKI] == 5 and stopped.result.acted == (AKI,)


def test_LB_EDGE_65_nobody_rolls_twice_and_it_takes_a_follower() -> None:
    state = met((3, 4), ren=2)
    assert payers(state) == ["Ren"] and payers(state, tried=(REN,)) == []
    menu = Breakthroughs(state, COURT, Blockade(AKI, 1, 3, tried=(REN,)))
    assert [r.code for r in menu.why_not(BreakThrough("Ren"))] == ["tried"]
    assert [r.code for r in menu.why_not(BreakThrough("Mio"))] == ["no_followers"]
    nobody_left = stepped(state, FORWARD, BreakThrough("Ren"), (3,))
    assert nobody_left.result == state
    assert nobody_left.events[-1] == BlockadeStands(AKI)
    with pytest.raises(tk.Refused):
        more = met((3, 4), ren=2, mio=1)
        stepped(more, FORWARD, BreakThrough("Ren"), (3,), BreakThrough("Ren"), (1,))


def test_a_new_blockade_is_rolled_for_anew() -> None:
    state = met((3, 4), (2, 5), ren=5, mio=6)
    script = [FORWARD, BreakThrough("Ren"), (6,), BreakThrough("Mio"), (1,)]
    script += [EXTRA, BreakThrough("Ren"), (5,)]
    turn = tk.play(rounds.take_turn, state, AKI, answers=script)
    assert turn.result.areas[AKI] == 6 and turn.result.followers[:3] == (0, 0, 5)


def test_everything_may_be_let_pass_for_the_rest_of_the_turn() -> None:
    state = met((3, 4), ren=9)
    passed = stepped(state, FORWARD, ALL_PASS)
    assert passed.result == replace(state, passing=(COURT,))
    assert codes(passed.result, AKI, FORWARD) == ["blocked", "passed"]
    refused = rounds.Actions(passed.result, AKI).why_not(EXTRA)
    assert [r.code for r in refused] == ["blocked", "passed"]
    turn = tk.play(rounds.take_turn, state, AKI, answers=[FORWARD, ALL_PASS, REST])
    assert turn.result.passing == ()
    theirs = replace(state, passing=(FOE,))
    assert stepped(theirs, FORWARD, BreakThrough("Ren"), (1,)).result.areas[AKI] == 5


def try_everybody(menu: Menu[Any]) -> Any:
    return next(menu.values(BreakThrough))


@pytest.mark.parametrize("followers", [1, 3, 5, 6, 9])
def test_the_odds_of_a_breakthrough(followers: int) -> None:
    state = met((3, 4), ren=followers)
    found = tk.outcomes(moving.step, state, AKI, 1, policy=try_everybody)
    opened = found.chance(lambda after: after.areas[AKI] == 5)
    assert opened == Fraction(min(followers, 6), 6)
    needed = tk.outcomes(breakthroughs.followers_needed, followers)
    assert needed.chance(lambda n: n <= followers) == opened


def test_LB_EDGE_40_the_obese_pay_for_a_breakthrough_not_for_a_step() -> None:
    state = met((3, 4), ren=9).gains(AKI, OBESITY).gains(REN, OBESITY)
    waits = tk.play(rounds.take_turn, state, AKI, answers=[BACK, REST])
    assert waits.result.hp[AKI] == 10
    pays = stepped(state, FORWARD, BreakThrough("Ren"), (2,))
    assert pays.result.hp[REN] == 9 and pays.result.hp[AKI] == 10
    assert pays.result.areas[AKI] == 5
    tried = stepped(state.with_followers(REN, 1), FORWARD, BreakThrough("Ren"), (2,))
    assert tried.result.hp[REN] == 9 and tried.result.areas[AKI] == 4
    armed = state.setup.combatants[AKI]
    sheets = (replace(armed, items=(CLUB,)), *state.setup.combatants[1:])
    setup = replace(state.setup, combatants=sheets)
    fights = replace(opening(setup), phase="turns", first=COURT).gains(AKI, OBESITY)
    blow = attacks.Attack("club", targets.Use.AS_ITSELF, "F0", False)
    first = [STAY, blow, (6, 6), (1, 2)]
    once = tk.play(rounds.take_turn, fights, AKI, answers=first).result
    assert once.hp[AKI] == 9 and once.again == AKI
    twice = tk.play(rounds.one_more, once, AKI, answers=[blow, (1, 3)])
    assert twice.result.hp[AKI] == 8


def test_who_falls_by_paying_goes_nowhere() -> None:
    state = met((3, 4), aki=9).gains(AKI, OBESITY).with_hp(AKI, 1)
    script = [FORWARD, BreakThrough("Aki"), (2,), (3, 4)]
    fell = tk.play(moving.move, state, AKI, answers=script)
    assert fell.result.areas[AKI] == 4 and fell.result.followers[AKI] == 7
    assert not fell.result.is_up(AKI)


def test_what_is_hidden_stays_hidden() -> None:
    state = met((3, 4), (2, 4), ren=2, unidentified=("foe",))
    knows = state.knower(COURT)
    block = moving.blockade(state, AKI)
    assert block is not None and block.hidden_by == 3
    menu = Breakthroughs(state, COURT, block)
    assert menu.asks == "Aki is blocked, 1 against more valor. Who pays?"
    stands = stepped(state, FORWARD, STAND)
    shown = stands.events[0].seen_by(knows)
    assert isinstance(shown, Blocked) and shown.valor is None and shown.heads == 1
    poor = state.with_followers(REN, 0)
    reason = Moves(poor, AKI).why_not(FORWARD)[0].seen_by(knows)
    assert "5" not in reason.sentence and "1" not in reason.sentence
    assert Moves.kinds[0].note is not None
    assert "5" not in Moves.kinds[0].note(Moves(state, AKI))
    known = replace(state, disclosed=("foe",))
    assert moving.blockade(known, AKI) == Blockade(AKI, 1, 5)
