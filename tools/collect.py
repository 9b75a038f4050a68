"""Collect clauses and house rules from the notebooks into tabletop_kit/data.

A clause is a Markdown cell that opens with its heading:

    ### FM-RNG-01 · Range
    *definition · Range and distance*

    A **range** says how far a thing carries ...

The line under the heading gives kind and part, the rest of the cell the words. Its code
is every exported definition whose docstring names it in square brackets. Its examples
are the cells under it that assert, and those with its id in a comment after an assert.

A house rule is a field of a system's `Variant`: its values are those of the `Literal`,
its meaning and its clauses stand in the docstring's Args.
"""

import ast
import io
import json
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from inspect import cleandoc
from pathlib import Path

from tabletop_kit.core.clauses import KINDS
from tools.notebooks import CLAUSE_ID, PACKAGE, ROOT, Cell, Notebook, read_all

FILES = ("clauses.json", "house_rules.json")

_HEADING = re.compile(rf"^### ({CLAUSE_ID}) · (.+)$", re.M)
_KIND_OF_WORDS = {words: kind for kind, words in KINDS.items()}
_KIND_LINE = re.compile(r"\s*\*([^·*]+) · ([^*]+)\*[ \t]*(?:\n|\Z)")
_BRACKETS = re.compile(rf"\[\s*({CLAUSE_ID}(?:,\s*{CLAUSE_ID})*)\s*\]")
_ARGUMENT = re.compile(r"    (\w+): (.*(?:\n(?:     .*|\s*$))*)", re.M)

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Value = str | int | float | bool | None


@dataclass
class Clause:
    """One clause, as a line of clauses.json."""

    id: str
    system: str
    part: str
    title: str
    kind: str
    text: str
    notebook: str
    anchor: str
    implemented_by: list[str] = field(default_factory=list)
    examples: int = 0


@dataclass
class HouseRule:
    """One field of a system's Variant, as a line of house_rules.json."""

    system: str
    name: str
    values: list[Value]
    default: Value
    clauses: list[str]
    meaning: str


@dataclass
class Collection:
    """What the notebooks say, and what is wrong with how they say it."""

    clauses: list[Clause]
    house_rules: list[HouseRule]
    problems: list[str]


def collect(notebooks: Iterable[Notebook]) -> Collection:
    """Read clauses and house rules out of notebooks."""
    books = list(notebooks)
    problems: list[str] = []
    clauses = {clause.id: clause for clause in _headings(books, problems)}
    for book in books:
        _add_code(book, clauses, problems)
        _add_examples(book, clauses)
    rules = [rule for book in books for rule in _house_rules(book, problems)]
    for rule in rules:
        problems += [
            f"{rule.system}: house rule {rule.name} names {clause}, which has no heading"
            for clause in rule.clauses
            if clause not in clauses
        ]
    return Collection(
        sorted(clauses.values(), key=lambda clause: clause.id),
        sorted(rules, key=lambda rule: (rule.system, rule.name)),
        problems,
    )


def write(collection: Collection, root: Path = ROOT) -> None:
    """Write both files, one row a line."""
    data = root / PACKAGE / "data"
    data.mkdir(parents=True, exist_ok=True)
    for name, text in as_text(collection).items():
        (data / name).write_text(text, "utf-8")


def as_text(collection: Collection) -> dict[str, str]:
    """The contents of both files, by name."""
    texts = _lines(collection.clauses), _lines(collection.house_rules)
    return dict(zip(FILES, texts, strict=True))


def _lines(rows: Iterable[Clause | HouseRule]) -> str:
    lines = [json.dumps(asdict(row), ensure_ascii=False) for row in rows]
    return "[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n"


# Words


def _headings(books: list[Notebook], problems: list[str]) -> Iterator[Clause]:
    """Every clause by its heading, without code and examples yet."""
    systems = {
        match[1][:2]: book.system
        for book in books
        if book.system
        for cell in book.cells
        if (match := _opening(cell))
    }
    seen: dict[str, str] = {}
    for book in books:
        for cell in book.cells:
            match = _opening(cell)
            if not match:
                if cell.kind == "markdown" and _HEADING.search(cell.source):
                    problems.append(f"{book.at(cell)}: a clause must open its cell")
                continue
            clause_id, title = match.groups()
            system = book.system or systems.get(clause_id[:2])
            if system is None:
                continue
            if clause_id in seen:
                problems.append(
                    f"{book.at(cell)}: {clause_id} has a heading already in "
                    f"{seen[clause_id]}"
                )
                continue
            seen[clause_id] = book.at(cell)
            below = cell.source[match.end() :]
            kind_line = _KIND_LINE.match(below)
            words, part = kind_line.groups() if kind_line else ("", "")
            kind = _KIND_OF_WORDS.get(words, "")
            if not kind:
                problems.append(
                    f"{book.at(cell)}: {clause_id} has the kind {words!r}; expected "
                    f"a line such as *rule · Rows* under the heading, the kind one of "
                    f"{', '.join(sorted(_KIND_OF_WORDS))}"
                )
            yield Clause(
                id=clause_id,
                system=system,
                part=part,
                title=title.strip(),
                kind=kind,
                text=below[kind_line.end() if kind_line else 0 :].strip(),
                notebook=book.path,
                anchor=f"{clause_id} · {title.strip()}".replace(" ", "-"),
            )


def _opening(cell: Cell) -> re.Match[str] | None:
    """The clause heading a cell opens with."""
    return _HEADING.match(cell.source) if cell.kind == "markdown" else None


# Code


def _add_code(book: Notebook, clauses: dict[str, Clause], problems: list[str]) -> None:
    missing: dict[str, list[str]] = defaultdict(list)
    for cell, definition, name in definitions(book):
        for clause_id in named_in(ast.get_docstring(definition) or ""):
            if clause := clauses.get(clause_id):
                qualified = f"{book.module}.{name}"
                if qualified not in clause.implemented_by:
                    clause.implemented_by.append(qualified)
            elif book.system:
                missing[clause_id].append(f"{name} (cell {cell.id})")
    problems += [
        f"{book.path}: {clause_id} has no heading in any notebook; the docstring of "
        f"{', '.join(names)} names it"
        for clause_id, names in missing.items()
    ]


def definitions(book: Notebook) -> Iterator[tuple[Cell, Definition, str]]:
    """Each exported function, class and method, with its name within the module."""
    for cell in book.cells:
        if cell.exported:
            for definition, name in _definitions(ast.parse(cell.source).body):
                yield cell, definition, name


def _definitions(
    body: list[ast.stmt], prefix: str = ""
) -> Iterator[tuple[Definition, str]]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node, prefix + node.name
        if isinstance(node, ast.ClassDef):
            yield from _definitions(node.body, f"{prefix}{node.name}.")


def named_in(text: str) -> list[str]:
    """The clause ids in square brackets, in order; edges are no clauses."""
    ids = (
        clause_id
        for match in _BRACKETS.finditer(text)
        for clause_id in re.findall(CLAUSE_ID, match[1])
        if "-EDGE-" not in clause_id
    )
    return list(dict.fromkeys(ids))


# Examples


def _add_examples(book: Notebook, clauses: dict[str, Clause]) -> None:
    under: str | None = None
    for cell in book.cells:
        if cell.kind == "markdown" and cell.source.startswith("#"):
            match = _opening(cell)
            under = match[1] if match else None
        if cell.example:
            for clause_id in _shown(cell.source, under):
                if clause := clauses.get(clause_id):
                    clause.examples += 1


def _shown(source: str, under: str | None) -> set[str]:
    """The clauses a cell's asserts are about: those they name, else the heading's."""
    asserts = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Assert)]
    if not asserts:
        return set()
    ids: dict[int, list[str]] = defaultdict(list)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            ids[token.start[0]] += re.findall(CLAUSE_ID, token.string)
    shown: set[str] = set()
    for node in asserts:
        lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        named = {clause_id for line in lines for clause_id in ids[line]}
        shown |= named or ({under} if under else set())
    return shown


# House rules


def _house_rules(book: Notebook, problems: list[str]) -> Iterator[HouseRule]:
    if not book.system:
        return
    for cell, node, name in definitions(book):
        if name != "Variant" or not isinstance(node, ast.ClassDef):
            continue
        arguments = _arguments(ast.get_docstring(node) or "")
        for item in node.body:
            if not isinstance(item, ast.AnnAssign) or not isinstance(
                item.target, ast.Name
            ):
                continue
            rule = item.target.id
            said = arguments.get(rule, "")
            values = _values(item.annotation)
            ids = named_in(said)
            for missing, expected in (
                (not values, "values: annotate it with Literal[...] or bool"),
                (item.value is None, "default"),
                (not ids, "clause: name its id in [..] in the docstring's Args"),
            ):
                if missing:
                    problems.append(
                        f"{book.at(cell)}: Variant.{rule} has no {expected}"
                    )
            yield HouseRule(
                system=book.system,
                name=rule,
                values=values,
                default=ast.literal_eval(item.value) if item.value else None,
                clauses=ids,
                meaning=re.sub(r"\s+([.;]|$)", r"\1", _BRACKETS.sub("", said)),
            )


def _values(annotation: ast.expr) -> list[Value]:
    match annotation:
        case ast.Subscript(value=ast.Name(id="Literal"), slice=ast.Tuple(elts=items)):
            return [ast.literal_eval(item) for item in items]
        case ast.Subscript(value=ast.Name(id="Literal"), slice=item):
            return [ast.literal_eval(item)]
        case ast.Name(id="bool"):
            return [False, True]
    return []


def _arguments(docstring: str) -> dict[str, str]:
    """What the docstring's Args say of each argument, each on one line."""
    _, _, section = cleandoc(docstring).partition("\nArgs:\n")
    section = re.split(r"^\S", section, maxsplit=1, flags=re.M)[0]
    return {
        match[1]: " ".join(match[2].split()) for match in _ARGUMENT.finditer(section)
    }


def main() -> int:
    """Collect, write, and say what is wrong."""
    collection = collect(read_all())
    if collection.problems:
        print(*collection.problems, sep="\n", file=sys.stderr)
        return 1
    write(collection)
    print(
        f"{len(collection.clauses)} clauses, {len(collection.house_rules)} house rules"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
