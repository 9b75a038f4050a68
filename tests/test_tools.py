"""The tools, on small notebooks of their own."""

import json
from pathlib import Path
from typing import Any

import pytest

from tools import check_notebooks, collect, execute
from tools.notebooks import Notebook, read

HEADING = "### FM-RNG-02 · Distance\n*rule · Range and distance*\n\n"
WORDS = "Count the rows between you and the other; two who share one are 1 apart."
CODE = '''#| export
def distance(a, b):
    """How far apart [FM-RNG-02]."""
    return max(1, abs(a - b))
'''
EXAMPLE = "from tabletop_kit.formation import rows\nassert rows.distance(0, 1) == 1"


def write(path: Path, *cells: str | tuple[str, str], **metadata: Any) -> Path:
    """A notebook: markdown cells start with #, > or a capital, others hold code.

    A pair gives the cell's id, too.
    """
    made: list[dict[str, Any]] = []
    for number, cell in enumerate(cells):
        name, source = cell if isinstance(cell, tuple) else (f"cell-{number}x", cell)
        markdown = source.startswith(("# ", "## ", "### ", "> "))
        made.append(
            {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}
            if markdown
            else {
                "cell_type": "code",
                "execution_count": None,
                "id": name,
                "metadata": {},
                "outputs": [],
                "source": source,
            }
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps(
            {
                "cells": made,
                "metadata": metadata or execute.METADATA,
                "nbformat": 4,
                "nbformat_minor": 5,
            }
        )
    )
    return path


def chapter(
    root: Path, *cells: str | tuple[str, str], path: str = "formation/01_rows.ipynb"
) -> Notebook:
    head = "#| default_exp formation.rows"
    return read(write(root / "nbs" / path, head, *cells), root)


# The collector


def test_a_clause_is_collected_with_words_code_and_examples(tmp_path: Path) -> None:
    elsewhere = "assert 1 < 2  # FM-RNG-02"
    named_otherwise = "assert True  # FM-CRIT-01"
    book = chapter(
        tmp_path, HEADING + WORDS, CODE, EXAMPLE, named_otherwise, "## On", elsewhere
    )
    found = collect.collect([book])
    assert found.problems == []
    assert found.clauses == [
        collect.Clause(
            id="FM-RNG-02",
            system="formation",
            part="Range and distance",
            title="Distance",
            kind="rule",
            text=WORDS,
            notebook="nbs/formation/01_rows.ipynb",
            anchor="FM-RNG-02-·-Distance",
            implemented_by=["tabletop_kit.formation.rows.distance"],
            examples=2,
        )
    ]
    assert check_notebooks.problems([book]) == []


def test_methods_and_assertless_cells(tmp_path: Path) -> None:
    method = "#| export\nclass Row:\n    def far(self):\n        '''Far [FM-RNG-02].'''"
    book = chapter(tmp_path, HEADING + WORDS, method, "print('no assert')")
    (clause,) = collect.collect([book]).clauses
    assert clause.implemented_by == ["tabletop_kit.formation.rows.Row.far"]
    assert clause.examples == 0
    (problem,) = check_notebooks.problems([book])
    assert "FM-RNG-02 has no example" in problem


def test_clauses_of_test_systems_are_not_collected(tmp_path: Path) -> None:
    book = chapter(tmp_path, HEADING + WORDS, CODE, path="core/11_systems.ipynb")
    assert collect.collect([book]).clauses == []


def test_edges_in_docstrings_are_no_clauses() -> None:
    text = "Far [FM-RNG-01, FM-EDGE-02] and near [FM-RNG-02]; not FM-RNG-03."
    assert collect.named_in(text) == ["FM-RNG-01", "FM-RNG-02"]


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ((HEADING + WORDS, CODE, HEADING + WORDS), "has a heading already in"),
        ((HEADING.replace("*rule", "*law") + WORDS, CODE), "has the kind 'law'"),
        (("### FM-RNG-02 · Distance\n\n" + WORDS, CODE), "has the kind ''"),
        ((CODE,), "the docstring of distance (cell cell-1x) names it"),
        (("## Far\n" + HEADING + WORDS, CODE), "a clause must open its cell"),
    ],
)
def test_what_the_collector_refuses(
    tmp_path: Path, cells: tuple[str, ...], words: str
) -> None:
    problems = collect.collect([chapter(tmp_path, *cells)]).problems
    assert any(words in problem for problem in problems)
    assert all(p.startswith("nbs/formation/01_rows.ipynb") for p in problems)


VARIANT = '''#| export
class Variant(Struct, frozen=True):
    """The house rules of a group.

    Args:
        range_rule: a single number serves up to itself ("reach")
            or at itself ("band") [FM-RNG-02].
    """

    range_rule: Literal["reach", "band"] = "reach"
'''


def test_house_rules_are_read_from_the_variant(tmp_path: Path) -> None:
    found = collect.collect([chapter(tmp_path, HEADING + WORDS, VARIANT)])
    assert found.problems == []
    assert found.house_rules == [
        collect.HouseRule(
            system="formation",
            name="range_rule",
            values=["reach", "band"],
            default="reach",
            clauses=["FM-RNG-02"],
            meaning='a single number serves up to itself ("reach") or at itself '
            '("band").',
        )
    ]
    first, *rows, last = collect.as_text(found)["house_rules.json"].splitlines()
    assert (first, len(rows), last) == ("[", 1, "]")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('Literal["reach", "band"]', "str", "no values"),
        (' = "reach"', "", "no default"),
        (" [FM-RNG-02]", "", "no clause"),
        ("[FM-RNG-02]", "[FM-RNG-99]", "which has no heading"),
    ],
)
def test_incomplete_house_rules(tmp_path: Path, old: str, new: str, words: str) -> None:
    variant = VARIANT.replace(old, new)
    assert variant != VARIANT
    problems = collect.collect([chapter(tmp_path, HEADING + WORDS, variant)]).problems
    assert any(words in problem for problem in problems)


# The checks


def test_examples_name_the_library(tmp_path: Path) -> None:
    book = chapter(tmp_path, CODE, "assert distance(0, 1) == 1")
    (problem,) = check_notebooks.in_notebook(book)
    assert "distance is the notebook's own" in problem
    assert "tabletop_kit.formation.rows.distance" in problem


@pytest.mark.parametrize(
    "example",
    [
        "def far(distance): return distance",
        "from tabletop_kit.formation.rows import distance\ndistance(0, 1)",
    ],
)
def test_names_bound_by_the_example_are_its_own(tmp_path: Path, example: str) -> None:
    assert not list(check_notebooks.in_notebook(chapter(tmp_path, CODE, example)))


def test_clauses_lacking_words_or_code(tmp_path: Path) -> None:
    book = chapter(tmp_path, HEADING + "Short.", "assert True")
    problems = check_notebooks.problems([book])
    assert [any(w in p for p in problems) for w in ("no words", "no code")] == [
        True
    ] * 2
    note = chapter(tmp_path, HEADING.replace("rule", "note", 1) + WORDS)
    assert check_notebooks.problems([note]) == []


@pytest.mark.parametrize("name", ["3f2a9c1d", "c0ffee12", "Some_Cell"])
def test_cells_are_named_with_words(tmp_path: Path, name: str) -> None:
    (problem,) = check_notebooks.in_notebook(chapter(tmp_path, (name, "x = 1")))
    assert "name the cell with words" in problem


def test_widget_state_is_not_committed(tmp_path: Path) -> None:
    path = write(tmp_path / "nbs" / "a.ipynb", "1", widgets={"application/x": {}})
    (problem,) = check_notebooks.in_notebook(read(path, tmp_path))
    assert "widget state" in problem


# Running


def test_outputs_are_kept_and_compared(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.ipynb",
        "# A",
        "import os\nprint('one')\nprint('two')",
        "os.environ['TABLETOP_KIT_DISPLAY'], os.environ['PYTHONHASHSEED']",
    )
    assert any("not run in their order" in found for found in execute.check(path))
    assert execute.write(path) == []
    assert execute.check(path) == []
    content = json.loads(path.read_text())
    _, printed, shown = content["cells"]
    assert printed["outputs"][0]["text"] == ["one\n", "two\n"]
    assert shown["outputs"][0]["data"]["text/plain"] == ["('static', '0')"]
    assert [cell["execution_count"] for cell in (printed, shown)] == [1, 2]
    assert content["metadata"] == execute.METADATA
    path.write_text(path.read_text().replace("two\\n", "too\\n"))
    (found,) = execute.check(path)
    assert "cell cell-1x: stdout differs" in found


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("import time; time.sleep(30)", "takes over 1 s"),
    ],
)
def test_cells_that_raise_or_take_too_long(
    tmp_path: Path, source: str, words: str
) -> None:
    path = write(tmp_path / "a.ipynb", "1", ("slow-or-wrong", source))
    before = path.read_text()
    (found,) = execute.write(path, limit=1)
    assert "cell slow-or-wrong: " in found
    assert words in found
    assert path.read_text() == before


def test_charts_are_compared_by_their_specification() -> None:
    def cells(mark: str, picture: str) -> execute.Content:
        chart = {
            "application/vnd.vegalite.v5+json": {"mark": mark},
            "image/svg+xml": picture,
            "text/plain": "a chart",
        }
        output = {"output_type": "display_data", "data": chart, "metadata": {}}
        cell = {"cell_type": "code", "id": "a-chart", "execution_count": 1}
        return {"cells": [cell | {"outputs": [output]}]}

    bars = cells("bar", "<svg width='700'/>")
    assert not list(execute.differences(bars, cells("bar", "<svg width='703'/>")))
    (found,) = execute.differences(bars, cells("line", "<svg width='700'/>"))
    assert "a-chart: application/vnd.vegalite.v5+json differs" in found
