"""Run notebooks from the first cell to the last, each in a kernel of its own.

python -m tools.execute [NOTEBOOK ...]           write the outputs back
python -m tools.execute --check [NOTEBOOK ...]   compare them with the committed ones
    --limit SECONDS                              the longest one cell may take (60)
    --jobs NUMBER                                notebooks at a time (2)

Outputs are those of the static display mode. Text and our own pictures are compared
byte for byte; a chart by its specification, because its picture depends on fonts.
"""

import argparse
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from tools.notebooks import ROOT, paths

LIMIT = 60
CHART = "application/vnd.vegalite"
METADATA = {
    "kernelspec": {
        "display_name": "python3",
        "language": "python",
        "name": "python3",
    }
}
Content = dict[str, Any]


class CellFailed(Exception):
    """A cell raised, ran over its time limit or lost its kernel."""


def execute(path: Path, limit: int = LIMIT) -> Content:
    """Run one notebook and return it with fresh outputs, as its file would hold it.

    Args:
        limit: the longest one cell may take, in seconds.

    Raises:
        CellFailed: with the notebook, the cell and what happened.
    """
    notebook = nbformat.read(path, as_version=4)
    running = ["before the first"]

    def started(cell: Any, cell_index: int) -> None:
        running[0] = cell.get("id", str(cell_index))

    client = NotebookClient(
        notebook,
        timeout=limit,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--IPKernelApp.log_level=40"],  # errors only
        resources={"metadata": {"path": str(path.parent)}},
        on_cell_start=started,
    )
    with tempfile.TemporaryDirectory() as profile:
        try:
            client.execute(env=_environment(profile))
        except CellTimeoutError:
            raise _failed(path, running[0], f"takes over {limit} s") from None
        except CellExecutionError as error:
            raise _failed(path, running[0], _where(error)) from None
        except DeadKernelError as error:
            raise _failed(path, running[0], str(error)) from None
    notebook.metadata = nbformat.from_dict(METADATA)
    content: Content = json.loads(nbformat.writes(notebook, version=4))
    for cell in content["cells"]:
        for output in cell.get("outputs", ()):
            if output["output_type"] == "error":
                output["traceback"] = [f"{output['ename']}: {output['evalue']}"]
    return content


def _environment(profile: str) -> dict[str, str]:
    """The same for everybody: static outputs, stable hashes, this tree's library."""
    return os.environ | {
        "TABLETOP_KIT_DISPLAY": "static",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": str(ROOT),
        "IPYTHONDIR": profile,
    }


def _where(error: CellExecutionError) -> str:
    """What a cell raised, and on which of its lines."""
    traceback = re.sub(r"\x1b\[[\d;]*m", "", error.traceback)
    line = re.search(r"^-+> (\d+) (.*)$", traceback, re.M)
    at = f" (line {line[1]}: {line[2].strip()})" if line else ""
    return f"{error.ename}: {error.evalue}{at}"


def _failed(path: Path, cell: str, what: str) -> CellFailed:
    return CellFailed(f"{_name(path)}, cell {cell}: {what}")


def _name(path: Path) -> str:
    path = path.resolve()
    return str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)


def as_text(content: Content) -> str:
    """The text of a notebook's file."""
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def write(path: Path, limit: int = LIMIT) -> list[str]:
    """Run a notebook and write its outputs back; what went wrong."""
    try:
        path.write_text(as_text(execute(path, limit)), "utf-8")
    except CellFailed as failed:
        return [str(failed)]
    return []


def check(path: Path, limit: int = LIMIT) -> list[str]:
    """Run a notebook and name each cell that fails or whose outputs differ."""
    try:
        fresh = execute(path, limit)
    except CellFailed as failed:
        return [str(failed)]
    kept = json.loads(path.read_text("utf-8"))
    found = list(differences(kept, fresh))
    if kept["metadata"] != METADATA:
        found.append("the notebook's metadata hold more than the kernel's name")
    return [f"{_name(path)}, {what}" for what in found]


def differences(kept: Content, fresh: Content) -> Iterator[str]:
    """Name the cells whose outputs or counts are not those of a fresh run."""
    cells = [
        (old, new)
        for old, new in zip(kept["cells"], fresh["cells"], strict=True)
        if new["cell_type"] == "code"
    ]
    if any(old["execution_count"] != new["execution_count"] for old, new in cells):
        yield "cells were not run in their order; run make execute"
    for old, new in cells:
        before = [_comparable(output) for output in old["outputs"]]
        after = [_comparable(output) for output in new["outputs"]]
        if before != after:
            yield f"cell {old['id']}: {_first_difference(before, after)}"


def _comparable(output: Content) -> dict[str, str]:
    """What of an output must stay the same, each part as text."""
    match output["output_type"]:
        case "stream":
            return {output["name"]: "".join(output["text"])}
        case "error":
            return {"error": f"{output['ename']}: {output['evalue']}"}
    data: Content = output["data"]
    if any(kind.startswith(CHART) for kind in data):
        data = {kind: data[kind] for kind in data if _of_chart(kind)}
    return {kind: _text(value) for kind, value in data.items()}


def _of_chart(kind: str) -> bool:
    return kind.startswith(CHART) or kind == "text/plain"


def _text(value: Any) -> str:
    match value:
        case str():
            return value
        case list() if all(isinstance(line, str) for line in value):
            return "".join(value)
    return json.dumps(value, sort_keys=True)


def _first_difference(before: list[dict[str, str]], after: list[dict[str, str]]) -> str:
    if len(before) != len(after):
        return f"has {len(before)} outputs, a fresh run {len(after)}"
    for old, new in zip(before, after, strict=True):
        if old.keys() != new.keys():
            return f"shows {', '.join(old)}; a fresh run {', '.join(new)}"
        for kind in old:
            if old[kind] != new[kind]:
                pairs = enumerate(zip(old[kind], new[kind], strict=False))
                shorter = min(len(old[kind]), len(new[kind]))
                at = next((i for i, (a, b) in pairs if a != b), shorter)
                part = slice(max(0, at - 20), at + 60)
                was, now = old[kind][part], new[kind][part]
                return f"{kind} differs: {was!r} became {now!r}"
    raise AssertionError("equal outputs have no difference")


def main() -> int:
    """Run what is named, or every notebook."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--limit", type=int, default=LIMIT, metavar="SECONDS")
    parser.add_argument("--jobs", type=int, default=2, metavar="NUMBER")
    given = parser.parse_args()
    run = check if given.check else write
    failed = False
    with ThreadPoolExecutor(given.jobs) as pool:
        chosen = given.notebooks or paths()
        for path, found in zip(
            chosen, pool.map(lambda p: run(p, given.limit), chosen), strict=True
        ):
            failed |= bool(found)
            print(*(found or [f"{_name(path)}: ok"]), sep="\n", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
