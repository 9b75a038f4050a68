"""The server that `make study` and the browser tests start.

Without TCP_NODELAY about 40 ms of each round trip to the kernel are spent waiting, and
the server has no option for it. Nothing is fetched: no news, no check for updates.
"""

import os
from typing import Any

from jupyter_server.services.kernels.websocket import KernelWebsocketHandler

c: Any = get_config()  # type: ignore[name-defined] # noqa: F821 (Jupyter lends it)
c.ServerApp.allow_root = os.geteuid() == 0 if hasattr(os, "geteuid") else False
c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"

_open = KernelWebsocketHandler.open


async def _open_without_delay(handler: KernelWebsocketHandler, kernel_id: str) -> None:
    handler.set_nodelay(True)
    await _open(handler, kernel_id)


KernelWebsocketHandler.open = _open_without_delay  # type: ignore[method-assign]
