"""Ratios within one run: what is compared is timed in turns, and medians are kept."""

import gc
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time


@dataclass(frozen=True)
class Row:
    """A line of the table.

    Args:
        what: what was measured.
        target: what was asked for; empty where nothing was.
        figure: what came out.
        met: whether that meets the target.
    """

    what: str
    target: str
    figure: str
    met: bool


def in_turns(
    rounds: int, times: int, **runs: Callable[[int], object]
) -> dict[str, list[float]]:
    """Milliseconds of one run of each, in processor time, once a round.

    Other work on the machine slows a round for all alike, and is not counted.

    Args:
        times: how often each is run in a round; it is given 0, 1, 2 ...
    """
    took: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            gc.collect()
            start = process_time()
            for number in range(times):
                run(number)
            took[name].append(1000 * (process_time() - start) / times)
    return took


def ratio(one: list[float], other: list[float]) -> float:
    """The median of what one took, in every round, for each unit of the other."""
    return statistics.median(a / b for a, b in zip(one, other, strict=True))


def share(times: list[float], part: float) -> float:
    """The time that this part of all stays within: 0.95 for the slowest twentieth."""
    return sorted(times)[min(len(times) - 1, int(part * len(times)))]
