"""The README's examples run, and its commands exist."""

import re
import subprocess
import sys

import pytest

from tools.notebooks import ROOT

README = (ROOT / "README.md").read_text("utf-8")


EXAMPLES = re.findall(r"^```python\n(.+?)^```", README, re.M | re.S)


def test_there_are_two_examples() -> None:
    assert len(EXAMPLES) == 2


@pytest.mark.parametrize("code", EXAMPLES)
def test_example_runs(code: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()


def test_commands_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.M))
    assert set(re.findall(r"\bmake ([a-z]+)", README)) <= targets


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)", README):
        assert target.startswith("https://") or (ROOT / target).exists(), target
