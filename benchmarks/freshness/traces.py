"""Change histories: which page changed on which day."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

#: Histories that are part of the repository.
HISTORIES = Path(__file__).parent / "histories"


@dataclass(frozen=True, slots=True)
class TracePage:
    """One page: its name, directory, the day it appeared, and the later days on which it changed."""

    name: str
    directory: str
    born: int
    changes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """The pages of one site over a number of days, counted from 0."""

    name: str
    days: int
    pages: tuple[TracePage, ...]
    family: str = ""
    """Traces of one origin or generator, which are left out together."""

    @property
    def changes(self) -> int:
        """Number of changes of all pages."""
        return sum(len(page.changes) for page in self.pages)

    def rate(self, page: TracePage) -> float:
        """Return the true mean rate of a page, changes a day."""
        return len(page.changes) / max(self.days - page.born, 1)


def make_trace(
    name: str, days: int, changed: dict[str, set[int]], known: Iterable[str] = (), family: str = ""
) -> Trace:
    """Return a trace of pages that exist from day 0 (``known``) or from their first change on."""
    since_start = set(known)
    pages = []
    for page in sorted(set(changed) | since_start):
        at = sorted(day for day in changed.get(page, ()) if 0 <= day < days)
        if page not in since_start and not at:
            continue
        born = 0 if page in since_start else at.pop(0)
        directory = page.rsplit("/", 1)[0] if "/" in page else ""
        pages.append(TracePage(page, directory, born, tuple(day for day in at if day > born)))
    return Trace(name, days, tuple(pages), family or name)


def write_trace(trace: Trace, path: Path) -> None:
    """Write a trace as JSON: directories by name, pages as [directory, born, changes…]."""
    directories = sorted({page.directory for page in trace.pages})
    number = {directory: position for position, directory in enumerate(directories)}
    lines = [[number[page.directory], page.born, *page.changes] for page in trace.pages]
    record = {
        "name": trace.name,
        "family": trace.family,
        "days": trace.days,
        "directories": directories,
        "pages": lines,
    }
    path.write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")


def read_trace(path: Path) -> Trace:
    """Read what :func:`write_trace` wrote; pages are named by directory and number."""
    record = json.loads(path.read_text(encoding="utf-8"))
    pages = tuple(
        TracePage(
            f"{record['directories'][line[0]]}/{position}",
            record["directories"][line[0]],
            line[1],
            tuple(line[2:]),
        )
        for position, line in enumerate(record["pages"])
    )
    return Trace(record["name"], record["days"], pages, record.get("family", record["name"]))


def stored_traces(folder: Path = HISTORIES) -> Iterator[Trace]:
    """Read all traces of a folder, by name."""
    for path in sorted(folder.glob("*.json")):
        yield read_trace(path)
