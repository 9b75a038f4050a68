"""The wheel: built, installed where nothing else is, and played with."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tools.notebooks import PACKAGE, ROOT

pytestmark = pytest.mark.wheel

PLAY = """
import sys
import tabletop_kit as tk
from tabletop_kit import formation

assert "site-packages" in tk.__file__, tk.__file__
game = tk.Game(formation.samples["footbridge"], seed=7)
tk.autoplay(game, formation.sensible)
assert game.ask is None
assert tk.clauses().height > 0
assert tk.house_rules().height > 0
tk.study  # the live widgets load, too
for absent in ("nbdev", "fastcore", "altair", "jupyterlab"):
    try:
        __import__(absent)
    except ImportError:
        continue
    raise AssertionError(f"{absent} should not be installed here")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel. The build leaves nothing in the project's folders."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in ("setup.py", "settings.ini", "pyproject.toml", "README.md", "LICENSE"):
        (source / name).write_bytes((ROOT / name).read_bytes())
    (source / PACKAGE).symlink_to(ROOT / PACKAGE)
    _run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir",
         folder, source)  # fmt: skip
    (built,) = folder.glob("*.whl")
    return built


def test_wheel_carries_what_is_not_python(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    package = ROOT / PACKAGE
    wanted = [
        *package.rglob("*.js"),
        *package.rglob("*.css"),
        *package.glob("data/*.json"),
        package / "py.typed",
    ]
    assert {path.suffix for path in wanted} == {".js", ".css", ".json", ".typed"}
    assert {path.relative_to(ROOT).as_posix() for path in wanted} <= names


def test_wheel_needs_the_runtime_only(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith("/METADATA"))
        metadata = archive.read(name).decode("utf-8")
    needed = [
        line.split(":")[1].split("<")[0].split(">")[0].strip()
        for line in metadata.splitlines()
        if line.startswith("Requires-Dist") and "extra ==" not in line
    ]
    assert sorted(needed) == [
        "anywidget",
        "ipycanvas",
        "ipywidgets",
        "msgspec",
        "polars",
    ]
    assert "Provides-Extra: charts" in metadata
    assert "Provides-Extra: dev" in metadata


def test_wheel_plays_a_battle_in_an_empty_environment(
    wheel: Path, tmp_path: Path
) -> None:
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty" / "bin" / "python"
    _run(python, "-m", "pip", "install", "--quiet", wheel)
    _run(python, "-c", PLAY, cwd=tmp_path)


def _run(*command: str | Path, cwd: Path | None = None) -> None:
    """Run a command; fail with what it says."""
    run = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
