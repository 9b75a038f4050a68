"""Checks: what the kept dice say, what helps, and what follows."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.outcomes import Bracket
from tabletop_kit.core.playing import Played
from tabletop_kit.labyrinth_battle import battlefields, checks, measures, states
from tabletop_kit.labyrinth_battle.battles import samples

FAILED, FAILURE, SUCCESS, SUCCEEDED = checks.CheckResult
CELLAR = states.opening(samples["cellar"])
PIM, ODILE, BRANNOC = range(3)
BadStatus = measures.BadStatus


def share(
    result: checks.CheckResult, score: int, difficulty: int, fumbles: int, count: int
) -> Fraction | Bracket:
    found = tk.outcomes(checks.check, score, difficulty, fumbles, count)
    return found.chance(lambda one: one == result)


def told_check(played: Played) -> checks.Checked:
    """The first check that was told of."""
    return next(event for event in played.events if isinstance(event, checks.Checked))


@pytest.mark.parametrize(
    ("count", "chance"),
    [
        (2, Fraction(1, 36)),
        (3, Fraction(2, 27)),
        (4, Fraction(19, 144)),
        (5, Fraction(763, 3888)),
    ],
)
@pytest.mark.parametrize(("score", "difficulty"), [(0, 9), (0, 99), (12, 2), (-5, 9)])
def test_two_sixes_among_the_kept_dice_succeed(
    count: int, chance: Fraction, score: int, difficulty: int
) -> None:
    assert share(SUCCEEDED, score, difficulty, 2, count) == chance


@pytest.mark.parametrize("count", [2, 3, 4, 5])
@pytest.mark.parametrize(("score", "difficulty"), [(0, 9), (99, 2), (6, 8)])
def test_only_all_ones_fail_absolutely(count: int, score: int, difficulty: int) -> None:
    assert share(FAILED, score, difficulty, 2, count) == Fraction(1, 6**count)


def test_the_cursed_fail_absolutely_with_3() -> None:
    assert share(FAILED, 99, 2, checks.CURSED_TO, 2) == Fraction(3, 36)
    assert share(SUCCEEDED, 0, 99, checks.CURSED_TO, 2) == Fraction(1, 36)


@pytest.mark.parametrize(
    ("best", "score", "difficulty", "result"),
    [
        (6, 3, 9, SUCCESS),
        (6, 3, 10, FAILURE),
        (3, 9, 10, SUCCESS),
        (11, 0, 12, FAILURE),
        (2, 10, 5, FAILED),
        (12, 0, 20, SUCCEEDED),
        (12, 9, 5, SUCCEEDED),
        (2, 0, 20, FAILED),
    ],
)
def test_the_total_decides_where_the_dice_do_not(
    best: int, score: int, difficulty: int, result: checks.CheckResult
) -> None:
    assert checks.judged(best, score, difficulty) == result


def test_results_say_what_they_are() -> None:
    assert [one.succeeds for one in checks.CheckResult] == [False, False, True, True]
    assert [one.is_absolute for one in checks.CheckResult] == [True, False, False, True]


def made(
    state: states.State, who: int, *faces: int, hidden_by: int | None = None
) -> Played:
    given = ("investigate", "wit", 9, "LB-SUP-04", 1, hidden_by)
    return tk.play(checks.checked, state, who, *given, faces=[faces])


def test_help_is_added_once_a_helper_and_used_up() -> None:
    setup = CELLAR.setup
    for_pim = battlefields.Cooperation(ODILE, BRANNOC, "investigate")
    other = battlefields.Cooperation(ODILE, BRANNOC, "tactics")
    state = replace(CELLAR, cooperations=tuple(sorted((for_pim, for_pim, other))))
    assert setup.combatants[ODILE].affection == (("Brannoc", 2),)
    played = made(state, BRANNOC, 2, 2)
    assert told_check(played).bonus == 1 + 2
    assert played.result[0].cooperations == (other,)
    assert played.told == [played.result[0]]


def test_a_hidden_difficulty_is_not_told() -> None:
    told = told_check(made(CELLAR, PIM, 3, 3, hidden_by=4))
    hidden = told.seen_by(lambda who: who != 4).words(CELLAR.setup.name_of)
    assert hidden == "Pim checks wit 2, bonus 1, against ?: success."
    assert told.seen_by(lambda who: True) == told and told.difficulty == 9
    openly = told_check(made(CELLAR, PIM, 3, 3))
    assert openly.seen_by(lambda who: who != 4) == openly
    own = openly.seen_by(lambda who: who != PIM).words(CELLAR.setup.name_of)
    assert own == "Pim checks wit ?, bonus 1, against 9: success."  # LB-UNI-03


@pytest.mark.parametrize(
    ("faces", "cured"), [((6, 6), True), ((1, 1), True), ((1, 2), False)]
)
def test_an_absolute_result_cures_distraction(
    faces: tuple[int, int], cured: bool
) -> None:
    dreamy = CELLAR.gains(PIM, BadStatus.DISTRACTION).gains(
        ODILE, BadStatus.DISTRACTION
    )
    state = made(dreamy, PIM, *faces).result[0]
    assert state.has(PIM, BadStatus.DISTRACTION) is not cured
    assert state.has(ODILE, BadStatus.DISTRACTION)
    both = dreamy.gains(PIM, BadStatus.CURSE)
    assert not made(both, PIM, 1, 2).result[0].has(PIM, BadStatus.DISTRACTION)
