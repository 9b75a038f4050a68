"""Talk and flee: what a flight needs, who counts, who is gone, what is asked."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.core.playing import Played
from tabletop_kit.formation import (
    Attack,
    Side,
    Slot,
    State,
    Variant,
    abilities,
    states,
    talk_and_flee,
    turn_end,
    turns,
)
from tabletop_kit.formation.talk_and_flee import (
    Caught,
    DiceDecide,
    Fled,
    Flee,
    FleeRulings,
    GaveUp,
    GivesUp,
    Granted,
    LetGo,
    NothingComes,
    Running,
    Stumbled,
    Talk,
    Talked,
    TalkRulings,
)

BRIDGE = formation.samples["footbridge"]
AKI, REN, MIO, BRUTE, WOLF, SLINGER = range(6)
READY = tk.play(turns.prepare, states.opening(BRIDGE)).result
DICE = DiceDecide()


def codes(state: State, who: int, answer: Any) -> list[str]:
    return [one.code for one in turns.Actions(state, who).why_not(answer)]


def runs(state: State, who: int, *answers: Any) -> Played:
    return tk.play(turns.act, state, who, answers=[Flee(), *answers])


def ruled(state: State, **rules: Any) -> State:
    return replace(state, setup=replace(state.setup, variant=Variant(**rules)))


def quickened(agility: dict[int, int]) -> State:
    """Before the first turn is over, with these agilities and no others changed."""
    people = list(BRIDGE.combatants)
    for who, value in agility.items():
        people[who] = replace(people[who], agility=value)
    return replace(READY, setup=replace(BRIDGE, combatants=tuple(people)))


# ---- the roll ----------------------------------------------------------------------

SIX_AGAINST_EIGHT = quickened({AKI: 6, BRUTE: 4, WOLF: 8, SLINGER: 7})


def test_FM_EDGE_01_equal_is_enough_unless_the_group_says_no() -> None:
    tie = runs(SIX_AGAINST_EIGHT, AKI, DICE, (3, 4))
    assert tie.events[1:] == [Fled(AKI, 6, 7, 13, 0)]
    stricter = ruled(SIX_AGAINST_EIGHT, flee_tie="failure")
    failed = runs(stricter, AKI, DICE, (3, 4))
    assert failed.events[1:] == [Caught(AKI, 6, 7, 13, 0)]
    assert failed.result == stricter.done(AKI)
    assert runs(stricter, AKI, DICE, (4, 4)).result.escaped == (AKI,)
    short = runs(SIX_AGAINST_EIGHT, AKI, DICE, (2, 4))
    assert short.events[1:] == [Caught(AKI, 6, 6, 13, -1)]
    assert short.events[0] == Running(AKI)
    assert short.told == [short.result] * 2 == [SIX_AGAINST_EIGHT.done(AKI)] * 2


def test_FM_EDGE_38_a_double_one_fails_whatever_the_numbers() -> None:
    swift = quickened({AKI: 20, WOLF: 8})
    failed = runs(swift, AKI, DICE, (1, 1))
    assert failed.events[1:] == [Stumbled(AKI)]
    assert failed.result == swift.done(AKI)
    assert runs(swift, AKI, DICE, (1, 2)).result.escaped == (AKI,)


def test_a_double_six_adds_on() -> None:
    slow = quickened({AKI: 0, WOLF: 10, SLINGER: 1, BRUTE: 1})
    on = runs(slow, AKI, DICE, (6, 6), (1, 2))
    assert on.events[1:] == [Fled(AKI, 0, 15, 15, 0)]
    assert runs(slow, AKI, DICE, (6, 6), (1, 1)).events[1:] == [
        Caught(AKI, 0, 14, 15, -1)
    ]


def test_FM_EDGE_39_only_who_stands_counts_and_a_sleeper_stands() -> None:
    need = talk_and_flee.needed
    assert need(READY, MIO) == 8 + 5
    assert need(READY.hurt(WOLF, 8), MIO) == 7 + 5
    assert need(READY.left(WOLF), MIO) == 7 + 5
    for bad in (abilities.ASLEEP, abilities.STOPPED):
        assert need(READY.gains(WOLF, bad), MIO) == 8 + 5
    down = READY.hurt(WOLF, 8)
    assert runs(down, MIO, DICE, (3, 4)).events[1:] == [Fled(MIO, 5, 7, 12, 0)]
    asleep = READY.gains(WOLF, abilities.ASLEEP)
    assert runs(asleep, MIO, DICE, (3, 4)).events[1:] == [Caught(MIO, 5, 7, 13, -1)]


def test_changed_agility_counts_on_both_sides() -> None:
    quick = abilities.Buff("agility", 3)
    assert talk_and_flee.needed(READY.gains(WOLF, quick), MIO) == 8 + 3 + 5
    assert talk_and_flee.needed(READY.gains(AKI, quick), MIO) == 8 + 5  # her own side
    run = runs(READY.gains(MIO, quick), MIO, DICE, (1, 4))
    assert run.events[1:] == [Fled(MIO, 8, 5, 13, 0)]


@pytest.mark.parametrize("slot", list(Slot))
def test_rows_do_not_matter(slot: Slot) -> None:
    assert runs(READY.moved(MIO, slot), MIO, DICE, (4, 4)).result.escaped == (MIO,)


def test_enemies_flee_by_the_same_rule() -> None:
    run = runs(READY, BRUTE, DICE, (4, 4))
    assert run.events[1:] == [Fled(BRUTE, 6, 8, 14, 0)]  # Aki's 9 and 5
    assert run.result.standing(Side.ENEMY) == [WOLF, SLINGER]


@pytest.mark.parametrize(
    ("ahead", "tie", "ways"),
    [
        *((0, "success", 30), (0, "failure", 26), (-2, "success", 21)),
        *((-3, "success", 15), (-2, "failure", 15), (3, "success", 35)),
        *((99, "failure", 35), (-7, "success", 1), (-9, "success", 1)),
    ],
)
def test_the_chance_of_a_flight(ahead: int, tie: str, ways: int) -> None:
    flights = tk.outcomes(talk_and_flee.runs_free, 100 + ahead, 100, tie)
    chance = flights.chance(lambda free: bool(free))
    exact = Fraction(ways, 36)
    assert exact == chance if isinstance(chance, Fraction) else exact in chance


# ---- gone --------------------------------------------------------------------------


def test_FM_ACT_20_alone_and_for_good() -> None:
    gone = runs(READY, AKI, DICE, (3, 4)).result
    assert gone.standing(Side.PC) == [REN, MIO] and not gone.is_able(AKI)
    assert AKI not in gone.order and gone.acted == ()
    assert codes(gone, WOLF, Attack("Aki")) == ["gone"]
    assert Attack("Aki") not in list(turns.Actions(gone, WOLF).values())
    everyone_asked = []
    state = gone
    while (who := turns.next_to_act(state)) is not None:
        everyone_asked.append(who)
        state = tk.play(turns.advance, state, answers=[turns.Pass()]).result
    assert everyone_asked == [WOLF, SLINGER, BRUTE, MIO, REN]
    again = tk.play(turns.advance, state)
    assert again.events == [turns.NextTurn()]
    assert turns.next_to_act(again.result) == WOLF
    assert turns.ending(again.result) is None


def test_one_in_the_middle_of_the_order_flees_and_nobody_is_skipped() -> None:
    state = READY
    for who in (AKI, WOLF):
        assert turns.next_to_act(state) == who
        state = tk.play(turns.advance, state, answers=[turns.Pass()]).result
    state = tk.play(turns.advance, state, answers=[Flee(), DICE, (4, 4)]).result
    assert state.escaped == (SLINGER,) and state.acted == (AKI, WOLF)
    assert turns.next_to_act(state) == BRUTE and state.passed == ()


def test_the_last_one_to_flee_ends_the_battle() -> None:
    last = READY.hurt(AKI, 16).hurt(REN, 12)
    gone = runs(last, MIO, DICE, (4, 4)).result
    assert turns.is_decided(gone)
    over = tk.play(turns.advance, gone).result
    assert turns.ending(over) == "enemies win"
    assert turn_end.outcome(over) == turn_end.Outcome(
        "enemies win", ("Aki", "Ren"), ("Mio",)
    )


def test_who_flees_from_the_front_leaves_it_to_those_behind() -> None:
    closing = ruled(READY, empty_row_rule="auto_advance")
    left = runs(closing, AKI, DICE, (3, 4))
    assert left.result.slots[REN] == left.result.slots[MIO] == Slot.PC_FRONT
    assert left.words()[-1] == "Ren, Mio closed up to the front."
    assert runs(closing, AKI, Granted()).result == left.result
    assert runs(closing, MIO, DICE, (4, 4)).result.slots == closing.slots
    assert runs(READY, AKI, DICE, (3, 4)).result.slots == READY.slots


def test_FM_ACT_21_granted_without_dice() -> None:
    hopeless = quickened({MIO: 0, WOLF: 20})
    granted = runs(hopeless, MIO, Granted())
    assert granted.events[1:] == [LetGo(MIO)] and not granted.rolls
    assert granted.result.escaped == (MIO,)
    menu = FleeRulings(hopeless, "gm", MIO)
    assert list(menu.values()) == [DICE, Granted()]


def test_who_may_flee_or_talk() -> None:
    for answer in (Flee(), Talk("Wolf")):
        assert codes(READY, AKI, answer) == []
        assert codes(READY.done(AKI), AKI, answer) == ["already_acted"]
        assert codes(READY.hurt(AKI, 16), AKI, answer) == ["unconscious"]
        assert codes(READY.gains(AKI, abilities.ASLEEP), AKI, answer) == ["unable"]
        assert codes(READY.left(AKI), AKI, answer) == ["left"]


# ---- talking -----------------------------------------------------------------------


def thinking(*who: int) -> State:
    people = [
        replace(sheet, is_intelligent=number in who)
        for number, sheet in enumerate(BRIDGE.combatants)
    ]
    return replace(READY, setup=replace(BRIDGE, combatants=tuple(people)))


def talks(state: State, who: int, name: str, *rulings: Any) -> Played:
    return tk.play(turns.act, state, who, answers=[Talk(name), *rulings])


def test_FM_ACT_17_partners() -> None:
    partners = [one.partner for one in turns.Actions(READY, AKI).values(Talk)]
    assert partners == ["Ren", "Mio", "Brute", "Wolf", "Slinger"]
    fewer = READY.hurt(REN, 12).left(BRUTE).gains(WOLF, abilities.ASLEEP)
    partners = [one.partner for one in turns.Actions(fewer, AKI).values(Talk)]
    assert partners == ["Mio", "Wolf", "Slinger"]
    assert codes(fewer, AKI, Talk("Ren")) == ["silent"]
    assert codes(fewer, AKI, Talk("Brute")) == ["gone"]
    assert codes(fewer, AKI, Talk("Aki")) == ["no_such_partner"]


def test_FM_ACT_18_only_of_a_thinking_opponent_is_anything_asked() -> None:
    state = thinking(SLINGER, REN)
    for who, partner, name in (
        (AKI, WOLF, "Wolf"),
        (AKI, REN, "Ren"),
        (WOLF, SLINGER, "Slinger"),
    ):
        talk = talks(state, who, name)
        assert talk.events == [Talked(who, partner)]
        assert talk.result == state.done(who) and talk.told == [talk.result]
    assert talks(READY, AKI, "Slinger").result == READY.done(AKI)


def test_FM_ACT_18_nothing_comes_or_they_leave() -> None:
    state = thinking(SLINGER)
    assert talks(state, AKI, "Slinger", NothingComes()).result == state.done(AKI)
    won = talks(state, AKI, "Slinger", GivesUp())
    assert won.events == [Talked(AKI, SLINGER), GaveUp(SLINGER)]
    assert won.result == state.done(AKI).left(SLINGER)
    menu = TalkRulings(state, "gm", (AKI, SLINGER))
    assert list(menu.values()) == [NothingComes(), GivesUp()]
    last = state.hurt(BRUTE, 14).hurt(WOLF, 8)
    assert turns.is_decided(talks(last, AKI, "Slinger", GivesUp()).result)


def test_who_gives_up_in_front_leaves_it_to_those_behind() -> None:
    state = ruled(thinking(WOLF), empty_row_rule="auto_advance").hurt(BRUTE, 14)
    won = talks(state, AKI, "Wolf", GivesUp()).result
    assert won.slots[SLINGER] == Slot.ENEMY_FRONT


def test_policies_leave_it_to_the_dice_and_to_silence() -> None:
    policy = formation.FORMATION.policy()
    assert policy is not None
    assert policy(FleeRulings(READY, "gm", AKI)) == DICE
    assert policy(TalkRulings(thinking(WOLF), "gm", (AKI, WOLF))) == NothingComes()


def test_a_flight_in_a_game_is_asked_of_the_game_master() -> None:
    game = tk.Game(BRIDGE, seed=3)
    assert isinstance(game.ask, turns.Actions) and game.ask.who == AKI
    game.answer(Flee())
    assert isinstance(game.ask, FleeRulings) and game.ask.who == "gm"
    assert [option.label for option in game.options()] == [
        "let the dice decide",
        "grant the escape",
    ]
    game.answer(Granted())
    assert game.state.escaped == (AKI,)
    assert isinstance(game.ask, turns.Actions) and game.ask.who == WOLF
