"""Check what chapters promise, without running them.

- An example uses the library's names, never those its own exported cells define.
- A clause has words, code and an asserting example (a note needs words only).
- No widget state and no live widget views; only static outputs are committed.
- Code cells are named with words: the names head the exported code.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator

from tools import collect
from tools.notebooks import CLAUSE_ID, Notebook, read_all

LEAST_WORDS = 40
"""A clause's text is at least so many characters long."""

_WORDS = re.compile(rf"[a-z][a-z0-9-]+|{CLAUSE_ID}")
_RANDOM = re.compile(r"(?=.*\d)[0-9a-f]{8}")
_WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def problems(notebooks: Iterable[Notebook]) -> list[str]:
    """Everything the notebooks get wrong, each with its place."""
    books = list(notebooks)
    return [
        *(found for book in books for found in in_notebook(book)),
        *in_clauses(collect.collect(books)),
    ]


def in_notebook(book: Notebook) -> Iterator[str]:
    """What one notebook gets wrong."""
    yield from _own_names(book)
    if "widgets" in book.metadata:
        yield f"{book.path}: holds widget state; run make execute"
    seen: set[str] = set()
    for cell in book.cells:
        if cell.id in seen:
            yield f"{book.at(cell)}: two cells have this id"
        seen.add(cell.id)
        if cell.kind != "code":
            continue
        if not _WORDS.fullmatch(cell.id) or _RANDOM.fullmatch(cell.id):
            yield f"{book.at(cell)}: name the cell with words, such as roll-2d6"
        if any(_WIDGET_VIEW in output.get("data", ()) for output in cell.outputs):
            yield f"{book.at(cell)}: shows a live widget; run make execute"


def in_clauses(collection: collect.Collection) -> Iterator[str]:
    """What the collected clauses lack."""
    yield from collection.problems
    for clause in collection.clauses:
        where = f"{clause.notebook}: {clause.id}"
        if len(clause.text) < LEAST_WORDS:
            yield f"{where} has no words, or under {LEAST_WORDS} characters"
        if clause.kind == "note":
            continue
        if not clause.implemented_by:
            yield f"{where} has no code: no exported docstring names it in [..]"
        if not clause.examples:
            yield f"{where} has no example: no cell under it asserts, none names it"


def _own_names(book: Notebook) -> Iterator[str]:
    """Examples that use a class or function of the notebook, not the library's."""
    own: set[str] = set()
    for cell in book.cells:
        if cell.exported:
            own |= _defined(ast.parse(cell.source))
        elif cell.example:
            bound, used = _names(ast.parse(cell.source))
            own -= bound
            for name in sorted(used & own):
                yield (
                    f"{book.at(cell)}: {name} is the notebook's own; an example uses "
                    f"the library's, {book.module}.{name}"
                )


def _defined(module: ast.Module) -> set[str]:
    """What a cell defines at its top level: functions, classes, constants."""
    names: set[str] = set()
    for node in module.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {t.id for t in targets if isinstance(t, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
    return names


def _names(module: ast.Module) -> tuple[set[str], set[str]]:
    """The names a cell binds anywhere, and those it reads."""
    bound: set[str] = set()
    used: set[str] = set()
    for node in ast.walk(module):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                used.add(name)
            case ast.Name(id=name) | ast.arg(arg=name):
                bound.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.alias(name=name, asname=other):
                bound.add(other or name.split(".")[0])
    return bound, used


def main() -> int:
    """Check every notebook."""
    found = problems(read_all())
    print(*found, sep="\n", end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
