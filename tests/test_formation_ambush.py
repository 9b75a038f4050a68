"""Ambush: who stands where, who is called when, and what is barred meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.core.playing import Played
from tabletop_kit.formation import (
    Attack,
    Encounter,
    Pass,
    Side,
    Slot,
    State,
    Variant,
    abilities,
    ambush,
    getting_ready,
    magic,
    states,
    turn_end,
    turns,
)

BRIDGE = formation.samples["footbridge"]
AKI, REN, MIO, BRUTE, WOLF, SLINGER = range(6)  # agility 9, 4, 5, 6, 8, 7
GANG, PARTY = [WOLF, SLINGER, BRUTE], [AKI, MIO, REN]
IN_ORDER = [AKI, WOLF, SLINGER, BRUTE, MIO, REN]
POISON = abilities.Ailment("poison", turn_end_damage=5)


def gift(name: str, timing: abilities.Timing, **more: Any) -> abilities.Ability:
    """An ability that makes its user quicker."""
    return abilities.Ability(
        name=name,
        timing=timing,
        target=abilities.Target.SELF,
        effects=(abilities.Buff("agility", 1),),
        **more,
    )


def surprise(side: Side | None, mode: str = "full_turn", **variant: Any) -> Encounter:
    rules = Variant(ambush_mode=mode, **variant)  # type: ignore[arg-type]
    return replace(BRIDGE, ambush=side, variant=rules)


def having(setup: Encounter, gifts: dict[int, abilities.Ability]) -> Encounter:
    people = list(setup.combatants)
    for who, ability in gifts.items():
        people[who] = replace(people[who], abilities=(ability,))
    return replace(setup, combatants=tuple(people))


def begun(setup: Encounter) -> State:
    state: State = tk.play(turns.prepare, states.opening(setup)).result
    return state


def unit(state: State, *answers: Any) -> Played:
    return tk.play(turns.advance, state, answers=answers)


def calls(state: State, until: int = 2) -> list[int | None]:
    """Who is called until that turn opens, if all wait; None where the rules go on."""
    called: list[int | None] = []
    turn = 1
    while turn < until:
        called.append(turns.next_to_act(state))
        played = unit(state, *([] if called[-1] is None else [Pass()]))
        state, turn = played.result, turn + played.events.count(turns.NextTurn())
    return called


def after(state: State, *people: int) -> State:
    """The state after these were called, one after another, and waited."""
    for who in people:
        assert turns.next_to_act(state) == who
        state = unit(state, Pass()).result
    return state


def asleep(state: State, *people: int) -> State:
    for who in people:
        state = state.gains(who, abilities.ASLEEP)
    return state


# ---- who decides, and where all stand ----------------------------------------------


@pytest.mark.parametrize(
    ("by", "side"), [("nobody", None), ("PCs", Side.PC), ("enemies", Side.ENEMY)]
)
def test_FM_AMB_05_the_game_master_decides(by: Any, side: Side | None) -> None:
    for before in (None, Side.PC, Side.ENEMY):
        played = tk.play(ambush.decide, surprise(before), answers=[ambush.Surprise(by)])
        assert played.result.ambush == side and played.rolls == []
    assert tk.first_legal(
        ambush.Ambushes(states.opening(BRIDGE), "gm")
    ) == ambush.Surprise("nobody")


def test_FM_AMB_02_04_the_ambushed_start_in_front() -> None:
    theirs, ours = begun(surprise(Side.ENEMY)), begun(surprise(Side.PC))
    assert theirs.slots == ((Slot.PC_FRONT,) * 3 + BRIDGE.placement[3:])
    assert ours.slots == (BRIDGE.placement[:3] + (Slot.ENEMY_FRONT,) * 3)
    assert begun(surprise(None)).slots == BRIDGE.placement


# ---- what the log says of it -------------------------------------------------------


def said(setup: Encounter) -> str:
    played = tk.play(ambush.surprise, states.opening(setup))
    (event,), (words,) = played.events, played.words()
    assert event.clauses == ("FM-AMB-02", "FM-AMB-03") and played.rolls == []
    return words


@pytest.mark.parametrize(
    ("mode", "cannot"),
    [
        ("full_turn", "cannot act in the first turn."),
        ("act_first", "cannot act before the ambushers have acted."),
    ],
)
def test_FM_AMB_03_the_log_says_who_is_surprised(mode: str, cannot: str) -> None:
    theirs, ours = surprise(Side.ENEMY, mode), surprise(Side.PC, mode)
    begins = "are surprised: they begin in front and"
    assert said(theirs) == f"Aki, Ren and Mio {begins} {cannot}"
    assert said(ours) == f"Brute, Wolf and Slinger {begins} {cannot}"
    duel = replace(formation.samples["duel"], ambush=Side.ENEMY, variant=theirs.variant)
    alone = duel.name_of(duel.members[Side.PC][0])
    assert said(duel) == f"{alone} is surprised, begins in front and {cannot}"


@pytest.mark.parametrize("mode", ["full_turn", "act_first"])
def test_FM_AMB_03_a_battle_says_once_who_is_surprised(mode: str) -> None:
    for side, times in ((Side.PC, 1), (Side.ENEMY, 1), (None, 0)):
        game = tk.autoplay(tk.Game(surprise(side, mode), seed=1), formation.sensible)
        told = [e for e in game.events() if isinstance(e, ambush.Surprised)]
        assert len(told) == times
        assert isinstance(game.events()[1], ambush.Surprised) == bool(times)


def test_FM_AMB_04_the_log_names_the_clause_where_you_are_the_ambushers() -> None:
    for side, under in ((Side.PC, ("FM-AMB-04",)), (Side.ENEMY, ())):
        (told,) = tk.play(ambush.surprise, states.opening(surprise(side))).events
        assert told.under == under
        assert isinstance(told, ambush.Surprised)
        assert not isinstance(told, ambush.SurprisedAtFirst)


# ---- who is called -----------------------------------------------------------------


def test_FM_AMB_03_turn_1_is_the_ambushers_alone() -> None:
    assert calls(begun(surprise(None))) == [*IN_ORDER, None]
    theirs = begun(surprise(Side.ENEMY))
    assert calls(theirs, until=3) == [*GANG, None, *IN_ORDER, None]
    assert calls(begun(surprise(Side.PC)), until=3) == [*PARTY, None, *IN_ORDER, None]


def test_FM_AMB_03_act_first_within_turn_1() -> None:
    theirs = begun(surprise(Side.ENEMY, "act_first"))
    assert calls(theirs, until=3) == [*GANG, None, *PARTY, None, *IN_ORDER, None]
    freed = after(theirs, *GANG)
    released = unit(freed)
    assert released.events == [ambush.Released()]
    assert released.told == [released.result] and not released.result.held
    ours = begun(surprise(Side.PC, "act_first"))
    assert calls(ours) == [*PARTY, None, *GANG, None]


def test_FM_EDGE_29_faster_ambushers_gain_a_turn_or_the_rest() -> None:
    slow = {AKI: 3, REN: 2, MIO: 1}
    people = [
        replace(one, agility=slow.get(who, one.agility))
        for who, one in enumerate(BRIDGE.combatants)
    ]
    order = [WOLF, SLINGER, BRUTE, AKI, REN, MIO]
    full = replace(surprise(Side.ENEMY), combatants=tuple(people))
    assert calls(begun(full), until=3) == [*GANG, None, *order, None]
    first = replace(surprise(Side.ENEMY, "act_first"), combatants=tuple(people))
    called = [who for who in calls(begun(first)) if who is not None]
    assert called == order  # as it would have been
    even = replace(surprise(None), combatants=tuple(people))
    assert calls(begun(even)) == [*order, None]
    assert begun(first).slots[:3] == (Slot.PC_FRONT,) * 3  # what is left of it ...
    held = [turns.Actions(begun(first), who).why_not(Pass()) for who in PARTY]
    assert [r.code for reasons in held for r in reasons] == ["held"] * 3  # ... and this


# ---- asleep, and awake again -------------------------------------------------------


def test_FM_AMB_03_sleeping_ambushers_are_not_waited_for() -> None:
    theirs = begun(surprise(Side.ENEMY))
    assert calls(asleep(theirs, WOLF)) == [SLINGER, BRUTE, None]
    assert calls(asleep(theirs, *GANG)) == [None]
    first = begun(surprise(Side.ENEMY, "act_first"))
    assert calls(asleep(first, *GANG)) == [None, *PARTY, None]
    assert calls(asleep(first, *PARTY)) == [*GANG, None, None]


@pytest.mark.parametrize("rule", ["act_before_turn_end", "wait_next_turn"])
@pytest.mark.parametrize("mode", ["full_turn", "act_first"])
def test_FM_AMB_03_an_ambusher_who_wakes_before_the_others_act(
    mode: str, rule: str
) -> None:
    start = begun(surprise(Side.ENEMY, mode, late_recovery=rule))
    woken = after(asleep(start, WOLF), SLINGER, BRUTE).cured(WOLF)
    late: list[int | None] = [WOLF] if rule == "act_before_turn_end" else []
    rest = [None, *PARTY, None] if mode == "act_first" else [None]
    assert calls(woken) == [*late, *rest]
    in_time = after(asleep(start, BRUTE), WOLF).cured(BRUTE)
    assert calls(in_time) == [SLINGER, BRUTE, *rest]


@pytest.mark.parametrize("rule", ["act_before_turn_end", "wait_next_turn"])
def test_FM_AMB_03_an_ambusher_who_wakes_while_the_others_act(rule: str) -> None:
    start = begun(surprise(Side.ENEMY, "act_first", late_recovery=rule))
    freed = unit(after(asleep(start, WOLF, BRUTE), SLINGER)).result
    woken = after(freed, AKI).cured(BRUTE).cured(WOLF)
    late = [WOLF, BRUTE] if rule == "act_before_turn_end" else []
    assert calls(woken) == [MIO, REN, *late, None]


def test_FM_AMB_03_one_of_the_ambushed_who_wakes() -> None:
    first = unit(after(asleep(begun(surprise(Side.ENEMY, "act_first")), AKI), *GANG))
    assert calls(first.result) == [MIO, REN, None]
    assert calls(first.result.cured(AKI)) == [AKI, MIO, REN, None]
    woken = after(first.result, MIO).cured(AKI)
    assert calls(woken) == [REN, AKI, None]
    held = asleep(begun(surprise(Side.ENEMY)), AKI)
    assert calls(held.cured(AKI)) == [*GANG, None]


def test_FM_AMB_03_the_ambushed_are_called_from_the_top_after_a_late_ambusher() -> None:
    start = begun(surprise(Side.ENEMY, "act_first"))
    woken = after(asleep(start, WOLF, AKI), SLINGER, BRUTE).cured(WOLF)
    freed = unit(after(woken, WOLF)).result
    assert calls(after(freed, MIO).cured(AKI)) == [REN, AKI, None]


def test_FM_TURN_07_a_turn_after_late_ones_goes_from_the_top() -> None:
    start = asleep(begun(surprise(None)), WOLF)
    late = after(after(start, AKI, SLINGER, BRUTE, MIO, REN).cured(WOLF), WOLF)
    second = after(asleep(unit(late).result, WOLF), AKI, SLINGER).cured(WOLF)
    assert calls(second) == [BRUTE, MIO, REN, WOLF, None]


def test_FM_TURN_07_those_who_wake_late_act_among_themselves_in_order() -> None:
    # Wolf, Slinger and Ren sleep; Brute wakes Slinger, and Slinger wakes the others.
    start = asleep(begun(surprise(None)), WOLF, SLINGER, REN, AKI, MIO)
    late = after(start, BRUTE).cured(SLINGER)
    both = after(late, SLINGER).cured(AKI).cured(REN)
    assert calls(both) == [AKI, REN, None]


# ---- what is barred, and what goes on ----------------------------------------------


def test_FM_EDGE_28_no_preparation_and_no_answer_before_the_ambushers_are_through() -> (
    None
):
    prep = gift("ward", abilities.Timing.AT_PREP)
    answer = gift("screen", abilities.Timing.WHEN_ATTACKED)
    follows = gift("spur", abilities.Timing.FOLLOW_UP)
    for mode in ("full_turn", "act_first"):
        setup = having(surprise(Side.ENEMY, mode), {AKI: prep, MIO: answer})
        opened = states.opening(setup)
        menu = getting_ready.Preparations(opened, AKI)
        why = menu.why_not(magic.Use("ward", "Aki"))
        assert [reason.code for reason in why] == ["held"]
        start = begun(setup)  # nobody is asked
        bitten = unit(start, Attack("Mio"), (1, 2))  # nor here
        assert bitten.result.hp[MIO] == 10 - (5 + 3 - 1)
    ours = having(surprise(Side.ENEMY), {WOLF: prep, SLINGER: follows})
    ward = magic.Use("ward", "Wolf")
    ready = tk.play(turns.prepare, states.opening(ours), answers=[ward]).result
    assert ready.total(WOLF, "agility") == 9  # the ambushers are held by nothing
    spurred = unit(ready, Attack("Mio"), (1, 2), magic.Use("spur", "Slinger"))
    assert spurred.result.total(SLINGER, "agility") == 8


def test_FM_EDGE_28_after_that_they_answer() -> None:
    answer = gift("screen", abilities.Timing.WHEN_ATTACKED)
    screen = magic.Use("screen", "Mio")
    first = begun(having(surprise(Side.ENEMY, "act_first"), {MIO: answer}))
    freed = unit(after(asleep(first, WOLF), SLINGER, BRUTE)).result
    woken = after(freed, *PARTY).cured(WOLF)
    bitten = unit(woken, Attack("Mio"), screen, (1, 2)).result
    assert bitten.hp[MIO] == 3 and bitten.total(MIO, "agility") == 6
    full = begun(having(surprise(Side.ENEMY), {MIO: answer}))
    second = after(unit(after(full, *GANG)).result, AKI)
    assert unit(second, Attack("Mio"), screen, (1, 2)).result.hp[MIO] == 3


def test_FM_AMB_03_abilities_for_those_who_cannot_act_are_barred_too() -> None:
    last = abilities.Ability(
        name="nine lives",
        timing=abilities.Timing.SPECIAL,
        target=abilities.Target.SELF,
        trigger=abilities.Trigger.OWN_FALL,
        usable_when_unable=True,
        value=abilities.Amount(constant=3),
        effects=(abilities.Revive(),),
    )
    held = begun(having(surprise(Side.ENEMY), {MIO: last}))
    assert unit(held, Attack("Mio"), (3, 4)).result.hp[MIO] == 0  # nobody is asked
    second = after(unit(after(held, *GANG)).result, AKI)
    lives = magic.Use("nine lives", "Mio")
    assert unit(second, Attack("Mio"), (3, 4), lives).result.hp[MIO] == 3


def test_FM_AMB_03_turn_1_ends_like_any_other() -> None:
    song = gift("song", abilities.Timing.AT_TURN_END)
    full = begun(having(surprise(Side.ENEMY), {AKI: song, WOLF: song}))
    sick = full.gains(AKI, POISON).hurt(REN, 3).gains(REN, abilities.Regeneration(2))
    sick = after(sick.gains(MIO, abilities.Buff("agility", 9, turns=1)), *GANG)
    over = unit(sick, magic.Use("song", "Wolf"))  # Aki is not asked
    assert over.result.hp[AKI] == 16 - 5 and over.result.hp[REN] == 12 - 3 + 2
    assert over.result.total(MIO, "agility") == 5
    assert over.result.ambush is None and not over.result.held
    assert over.result.order[:2] == (AKI, WOLF)  # both 9 now, and she is the cleverer
    second = after(over.result, *over.result.order)
    sung = unit(second, *[magic.Use("song", "Aki"), magic.Use("song", "Wolf")])
    assert sung.result.total(AKI, "agility") == 10


def test_FM_AMB_03_in_act_first_the_ambushed_sing_at_the_end_of_turn_1() -> None:
    song = gift("song", abilities.Timing.AT_TURN_END)
    first = begun(having(surprise(Side.ENEMY, "act_first"), {AKI: song}))
    through = after(unit(after(first, *GANG)).result, *PARTY)
    sung = unit(through, magic.Use("song", "Aki"))
    assert sung.result.total(AKI, "agility") == 10 and sung.result.ambush is None
    assert turn_end.TurnOver() in sung.events


def test_FM_AMB_03_a_battle_may_be_over_in_turn_1() -> None:
    last = begun(surprise(Side.ENEMY)).hurt(AKI, 16).hurt(REN, 12)
    won = unit(last, Attack("Mio"), (3, 4)).result
    closed = unit(won).result
    assert turns.ending(closed) == "enemies win"
    assert closed.ambush is None and not closed.held
