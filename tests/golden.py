"""Golden playthroughs: whole event logs that are kept, and played again.

Each file of tests/golden begins with what was played (system, encounter, seed, policy)
and goes on with the log: a line for each event and each throw, numbers and clauses too.

python tests/golden.py            compare
python tests/golden.py --write    keep what is played now; read the difference before
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))

import tabletop_kit as tk
from tabletop_kit.core.events import Chose, Event, Rolled
from tabletop_kit.core.systems import systems

FOLDER = Path(__file__).resolve().parent / "golden"


class Playthrough(NamedTuple):
    """A battle that plays itself: with this seed always the same way."""

    system: str
    encounter: str
    seed: int

    @property
    def path(self) -> Path:
        """Where its log is kept."""
        return FOLDER / f"{self.system}-{self.encounter}-{self.seed}.txt"

    def log(self) -> str:
        """Its whole log, played now."""
        system = systems()[self.system]
        encounter = system.samples()[self.encounter]
        policy = system.policy()
        assert policy is not None
        game = tk.autoplay(tk.Game(encounter, seed=self.seed), policy)
        head = f"{system.title}: {encounter.title}, seed {self.seed}"
        body = "\n".join(_lines(game))
        return f"{head}\n{body}\n{system.ending(game.state)}\n"


def _lines(game: Any) -> Iterator[str]:
    names = game.encounter.name_of
    for record in game.records():
        if isinstance(record, Rolled):
            by = names(record.by) if isinstance(record.by, int) else record.by
            faces = " ".join(map(str, record.faces))
            yield f"    {by} throws {record.dice}, {record.why}: {faces}"
        elif isinstance(record, Chose):
            by = names(record.who) if isinstance(record.who, int) else record.who
            value = json.dumps(msgspec.to_builtins(record.value), ensure_ascii=False)
            yield f"  {by}, {record.question}: {value}"
        elif record.event is not None:
            yield _told(record.event, record.words())


def _told(event: Event, words: str) -> str:
    heading = f"\n{event.opens}\n\n" if event.opens else ""
    values = json.dumps(msgspec.to_builtins(event), ensure_ascii=False)
    clauses = ", ".join((*event.clauses, *event.under))
    return f"{heading}{words} [{clauses}] {type(event).__name__} {values}"


def kept() -> list[Playthrough]:
    """The playthroughs that are kept, by the names of their files."""
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        system, encounter, seed = path.stem.split("-")
        found.append(Playthrough(system, encounter, int(seed)))
    return found


def main() -> int:
    """Compare all, or write them."""
    differs = 0
    for one in kept():
        log = one.log()
        if sys.argv[1:] == ["--write"]:
            one.path.write_text(log, "utf-8")
        elif log != one.path.read_text("utf-8"):
            differs += 1
            print(f"{one.path.name}: another battle than the one that is kept")
    return int(differs > 0)


if __name__ == "__main__":
    sys.exit(main())
