"""Measure the kit beside its peers.

python benchmarks/run.py [PART ...]   autoplay, browser, chains, imports, labyrinth,
                                      options; or all
    --write                           put the table into benchmarks/README.md
"""

import argparse
import datetime
import importlib
import platform
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from benchmarks.timing import Row  # noqa: E402

PARTS = ("chains", "autoplay", "options", "labyrinth", "browser", "imports")
README = ROOT / "benchmarks" / "README.md"
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"


def measured(part: str) -> list[Row]:
    """The rows of one part, measured now."""
    rows: list[Row] = importlib.import_module(f"benchmarks.{part}").rows()
    return rows


def table(rows: list[Row]) -> str:
    """The figures as Markdown, with the day and the machine."""
    day = datetime.datetime.now(tz=datetime.UTC).date()
    lines = [
        f"Measured on {day.isoformat()}: {machine()}.",
        "",
        "| what | target | measured | |",
        "|---|---|---|---|",
        *[
            f"| {row.what} | {row.target} | {row.figure} | {verdict(row)} |"
            for row in rows
        ],
    ]
    return "\n".join(lines)


def verdict(row: Row) -> str:
    """Whether the target is met."""
    return "met" if row.met else "**missed**"


def machine() -> str:
    """The interpreter and the processors the figures are from."""
    cores = [
        line.split(":", 1)[1].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    python = f"Python {platform.python_version()}"
    return f"{python}, {len(cores)} processors ({cores[0]})" if cores else python


def write(text: str) -> None:
    """Put the table between its two marks in the README."""
    before, _, rest = README.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    README.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", "utf-8")


def main() -> None:
    """Measure and print; a target that is missed is said, and is no error."""
    parser = argparse.ArgumentParser(description="Measure the kit beside its peers.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--write", action="store_true", help="keep the table")
    asked = parser.parse_args()
    unknown = sorted(set(asked.parts) - set(PARTS))
    if unknown or (asked.write and asked.parts):
        parser.error(
            f"expected some of {', '.join(PARTS)}, got {unknown[0]}"
            if unknown
            else "--write keeps the whole table: expected no PART beside it"
        )
    rows: list[Row] = []
    for part in asked.parts or PARTS:
        for row in measured(part):
            print(f"{row.what}\n    {row.figure}\n    {row.target}: ", end="")
            print("met" if row.met else "MISSED", flush=True)
            rows.append(row)
    if asked.write:
        write(table(rows))
    missed = sum(not row.met for row in rows)
    print(f"{len(rows) - missed} of {len(rows)} targets met")


if __name__ == "__main__":
    main()
