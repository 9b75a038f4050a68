"""Ghosts: who stays, what an action costs, and what works in its round."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.asking import Scripted, Taken
from tabletop_kit.core.menus import Refused
from tabletop_kit.core.playing import Played
from tabletop_kit.labyrinth_battle import (
    armory,
    attacks,
    battles,
    damage,
    death,
    endings,
    escaping,
    ghosts,
    rounds,
    states,
    support,
    using,
)
from tabletop_kit.labyrinth_battle.battlefields import Cooperation, Lasting
from tabletop_kit.labyrinth_battle.encounters import Variant
from tabletop_kit.labyrinth_battle.measures import Side
from tabletop_kit.labyrinth_battle.states import State

PIM, ODILE, BRANNOC, SNUB, RATTLE, SLIME = range(6)
COURT = Side.COURT
PEOPLE = [replace(one, skills=()) for one in battles.samples["cellar"].combatants]
KNOWN = tuple(
    [
        armory.skills[one]
        for one in ("war cry", "sharp orders", "raised shield", "quick bandage")
    ]
)
PEOPLE[ODILE] = replace(PEOPLE[ODILE], skills=KNOWN, affection=(("Brannoc", 3),))
PEOPLE[BRANNOC] = replace(PEOPLE[BRANNOC], affection=(("Odile", 2),), items=())
CELLAR = replace(battles.samples["cellar"], combatants=tuple(PEOPLE))
BEGUN = replace(states.opening(CELLAR), phase="turns", first=COURT)
HAUNTED = replace(BEGUN.with_hp(ODILE, 0).dies(ODILE), ghosts=(ODILE,))
CRY = using.UseSkill("war cry", "Odile")


def declares(state: State, answer: Any, *more: Any) -> Played:
    answers = [Taken(answer), *more]
    return tk.play(ghosts.declares, state, COURT, answers=answers)


def codes(state: State, answer: Any) -> list[str]:
    return [one.code for one in ghosts.GhostActions(state, ODILE).why_not(answer)]


def ruled(state: State, **rules: Any) -> State:
    return replace(state, setup=replace(state.setup, variant=Variant(**rules)))


def points(state: State) -> int:
    return sum(left for _, _, left in state.affection)


def test_staying_is_a_choice_and_the_first_answer_is_no() -> None:
    asked = ghosts.Afterlives(BEGUN, ODILE)
    assert [*asked.values()] == [ghosts.Rest(), ghosts.Haunt()]
    stayed = tk.play(death.die, BEGUN, ODILE, answers=[ghosts.Haunt()])
    assert stayed.result.ghosts == stayed.result.dead == (ODILE,)
    assert stayed.events == [death.Died(ODILE), ghosts.Haunting(ODILE)]
    rested = tk.play(death.die, BEGUN, ODILE, answers=[ghosts.Rest()])
    assert rested.result.ghosts == ()


@pytest.mark.parametrize("there_are", [True, False])
def test_ghost_rule(there_are: bool) -> None:
    state = ruled(HAUNTED, ghost_rule=there_are)
    assert ghosts.may_pay(state, ODILE) == there_are
    if there_are:
        assert declares(state, ghosts.Advise("Pim")).result == state
    else:
        assert tk.play(ghosts.declares, state, COURT).result is None


def test_advice_costs_nothing_and_changes_nothing() -> None:
    advice = declares(HAUNTED, ghosts.Advise("Brannoc"))
    assert advice.result == HAUNTED and not advice.rolls
    assert advice.events == [ghosts.Advised(ODILE, BRANNOC)]
    poor = replace(HAUNTED, affection=(), refused_ghosts=(ODILE,))
    assert codes(poor, ghosts.Advise("Brannoc")) == []
    assert codes(HAUNTED, ghosts.Advise("Snub")) == ["no_such_target"]


@pytest.mark.parametrize(
    ("split", "left"),
    [
        ((3, 1), ((BRANNOC, ODILE, 1),)),
        ((2, 2), ((ODILE, BRANNOC, 1),)),
    ],
)
def test_any_split_pays(
    split: tuple[int, ...], left: tuple[tuple[int, int, int], ...]
) -> None:
    paid = declares(HAUNTED, CRY, (4,), ghosts.Pay(split))
    assert paid.result.affection == left
    assert paid.result.lasting == (Lasting(COURT, ODILE, "war cry"),)
    assert paid.events[0] == ghosts.Paid(ODILE, 4)
    assert paid.result.haunted == (ODILE,) and paid.result.dead == (ODILE,)


@pytest.mark.parametrize("split", [(3, 2), (4, 0), (3,), (3, 1, 0), (1, 3)])
def test_a_split_must_come_to_what_is_owed(split: tuple[int, ...]) -> None:
    with pytest.raises(Refused):
        declares(HAUNTED, CRY, (4,), ghosts.Pay(split))


def test_nothing_is_asked_where_there_is_nothing_to_choose() -> None:
    all_of_it = declares(HAUNTED, CRY, (5,)).result
    assert all_of_it.affection == ()
    one = replace(HAUNTED, affection=((ODILE, BRANNOC, 3),))
    assert declares(one, CRY, (2,)).result.affection == ((ODILE, BRANNOC, 1),)


def test_a_shortfall_is_unpaid_and_bars_for_the_round() -> None:
    short = declares(HAUNTED, CRY, (6,))
    assert short.result == replace(HAUNTED, refused_ghosts=(ODILE,))
    assert short.events == [ghosts.FellShort(ODILE, 6)]
    assert codes(short.result, CRY) == ["short"]
    assert not ghosts.may_pay(short.result, ODILE)
    later = tk.play(rounds.end_round, short.result).result
    assert ghosts.may_pay(later, ODILE) and codes(later, CRY) == []


def test_when_no_affection_is_left_nothing_more_is_done() -> None:
    theirs = replace(HAUNTED, affection=((BRANNOC, ODILE, 1),))
    mine = replace(HAUNTED, affection=((ODILE, PIM, 1),))
    others = replace(HAUNTED, affection=((PIM, BRANNOC, 4),))
    assert codes(theirs, CRY) == codes(mine, CRY) == []
    assert codes(others, CRY) == ["spent"] and not ghosts.may_pay(others, ODILE)
    paid = declares(theirs, CRY, (1,)).result
    assert paid.affection == ()


def test_several_payments_buy_several_actions() -> None:
    once = declares(HAUNTED, CRY, (1,), ghosts.Pay((1, 0))).result
    help_her = using.Cooperate("Brannoc", "hit")
    twice = declares(once, help_her, (1,), ghosts.Pay((1, 0))).result
    assert twice.cooperations == (Cooperation(ODILE, BRANNOC, "hit"),)
    assert points(twice) == 3


def test_a_ghost_neither_attacks_nor_moves_and_keeps_its_turn_state() -> None:
    makes = {kind.make for kind in ghosts.GhostActions.kinds}
    for kind in (*attacks.KINDS, *escaping.KINDS):
        assert kind.make not in makes
    assert support.SomethingElse not in makes and using.UseSkill in makes
    fresh = rounds.refreshed(HAUNTED)
    assert ODILE not in fresh.acted
    paid = declares(replace(fresh, first=COURT), CRY, (5,)).result
    assert ODILE not in paid.acted  # revived now, the turn is still there
    bandage = using.UseSkill("quick bandage", "Brannoc")
    hurt = HAUNTED.with_hp(BRANNOC, 3)
    assert codes(hurt, bandage) == []
    assert declares(hurt, bandage, (5,)).result.hp[BRANNOC] == 4


def test_only_in_the_own_side_s_turns_and_only_ghosts() -> None:
    eager = Scripted([Taken(CRY), (5,)])
    assert ghosts.declares(eager, HAUNTED, Side.FOE) is None
    assert ghosts.declares(eager, HAUNTED, COURT) is not None
    assert tk.play(ghosts.declares, HAUNTED, COURT).result is None  # nobody declares
    dead = replace(HAUNTED, ghosts=())
    assert tk.play(ghosts.declares, dead, COURT).result is None
    assert not ghosts.may_pay(dead, ODILE)


def test_constant_skills_work_in_the_round_of_an_action() -> None:
    assert BEGUN.power_bonus(COURT) == 1 and HAUNTED.power_bonus(COURT) == 0
    paid = declares(HAUNTED, CRY, (5,)).result
    assert paid.power_bonus(COURT) == 2  # war cry, and sharp orders
    over = tk.play(rounds.end_round, paid).result
    assert over.haunted == () and over.power_bonus(COURT) == 1
    advice = declares(HAUNTED, ghosts.Advise("Pim")).result
    assert advice.power_bonus(COURT) == 0


def test_a_ghost_pays_for_an_interrupt() -> None:
    ward = damage.Ward("Odile", "raised shield")
    state = HAUNTED.with_hp(BRANNOC, 13)
    blow = (damage.lowered, state, BRANNOC, 4)
    lowered, left = tk.play(*blow, answers=[ward, (5,)]).result
    assert left == 2 and lowered.affection == () and lowered.haunted == (ODILE,)
    unpaid, left = tk.play(*blow, answers=[ward, (6,)]).result
    assert left == 4 and unpaid.affection == state.affection


def test_LB_EDGE_48_a_ghost_does_not_keep_the_battle_going() -> None:
    alone = HAUNTED.dies(PIM).with_hp(BRANNOC, -1).falls(BRANNOC)
    assert ghosts.may_pay(alone, ODILE) and endings.is_decided(alone)


def test_the_question_names_the_relations() -> None:
    asked = ghosts.Payments(HAUNTED, ODILE, 4)
    assert asked.asks == (
        "You owe 4 points of affection. How many of each: "
        "Odile toward Brannoc 3, Brannoc toward Odile 2?"
    )
    assert [*asked.values()] == [ghosts.Pay((3, 1)), ghosts.Pay((2, 2))]
    assert asked.read({"type": "pay", "points": [3, 1]}) == ghosts.Pay((3, 1))
    assert asked.words(ghosts.Pay((3, 1))) == "3 + 1"


def test_in_a_game_a_ghost_is_offered_its_actions() -> None:
    game = tk.Game(CELLAR, seed=1, at=HAUNTED)
    (offer,) = [one for one in game.offers() if isinstance(one, ghosts.GhostActions)]
    assert offer.who == ODILE and offer.allows(CRY)
