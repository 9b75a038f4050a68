"""The ground of the browser tests: each front end shows a widget, without an error."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from jupyter_pages import App
from playwright.sync_api import expect

from tools import execute, study

BUTTON = """
from ipywidgets import Button, Label, VBox

button, label = Button(description="go"), Label("0")
button.on_click(lambda _: setattr(label, "value", str(int(label.value) + 1)))
VBox([button, label])
"""


@pytest.fixture(scope="module")
def button(notebooks: Path) -> str:
    """A notebook with a button that counts."""
    cell: dict[str, Any] = {
        "cell_type": "code",
        "execution_count": None,
        "id": "button",
        "metadata": {},
        "outputs": [],
        "source": BUTTON,
    }
    content = {
        "cells": [cell],
        "metadata": execute.METADATA,
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (notebooks / "button.ipynb").write_text(json.dumps(content))
    return "button.ipynb"


@pytest.mark.browser
@pytest.mark.parametrize("app", ["lab", "notebook", "voila"])
def test_front_end_answers_without_an_error(open_notebook, button: str, app: App):
    opened = open_notebook(button, app=app, dark=app == "lab")
    opened.page.get_by_role("button", name="go").click()
    label = opened.page.locator(".widget-label").last
    expect(label).to_have_text("1", timeout=30_000)
    assert opened.errors == []


def test_study_prints_the_address_where_there_is_no_screen(monkeypatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "argv", ["study"])
    if sys.platform == "linux":
        assert "--no-browser" in study.command()
        monkeypatch.setenv("DISPLAY", ":0")
        assert "--no-browser" not in study.command()
