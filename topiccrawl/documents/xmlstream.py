"""XML read as a stream, so that memory does not grow with the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final, Protocol
from xml.parsers import expat

#: Between a namespace and a name; neither has one.
_SEPARATOR: Final = " "


class Handler(Protocol):
    """Receives the elements of a file, by their local names."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begin an element; *attributes* have local names, too."""

    def end(self, name: str) -> None:
        """End an element."""

    def data(self, text: str) -> None:
        """Receive text."""


def parse(
    pieces: Iterable[bytes], handler: Handler, full: Callable[[], bool] = lambda: False
) -> bool:
    """Pass the elements of *pieces* to *handler*.

    When it is *full*, the rest is left out.  Entities of the file's own are not expanded beyond expat's
    limits, and others are not loaded.  Returns whether the file is
    complete and well-formed; *handler* has received what was before the fault.
    """
    parser = expat.ParserCreate(namespace_separator=_SEPARATOR)
    parser.buffer_text = True

    local = lru_cache(maxsize=1_000)(lambda name: name.rpartition(_SEPARATOR)[2])
    begin, finish = handler.start, handler.end

    def start(name: str, attributes: dict[str, str]) -> None:
        begin(local(name), {local(k): v for k, v in attributes.items()} if attributes else {})

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: finish(local(name))
    parser.CharacterDataHandler = handler.data
    any_piece = False
    try:
        for piece in pieces:
            any_piece = True
            parser.Parse(piece, False)
            if full():
                return True
        parser.Parse(b"", True)
    except expat.ExpatError:
        return False
    return any_piece


class Collector:
    """A handler that keeps the texts of leaf elements and all attributes, of small files."""

    def __init__(self) -> None:
        self.elements: list[tuple[str, dict[str, str], list[str]]] = []
        self._open: list[list[str]] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begin an element."""
        text: list[str] = []
        self.elements.append((name, dict(attributes), text))
        self._open.append(text)

    def end(self, name: str) -> None:
        """End an element."""
        self._open.pop()

    def data(self, text: str) -> None:
        """Receive text."""
        if self._open:
            self._open[-1].append(text)

    def texts(self) -> dict[str, str]:
        """Return the text of the first element of each name."""
        found: dict[str, str] = {}
        for name, _, text in self.elements:
            found.setdefault(name, "".join(text).strip())
        return found


def collected(pieces: Iterable[bytes]) -> Collector:
    """Return the elements of a small file."""
    collector = Collector()
    parse(pieces, collector)
    return collector


def xml_time(text: str) -> datetime | None:
    """Return a time in ISO 8601, in UTC if it states no zone; ``None`` if it is none."""
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
