"""Progress bars of an evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from topiccrawl.language import N_, _

if TYPE_CHECKING:
    from topiccrawl.evaluation import evaluation

#: Labels of the stages of an evaluation.
_LABELS = {"links": N_("links read"), "runs": N_("pages crawled")}


@contextmanager
def progress_bars() -> Iterator[evaluation.Progress]:
    """Show one bar per stage on standard error; nothing if that is not a terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns,
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    ) as bars:
        yield _Bars(bars)


class _Bars:
    """Implements :class:`topiccrawl.evaluation.evaluation.Progress`."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._task = TaskID(0)

    def begin(self, what: str, total: int) -> None:
        """Add a bar for a new stage."""
        self._task = self._bars.add_task(_(_LABELS.get(what, what)), total=total)

    def advance(self, steps: int) -> None:
        """Advance the current bar; extend it if a strategy needs more runs than assumed."""
        task = self._bars.tasks[self._task]
        if task.total is not None and task.completed + steps > task.total:
            self._bars.update(self._task, total=task.completed + steps)
        self._bars.advance(self._task, steps)
