"""Fixtures for tests in the browser.

`open_notebook(name)` opens a copy of a notebook of nbs, runs it and gives back the page:

    @pytest.mark.browser
    def test_board(open_notebook):
        opened = open_notebook("formation/02_rows_and_range.ipynb", width=700)
        expect(opened.page.locator(".tk-board").first).to_be_visible()
        assert not opened.errors
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_pages import App, Opened, Server, launch
from playwright.sync_api import Browser, sync_playwright

from tools.notebooks import ROOT

OpenNotebook = Callable[..., Opened]


@pytest.fixture(scope="session")
def notebooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of nbs that servers serve; tests may write notebooks of their own there."""
    folder = tmp_path_factory.mktemp("served") / "nbs"
    shutil.copytree(
        ROOT / "nbs", folder, ignore=shutil.ignore_patterns(".ipynb_checkpoints")
    )
    return folder


@pytest.fixture
def notebook(notebooks: Path, request: pytest.FixtureRequest) -> Callable[..., str]:
    """notebook(cell, ...) writes a notebook beside the real ones and gives its name."""

    def write(*cells: str) -> str:
        name = f"{re.sub(r'[^A-Za-z0-9_]', '-', request.node.name)}.ipynb"
        made = [
            {
                "cell_type": "code",
                "id": f"cell-{n}",
                "metadata": {},
                "outputs": [],
                "execution_count": None,
                "source": source.strip(),
            }
            for n, source in enumerate(cells)
        ]
        kernel = {"kernelspec": {"display_name": "python3", "name": "python3"}}
        about = {"nbformat": 4, "nbformat_minor": 5}
        content = {"cells": made, "metadata": kernel, **about}
        (notebooks / name).write_text(json.dumps(content), "utf-8")
        return name

    return write


@pytest.fixture(scope="session")
def start_server(notebooks: Path) -> Iterator[Callable[[App], Server]]:
    """start_server("lab"), "notebook" or "voila": one server of each, when asked for."""
    servers: dict[App, Server] = {}

    def start(app: App) -> Server:
        if app not in servers:
            servers[app] = Server(notebooks, app)
        return servers[app]

    yield start
    for server in servers.values():
        server.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser of all tests."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def open_notebook(
    start_server: Callable[[App], Server],
    chromium: Browser,
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> Iterator[OpenNotebook]:
    """open_notebook(name, app="lab", width=1100, height=1400, dark=False, run=True).

    Each call has a fresh browser context, and each notebook a fresh kernel.
    """
    pages: list[Opened] = []

    def open_(
        name: str,
        app: App = "lab",
        width: int = 1100,
        height: int = 1400,
        dark: bool = False,
        run: bool = True,
    ) -> Opened:
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
        )
        context.set_default_timeout(20_000)
        opened = Opened(context.new_page(), start_server(app))
        pages.append(opened)
        opened.open(name)
        if app != "voila":
            if dark:
                opened.command("apputils:change-theme", theme="JupyterLab Dark")
            if run:
                opened.run_all()
        return opened

    yield open_
    failed = getattr(request.node, "failed", False)
    for number, opened in enumerate(pages):
        if failed:
            shot = tmp_path / f"failed-{number}.png"
            opened.page.screenshot(path=shot)
            print(f"{shot}\n{opened.errors}")
        opened.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Iterator[None]:
    """Let fixtures know whether their test failed."""
    report = yield
    if report.when == "call":  # type: ignore[attr-defined]
        item.failed = report.failed  # type: ignore[attr-defined]
    return report
