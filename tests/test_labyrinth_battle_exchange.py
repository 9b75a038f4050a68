"""Exchange of equipment: with whom, how much, and what it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.events import Event
from tabletop_kit.core.playing import Played
from tabletop_kit.labyrinth_battle import battles, exchange, rounds, states
from tabletop_kit.labyrinth_battle.exchange import Exchange, Handful
from tabletop_kit.labyrinth_battle.measures import Side
from tabletop_kit.labyrinth_battle.states import State

GUTTER = battles.samples["gutter"]
ILVANE, PIM, ODILE, SERA, BRANNOC, RAT, OGRE, KNIGHT, IMP, CHOIR = range(10)
COURT, FOE = Side
WARDS = ((ILVANE, "raised shield"), (BRANNOC, "step between"))
BEGUN = replace(states.opening(GUTTER), phase="turns", first=COURT, suppressed=WARDS)
BESIDE = BEGUN.put(PIM, 3).with_hp(ODILE, 0).falls(ODILE)


def acts(state: State, who: int, *answers: Any) -> Played:
    return tk.play(rounds.act, state, who, answers=answers)


def codes(state: State, who: int, answer: Any) -> list[str]:
    return [one.code for one in rounds.Actions(state, who).why_not(answer)]


def resheeted(state: State, who: int, **fields: Any) -> State:
    people = list(state.setup.combatants)
    people[who] = replace(people[who], **fields)
    return replace(state, setup=replace(state.setup, combatants=tuple(people)))


def names(state: State, who: int) -> list[str]:
    return [item.name for item in state.items(who)]


def named(events: Sequence[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def test_exchange_goes_both_ways() -> None:
    deal = Exchange("Brannoc", ("ginger drop", "copper ladle"), ("tin armour",))
    played = acts(BESIDE, PIM, deal)
    state = played.result
    assert names(state, PIM) == ["packed lunch", "brass kettle", "tin armour"]
    assert names(state, BRANNOC) == ["great sword", "copper ladle", "ginger drop"]
    assert BRANNOC not in state.acted
    assert state.reduction(PIM) == 2 and state.reduction(BRANNOC) == 0
    assert len(named(played.events, exchange.Given)) == 2
    one_way = acts(BESIDE, PIM, Exchange("Brannoc", (), ("tin armour",)))
    assert len(named(one_way.events, exchange.Given)) == 1
    taken = acts(BESIDE, PIM, Exchange("Odile", (), ("star fragment",))).result
    assert "star fragment" in names(taken, PIM)
    assert codes(BESIDE.dies(ODILE), PIM, Exchange("Odile", (), ("sling",))) == []


def test_exchange_is_refused() -> None:
    assert codes(BESIDE, PIM, Exchange("Brannoc")) == ["no_deal"]
    assert codes(BESIDE, PIM, Exchange("세라", ("ginger drop",))) == ["out_of_reach"]
    at_four = BESIDE.put(PIM, 4)
    assert codes(at_four, PIM, Exchange("Mold Knight", ("ginger drop",))) == [
        "not_ours"
    ]
    assert codes(BESIDE, PIM, Exchange("Brannoc", ("grail",))) == ["no_such_gives"]
    assert codes(BESIDE, PIM, Exchange("Brannoc", (), ("grail",))) == ["no_such_takes"]


def test_exchange_respects_the_slots() -> None:
    narrow = resheeted(BESIDE, BRANNOC, item_slots=2)  # both full
    assert codes(narrow, PIM, Exchange("Brannoc", ("brass kettle",))) == ["no_room"]
    swap = Exchange("Brannoc", ("brass kettle",), ("great sword",))
    assert codes(narrow, PIM, swap) == []
    full = resheeted(BESIDE, PIM, item_slots=4)
    assert codes(full, PIM, Exchange("Brannoc", (), ("great sword",))) == ["no_room"]
    assert codes(full, PIM, swap) == []


def test_a_handful_is_exact() -> None:
    three = Handful(("a", "a", "b"))
    assert [*three] == [(), ("a",), ("b",), ("a", "a", "b")]
    for inside in ((), ("a",), ("b", "a"), ("a", "a"), ("a", "b", "a")):
        assert inside in three
    strange: list[Any] = [
        ("c",),
        ("b", "b"),
        ("a",) * 3,
        "a",
        None,
        [()],
        (1,),
        ("a", []),
    ]
    for outside in strange:
        assert outside not in three
    assert [*Handful(("a", "b"), none_of=True)] == [()]
    assert ("b",) in Handful(("a", "b"), none_of=True)
    assert [*Handful(())] == [()] and [*Handful(("a",))] == [(), ("a",)]


def test_legal_exchanges_stay_few() -> None:
    menu = rounds.Actions(BEGUN, PIM)
    listed = list(menu.values(Exchange))
    assert len(listed) == 3 + 4  # with 세라: each of hers, each of his; all is too much
    assert all(menu.allows(one) for one in listed)
    words = [menu.words(one) for one in listed]
    assert "give 세라 the copper ladle" in words
    both = Exchange("세라", ("copper ladle",), ("candle stub",))
    assert menu.words(both) == "give 세라 the copper ladle, take the candle stub"


def test_what_a_hidden_monster_carries_comes_to_nobodys_mind() -> None:
    dark = battles.samples["humming_dark"]
    state = replace(states.opening(dark), phase="turns", first=COURT)
    hum, sera = state.named("The Hum"), state.named("세라")

    def takes(state: State) -> set[tuple[str, ...]]:
        return {
            answer.takes
            for answer in rounds.Actions(state, sera).thinkable()
            if isinstance(answer, Exchange) and answer.partner == "The Hum"
        }

    assert names(state, hum) == ["echo"] and takes(state) == {()}
    opened = replace(state, disclosed=("Hollow Choir",))
    assert takes(opened) == {(), ("echo",)}
    assert codes(state, sera, Exchange("The Hum", (), ("echo",))) == ["no_such_takes"]


def test_hidden_hands_show_nothing() -> None:
    given = exchange.Given(IMP, CHOIR, "lamp oil")
    assert given.seen_by(lambda who: who != IMP).words(GUTTER.name_of) == (
        "Lantern Imp hands over to Hollow Choir: ?."
    )
    assert (
        given.words(GUTTER.name_of)
        == "Lantern Imp hands over to Hollow Choir: lamp oil."
    )


def test_what_a_latecomer_brought_is_one_of_two() -> None:
    late = BEGUN.setup.count  # a second rat, whose thing has the number of the first's
    joined = replace(BEGUN, joined=(RAT,)).put(late, 4).with_hp(late, 3)
    joined = joined.with_carried(late, joined.carried[RAT])
    one = ("needle teeth",)
    both = acts(joined, late, Exchange("Needle Rat", one)).result
    assert names(both, RAT) == ["needle teeth"] * 2 and names(both, late) == []
    back = acts(both, RAT, Exchange("Latecomer 1", one)).result
    assert names(back, RAT) == names(back, late) == ["needle teeth"]
    all_of_it = acts(both, RAT, Exchange("Latecomer 1", one * 2)).result
    assert names(all_of_it, RAT) == [] and names(all_of_it, late) == list(one * 2)
