"""Labyrinth Battle, four against five: autoplay, one full attack, all options' odds."""

import statistics
from collections.abc import Callable
from time import process_time

from msgspec.structs import replace

from benchmarks.hand_written_labyrinth import PLAYS, Result, battle, plain
from benchmarks.options import all_odds
from benchmarks.timing import Row, in_turns, ratio
from tabletop_kit import labyrinth_battle
from tabletop_kit.core.asking import Policy, Sampling
from tabletop_kit.core.game import Game
from tabletop_kit.core.menus import Menu
from tabletop_kit.core.outcomes import Outcomes, Tables
from tabletop_kit.core.policies import picks_from_the_menu
from tabletop_kit.labyrinth_battle import Side, State, attacks, endings, rounds, targets

SEEDS = 300
"""Battles of each sample that must end the same way."""
SAMPLE = labyrinth_battle.samples["kitchen_stairs"]
BEGUN = replace(labyrinth_battle.opening(SAMPLE), phase="turns", first=Side.COURT)
BRANNOC, KNIGHT = BEGUN.named("Brannoc"), BEGUN.named("Mold Knight")
FACING = BEGUN.put(BRANNOC, BEGUN.areas[KNIGHT]).with_hp(BRANNOC, 3)
"""Brannoc, near 0 HP, before the Mold Knight."""


@picks_from_the_menu
def trusted(menu: Menu[object]) -> object:
    """`plain` without a second look at its answers."""
    return plain(menu)


def played(encounter: labyrinth_battle.Encounter, seed: int, policy: Policy) -> Result:
    """How the kit's battle ends."""
    ask, state = Sampling(seed, policy), labyrinth_battle.opening(encounter)
    while (over := endings.ending(state)) is None:
        state = rounds.advance(ask, state)
    return Result(over, state.hp, state.dead, state.loot)


def autoplay() -> Row:
    """The battles of the loop's samples compared; those of the kitchen stairs timed."""
    for name in PLAYS:
        encounter = labyrinth_battle.samples[name]
        for seed in range(SEEDS):
            ours, theirs = played(encounter, seed, plain), battle(encounter, seed)
            assert ours == theirs, f"{name}, seed {seed}: {ours} and {theirs}"
    took = in_turns(
        rounds=25,
        times=20,
        kit=lambda seed: played(SAMPLE, seed, plain),
        trusted=lambda seed: played(SAMPLE, seed, trusted),
        loop=lambda seed: battle(SAMPLE, seed),
    )
    part = ratio(took["loop"], took["kit"])
    a_second = {name: 1000 / statistics.median(times) for name, times in took.items()}
    return Row(
        "Labyrinth Battle, autoplay 4 against 5, every answer checked, against a "
        "hand-written loop",
        "at least 0.15",
        f"{part:.2f} and {a_second['kit']:,.0f} battles a second (its answers "
        f"trusted {a_second['trusted']:,.0f}, the loop {a_second['loop']:,.0f})",
        part >= 0.15,
    )


def struck(who: int, target: int) -> Outcomes[State]:
    """Every end of one full attack, with cold tables."""
    weapon, use = FACING.items(who)[0].name, targets.Use.AS_ITSELF
    tables = Tables(labyrinth_battle.sensible)
    return tables(attacks.attack_with, FACING, who, weapon, use, target)


def full_attack(what: str, who: int, target: int) -> Row:
    """One full attack, timed; nothing of it is cut."""
    outcomes, took = struck(who, target), []
    assert not outcomes.unresolved
    for _ in range(25):
        start = process_time()
        struck(who, target)
        took.append(1000 * (process_time() - start))
    worst = max(took)
    return Row(
        f"Labyrinth Battle, exact outcome of one full attack, tables cold ({what})",
        "at most 50 ms",
        f"{statistics.median(took):.1f} ms, {worst:.1f} ms at the slowest of "
        f"{len(took)}, for {len(outcomes.ways)} positions",
        worst <= 50,
    )


def options() -> Row:
    """Every question of three battles."""
    took: list[float] = []
    most = 0
    for seed in range(3):
        game = Game(SAMPLE, seed=seed)
        while isinstance(game.ask, Menu):
            start = process_time()
            most = max(most, all_odds(game, labyrinth_battle.sensible))
            took.append(1000 * (process_time() - start))
            game.play(labyrinth_battle.sensible, questions=1)
    worst, within = max(took), sum(ms <= 100 for ms in took)
    return Row(
        "Labyrinth Battle, odds of all options at a question, exact to the end of the "
        "turn, 4 against 5",
        "at most 100 ms",
        f"{worst:.0f} ms at the slowest of {len(took)} questions with up to {most} "
        f"options, {within} of them within 100 ms, half within "
        f"{statistics.median(took):.0f} ms",
        worst <= 100,
    )


def rows() -> list[Row]:
    """Autoplay, two attacks, the odds of all options."""
    measured: list[Callable[[], Row]] = [
        autoplay,
        lambda: full_attack("a monster's on a PC near 0 HP", KNIGHT, BRANNOC),
        lambda: full_attack("a PC's on a monster", BRANNOC, KNIGHT),
        options,
    ]
    return [measure() for measure in measured]
