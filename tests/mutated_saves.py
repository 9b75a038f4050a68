"""Saves changed at random: each is refused by name or is a playable game, nothing else.

python tests/mutated_saves.py 5000 [FIRST]   so many, from the FIRST's number on
"""

from __future__ import annotations

import copy
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))

from campaign import CAMPAIGN, ESCORTED, WAR, marching
from skirmish import SAMPLES, SKIRMISH, GiveUp, sensible

from tabletop_kit.core.answers import Broken, Throw
from tabletop_kit.core.game import Game
from tabletop_kit.core.menus import Menu
from tabletop_kit.core.policies import random_legal
from tabletop_kit.core.saves import from_json, to_json
from tabletop_kit.core.systems import System, systems

Tree = Any
ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    2,
    7,
    99,
    10**6,
    2**70,
    1.5,
    1e400,
    "",
    "x",
    "Ann",
    "Imp",
    "gm",
    "side 0",
    "dice",
    "\u0000",
    "<img src=x onerror=alert(1)>",
    [],
    {},
    [1, 1],
    [[]],
    {"type": "strike", "target": "Imp"},
    {"type": "stay"},
)


def checked_systems() -> list[System]:
    """Every system whose saves are tried."""
    return [SKIRMISH, CAMPAIGN, systems()["formation"]]


def saves(system: System) -> list[bytes]:
    """Games of a system in all states: begun, branched, over, by hand, from a position."""
    if system is SKIRMISH:
        games = list(_games(SAMPLES["two"], sensible))
        offering = Game(SAMPLES["two"], seed=3).play(sensible, 7)
        while not offering.offers():
            offering.play(sensible, 1)
        games.append(offering.take(offering.offers()[0], GiveUp()))
        games += [*_games(SAMPLES["secret"], random_legal)]
    elif system is CAMPAIGN:
        games = [*_games(WAR, marching), *_games(ESCORTED, random_legal)]
    else:
        games = []
        for encounter in list(system.samples().values())[:3]:
            games += _games(encounter, system.policy() or random_legal)
    return [to_json(game) for game in games]


def _games(encounter: Any, policy: Callable[[Menu[Any]], Any]) -> Iterator[Game]:
    yield Game(encounter, seed="s")
    game = Game(encounter, seed=3).play(policy, 25)
    yield game
    positions = [node.position for node in game.nodes if node.position is not None]
    yield Game(encounter, seed=7, at=positions[-1]).play(policy, 10)
    branched = Game(encounter, seed=5).play(policy, 15)
    for roll in branched.rolls()[-2:]:
        faces = tuple([face % roll.sides + 1 for face in roll.faces])
        branched.branch(at=roll.node, faces=faces)
    for _ in range(4):
        branched.undo()
    yield branched.branch().play(policy, 6)
    by_hand = Game(encounter, seed=1, throws=False)
    for _ in range(12):
        _one_answer(by_hand, Random(1), policy)
    yield by_hand


# ---- mutations ---------------------------------------------------------------------


def mutated(save: bytes, random: Random) -> bytes:
    """The save with one to three changes, to its bytes or to its values."""
    if random.random() < 0.25:
        return _bytes_changed(save, random)
    tree = json.loads(save)
    if random.random() < 0.2:
        tree["rules"] += 1  # played as far as it is legal
    if random.random() < 0.2:
        tree["positions"] = {}  # nothing but the rules notices a change
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        _change(tree, random)
    return json.dumps(tree, allow_nan=True).encode()


def _bytes_changed(save: bytes, random: Random) -> bytes:
    at, length = random.randrange(len(save)), random.choice((1, 1, 5, 80))
    match random.randrange(5):
        case 0:
            return save[:at]
        case 1:
            return save[:at] + save[at + length :]
        case 2:
            return save[:at] + save[at : at + length] + save[at:]
        case 3:
            return save[:at] + bytes([random.randrange(256)]) + save[at + 1 :]
    other = random.randrange(len(save))
    return save[:at] + save[other : other + length] + save[at:]


def _change(tree: Tree, random: Random) -> None:
    """One change somewhere: gone, doubled, swapped, or another value."""
    holders = [holder for holder in _holders(tree) if holder]
    holder = random.choice(holders)
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    key = random.choice(keys)
    other = random.choice(keys)
    match random.randrange(8):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(other, copy.deepcopy(holder[key]))
        case 1 | 2:
            holder[key], holder[other] = holder[other], holder[key]
        case 3 | 4 if type(holder[key]) is int:
            holder[key] += random.choice((-1, 1, 2, -7, 100))
        case 5:
            source = random.choice(holders)
            values = list(source.values()) if isinstance(source, dict) else source
            holder[key] = copy.deepcopy(random.choice(values))
        case 6 if isinstance(holder, dict):
            holder[random.choice(("extra", "type", "value", "faces", "who"))] = 1
        case _:
            holder[key] = copy.deepcopy(random.choice(ODD_VALUES))


def _holders(tree: Tree) -> Iterator[Tree]:
    """Every list and object in it."""
    if isinstance(tree, dict | list):
        yield tree
        for value in tree.values() if isinstance(tree, dict) else tree:
            yield from _holders(value)


# ---- what must hold ----------------------------------------------------------------


def outcome(data: bytes, random: Random) -> str:
    """ "broken" or "playable"; anything else raises."""
    try:
        game = from_json(data)
    except Broken as broken:
        assert str(broken).startswith("answer ") and len(str(broken)) < 5_000
        return "broken"
    before = game.words()
    for _ in range(20):
        _one_answer(game, random, random_legal)
    assert game.words()[: len(before)] == before
    assert from_json(to_json(game)).words() == game.words()
    while game.undo():
        pass
    return "playable"


def _one_answer(game: Game, random: Random, policy: Any) -> None:
    if isinstance(game.ask, Throw):
        dice = game.ask.dice
        faces = [random.randint(1, dice.sides) for _ in range(dice.count)]
        game.answer(faces=tuple(faces))
    elif game.ask is not None:
        game.play(policy, 1)


def try_all(count: int, first: int = 0) -> Counter[tuple[str, str]]:
    """So many mutations over all systems: how many of each were broken or playable.

    Raises:
        AssertionError: names the mutation that was neither.
    """
    table = [(system.name, saves(system)) for system in checked_systems()]
    found: Counter[tuple[str, str]] = Counter()
    for n in range(first, first + count):
        name, kept = table[n % len(table)]
        random = Random(f"mutation/{n}")
        data = mutated(random.choice(kept), random)
        try:
            found[name, outcome(data, random)] += 1
        except BaseException as bad:
            raise AssertionError(f"mutation {n} of {name}: {data!r:.3000}") from bad
    return found


def main() -> None:
    """Try as many as the command says."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    start = time.perf_counter()
    found = try_all(count, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    for (name, how), n in sorted(found.items()):
        print(f"{name:12} {how:9} {n:6}")
    print(f"{count} mutated saves in {time.perf_counter() - start:.0f} s, nothing else")


if __name__ == "__main__":
    main()
