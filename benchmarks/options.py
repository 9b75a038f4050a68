"""The odds of every option at a question, exact to the end of the activation."""

import statistics
from time import perf_counter

from benchmarks.timing import Row
from tabletop_kit import formation
from tabletop_kit.core.asking import Policy
from tabletop_kit.core.game import Game
from tabletop_kit.core.menus import Menu
from tabletop_kit.core.outcomes import Tables

LARGEST = "market_street"


def all_odds(game: Game, policy: Policy) -> int:
    """The positions after each legal answer, with tables that are cold at the first."""
    assert isinstance(game.ask, Menu)
    answers, tables = list(game.ask.values()), Tables(policy)
    for answer in answers:
        game.odds_of(answer, policy, tables)
    return len(answers)


def rows() -> list[Row]:
    """Every question of three battles of the largest sample."""
    took: list[float] = []
    most = 0
    for seed in range(3):
        game = Game(formation.samples[LARGEST], seed=seed)
        while isinstance(game.ask, Menu):
            start = perf_counter()
            most = max(most, all_odds(game, formation.sensible))
            took.append(1000 * (perf_counter() - start))
            game.play(formation.sensible, questions=1)
    worst = max(took)
    figure = (
        f"{worst:.1f} ms at the slowest of {len(took)} questions with up to {most} "
        f"options, half of them within {statistics.median(took):.1f} ms"
    )
    return [
        Row(
            "odds of all options at a question, exact to the end of the activation, "
            "4 against 5",
            "at most 100 ms",
            figure,
            worst <= 100,
        )
    ]
