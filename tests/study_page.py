"""A page of its own with the study widget and a small stand-in for the kernel.

Run: python tests/study_page.py OUT.html [FRAMES.json] to look at the browser side without Jupyter.
FRAMES.json holds {"meta": ..., "frames": [...], "odds": {frame: {key: ...}}}.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from tabletop_kit.widgets.assets import joined, styles

HERE = Path(__file__).resolve().parent
SAMPLE = HERE / "js" / "sample.json"
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Study</title><style>
html { background: light-dark(#fff, #1b1c1f); color-scheme: light dark }
body { margin: 16px auto; max-width: 1600px; padding: 0 16px }
h1, h2 { position: absolute; clip-path: inset(50%); white-space: nowrap; margin: 0 }
STYLES</style></head><body><main>
<h1>A study</h1><h2>Step by step</h2><div id="study"></div></main>
<script type="application/json" id="data">DATA</script>
<script type="module">const WIDGET = MODULE;
KERNEL</script></body></html>
"""


def inside_script(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def page(data: dict[str, Any]) -> str:
    """The page as HTML."""
    parts = {
        "STYLES": styles("study"),
        "DATA": inside_script(data),
        "MODULE": inside_script(joined("study")),
        "KERNEL": (HERE / "js" / "fake_kernel.js").read_text("utf-8"),
    }
    return re.sub("|".join(parts), lambda found: parts[found[0]], PAGE)


if __name__ == "__main__":
    source = Path(sys.argv[2]) if len(sys.argv) > 2 else SAMPLE
    Path(sys.argv[1]).write_text(page(json.loads(source.read_text("utf-8"))), "utf-8")
