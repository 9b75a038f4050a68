"""Open the start page in JupyterLab, or print its address where there is no screen."""

import os
import sys

from tools.notebooks import ROOT


def has_screen() -> bool:
    """Whether a browser can open a window here."""
    if sys.platform in ("darwin", "win32"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def command() -> list[str]:
    """How the server is started."""
    return [
        *(sys.executable, "-m", "jupyterlab"),
        f"--config={ROOT / 'tools' / 'jupyter_server_config.py'}",
        f"--ServerApp.root_dir={ROOT}",
        "--LabApp.default_url=/lab/tree/nbs/index.ipynb",
        *([] if has_screen() else ["--no-browser"]),
        *sys.argv[1:],
    ]


if __name__ == "__main__":
    os.execv(sys.executable, command())
