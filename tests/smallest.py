"""The smallest system, as the chapter on conformance has it."""

import sys
from functools import cache
from types import ModuleType
from typing import Any

from tabletop_kit.core import systems
from tools.notebooks import ROOT, read

CHAPTER, CELL = "nbs/core/21_conformance.ipynb", "smallest-code"


def source() -> str:
    """The code of the cell that holds it."""
    cells = read(ROOT / CHAPTER).cells
    return next(cell.source for cell in cells if cell.id == CELL)


@cache
def load() -> Any:
    """It as a module: `Tiny`, `Duel`, `Bout`, `Fight` and the rest."""
    module = ModuleType("smallest_system")
    sys.modules[module.__name__] = module
    exec(compile(source(), f"{CHAPTER}:{CELL}", "exec"), module.__dict__)
    systems.register(module.Tiny())
    return module
