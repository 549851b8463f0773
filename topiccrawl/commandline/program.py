"""How the user calls the commands."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path


def program() -> str:
    """Return how a shell of the user calls the commands of this environment: as they were called now."""
    name = called()
    own = Path(sys.executable).with_name(name)
    found = shutil.which(name)
    if not own.is_file() or (found and Path(found).resolve() == own.resolve()):
        return name
    try:
        return str(own.relative_to(Path.cwd()))
    except ValueError:
        return str(own)


def called() -> str:
    """Return ``topiccrawl`` if that was called, which works in any folder, else ``scrapy``."""
    path = Path(sys.argv[0])
    called = path.parent.name if path.stem == "__main__" else path.stem  # python -m topiccrawl
    return called if called == "topiccrawl" else "scrapy"
