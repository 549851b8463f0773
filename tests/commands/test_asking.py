"""Questions on the terminal, and answers that are none."""

from __future__ import annotations

import io
import sys

import pytest

from topiccrawl.commandline.asking import is_confirmed
from topiccrawl.commandline.streams import prepare_streams


def answered(monkeypatch: pytest.MonkeyPatch, given: bytes) -> bool:
    """Return what becomes of an answer to a terminal whose encoding is UTF-8."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8", "strict"))
    prepare_streams()
    return is_confirmed("Delete? [y/N] ")


@pytest.mark.parametrize("given", ["y\n", "Yes\n", "是\n", "Ｙ\n", "y"])
def test_a_yes_may_be_written_in_several_ways(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    assert answered(monkeypatch, given.encode())


@pytest.mark.parametrize("given", [b"", b"\n", b"n\n", b"no\n", "是\n".encode("gbk"), b"\xff\n"])
def test_all_else_is_a_no(monkeypatch: pytest.MonkeyPatch, given: bytes) -> None:
    assert not answered(monkeypatch, given)
