"""The project holds together: exports, chapters, outputs, lint, types, metadata."""

import configparser
import re
from pathlib import Path

import pytest

from tabletop_kit.widgets import assets
from tools import check_notebooks, execute, export, lint
from tools.notebooks import ROOT, paths, read_all

NOTEBOOKS = [path.relative_to(ROOT).as_posix() for path in paths()]


def settings() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(delimiters=["="])
    parser.read(ROOT / "settings.ini", encoding="utf-8")
    return parser["DEFAULT"]


def complain(found: list[str] | str) -> None:
    """Fail with a tool's own words, without a traceback."""
    words = found if isinstance(found, str) else "\n".join(found)
    if words:
        pytest.fail(words, pytrace=False)


def test_library_and_clauses_are_in_step_with_the_notebooks() -> None:
    complain(export.differences())


def test_chapters_keep_their_promises() -> None:
    complain(check_notebooks.problems(read_all()))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook_runs_and_shows_what_is_committed(name: str) -> None:
    complain(execute.check(ROOT / name))


@pytest.mark.parametrize("check", lint.CHECKS)
def test_lint_and_types(check: str) -> None:
    complain(lint.CHECKS[check]())


def test_every_requirement_is_locked() -> None:
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    pins = {_normal(name) for name in re.findall(r"^([\w.-]+)==\S+$", lock, re.M)}
    kinds = ("requirements", "charts_requirements", "dev_requirements")
    wanted = " ".join(settings()[kind] for kind in kinds).split()
    names = {_normal(re.split(r"[<>=!~]", one)[0]) for one in wanted}
    assert names <= pins
    loose = [line for line in lock.splitlines() if line and line[0] != "#"]
    assert all(re.fullmatch(r"[\w.-]+==[\w.+!-]+", line) for line in loose)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_version_is_that_of_the_settings() -> None:
    import tabletop_kit

    assert tabletop_kit.__version__ == settings()["version"]


def test_library_is_typed_and_licensed() -> None:
    assert (ROOT / "tabletop_kit" / "py.typed").exists()
    assert "Apache License" in (ROOT / "LICENSE").read_text("utf-8")


def test_every_module_of_the_library_comes_from_a_notebook() -> None:
    """Only packages without a notebook may be empty; nothing is written by hand."""
    exported = set(export.exported_modules())
    written: list[Path] = [
        path
        for path in (ROOT / "tabletop_kit").rglob("*.py")
        if path not in exported and path.read_text("utf-8").strip()
    ]
    assert written == []


def test_joined_scripts_share_no_name() -> None:
    named = re.compile(
        r"^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)", re.M
    )
    for entry in ("study", "exercise", "replay", "sandbox", "course"):
        script = assets.joined(entry)
        exports = re.findall(r"^export \w+", script, re.M)
        assert set(exports) <= {"export default"}  # else anywidget calls render alone
        names = named.findall(script)
        assert names and not {name for name in names if names.count(name) > 1}, entry
