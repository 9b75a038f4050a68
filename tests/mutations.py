"""Do examples and tests notice a wrong rule?

Each mutation of tests/mutated_rules changes one place of an exported module of a
system; then the example cells of its chapters and its tests are run, and something must
fail.

    python tests/mutations.py formation            all of a system; ends with a count
    python tests/mutations.py formation attacks    those of one module
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import io
import os
import signal
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
KEPT = ROOT / "tests" / "mutated_rules"
SECONDS = 240
"""A mutation that runs longer hangs: that is noticed too."""


class Mutation(NamedTuple):
    """One wrong rule."""

    system: str
    module: str
    old: str
    new: str

    @property
    def name(self) -> str:
        """The module it is in, as it is imported."""
        return f"tabletop_kit.{self.system}.{self.module}"

    @property
    def source(self) -> str:
        """The module as it is."""
        path = ROOT / "tabletop_kit" / self.system / f"{self.module}.py"
        return path.read_text("utf-8")


def all_mutations() -> list[Mutation]:
    """Those that are kept, in the order of their files."""
    return [
        Mutation(path.stem, module, one["old"], one["new"])
        for path in sorted(KEPT.glob("*.toml"))
        for module, ones in tomllib.loads(path.read_text("utf-8")).items()
        for one in ones
    ]


class _Mutated(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module with a changed source."""

    def __init__(self, name: str, source: str):
        self.name, self.source = name, source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: object = None
    ) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_loader(fullname, self)

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.source, self.name, "exec"), vars(module))


def _preload(system: str) -> None:
    """Everything that no mutation touches: children inherit it."""
    import pytest  # noqa: F401

    import tabletop_kit as tk
    from tabletop_kit.widgets import charts  # noqa: F401

    for name in tk.__all__:
        if name not in {path.stem for path in KEPT.glob("*.toml")}:
            getattr(tk, name)
    assert not any(f"tabletop_kit.{system}" in name for name in sys.modules)


def _chapters(system: str, module: str) -> list[Path]:
    """The notebooks of a system, the module's own first."""
    from tools.notebooks import read_all

    books = [book for book in read_all() if book.path.startswith(f"nbs/{system}/")]
    own = f"tabletop_kit.{system}.{module}"
    books.sort(key=lambda book: book.module != own)
    return [ROOT / book.path for book in books]


def failing(system: str, module: str) -> str:
    """The first example cell or test that fails; empty if none does.

    The module's own chapter comes first, then the tests, then the other chapters.
    """
    own, *others = _chapters(system, module)
    return _in_chapters([own]) or _in_tests(system, module) or _in_chapters(others)


def _in_chapters(chapters: Sequence[Path]) -> str:
    from tools.notebooks import read

    for path in chapters:
        names: dict[str, object] = {"__name__": "__main__"}
        for cell in read(path).cells:
            if not cell.example:
                continue
            try:
                exec(compile(cell.source, cell.id, "exec"), names)
            except Exception as wrong:
                return f"{path.stem}, {cell.id}: {type(wrong).__name__}"
    return ""


def _in_tests(system: str, module: str) -> str:
    import pytest

    report = _Failures()
    arguments = ["-q", "-x", "--noconftest", "-p", "no:cacheprovider"]
    tests = sorted((ROOT / "tests").glob(f"test_{system}*.py"))
    tests.sort(key=lambda path: module.split("_")[-1] not in path.stem)
    code = pytest.main([*arguments, *map(str, tests)], plugins=[report])
    return "" if code == 0 else report.first or f"pytest ended with {code}"


class _Failures:
    first = ""

    def pytest_runtest_logreport(self, report: object) -> None:
        if getattr(report, "failed", False):
            self.first = (
                self.first or str(getattr(report, "nodeid", "")).split("::")[-1]
            )


def _child(mutation: Mutation, back: int) -> None:
    """Run in a fork: write what fails, and leave."""
    signal.alarm(SECONDS)
    source = mutation.source.replace(mutation.old, mutation.new)
    sys.meta_path.insert(0, _Mutated(mutation.name, source))
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        try:
            found = failing(mutation.system, mutation.module)
        except BaseException as wrong:
            found = f"{type(wrong).__name__}: {wrong}"
    os.write(back, found.encode()[:2_000])
    os._exit(0)


class _Run:
    """A mutation on trial in a child of its own."""

    def __init__(self, mutation: Mutation):
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
    return [m for m in mutations if m.old not in m.source or m.old == m.new]


def main() -> int:
    """Run all mutations of a system, or those of the modules that are named."""
    system, *asked = sys.argv[1:] or ["formation"]
    mutations = [
        m
        for m in all_mutations()
        if m.system == system and (not asked or m.module in asked)
    ]
    for mutation in unknown(mutations):
        print("NOT THERE", mutation.module, repr(mutation.old))
    if unknown(mutations):
        return 1
    _preload(system)
    if wrong := _Run(Mutation(system, "sheets", "", "")).found():
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
