"""Lint, formatting and types of notebooks, library, tools and tests.

python -m tools.lint [CHECK ...]   all checks if none is named
"""

import ast
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.notebooks import PACKAGE, ROOT, Notebook, read_all

_CODE = [
    path.name
    for path in (ROOT / "tools", ROOT / "tests", ROOT / "benchmarks")
    if any(path.glob("*.py"))
]
_MYPY_LINE = re.compile(r"(.+?\.py):(\d+):(.*)")


def rules() -> str:
    """What ruff's rules say against notebooks, library, tools and tests."""
    return _run("ruff", "check", "--quiet", "nbs", PACKAGE, "setup.py", *_CODE)


def formatting() -> str:
    """What ruff would format otherwise; exported modules follow their notebooks."""
    return _run("ruff", "format", "--check", "nbs", "setup.py", *_CODE)


def library_types() -> str:
    """What mypy says, strictly, of the library and the tools."""
    return _run("mypy", "--no-error-summary", "--strict", PACKAGE, "tools")


def test_types() -> str:
    """What mypy says of tests and benchmarks."""
    folders = [name for name in _CODE if name != "tools"]
    lenient = _without("func-returns-value", "misc", "union-attr", "var-annotated")
    silent = ("--no-error-summary", "--follow-imports=silent")
    return _run("mypy", *silent, *lenient, *folders)


def notebook_types() -> str:
    """What mypy says of the notebooks' code, examples included."""
    books = [book for book in read_all() if any(c.example for c in book.cells)]
    with tempfile.TemporaryDirectory() as folder:
        chapters = Path(folder) / "chapters"
        chapters.mkdir()
        (chapters / "__init__.py").touch()
        places: dict[str, list[str]] = {}
        for book in books:
            name = re.sub(r"\W", "_", book.path.removesuffix(".ipynb")) + ".py"
            code, places[name] = _as_module(book)
            (chapters / name).write_text(code, "utf-8")
        said = _run(
            "mypy",
            f"--config-file={ROOT / 'pyproject.toml'}",
            f"--cache-dir={ROOT / '.mypy_cache'}",
            "--no-error-summary",
            "--follow-imports=silent",
            "--allow-redefinition",
            # An example knows which of several types it holds: it asserts it.
            *_without("arg-type", "index", "operator", "union-attr", "var-annotated"),
            str(chapters),
        )
    return "\n".join(_placed(line, places) for line in said.splitlines())


def _as_module(book: Notebook) -> tuple[str, list[str]]:
    """A notebook's examples as one module, and the place of each of its lines.

    Of exported cells only the imports: the rest is checked in the library, and examples
    do not use it.
    """
    lines: list[str] = []
    places: list[str] = []
    for cell in book.cells:
        if not (cell.example or cell.exported):
            continue
        code = cell.source.splitlines()
        for node in ast.parse(cell.source).body:
            if cell.example or isinstance(node, ast.Import | ast.ImportFrom):
                span = range(_first_line(node), (node.end_lineno or node.lineno) + 1)
                lines += [code[number - 1] for number in span]
                places += [f"{book.at(cell)}, line {number}" for number in span]
    return "\n".join(lines) + "\n", places


def _first_line(node: ast.stmt) -> int:
    match node:
        case ast.FunctionDef(decorator_list=[first, *_]):
            return first.lineno
        case ast.ClassDef(decorator_list=[first, *_]):
            return first.lineno
    return node.lineno


def _placed(line: str, places: dict[str, list[str]]) -> str:
    match = _MYPY_LINE.match(line)
    where = places.get(Path(match[1]).name) if match else None
    return f"{where[int(match[2]) - 1]}:{match[3]}" if match and where else line


def _without(*codes: str) -> list[str]:
    return [f"--disable-error-code={code}" for code in codes]


def _run(tool: str, *arguments: str) -> str:
    """What a tool says against the project; nothing when it has no objection."""
    command = [sys.executable, "-m", tool, *arguments]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    said = (run.stdout + run.stderr).strip()
    return (said or f"{tool} ended with {run.returncode}") if run.returncode else ""


CHECKS = {
    "rules": rules,
    "formatting": formatting,
    "library_types": library_types,
    "notebook_types": notebook_types,
    "test_types": test_types,
}


def main() -> int:
    """Run the checks that are named, or all."""
    failed = False
    for name in sys.argv[1:] or CHECKS:
        said = CHECKS[name]()
        failed |= bool(said)
        print(f"{name}: {said or 'ok'}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
