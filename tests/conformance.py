"""Random battles of every system, each held to what the kit relies on.

python tests/conformance.py 2000              so many battles a system
python tests/conformance.py 20000 formation   of these systems alone
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))

import smallest
from campaign import CAMPAIGN
from skirmish import SKIRMISH

from tabletop_kit.core.conformance import check_system
from tabletop_kit.core.systems import System, systems


def checked_systems() -> list[System]:
    """The smallest one, the two of the tests, and those of the kit."""
    kit = [system for name, system in sorted(systems().items()) if name == "formation"]
    return [smallest.load().Tiny(), SKIRMISH, CAMPAIGN, *kit]


def main() -> None:
    """Check as many battles as the command says."""
    battles = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    asked = sys.argv[2:]
    for system in checked_systems():
        if asked and system.name not in asked:
            continue
        start = time.perf_counter()
        checked = check_system(system, battles=battles)
        print(
            f"{system.name:12} {checked.battles} battles, {checked.questions} questions, "
            f"{checked.thinkable} thinkable answers, {checked.games} games: "
            f"{time.perf_counter() - start:.0f} s"
        )


if __name__ == "__main__":
    main()
