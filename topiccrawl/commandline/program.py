"""How the user calls the commands."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

__all__ = ["program"]


def program() -> str:
    """Return how a shell of the user calls ``scrapy`` of this environment."""
    own = Path(sys.executable).with_name("scrapy")
    found = shutil.which("scrapy")
    if not own.is_file() or (found and Path(found).resolve() == own.resolve()):
        return "scrapy"
    try:
        return str(own.relative_to(Path.cwd()))
    except ValueError:
        return str(own)
