"""A study of some 200 frames in JupyterLab: a step in the page, an answer by the kernel.

The yardstick of both is a bare Button that sets a Label, in the same page. The server is
the one of `make study`, without the TCP delay.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.timing import Row, share
from tools.execute import METADATA
from tools.notebooks import ROOT

sys.path.append(str(ROOT / "tests"))
from jupyter_pages import Opened, Server, launch

HERE = Path(__file__).parent
STEPS, ANSWERS = 100, 40
CELL = """
from ipywidgets import Button, Label, VBox
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit import formation

base = formation.samples["footbridge"]
hardy = tuple([replace(who, hp_max=900) for who in base.combatants])
game = tk.Game(replace(base, combatants=hardy), seed=1)
game.play(formation.sensible, questions=60)

button, label = Button(description="go"), Label("0")
button.on_click(lambda _: setattr(label, "value", str(int(label.value) + 1)))
VBox([button, label, tk.study(game)])
"""
NOTEBOOK = {
    "cells": [
        {
            "cell_type": "code",
            "execution_count": None,
            "id": "study",
            "metadata": {},
            "outputs": [],
            "source": CELL,
        }
    ],
    "metadata": METADATA,
    "nbformat": 4,
    "nbformat_minor": 5,
}


@contextmanager
def opened() -> Iterator[Page]:
    """The study in JupyterLab, all frames played so far shown."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "study.ipynb").write_text(json.dumps(NOTEBOOK), "utf-8")
        with Server(Path(folder)) as server, sync_playwright() as playwright:
            browser = launch(playwright)
            page = browser.new_page(viewport={"width": 1400, "height": 1100})
            notebook = Opened(page, server)
            notebook.open("study.ipynb")
            notebook.run_all()
            page.locator(".tk-study, .jp-OutputArea-output pre").first.wait_for()
            page.wait_for_timeout(1500)
            page.evaluate((HERE / "browser.js").read_text("utf-8"))
            yield page
            assert not notebook.errors, notebook.errors[:3]
            notebook.close()
            browser.close()


def measure(page: Page) -> dict[str, list[float]]:
    """Milliseconds of every step, every press of the bare button and every answer."""
    took: dict[str, list[float]] = {"step": [], "button": [], "answer": []}

    def take(name: str, call: str) -> None:
        took[name].append(page.evaluate(f"bench.{call}")["work"])

    for _ in range(STEPS // 2):
        take("step", "step('Back')")
    for _ in range(STEPS // 2):
        take("step", "step('Forward')")
    page.evaluate("bench.press('End')")
    for _ in range(ANSWERS):
        take("button", "button()")
        take("answer", "answer()")
    return took


def rows() -> list[Row]:
    """A step, and an answer."""
    with opened() as page:
        frames = page.inner_text(".tk-count").split(" of ")[-1]
        took = measure(page)
    step, trip = share(took["step"], 0.95), share(took["button"], 0.95)
    middle = {name: share(times, 0.5) for name, times in took.items()}
    part, slower = step / trip, middle["answer"] / middle["button"]
    return [
        Row(
            f"step in the browser, click to paint, p95, {frames} frames",
            "at most 5 ms and a fifth of the kernel round trip beside it",
            f"{step:.1f} ms (p50 {middle['step']:.1f}), {part:.2f} of the bare round "
            f"trip's {trip:.1f} ms",
            step <= 5 and part <= 0.2,
        ),
        Row(
            "answer through the kernel, key to paint, p50",
            "at most 1.3 times a bare Button to Label round trip",
            f"{slower:.2f} times ({middle['answer']:.1f} ms and "
            f"{middle['button']:.1f} ms)",
            slower <= 1.3,
        ),
    ]
