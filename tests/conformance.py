"""Random battles of every system, each held to what the kit relies on.

python tests/conformance.py 2000              so many battles a system
python tests/conformance.py 20000 formation   of these systems alone
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from msgspec.structs import replace

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))

import smallest
from campaign import CAMPAIGN
from skirmish import SKIRMISH

from tabletop_kit import formation, labyrinth_battle
from tabletop_kit.core.conformance import Checked, check_system
from tabletop_kit.core.systems import System

LONGEST = 40_000
"""Units of a battle at random; in a labyrinth they meet late and miss often."""
AT_ONCE = 1_000
"""After so many battles a system's count is written."""


def checked_systems() -> list[System]:
    """The smallest one, the two of the tests, and those of the kit."""
    kit = [formation.FORMATION, labyrinth_battle.LABYRINTH]
    return [smallest.load().Tiny(), SKIRMISH, CAMPAIGN, *kit]


def encounters_of(system: System) -> list[Any]:
    """The samples; where battles at random take long, with little HP left, too."""
    samples = [*system.samples().values()]
    if system is labyrinth_battle.LABYRINTH:
        return [*map(nearly_over, samples), *samples]
    return samples


def nearly_over(encounter: labyrinth_battle.Encounter) -> labyrinth_battle.Encounter:
    """The same, with 2 HP at most left to everybody."""
    people = [
        replace(who, hp=min(2, who.hp_now)) if who.hp_now > 0 else who
        for who in encounter.combatants
    ]
    return replace(encounter, combatants=tuple(people))


def main() -> None:
    """Check as many battles as the command says."""
    battles = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    asked = sys.argv[2:]
    for system in checked_systems():
        if not asked or system.name in asked:
            check(system, battles)


def check(system: System, battles: int) -> None:
    """Check so many battles of one system, and write how far it has come."""
    start, done = time.perf_counter(), Checked(0, 0, 0, 0)
    for part in range(0, battles, AT_ONCE):
        now = min(AT_ONCE, battles - part)
        encounters = encounters_of(system)
        found = check_system(
            system, encounters, battles=now, units=LONGEST, seed=part // AT_ONCE
        )
        done = Checked(
            done.battles + found.battles,
            done.questions + found.questions,
            done.thinkable + found.thinkable,
            done.games + found.games,
        )
        print(
            f"{system.name:12} {done.battles} battles, {done.questions} questions, "
            f"{done.thinkable} thinkable answers, {done.games} games: "
            f"{time.perf_counter() - start:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
