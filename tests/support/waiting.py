"""Waiting for other processes, with an end, and ports for them."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from typing import Final

#: Seconds after which something has failed; nothing takes as long by itself.
PATIENCE_SECONDS: Final = 60.0


def wait_until(met: Callable[[], bool]) -> None:
    """Wait until *met* returns true; fail after :data:`PATIENCE_SECONDS`."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not met():
        assert time.monotonic() < end
        time.sleep(0.05)


def free_port() -> int:
    """Return a port on which nothing listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
