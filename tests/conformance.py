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
from tabletop_kit.core.conformance import check_system
from tabletop_kit.core.systems import System

LONGEST = 40_000
"""Units of a battle at random; in a labyrinth they meet late and miss often."""


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
        if asked and system.name not in asked:
            continue
        start = time.perf_counter()
        checked = check_system(
            system, encounters_of(system), battles=battles, units=LONGEST
        )
        print(
            f"{system.name:12} {checked.battles} battles, {checked.questions} questions, "
            f"{checked.thinkable} thinkable answers, {checked.games} games: "
            f"{time.perf_counter() - start:.0f} s"
        )


if __name__ == "__main__":
    main()
