"""A store with one page to be read, and a console on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.console_server import RunningConsole, console, fill
from tests.support.read_page import stored


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder of the test's own: judgments are written beside the frontier."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def uri(project: Path) -> str:
    return fill(project / "pages.sqlite", stored)


@pytest.fixture
def desk(uri: str) -> Iterator[RunningConsole]:
    with console(uri, write=True) as running:
        yield running
