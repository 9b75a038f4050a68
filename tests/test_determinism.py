"""The events of a seed are the same under every hash seed and every Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tools.notebooks import ROOT

SCRIPT = ROOT / "tests" / "events_of_seeds.py"
OTHERS = ("3.12", "3.13")


@cache
def digests(python: str, hash_seed: str) -> str:
    """What the script prints with that interpreter and hash seed."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [python, "-B", str(SCRIPT)], capture_output=True, text=True, env=environment
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout


@cache
def found(version: str) -> str | None:
    """An interpreter of that version that starts; None where there is none."""
    kept = Path.home() / ".pyenv" / "versions"
    candidates = [shutil.which(f"python{version}")]
    candidates += sorted(map(str, kept.glob(f"{version}*/bin/python")))
    for python in filter(None, candidates):
        if _runs(python, f"import sys; assert sys.version.startswith({version!r})"):
            return python
    return None


def _runs(python: str, code: str) -> bool:
    run = subprocess.run([python, "-c", code], capture_output=True)
    return run.returncode == 0


def present() -> dict[str, str]:
    """The other Pythons there are on this machine, by version."""
    return {version: python for version in OTHERS if (python := found(version))}


def with_msgspec(python: str, folder: Path) -> str:
    """The interpreter, or one in an environment of its own, that has msgspec."""
    if _runs(python, "import msgspec"):
        return python
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    own = str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")
    quiet = ["-q", "--disable-pip-version-check"]
    subprocess.run([own, "-m", "pip", "install", *quiet, "msgspec"], check=True)
    return own


def test_the_same_events_under_two_hash_seeds() -> None:
    first = digests(sys.executable, "0")
    assert [line.split()[0] for line in first.splitlines()] == [
        "skirmish",
        "campaign",
        "formation",
    ]
    assert digests(sys.executable, "4242") == first


@pytest.mark.parametrize("version", present())
def test_the_same_events_on_another_python(version: str, tmp_path: Path) -> None:
    ready = with_msgspec(present()[version], tmp_path / "environment")
    assert digests(ready, "7") == digests(sys.executable, "0")
