"""Steps and blockades: the ends of the field, who is held, and where the foolish go."""

from __future__ import annotations

import pytest
from blocked_way import AKI, COURT, MIO, REN, codes, held, met, stepped

import tabletop_kit as tk
from tabletop_kit.labyrinth_battle import bad_statuses, escaping, moving, rounds
from tabletop_kit.labyrinth_battle.breakthroughs import LetItStand
from tabletop_kit.labyrinth_battle.encounters import PlacedTrap, Variant
from tabletop_kit.labyrinth_battle.measures import BadStatus
from tabletop_kit.labyrinth_battle.moving import Back, Forward, Moved, Moves, Stay
from tabletop_kit.labyrinth_battle.sheets import Hurt, Inflict, Trap

SLEEP = BadStatus.SLEEP
FOOLISH = BadStatus.FOOLISH
FORWARD = Forward()
BACK = Back()
STAY = Stay()
STAND = LetItStand()


# ---- steps and the ends of the field -------------------------------------------------


def test_a_step_is_one_area_either_way_or_none() -> None:
    state = met((1, 6), at=(3, 1, 1))
    assert list(Moves(state, AKI).values()) == [FORWARD, BACK, STAY]
    for answer, area in ((FORWARD, 4), (BACK, 2), (STAY, 3)):
        assert stepped(state, answer).result == state.put(AKI, area)
    assert stepped(state, FORWARD).events == [Moved(AKI, "forward", 4)]
    assert stepped(state, BACK).events == [Moved(AKI, "back", 2)]
    assert stepped(state, STAY).events == []
    foe_moves = tk.play(moving.move, state, 3, answers=[FORWARD])
    assert foe_moves.result.areas[3] == 5


def test_the_field_has_two_ends_for_either_side() -> None:
    state = met((1, 6), (1, 4), at=(1, 2, 6))
    assert codes(state, AKI, BACK) == ["no_farther"]
    assert codes(state, MIO, FORWARD) == ["no_farther"]
    assert codes(state, 3, BACK) == ["no_farther"]
    assert codes(state.put(4, 1), 4, FORWARD) == ["no_farther"]
    (why,) = Moves(state, AKI).why_not(BACK)
    assert why.sentence == "Area 1 is the last one that way."


# ---- the blockade --------------------------------------------------------------------


def test_LB_EDGE_01_as_many_heads_as_valor_is_free() -> None:
    three = met((3, 4), at=(4, 4, 4))
    assert held(three) is None and codes(three, AKI, FORWARD) == []
    two = met((3, 4), at=(4, 4, 1))
    assert held(two) == (2, 3)
    assert codes(two, AKI, FORWARD) == ["blocked", "nobody_pays"]
    why, _ = Moves(two, AKI).why_not(FORWARD)
    assert dict(why.numbers) == {"heads": 2, "valor": 3}


def test_LB_EDGE_02_only_the_area_that_is_left_counts() -> None:
    ahead = met((9, 5))
    assert codes(ahead, AKI, FORWARD) == [] and held(ahead) is None
    here = met((9, 4))
    assert codes(here, AKI, BACK) == [] and stepped(here, BACK).result.areas[AKI] == 3


def test_LB_EDGE_03_valor_0_never_blocks() -> None:
    assert held(met((0, 4), (0, 4), (0, 4))) is None
    assert held(met((1, 4))) is None and held(met((1, 4), (1, 4))) == (1, 2)


def test_LB_EDGE_04_sleepers_count_and_the_fallen_by_house_rule() -> None:
    state = met((4, 4), (3, 4))
    assert held(state.gains(3, SLEEP)) == (1, 7)
    assert held(state.falls(3)) == (1, 3)
    counted = met((4, 4), (3, 4), variant=Variant(blockade_counts_fallen=True))
    assert held(counted.falls(3)) == (1, 7)
    assert held(counted.dies(3)) == (1, 3)
    friends = met((4, 4), at=(4, 4, 4))
    assert held(friends.falls(REN)) == (2, 4)
    assert held(friends.done(REN).gains(MIO, SLEEP)) == (3, 4)
    house = met((4, 4), at=(4, 4, 4), variant=Variant(blockade_counts_fallen=True))
    assert held(house.falls(REN)) == (3, 4)
    assert held(house.dies(REN)) == (2, 4)


def test_the_other_side_is_held_just_so() -> None:
    state = met((1, 4), (1, 4))
    assert held(state, 3) == (2, 3)
    assert codes(state, 3, FORWARD) == ["blocked", "nobody_pays"]
    assert held(met((1, 4), (1, 4), (1, 4)), 3) is None


# ---- what else touches a step --------------------------------------------------------


def test_LB_EDGE_53_the_foolish_meet_no_blockade_where_they_are_driven() -> None:
    foolish = met((9, 5), at=(2, 1, 1)).gains(AKI, FOOLISH)
    assert list(Moves(foolish, AKI).values()) == [FORWARD]
    assert codes(foolish, AKI, STAY) == codes(foolish, AKI, BACK) == ["driven"]
    among = met((9, 4), (1, 6)).gains(AKI, FOOLISH)
    assert bad_statuses.forced_direction(among, AKI) == ()
    assert list(Moves(among, AKI).values()) == [BACK, STAY]
    behind = met((1, 4), at=(6, 1, 1)).gains(AKI, FOOLISH)
    assert list(Moves(behind, AKI).values()) == [BACK]
    both_ways = met((1, 4), (1, 6), at=(5, 1, 1)).gains(AKI, FOOLISH)
    assert list(Moves(both_ways, AKI).values()) == [FORWARD, BACK]
    extra = rounds.Actions(foolish, AKI)
    assert [r.code for r in extra.why_not(escaping.ExtraMove("back"))] == ["driven"]


def test_who_is_driven_and_cannot_go_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bad_statuses, "forced_direction", lambda state, who: (1,))
    stuck = met((9, 4)).gains(AKI, FOOLISH)
    assert list(Moves(stuck, AKI).values()) == [STAY]
    payable = met((9, 4), ren=1).gains(AKI, FOOLISH)
    assert list(Moves(payable, AKI).values()) == [FORWARD]
    assert stepped(payable, FORWARD, STAND).result == payable


def test_LB_EDGE_66_a_trap_between_step_and_action_takes_the_action() -> None:
    for does, faces in ((Inflict(SLEEP), []), (Hurt("6D6"), [(6,) * 6, (3, 4)])):
        trap = PlacedTrap(Trap("hole", does), area=3)
        state = met((1, 6), at=(2, 1, 1), traps=(trap,))
        script = [FORWARD, *faces]
        turn = tk.play(rounds.take_turn, state, AKI, answers=script)
        assert turn.result.areas[AKI] == 3 and AKI in turn.result.acted
        assert not turn.result.is_able(AKI)
        assert rounds.side_to_act(turn.result) == COURT  # the next one is picked


def test_the_note_says_what_a_blockade_costs() -> None:
    note = Moves.kinds[0].note
    assert note is not None
    blocked = "blocked, 1 against a valor of 3"
    assert note(Moves(met((3, 4), ren=2), AKI)) == f"{blocked}: 1D6 followers"
    assert note(Moves(met((3, 4)), AKI)) == f"{blocked}: nobody pays"
    assert note(Moves(met((1, 4)), AKI)) == ""
