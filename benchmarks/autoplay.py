"""Three against three at the footbridge, every answer checked, beside a straight loop."""

import statistics
from typing import Any

from benchmarks.hand_written import PLAYS, battle
from benchmarks.timing import Row, in_turns, ratio
from tabletop_kit import formation
from tabletop_kit.core.asking import Policy, Sampling
from tabletop_kit.core.menus import Menu

SEEDS = 300
"""Battles of each sample that must end the same way."""


def checked(menu: Menu[Any]) -> Any:
    """`sensible` as a stranger's policy: the kit trusts no answer of it."""
    return formation.sensible(menu)


def ending(encounter: formation.Encounter, seed: int, policy: Policy) -> str:
    """How the kit's battle ends."""
    ask, state = Sampling(seed, policy), formation.opening(encounter)
    while (over := formation.ending(state)) is None:
        state = formation.advance(ask, state)
    return over


def rows() -> list[Row]:
    """The battles of the loop's samples compared; those of the footbridge timed."""
    for name in PLAYS:
        encounter = formation.samples[name]
        for seed in range(SEEDS):
            ours, theirs = ending(encounter, seed, checked), battle(encounter, seed)
            assert ours == theirs, f"{name}, seed {seed}: {ours} and {theirs}"
    footbridge = formation.samples["footbridge"]
    took = in_turns(
        rounds=25,
        times=60,
        kit=lambda seed: ending(footbridge, seed, checked),
        trusted=lambda seed: ending(footbridge, seed, formation.sensible),
        loop=lambda seed: battle(footbridge, seed),
    )
    part = ratio(took["loop"], took["kit"])
    a_second = {name: 1000 / statistics.median(times) for name, times in took.items()}
    figure = (
        f"{part:.2f} and {a_second['kit']:,.0f} battles a second (its answers "
        f"trusted {a_second['trusted']:,.0f}, the loop {a_second['loop']:,.0f})"
    )
    return [
        Row(
            "autoplay 3 against 3, every answer checked, against a hand-written loop",
            "at least 0.15, and at least 500 battles a second",
            figure,
            part >= 0.15 and a_second["kit"] >= 500,
        )
    ]
