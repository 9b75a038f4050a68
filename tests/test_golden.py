"""Kept battles are played again, event by event."""

from __future__ import annotations

import golden
import pytest


def test_three_a_system() -> None:
    kept = [one.system for one in golden.kept()]
    assert kept.count("formation") == kept.count("labyrinth_battle") == 3


@pytest.mark.parametrize("one", golden.kept(), ids=lambda one: one.path.stem)
def test_the_same_battle_as_ever(one: golden.Playthrough) -> None:
    assert one.log().splitlines() == one.path.read_text("utf-8").splitlines()
