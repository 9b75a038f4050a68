"""Falls: 3D6 damage, a hold for half of it, and which way halves are rounded."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from wounded_odile import ODILE, PIM, fate, met, ruled

import tabletop_kit as tk
from tabletop_kit.core.playing import Played
from tabletop_kit.labyrinth_battle import battlefields, falling, sheets
from tabletop_kit.labyrinth_battle.measures import BadStatus
from tabletop_kit.labyrinth_battle.states import State

GRAB, JUST_FALL = falling.GrabHold(), falling.JustFall()


def drop(state: State, *answers: Any) -> Played:
    return tk.play(falling.fall_from_height, state, ODILE, answers=answers)


def high(items: tuple[sheets.Item, ...] = ()) -> State:
    return met(20, kind="npc", hp_max=20, search=3, items=items)


def test_a_fall_is_3d6_damage() -> None:
    assert drop(high(), (2, 5, 6), JUST_FALL).result.hp[ODILE] == 7
    assert drop(high(), (2, 5, 6), GRAB, (2, 3)).result.hp[ODILE] == 7


@pytest.mark.parametrize(("rule", "left"), [("up", 13), ("down", 14)])
def test_round_fractions_rounds_half_a_fall(rule: str, left: int) -> None:
    state = ruled(high(), round_fractions=rule)
    assert drop(state, (2, 5, 6), GRAB, (2, 4)).result.hp[ODILE] == left
    assert drop(state, (2, 4, 6), GRAB, (2, 4)).result.hp[ODILE] == 14


def test_LB_EDGE_46_half_first_then_armor() -> None:
    armor = (sheets.Item("tin", reduction=2),)
    held = drop(high(armor), (2, 4, 5), GRAB, (6, 6))
    assert held.result.hp[ODILE] == 20 - (6 - 2)
    assert drop(high(armor), (2, 4, 5), JUST_FALL).result.hp[ODILE] == 20 - (11 - 2)


def test_a_fall_wakes_fells_and_takes_help() -> None:
    dozing = high().gains(ODILE, BadStatus.SLEEP)
    assert not drop(dozing, (1, 1, 1), JUST_FALL).result.is_asleep(ODILE)
    assert fate(drop(met(3), (1, 1, 1), JUST_FALL, (3, 4)).result) == "down"
    helped = battlefields.Cooperation(PIM, ODILE, "fall")
    liked = replace(high(), cooperations=(helped,), affection=((PIM, ODILE, 2),))
    saved = drop(liked, (2, 5, 6), GRAB, (2, 2))  # 3 + 2 + 4
    assert saved.result.hp[ODILE] == 13 and saved.result.cooperations == ()


def test_the_question_of_a_fall_names_the_damage() -> None:
    asked = falling.Falls(high(), ODILE, 13)
    assert asked.asks == "You fall: 13 damage. Do you search for a hold?"
    assert next(asked.values()) == GRAB
