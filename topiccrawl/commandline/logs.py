"""A log that cannot be written costs one line on standard error, not a traceback for each message."""

from __future__ import annotations

import logging
import sys

from topiccrawl.errors import described
from topiccrawl.language import _

__all__ = ["report_log_failures_once"]


def report_log_failures_once() -> None:
    """Replace what handlers do when the disk is full: Python prints a traceback each time."""
    original = logging.Handler.handleError
    reported: list[str] = []

    def handle(self: logging.Handler, record: logging.LogRecord) -> None:
        error = sys.exception() if hasattr(sys, "exception") else sys.exc_info()[1]
        if not isinstance(error, OSError):
            original(self, record)
        elif not reported:
            reported.append(described(error))
            why = _("the log cannot be written: {error}").format(error=reported[0])
            print(f"topiccrawl: {why}", file=sys.stderr)

    setattr(logging.Handler, "handleError", handle)  # noqa: B010 - mypy refuses the assignment
