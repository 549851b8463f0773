"""Stores for the tests of warnings."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def uri(tmp_path: Path) -> str:
    """Address of a new SQLite store."""
    return f"sqlite:///{tmp_path}/pages.sqlite"
