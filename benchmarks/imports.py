"""What `import tabletop_kit` takes, and what it leaves alone."""

import compileall
import statistics
import subprocess
import sys
from time import perf_counter

from benchmarks.timing import Row
from tools.notebooks import PACKAGE, ROOT

ROUNDS = 30
HEAVY = ("polars", "numpy", "ipywidgets", "altair")
LOADED = f"import sys, tabletop_kit; print([n for n in {HEAVY} if n in sys.modules])"


def run(code: str) -> float:
    """Milliseconds of a Python of its own that runs this."""
    start = perf_counter()
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    return 1000 * (perf_counter() - start)


def rows() -> list[Row]:
    """The package alone, and with a rule system."""
    compileall.compile_dir(str(ROOT / PACKAGE), quiet=1)
    names = ("pass", "import tabletop_kit", "import tabletop_kit.formation")
    took: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(ROUNDS):
        for name in names:
            took[name].append(run(name))
    empty, kit, system = [statistics.median(times) for times in took.values()]
    said = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=ROOT, check=True, capture_output=True
    )
    loaded = said.stdout.decode().strip()
    none = "none of them loaded" if loaded == "[]" else f"{loaded} loaded"
    figure = (
        f"{kit - empty:.0f} ms, {none} (a rule system too: {system - empty:.0f} ms)"
    )
    return [
        Row(
            "`import tabletop_kit`, compiled, over an empty interpreter",
            f"at most 60 ms; no {', '.join(HEAVY)}",
            figure,
            kit - empty <= 60 and loaded == "[]",
        )
    ]
