"""Notebooks as the tools see them: cells with a kind, words or code, and outputs."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "tabletop_kit"
SHARED_FOLDERS = frozenset({"core", "widgets", "lessons"})
"""Folders of nbs that hold no rule system."""

CLAUSE_ID = r"[A-Z]{2}-[A-Z]{2,5}-\d\d"
_DIRECTIVE = re.compile(r"#\|\s*(\S+)(?:\s+(\S+))?")


@dataclass(frozen=True)
class Cell:
    """One cell of a notebook, as it stands in the file."""

    id: str
    kind: str
    source: str
    outputs: tuple[dict[str, Any], ...]
    tags: frozenset[str]

    @cached_property
    def directives(self) -> dict[str, str]:
        """nbdev's `#| name value` lines at the top of the cell."""
        found: dict[str, str] = {}
        for line in self.source.splitlines():
            match = _DIRECTIVE.match(line)
            if match:
                found[match[1]] = match[2] or ""
            elif line.strip():
                break
        return found

    @property
    def exported(self) -> bool:
        """Whether its code goes into the library."""
        return not self.directives.keys().isdisjoint({"export", "exports", "exporti"})

    @property
    def example(self) -> bool:
        """Whether it is code that runs in the notebook and is not exported."""
        return (
            self.kind == "code"
            and not self.exported
            and "default_exp" not in self.directives
            and "skip-execution" not in self.tags
        )


@dataclass(frozen=True)
class Notebook:
    """A notebook file.

    Args:
        path: where it lies, relative to the project's root, with forward slashes.
    """

    path: str
    cells: tuple[Cell, ...]
    metadata: dict[str, Any]

    @property
    def folder(self) -> str:
        """The folder of nbs it lies in, "" for nbs itself."""
        parts = self.path.split("/")
        return parts[1] if len(parts) > 2 else ""

    @property
    def system(self) -> str | None:
        """The rule system whose chapter this is; None for every other notebook."""
        shared = not self.folder or self.folder in SHARED_FOLDERS
        return None if shared else self.folder

    @cached_property
    def module(self) -> str | None:
        """The dotted name of the module it exports, such as tabletop_kit.core.dice."""
        for cell in self.cells:
            if name := cell.directives.get("default_exp"):
                return f"{PACKAGE}.{name}".removesuffix(".__init__")
        return None

    def at(self, cell: Cell) -> str:
        """Where a cell is, in the words of every message."""
        return f"{self.path}, cell {cell.id}"


def paths(root: Path = ROOT) -> list[Path]:
    """All notebooks of the project, in reading order."""
    found = (root / "nbs").rglob("*.ipynb")
    return sorted(path for path in found if ".ipynb_checkpoints" not in path.parts)


def read(path: Path, root: Path = ROOT) -> Notebook:
    """Read one notebook."""
    content = json.loads(path.read_text("utf-8"))
    cells = tuple(
        Cell(
            id=cell.get("id", ""),
            kind=cell["cell_type"],
            source=_joined(cell["source"]),
            outputs=tuple(cell.get("outputs", ())),
            tags=frozenset(cell["metadata"].get("tags", ())),
        )
        for cell in content["cells"]
    )
    name = path.resolve().relative_to(root.resolve()).as_posix()
    return Notebook(name, cells, content["metadata"])


def read_all(root: Path = ROOT) -> Iterator[Notebook]:
    """Read all notebooks of the project, in reading order."""
    return (read(path, root) for path in paths(root))


def _joined(source: str | list[str]) -> str:
    return source if isinstance(source, str) else "".join(source)
