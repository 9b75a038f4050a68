"""A full attack with its chain of double sixes: the kit beside icepool and dyce.

Two questions of the footbridge: the damage of one blow, with all its tails; and the hit
points a blow leaves to the target. All three answer in exact fractions, from nothing.
"""

import statistics
import warnings
from collections.abc import Callable
from fractions import Fraction

import icepool
from dyce import H, explode_n

from benchmarks.timing import Row, in_turns, ratio
from tabletop_kit import formation
from tabletop_kit.core.outcomes import SMALLEST, Outcomes, Tables

DEPTH = 8
"""So many double sixes in a row are followed before one in 2**48 is reached."""

START = formation.opening(formation.samples["footbridge"])
AKI, BRUTE = START.named("Aki"), START.named("Brute")
POWER = START.sheet(AKI).attack_power
DEFENSE = START.sheet(BRUTE).physical_defense
HIT_POINTS = START.hp[BRUTE]


def damage_of(total: int) -> int:
    """The damage of a total; 2 is a fumble, and no chain ends in it."""
    return 0 if total == 2 else max(0, POWER + total - DEFENSE)


def left_after(total: int) -> int:
    """What a total of the dice leaves to the target."""
    return max(0, HIT_POINTS - damage_of(total))


def kit_damage() -> Outcomes[int]:
    """The rule itself, its tables cold."""
    blow = Tables()(formation.strike, POWER, DEFENSE)
    return blow.of(lambda landed: landed.damage)


def kit_left() -> Outcomes[int]:
    """The rule as it is played, from one state to the next, its tables cold."""
    after = Tables()(formation.attack, START, AKI, BRUTE)
    return after.of(lambda state: state.hp[BRUTE])


def icepool_of(question: Callable[[int], int]) -> "icepool.Die[int]":
    """The same in icepool."""
    dice = (2 @ icepool.d6).explode([12], depth=DEPTH)
    return dice.map(question)


def dyce_of(question: Callable[[int], int]) -> "H[int]":
    """The same in dyce."""
    ways: dict[int, int] = {}
    for total, count in explode_n(2 @ H(6), n=DEPTH).items():
        answer = question(total)
        ways[answer] = ways.get(answer, 0) + count
    return H(ways)


def check(kit: Outcomes[int], question: Callable[[int], int], cut_in: int) -> None:
    """Equal fractions for every outcome but the one that holds what is cut."""
    die, histogram = icepool_of(question), dyce_of(question)
    theirs = {answer: Fraction(die.probability(answer)) for answer in die.outcomes()}
    whole = sum(histogram.counts())
    assert theirs == {a: Fraction(n, whole) for a, n in histogram.items()}
    assert kit.cut == Fraction(1, 36 ** (DEPTH + 1)) < Fraction(36, SMALLEST)
    ours = {answer: Fraction(n, kit.total) for answer, n in kit.ways.items()}
    assert ours.get(cut_in, Fraction(0)) + kit.cut == theirs.pop(cut_in)
    ours.pop(cut_in, None)
    assert ours == theirs


def each_time(answer: Callable[[], object]) -> Callable[[int], object]:
    """The same answer in every round."""
    return lambda _: answer()


def compared(
    what: str,
    kit: Callable[[], Outcomes[int]],
    question: Callable[[int], int],
    cut_in: int,
) -> Row:
    """One question in all three, checked and timed.

    Args:
        cut_in: the outcome that holds what is cut.
    """
    check(kit(), question, cut_in)
    took = in_turns(
        rounds=15,
        times=10,
        kit=each_time(kit),
        icepool=each_time(lambda: icepool_of(question)),
        dyce=each_time(lambda: dyce_of(question)),
    )
    middle = {name: statistics.median(times) for name, times in took.items()}
    faster = min("icepool", "dyce", key=lambda name: middle[name])
    part = ratio(took["kit"], took[faster])
    each = ", ".join(f"{name} {ms:.2f} ms" for name, ms in middle.items())
    return Row(
        f"exact outcomes of a full attack with its chain ({what})",
        "at most 0.4 of the faster one's time",
        f"{part:.2f} of {faster}'s time ({each}); equal below the cut",
        part <= 0.4,
    )


def rows() -> list[Row]:
    """Both questions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dyce says that explode_n is new
        tail = damage_of(12 * (DEPTH + 1))
        return [
            compared("damage, every total", kit_damage, damage_of, tail),
            compared("hit points left", kit_left, left_after, 0),
        ]
