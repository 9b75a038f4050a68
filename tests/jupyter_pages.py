"""JupyterLab, Notebook 7 and Voila with throw-away folders, and pages that open them."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright

from tools.notebooks import ROOT

App = Literal["lab", "notebook", "voila"]

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
FOLDERS = (
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_DATA_DIR",
    "JUPYTER_RUNTIME_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
    "IPYTHONDIR",
)
OWN_ERRORS: dict[App, tuple[str, ...]] = {
    "lab": (r"/api/contents\?.* net::ERR_ABORTED",),
    "notebook": (
        r"Cannot read properties of undefined \(reading 'schema'\)",
        r"/api/contents\?.* net::ERR_ABORTED",
    ),
    "voila": (
        r"cdn\.jsdelivr\.net/npm/@fortawesome",
        r"Failed to load resource: net::ERR_(NAME_NOT_RESOLVED|INTERNET_DISCONNECTED)",
        r"The getter for the shared module is not a function",
    ),
}
"""What each front end says of itself with an empty notebook, too."""

START_LIMIT = 90
"""Seconds a server may take to answer."""


class Server:
    """A Jupyter server of its own: nothing of the user's is read or written.

    Args:
        root: the folder it serves.
        app: which front end it runs.
    """

    def __init__(self, root: Path, app: App = "lab") -> None:
        self.root, self.app = root, app
        self.port, self.token = _free_port(), secrets.token_hex(16)
        self._own = Path(tempfile.mkdtemp(prefix="tabletop-kit-"))
        self._log = (self._own / "log.txt").open("wb")
        self._process = subprocess.Popen(
            self._command(),
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env=self._environment(),
            cwd=root,
            start_new_session=True,
        )
        try:
            self._wait()
        except BaseException:
            self.close()
            raise

    def url(self, path: str) -> str:
        """The address of a path of the server, its token in it."""
        separator = "&" if "?" in path else "?"
        return f"http://127.0.0.1:{self.port}/{path}{separator}token={self.token}"

    def log(self) -> str:
        """What the server has said so far."""
        return (self._own / "log.txt").read_text(errors="replace")

    def close(self) -> None:
        """Stop the server and its kernels, and remove its folders."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)
            try:
                self._process.wait(1 if number == signal.SIGINT else 8)
                break
            except subprocess.TimeoutExpired:
                continue
        self._log.close()
        shutil.rmtree(self._own, ignore_errors=True)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _command(self) -> list[str]:
        if self.app == "voila":
            return [
                *(sys.executable, "-m", "voila", str(self.root)),
                f"--port={self.port}",
                "--no-browser",
                "--Voila.ip=127.0.0.1",
                f"--token={self.token}",
            ]
        module = {"lab": "jupyterlab", "notebook": "notebook"}[self.app]
        return [
            *(sys.executable, "-m", module, "--no-browser"),
            f"--ServerApp.root_dir={self.root}",
            "--ServerApp.ip=127.0.0.1",
            f"--ServerApp.port={self.port}",
            "--ServerApp.port_retries=0",
            f"--IdentityProvider.token={self.token}",
            "--LabApp.expose_app_in_browser=True",
            "--JupyterNotebookApp.expose_app_in_browser=True",
        ]

    def _environment(self) -> dict[str, str]:
        """The user's, but with empty folders, live widgets and this tree's library."""
        own = {name: str(self._own / name.lower()) for name in FOLDERS}
        for folder in own.values():
            Path(folder).mkdir()
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        inherited = {k: v for k, v in os.environ.items() if k != "TABLETOP_KIT_DISPLAY"}
        ours = {"JUPYTER_CONFIG_PATH": str(ROOT / "tools"), "PYTHONPATH": str(ROOT)}
        return inherited | own | ours | {"PATH": path}

    def _wait(self) -> None:
        probe = self.url("" if self.app == "voila" else "api/status")
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise RuntimeError(f"{self.app} ended:\n{self.log()[-3000:]}")
            try:
                with urllib.request.urlopen(probe, timeout=5):
                    return
            except urllib.error.HTTPError:
                return  # it answers
            except OSError:
                time.sleep(0.05)
        raise TimeoutError(f"{self.app} does not answer:\n{self.log()[-3000:]}")


@dataclass
class Opened:
    """A notebook in a page.

    Args:
        errors: errors of the console, uncaught exceptions and failed requests, as
            (kind, words); empty is what a test wants. What the front end says of
            itself (OWN_ERRORS) is left out.
    """

    page: Page
    server: Server
    errors: list[tuple[str, str]] = field(default_factory=list)

    def open(self, name: str) -> None:
        """Open a notebook of the server and wait for its kernel."""
        _watch(self.page, self.server.app, self.errors)
        match self.server.app:
            case "voila":
                self.page.goto(self.server.url(f"voila/render/{name}"))
                return
            case "lab":
                self.page.goto(self.server.url(f"doc/tree/{name}"))
            case "notebook":
                self.page.goto(self.server.url(f"notebooks/{name}"))
        self.wait_until_open()

    def wait_until_open(self) -> None:
        """Wait for the notebook and its kernel, after opening it or a reload."""
        self.page.wait_for_function(
            "() => window.jupyterapp?.shell.currentWidget?.sessionContext",
            timeout=60_000,
        )
        self.page.evaluate(
            """async () => {
                await window.jupyterapp.restored;
                const widget = window.jupyterapp.shell.currentWidget;
                await widget.context.ready;
                await widget.sessionContext.ready;
            }"""
        )

    def command(self, name: str, **arguments: object) -> None:
        """Run a command of the front end, such as docmanager:save."""
        self.page.evaluate(
            "async ([name, given]) => {"
            " await window.jupyterapp.commands.execute(name, given); }",
            [name, arguments],
        )

    def run_all(self) -> None:
        """Run every cell and wait until the kernel is idle."""
        self.command("notebook:run-all-cells")
        self.wait_until_idle()

    def wait_until_idle(self) -> None:
        """Wait until every code cell has run and the kernel is idle."""
        self.page.wait_for_function(
            """() => {
                const widget = window.jupyterapp.shell.currentWidget;
                const kernel = widget.sessionContext.session?.kernel;
                if (kernel?.status !== "idle") return false;
                return [...widget.content.model.cells].every((cell) =>
                    cell.type !== "code" || cell.executionCount !== null ||
                    !cell.sharedModel.getSource().trim());
            }""",
            timeout=60_000,
        )

    def reload(self) -> None:
        """Save, load the page again and wait for it."""
        self.command("docmanager:save")
        self.page.reload()
        self.wait_until_open()

    def close(self) -> None:
        """Stop the notebook's kernel and close the page."""
        with contextlib.suppress(Exception):  # the page may be gone already
            if self.server.app != "voila":
                self.page.evaluate(
                    "() => window.jupyterapp.shell.currentWidget"
                    ".sessionContext.shutdown()"
                )
        self.page.context.close()


def launch(playwright: Playwright) -> Browser:
    """Start Debian's Chromium: Playwright's own cannot always be downloaded."""
    return playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))


def _watch(page: Page, app: App, errors: list[tuple[str, str]]) -> None:
    def add(kind: str, words: str) -> None:
        if not any(re.search(own, words) for own in OWN_ERRORS[app]):
            errors.append((kind, words[:300]))

    def console(said: ConsoleMessage) -> None:
        if said.type == "error":
            add("console", said.text)

    page.on("console", console)
    page.on("pageerror", lambda error: add("exception", str(error)))
    page.on("requestfailed", lambda gone: add("request", f"{gone.url} {gone.failure}"))


def _free_port() -> int:
    """A port below those the system hands out itself: kernels take those at any time."""
    while True:
        port = 20_000 + secrets.randbelow(10_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
