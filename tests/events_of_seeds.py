"""The events of seeds as one digest a system: python tests/events_of_seeds.py

The same on every machine: `test_determinism.py` compares hash seeds and interpreters.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))

from campaign import CAMPAIGN
from skirmish import SKIRMISH

from tabletop_kit.core.frames import encoded
from tabletop_kit.core.game import Game
from tabletop_kit.core.outcomes import Tables
from tabletop_kit.core.policies import random_legal
from tabletop_kit.core.saves import to_json
from tabletop_kit.core.systems import System, systems


def digests() -> dict[str, str]:
    """A digest for each system: events, saves, frames and odds of some seeds."""
    table = [SKIRMISH, CAMPAIGN, systems()["formation"]]
    return {system.name: _digest(system) for system in table}


def _digest(system: System) -> str:
    found = hashlib.sha256()
    for piece in _pieces(system):
        found.update(piece)
    return found.hexdigest()[:16]


def _pieces(system: System) -> Iterator[bytes]:
    for encounter in system.samples().values():
        for seed, policy in ((1, system.policy()), ("two", random_legal)):
            game = Game(encounter, seed=seed).play(policy or random_legal, 60)
            game.branch().play(random_legal, 10)
            yield "\n".join(game.words()).encode()
            yield to_json(game)
            for viewer in ("gm", *system.viewers(encounter)):
                yield encoded(game, viewer)
        table = Tables(random_legal)(system.advance, system.start(encounter))
        yield f"{list(table.ways.values())} {table.unresolved}".encode()


if __name__ == "__main__":
    for name, digest in digests().items():
        print(name, digest)
