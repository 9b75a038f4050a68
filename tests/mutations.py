"""Do examples and tests notice a wrong rule?

Each mutation changes one place of an exported module of Formation; then the example
cells of its chapters and tests/test_formation.py are run, and something must fail.

    python tests/mutations.py            every mutation; ends with a count
    python tests/mutations.py attacks    those of one module
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
PACKAGE = ROOT / "tabletop_kit" / "formation"
SECONDS = 60
"""A mutation that runs longer hangs: that is noticed too."""


class Mutation(NamedTuple):
    """One wrong rule."""

    module: str
    old: str
    new: str


def _of(module: str, *pairs: tuple[str, str]) -> list[Mutation]:
    return [Mutation(module, old, new) for old, new in pairs]


MUTATIONS = [
    *_of(
        "sheets",
        ("1 <= nearest <= self.max <= 3", "0 <= nearest <= self.max <= 3"),
        ("1 <= nearest <= self.max <= 3", "1 <= nearest <= self.max <= 4"),
        ("1 <= nearest <= self.max <= 3", "1 <= self.max <= 3"),
        ("return base + sum(modifiers)", "return max(0, base + sum(modifiers))"),
        ("return base + sum(modifiers)", "return base"),
        (
            'refuse_score(f"hp_max of {self.name}", self.hp_max, 1,',
            'refuse_score(f"hp_max of {self.name}", self.hp_max, 0,',
        ),
        ("if score in BELOW_0 else 0", "if score in BELOW_0 else -1"),
        ("if score in BELOW_0 else 0", "if score not in BELOW_0 else 0"),
        ("if value not in values:", "if False:"),
        ('refuse_other(f"range of {self.name}", self.range, Range)', "pass"),
        ('refuse_other("variant", self.variant, Variant)', "pass"),
        ("Weapon(Struct, frozen=True, forbid_unknown_fields=True)", "Weapon(Struct)"),
        (
            "type(value) is not int or not least <= value <= most",
            "not least <= value <= most",
        ),
        ("if name in seen:", "if False:"),
        ("spelled(self.pcs) == spelled(self.enemies)", "self.pcs == self.enemies"),
        ('return unicodedata.normalize("NFC", name)', "return name"),
        (
            "if not 1 <= count <= MOST_ON_A_SIDE:",
            "if not 0 <= count <= MOST_ON_A_SIDE:",
        ),
        ("not isinstance(slot, Slot) or slot not in own", "not isinstance(slot, Slot)"),
        ("if len(name) > MOST_IN_A_NAME:", "if len(name) > MOST_IN_A_NAME + 1:"),
        ("not any(is_visible(sign) for sign in name)", "not name"),
        (" and sign not in BLANK", ""),
        ("if name != name.strip():", "if False:"),
        (" or sign in TURNING", ""),
        ('("Cc", "Cs", "Zl", "Zp")', '("Cc", "Cs")'),
        (" and element != Element.PHYSICAL\n        if name", "\n        if name"),
        ("if element != Element.PHYSICAL:", "if True:"),
        ("max(0, self.hp[who] - damage)", "self.hp[who] - damage"),
        ("sorted((*self.acted, who))", "(*self.acted, who)"),
        ("if pair[0] != who]", "]"),
        ("if imbued == who:", "if imbued:"),
        ("Side.PC if self <= Slot.PC_FRONT", "Side.PC if self < Slot.PC_FRONT"),
        (
            "enemies if who.side == Side.PC else pcs",
            "pcs if who.side == Side.PC else pcs",
        ),
        ("imbued=imbued)", "imbued=())"),
    ),
    *_of(
        "rows",
        ("return max(1, abs(here - there))", "return abs(here - there)"),
        ("return max(1, abs(here - there))", "return max(1, abs(here - there) - 1)"),
        ("return range(span.max, span.max + 1)", "return range(1, span.max + 1)"),
        ("return range(1, span.max + 1)", "return range(1, span.max + 2)"),
        ("return range(1, span.max + 1)", "return range(1, span.max)"),
        ("return range(span.min, span.max + 1)", "return range(span.min, span.max)"),
        ("if span.min is not None:", "if False:"),
        ("TOO_FAR if apart > max(serves) else TOO_NEAR", "TOO_FAR"),
        ("if menu.state.hp[menu.who] == 0 else", "if False else"),
        ("if menu.who in menu.state.acted else", "if False else"),
        ("conditions=((conscious, unspent),)", "conditions=((conscious,),)"),
        ("conditions=((conscious, unspent),)", "conditions=((unspent,),)"),
        ("Slot(slot ^ 1)", "Slot(slot ^ 3)"),
        ("state.moved(who, slot).done(who)", "state.moved(who, slot)"),
        ("state.moved(who, slot).done(who)", "state.done(who)"),
        ("ask.tell(state, RowChanged(who, slot))", "pass"),
    ),
    *_of(
        "attacks",
        ("DOUBLE_ONE, DOUBLE_SIX = 2, 12", "DOUBLE_ONE, DOUBLE_SIX = 2, 11"),
        ("DOUBLE_ONE, DOUBLE_SIX = 2, 12", "DOUBLE_ONE, DOUBLE_SIX = 3, 12"),
        ("while rolled == DOUBLE_SIX:", "if rolled == DOUBLE_SIX:"),
        ("while rolled == DOUBLE_SIX:", "while False:"),
        (
            "total, criticals = total + rolled, criticals + 1",
            "total, criticals = rolled, criticals + 1",
        ),
        ("criticals + 1", "criticals + 2"),
        ("    if rolled == DOUBLE_ONE:\n        return DiceTotal(None)\n", ""),
        ("ask.lump(total, enough), ask.lump(criticals, 1)", "total, criticals"),
        ("return self.criticals > 0", "return self.criticals > 1"),
        ("if thrown == TWO_DICE:", "if True:"),
        ("if thrown == TWO_DICE:", "if False:"),
        ('return Check(rolled, "great_success")', "return Check(rolled)"),
        ('return Check(rolled, "great_failure")', "return Check(rolled)"),
        (
            '"physical" if element == Element.PHYSICAL else "magic"',
            '"magic" if element == Element.NON_ELEMENTAL else "physical"',
        ),
        (
            "        return target.physical_defense\n    return target.magic_defense",
            "        return target.magic_defense\n    return target.physical_defense",
        ),
        (
            "return Blow(dice, damage=0)",
            "return Blow(dice, damage=attack_power + 2 - defense)",
        ),
        (
            "damage=max(0, attack_power + dice.total - defense)",
            "damage=attack_power + dice.total - defense",
        ),
        ("attack_power + dice.total - defense", "attack_power + dice.total"),
        ("return None if target in others else OWN_SIDE()", "return None"),
        ("return DOWN() if menu.state.hp[target] == 0 else None", "return None"),
        ("if target not in setup.opponents[who]:", "if False:"),
        (
            "((conscious, unspent), (opponent, still_up, in_range))",
            "((conscious,), (opponent, still_up, in_range))",
        ),
        (
            "((conscious, unspent), (opponent, still_up, in_range))",
            "((unspent,), (opponent, still_up, in_range))",
        ),
        ("(opponent, still_up, in_range)", "(opponent, still_up)"),
        ("(opponent, still_up, in_range)", "(opponent, in_range)"),
        ("(opponent, still_up, in_range)", "(still_up, in_range)"),
        ("menu.state.setup.others[menu.who]", "tuple(range(len(menu.state.hp)))"),
        ("return Missed(who, target)", "return Hit(who, target, 0, 0, 2, defense)"),
        ('("FM-CRIT-02",) if dice.criticals else ()', "()"),
        ('under = (*under, "FM-ELEM-05")', "pass"),
        ("HitOnGuard if target in state.defending else Hit", "Hit"),
        ("damage // 2 if target in state.defending else damage", "damage"),
        ("damage // 2 if target", "(damage + 1) // 2 if target"),
        ("2 * hp if target in state.defending else hp", "hp"),
        ("return damage + defense - attack_power", "return damage + defense"),
        (
            "return damage + defense - attack_power",
            "return damage + defense - attack_power - 1",
        ),
        ("state.element_of(who))\n    enough", "Element.PHYSICAL)\n    enough"),
        ("damage = halved(state, target, blow.damage)", "damage = blow.damage"),
        (
            "state = state.hurt(target, damage).done(who)",
            "state = state.hurt(target, damage)",
        ),
        ("state = state.hurt(target, damage).done(who)", "state = state.done(who)"),
        ("    ask.tell(state, told)\n", ""),
        ("    if state.hp[target] == 0:\n        ask.tell(state, Fell(target))\n", ""),
        (
            "if state.hp[target] == 0:\n        ask.tell",
            "if state.hp[target] <= 1:\n        ask.tell",
        ),
        ("state = state.defended(who).done(who)", "state = state.defended(who)"),
        ("state = state.defended(who).done(who)", "state = state.done(who)"),
        ("    ask.tell(state, OnGuard(who))\n", ""),
        ("    ask.tell(state, Imbued(who, element))\n", ""),
    ),
    *_of(
        "turns",
        ("return sheet.agility, sheet.intelligence", "return sheet.agility, 0"),
        (
            "return sheet.agility, sheet.intelligence",
            "return sheet.intelligence, sheet.agility",
        ),
        ("sorted(set(totals), reverse=True)", "sorted(set(totals))"),
        (
            "    if len(tied) == 1:\n        return tied\n",
            "    if len(tied) == 1:\n        return tied\n    return tied\n",
        ),
        ("settled += settle(ask, tuple(here))", "settled += here"),
        (
            "for place in sorted(set(places)):",
            "for place in sorted(set(places), reverse=True):",
        ),
        ("key=quick, reverse=True)", "key=quick)"),
        ("order += settle(ask, tuple(tied))", "order += tied"),
        ("    ask.tell(state, Begun())\n", ""),
        ("    ask.tell(state, OrderSettled(state.order))\n", ""),
        ("    ask.tell(state, TurnOpened())\n", ""),
        (
            "PASS = Kind(\n    Pass,\n    conditions=((conscious, unspent),),",
            "PASS = Kind(\n    Pass,\n    conditions=((conscious,),),",
        ),
        ("kinds = (ATTACK, STEP, DEFEND, PASS)", "kinds = (ATTACK, STEP, DEFEND)"),
        ("            return change_row(ask, state, who)", "            pass"),
        ("            return defend(ask, state, who)", "            pass"),
        (
            "state = state.done(who)\n            ask.tell(state, Passed(who))",
            "ask.tell(state, Passed(who))",
        ),
        ("            ask.tell(state, Passed(who))\n", ""),
        ("        case Pass():", "        case _:"),
        ("if who not in state.acted and state.hp[who]:", "if who not in state.acted:"),
        ("if who not in state.acted and state.hp[who]:", "if state.hp[who]:"),
        ("if sorted(state.order) != everyone:", "if False:"),
        ("replace(state, acted=(), defending=())", "replace(state, acted=())"),
        ("replace(state, acted=(), defending=())", "replace(state, defending=())"),
        ("    ask.tell(state, NextTurn())\n", ""),
        ("and state.has_anyone_up(Side.ENEMY)", "or state.has_anyone_up(Side.ENEMY)"),
        (
            "phase=Phase.END, acted=(), defending=(), imbued=()",
            "phase=Phase.END, acted=(), defending=()",
        ),
        ("ask.tell(state, Won(setup.pcs))", "ask.tell(state, Won(setup.enemies))"),
        ("        ask.tell(state, Drawn())", "        pass"),
        ("    if is_decided(state):\n        return close(ask, state)\n", ""),
        (
            'return "enemies win" if state.has_anyone_up(Side.ENEMY) else "draw"',
            'return "enemies win"',
        ),
    ),
    *_of(
        "picture",
        ("if who in state.defending:", "if who in state.acted:"),
        ("elif who in state.acted:", "elif False:"),
        ("if slot.territory != sheet.side:", "if True:"),
        ("zone=lane(state.slots[who])", "zone=lane(state.setup.placement[who])"),
        ("* (place + 0.5) / len(here)", "* (place + 0.5)"),
        (
            "len(members) for members in setup.members.values()",
            "len([slot for slot in state.slots if slot == row]) for row in Slot",
        ),
    ),
    *_of(
        "battles",
        ("0 < 4 * state.hp[who] <=", "0 < 3 * state.hp[who] <="),
        ("not is_hurt(state, who) for who", "True for who"),
        ("        state.hp[foe]\n        and", "        True\n        and"),
        ("return min(attacks, key", "return max(attacks, key"),
        ('return Step() if slot.row == "back" else Defend()', "return Defend()"),
        ("Mixed(((Step(), 1), (Defend(), 1)))", "Defend()"),
    ),
]


class _Mutated(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module with a changed source."""

    def __init__(self, module: str, source: str):
        self.name, self.source = f"tabletop_kit.formation.{module}", source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: object = None
    ) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_loader(fullname, self)

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.source, self.name, "exec"), vars(module))


def _preload() -> None:
    """Everything that no mutation touches: children inherit it."""
    import pytest  # noqa: F401

    import tabletop_kit as tk
    from tabletop_kit.widgets import charts  # noqa: F401

    for name in tk.__all__:
        if name != "formation":
            getattr(tk, name)
    assert not any("tabletop_kit.formation" in name for name in sys.modules)


def _chapters(module: str) -> list[Path]:
    """The notebooks of Formation, the module's own first."""
    from tools.notebooks import read_all

    books = [book for book in read_all() if book.path.startswith("nbs/formation/")]
    own = f"tabletop_kit.formation.{module}"
    books.sort(key=lambda book: book.module != own)
    return [ROOT / book.path for book in books]


def failing(module: str) -> str:
    """The first example cell or test that fails; empty if none does."""
    from tools.notebooks import read

    for path in _chapters(module):
        names: dict[str, object] = {"__name__": "__main__"}
        book = read(path)
        for cell in book.cells:
            if not cell.example:
                continue
            try:
                exec(compile(cell.source, cell.id, "exec"), names)
            except Exception as wrong:
                return f"{path.stem}, {cell.id}: {type(wrong).__name__}"
    import pytest

    report = _Failures()
    arguments = ["-q", "-x", "--noconftest", "-p", "no:cacheprovider"]
    code = pytest.main(
        [*arguments, str(ROOT / "tests" / "test_formation.py")], plugins=[report]
    )
    return "" if code == 0 else report.first or f"pytest ended with {code}"


class _Failures:
    first = ""

    def pytest_runtest_logreport(self, report: object) -> None:
        if getattr(report, "failed", False):
            self.first = (
                self.first or str(getattr(report, "nodeid", "")).split("::")[-1]
            )


def _child(mutation: Mutation | None, back: int) -> None:
    """Run in a fork: write what fails, and leave."""
    signal.alarm(SECONDS)
    if mutation is not None:
        path = PACKAGE / f"{mutation.module}.py"
        source = path.read_text("utf-8").replace(mutation.old, mutation.new)
        sys.meta_path.insert(0, _Mutated(mutation.module, source))
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        try:
            found = failing(mutation.module if mutation else "sheets")
        except BaseException as wrong:
            found = f"{type(wrong).__name__}: {wrong}"
    os.write(back, found.encode()[:2_000])
    os._exit(0)


class _Run:
    """A mutation on trial in a child of its own."""

    def __init__(self, mutation: Mutation | None = None):
        self.pipe, write = os.pipe()
        self.child = os.fork()
        if self.child == 0:
            os.close(self.pipe)
            _child(mutation, write)
        os.close(write)

    def found(self) -> str:
        """What fails with this mutation; empty if nothing does."""
        with os.fdopen(self.pipe, "rb") as pipe:
            found = pipe.read().decode("utf-8", "replace")
        _, status = os.waitpid(self.child, 0)
        if os.WIFSIGNALED(status):
            return f"signal {os.WTERMSIG(status)}"
        return found


def tried(mutations: Sequence[Mutation]) -> Iterator[tuple[Mutation, str]]:
    """Each mutation with what fails, as many at once as there are processors."""
    running: list[tuple[Mutation, _Run]] = []
    for mutation in mutations:
        running.append((mutation, _Run(mutation)))
        if len(running) > (os.cpu_count() or 1):
            first, run = running.pop(0)
            yield first, run.found()
    for mutation, run in running:
        yield mutation, run.found()


def unknown(mutations: Sequence[Mutation]) -> list[Mutation]:
    """Those whose place is not in the module any more."""
    sources = {path.stem: path.read_text("utf-8") for path in PACKAGE.glob("*.py")}
    return [m for m in mutations if m.old not in sources[m.module] or m.old == m.new]


def main() -> int:
    """Run all mutations, or those of the modules that are named."""
    asked = sys.argv[1:]
    mutations = [m for m in MUTATIONS if not asked or m.module in asked]
    for mutation in unknown(mutations):
        print("NOT THERE", mutation.module, repr(mutation.old))
    if unknown(mutations):
        return 1
    _preload()
    if wrong := _Run().found():
        print(f"without any mutation: {wrong}")
        return 1
    missed = 0
    for mutation, found in tried(mutations):
        missed += not found
        said = f"caught by {found}" if found else "MISSED"
        print(
            f"{mutation.module}: {mutation.old!r} -> {mutation.new!r}: {said}",
            flush=True,
        )
    print(f"{len(mutations) - missed} of {len(mutations)} mutations caught")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
