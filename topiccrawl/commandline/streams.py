"""Standard streams as commands find them: closed, or in an encoding without Chinese."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path


def prepare_streams() -> None:
    r"""Make the three standard streams usable; to be called before anything is printed.

    A closed stream is opened on the null device: standard output for reading only, so that writing
    fails, as it does in other programs, instead of losing the output unnoticed.  Files opened later
    then never get the numbers 1 and 2, to which libraries write messages.  A character that the
    encoding lacks is written as an escape sequence (``\u4fa8``); a byte that it lacks, in an answer
    typed on a terminal of another encoding, is read as one.
    """
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - stays open
    if sys.stdout is None:
        null = io.FileIO(os.open(os.devnull, os.O_RDONLY), "w")
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(null), "utf-8")
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - stays open
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="backslashreplace")


def discard_output() -> None:
    """Send what standard output still holds to the null device.

    Python flushes it once more at exit, and would report the closed pipe again.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_json(value: object, default: Callable[[object], object] | None = None) -> None:
    """Print *value* as JSON over several lines; *default* converts what JSON does not have."""
    print(json.dumps(value, ensure_ascii=False, indent=2, default=default))
