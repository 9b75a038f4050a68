"""The tactics check: who rolls, against what, and who goes first."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.playing import Played
from tabletop_kit.labyrinth_battle import (
    ambush,
    armory,
    battlefields,
    encounters,
    endings,
    escaping,
    rounds,
    setting_up,
    sheets,
    states,
    tactics_check,
)
from tabletop_kit.labyrinth_battle.checks import Checked, CheckResult
from tabletop_kit.labyrinth_battle.measures import BadStatus, CharacterKind, Side

PIM, ODILE, FIRST, SECOND, THIRD = range(5)
SLEEP = BadStatus.SLEEP
Represent = ambush.Represent


def enemy(name: str, kind: str = "monster", **scores: Any) -> sheets.Combatant:
    monster_kind = name if kind == "monster" else ""
    return sheets.Combatant(
        name, Side.FOE, CharacterKind(kind), 12, monster_kind=monster_kind, **scores
    )


def facing(*enemies: sheets.Combatant, **changes: Any) -> states.State:
    """Pim, wit 2, and Odile, wit 1, at the beginning of round 1."""
    court = [armory.land_makers[name] for name in ("Pim", "Odile")]
    areas = (3, 3, *[4] * len(enemies))
    setup = encounters.Encounter((*court, *enemies), areas, **changes)
    state: states.State = tk.play(setting_up.set_up, states.opening(setup)).result
    return state


def settled(state: states.State, *answers: Any, faces: tuple[int, ...]) -> Played:
    return tk.play(rounds.advance, state, answers=answers, faces=[faces])


def told_check(played: Played) -> Checked:
    """The first check that was told of."""
    return next(event for event in played.events if isinstance(event, Checked))


def needed(state: states.State) -> int:
    return tactics_check.difficulty(state, tactics_check.rivals(state))


BEASTS = facing(
    enemy("Ant", evasion=8), enemy("Bee", evasion=10), enemy("Cod", evasion=7)
)


@pytest.mark.parametrize(
    ("faces", "first"), [((4, 4), Side.COURT), ((4, 3), Side.FOE), ((6, 5), Side.COURT)]
)
def test_the_total_decides_and_a_tie_is_enough(
    faces: tuple[int, int], first: Side
) -> None:
    played = settled(BEASTS, Represent("Pim"), faces=faces)
    assert played.result.first == first
    assert (played.result.phase, played.result.acted) == ("turns", ())
    assert played.told[-1] == played.result
    told = {Side.COURT: tactics_check.CourtFirst(), Side.FOE: tactics_check.FoesFirst()}
    assert played.events[-1] == told[first]


@pytest.mark.parametrize("asleep", [FIRST, SECOND])
def test_LB_EDGE_09_sleepers_count_as_exactly_7(asleep: int) -> None:
    pair = facing(enemy("Ant", evasion=5), enemy("Bee", evasion=6))
    assert needed(pair) == 6
    for state in (pair.gains(asleep, SLEEP), pair.falls(asleep)):
        assert needed(state) == 7
    assert needed(pair.dies(SECOND)) == 5


def test_LB_EDGE_10_absolute_results_decide_and_no_table_is_rolled() -> None:
    clever = replace(BEASTS.setup.combatants[PIM], wit=12)
    setup = replace(BEASTS.setup, combatants=(clever, *BEASTS.setup.combatants[1:]))
    sure = replace(BEASTS, setup=setup)
    ones = settled(sure, Represent("Pim"), faces=(1, 1))
    assert ones.result.first == Side.FOE and len(ones.rolls) == 1
    tall = facing(enemy("Ant", evasion=30))
    sixes = settled(tall, Represent("Pim"), faces=(6, 6))
    assert sixes.result.first == Side.COURT and len(sixes.rolls) == 1
    assert told_check(sixes).result == CheckResult.ABSOLUTE_SUCCESS


def test_LB_EDGE_11_the_higher_of_wit_and_7_and_the_monsters_evasion() -> None:
    otta = enemy("Otta", "npc", wit=2, evasion=12)
    assert needed(facing(otta, enemy("Bee", evasion=10))) == 10
    assert needed(facing(otta, enemy("Bee", evasion=8))) == 9


def test_LB_EDGE_36_two_sixes_do_not_open_the_way_back() -> None:
    state = facing(enemy("Ant"), way_back=False).put(PIM, 1).put(ODILE, 1)
    run = [escaping.Escape()]
    played = tk.play(rounds.act, state, PIM, answers=run, faces=[(6, 6)])
    assert played.result.outcome == "" and not endings.is_decided(played.result)
    assert played.result.acted == (PIM,)


def test_LB_EDGE_60_the_first_side_has_nobody_to_pick() -> None:
    won = settled(BEASTS, Represent("Pim"), faces=(6, 6)).result
    lamed = won.gains(PIM, SLEEP).done(PIM).falls(ODILE)
    assert lamed.first == Side.COURT
    assert rounds.side_to_act(lamed) == Side.FOE
    assert not endings.is_decided(lamed)


def test_who_may_represent_the_court() -> None:
    def refused(state: states.State, who: str) -> list[str]:
        menu = tactics_check.Representatives(state, Side.COURT)
        return [reason.code for reason in menu.why_not(Represent(who))]

    assert refused(BEASTS, "Pim") == refused(BEASTS.done(PIM), "Pim") == []
    assert refused(BEASTS.falls(PIM), "Pim") == ["down"]
    assert refused(BEASTS.dies(PIM), "Pim") == ["down"]
    assert refused(BEASTS.gains(PIM, SLEEP), "Pim") == []
    assert refused(BEASTS, "Bee") == ["no_such_who"]


@pytest.mark.parametrize("blocks", [False, True])
def test_sleep_blocks_reactions(blocks: bool) -> None:
    variant = encounters.Variant(sleep_blocks_reactions=blocks)
    state = facing(enemy("Ant"), variant=variant).gains(PIM, SLEEP).gains(ODILE, SLEEP)
    menu = tactics_check.Representatives(state, Side.COURT)
    assert menu.any() is not blocks
    if blocks:
        played = tk.play(rounds.advance, state)
        assert played.result.first == Side.FOE and played.rolls == []
        assert tactics_check.NobodyToRoll() in played.events
    else:
        played = settled(state, Represent("Pim"), faces=(6, 6))
        assert played.result.first == Side.COURT


def test_the_dead_and_the_absent_are_left_out() -> None:
    assert needed(BEASTS) == 10
    assert needed(BEASTS.dies(SECOND)) == needed(BEASTS.put(SECOND, 0)) == 8
    assert needed(BEASTS.dies(FIRST).dies(SECOND)) == 7
    highest = tactics_check.highest_evasion
    assert highest(BEASTS, Side.FOE) == 10
    assert highest(BEASTS.dies(SECOND), Side.FOE) == 8
    assert highest(BEASTS.put(SECOND, 0), Side.FOE) == 8
    assert highest(BEASTS.gains(SECOND, SLEEP).dies(FIRST), Side.FOE) == 7
    assert highest(BEASTS, Side.COURT) == 10


OTTA, KARL = enemy("Otta", "npc", wit=2), enemy("Karl", "important_npc", wit=3)


@pytest.mark.parametrize(
    ("basis", "answers", "difficulty"),
    [
        ("highest", [], 10),
        ("representative", [tactics_check.Lead("Otta")], 9),
        ("representative", [tactics_check.Lead("Karl")], 10),
    ],
)
def test_npc_tactics_basis(basis: Any, answers: list[Any], difficulty: int) -> None:
    variant = encounters.Variant(npc_tactics_basis=basis)
    state = facing(OTTA, KARL, variant=variant)
    played = settled(state, *answers, Represent("Pim"), faces=(3, 4))
    assert told_check(played).difficulty == difficulty


def test_one_npc_needs_no_naming_and_monsters_cannot_be_named() -> None:
    variant = encounters.Variant(npc_tactics_basis="representative")
    state = facing(OTTA, enemy("Bee", evasion=8), KARL, variant=variant)
    menu = tactics_check.Leaders(state, "gm")
    assert [answer.who for answer in menu.values()] == ["Otta", "Karl"]
    assert [one.code for one in menu.why_not(tactics_check.Lead("Bee"))] == ["no_npc"]
    alone = state.falls(THIRD)
    played = settled(alone, Represent("Pim"), faces=(3, 4))
    assert told_check(played).difficulty == 9
    fallen = alone.falls(FIRST)
    assert told_check(settled(fallen, Represent("Pim"), faces=(3, 4))).difficulty == 8


def test_incapacitated_rivals_do_not_count_and_sleeping_ones_do() -> None:
    state = facing(OTTA, KARL, enemy("Bee", evasion=5))
    assert needed(state.falls(SECOND)) == 9
    assert needed(state.gains(SECOND, SLEEP)) == 10
    assert needed(state.falls(FIRST).falls(SECOND)) == 5
    assert needed(state.falls(FIRST).dies(SECOND)) == 5


def test_help_raises_the_difficulty_once() -> None:
    karl = replace(KARL, affection=(("Otta", 2), ("Bee", 4)))
    otta = replace(OTTA, wit=4)
    state = facing(otta, karl, enemy("Bee", evasion=9))
    for_otta = battlefields.Cooperation(SECOND, FIRST, "tactics")
    for_bee = battlefields.Cooperation(SECOND, THIRD, "tactics")
    for_blow = battlefields.Cooperation(SECOND, FIRST, "hit")
    ours = battlefields.Cooperation(ODILE, PIM, "tactics")
    assert needed(state) == 11
    assert needed(replace(state, cooperations=(for_otta,))) == 13
    assert needed(replace(state, cooperations=(for_otta, for_otta))) == 13
    assert needed(replace(state, cooperations=(for_bee,))) == 13
    assert needed(replace(state, cooperations=(for_blow,))) == 11
    ready = replace(
        state, cooperations=tuple(sorted((for_otta, for_bee, for_blow, ours)))
    )
    played = settled(ready, Represent("Odile"), faces=(3, 4))
    assert played.result.cooperations == tuple(sorted((for_blow, ours)))


def test_the_court_may_help_its_own_representative() -> None:
    fond = replace(armory.land_makers["Odile"], affection=(("Pim", 2),))
    setup = BEASTS.setup
    setup = replace(
        setup, combatants=(setup.combatants[PIM], fond, *setup.combatants[2:])
    )
    start = replace(states.opening(setup), phase="tactics")
    ours = battlefields.Cooperation(ODILE, PIM, "tactics")
    ready = replace(start, cooperations=(ours,))
    assert needed(ready) == 10
    played = settled(ready, Represent("Pim"), faces=(3, 3))
    assert played.result.first == Side.COURT and played.result.cooperations == ()


def test_a_round_begins_with_the_check_and_a_new_one_with_a_new_check() -> None:
    assert rounds.side_to_act(BEASTS) is None
    first = settled(BEASTS, Represent("Pim"), faces=(6, 6))
    assert first.events[0] == tactics_check.RoundBegins()
    over = tk.play(rounds.advance, replace(first.result, acted=tuple(range(5))))
    assert over.result.phase == "tactics" and over.result.first is None
    second = settled(over.result, Represent("Odile"), faces=(1, 1))
    assert second.result.first == Side.FOE
