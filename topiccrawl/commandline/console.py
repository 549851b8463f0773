"""Terminal output of the commands: consoles and progress bars."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

#: Width in columns of output that does not go to a terminal: long lines stay whole.
_PIPE_WIDTH = 200

#: Records between two updates of the progress bar: an update costs 20 times as much as a record.
_RECORDS_PER_UPDATE = 256
#: Seconds between two updates where a record takes longer (a choice; an update takes 1 ms).
_SECONDS_PER_UPDATE = 0.1


def make_console(*, plain: bool = False) -> Console:
    """Return a console on standard output; a *plain* one prints text as it is, without markup."""
    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    if plain:
        return _Output(width=width, highlight=False, markup=False, emoji=False)
    return _Output(width=width)


class _Output(Console):
    """A console whose reader may leave (``| head``) without making the command fail."""

    def on_broken_pipe(self) -> None:
        """Leave the end of the command to :func:`~topiccrawl.commandline.errors.exit_code`."""
        raise BrokenPipeError


@contextmanager
def progress(description: str, total: int | None = None) -> Iterator[Callable[[], None]]:
    """Show a bar on standard error while records are processed; nothing without a terminal.

    Yields a function to be called once per record.
    """
    if not sys.stderr.isatty():
        yield lambda: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task(description, total=total)
        waiting = 0

        def tick() -> None:
            nonlocal waiting
            waiting += 1
            if waiting == _RECORDS_PER_UPDATE:
                bar.advance(task, waiting)
                waiting = 0

        yield tick
        bar.advance(task, waiting)


@contextmanager
def work_progress(description: str, total: int) -> Iterator[Callable[[], None]]:
    """Show a bar with the time left, for records that take milliseconds, as :func:`progress`.

    It has no thread of its own: the work may fork processes.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns,
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,
    ) as bar:
        task = bar.add_task(description, total=total)
        shown = 0.0

        def tick() -> None:
            nonlocal shown
            bar.advance(task)
            if time.monotonic() - shown >= _SECONDS_PER_UPDATE:
                bar.refresh()
                shown = time.monotonic()

        bar.refresh()
        yield tick
