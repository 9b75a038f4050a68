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
        f"--ServerApp.root_dir={ROOT}",
        "--LabApp.default_url=/lab/tree/nbs/index.ipynb",
        *([] if has_screen() else ["--no-browser"]),
        *sys.argv[1:],
    ]


def environment() -> dict[str, str]:
    """Where the server finds its settings: those of this folder before the user's."""
    folders = [str(ROOT / "tools"), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    found = os.pathsep.join(folder for folder in folders if folder)
    return os.environ | {"JUPYTER_CONFIG_PATH": found}


if __name__ == "__main__":
    os.execve(sys.executable, command(), environment())
