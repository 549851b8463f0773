"""A copy of the tree without caches, and the egg built from it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: All that `scrapyd-deploy` needs of a checkout; pyproject.toml names the README.
_PARTS = (
    "topiccrawl",
    "seeds",
    "setup.py",
    "scrapy.cfg",
    "pyproject.toml",
    "README.md",
)
PATIENCE_SECONDS = 120.0


def clean_copy(folder: Path, *more: str) -> Path:
    """Copy the tree, with the parts named in *more*, to *folder* as a fresh clone would have it."""
    folder.mkdir()
    for name in (*_PARTS, *more):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


def build_egg(tree: Path, target: Path) -> Path:
    """Build the egg of *tree* in the folder *target*, as scrapyd-client does; nothing is downloaded."""
    subprocess.run(
        [sys.executable, "setup.py", "-q", "bdist_egg", "-d", str(target)],
        cwd=tree,
        check=True,
        capture_output=True,
        timeout=PATIENCE_SECONDS,
    )
    (egg,) = target.glob("*.egg")
    return egg
