"""Where ``extract`` writes pages: one stream, or a folder with a file for each page."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from topiccrawl.export.atomic import output_stream

if TYPE_CHECKING:
    from topiccrawl.analysis.formats import Format
    from topiccrawl.analysis.inputs import Input

#: Writes one page.
Writer = Callable[["Input", bytes], None]


@contextmanager
def opened_output(
    out: str, format_: Format, pages: Iterable[Input], *, folder: bool
) -> Iterator[Writer]:
    """Yield the function that writes pages to *out*.

    Parameters
    ----------
    out
        A file, ``-`` for standard output, or a folder.
    format_
        The format of the pages.
    pages
        All pages that will be written: no output replaces one of them.
    folder
        Whether *out* is a folder.  It is made if it is missing; a file, in contrast, appears whole
        or not at all.
    """
    if folder:
        yield _FolderWriter(Path(out), format_.suffix, pages)
        return
    with output_stream(out) as stream:
        first = True

        def write(page: Input, text: bytes) -> None:
            nonlocal first
            stream.write(text if first else format_.between + text)
            first = False

        yield write


class _FolderWriter:
    """Writes each page to a file of its own, below a folder as its source was below another."""

    def __init__(self, folder: Path, suffix: str, pages: Iterable[Input]) -> None:
        self._folder = folder
        self._suffix = suffix
        paths = (page.path for page in pages if page.path is not None)
        self._taken = {os.path.realpath(it) for it in paths if it.suffix.lower() == suffix}
        self._numbers: dict[str, int] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, page: Input, text: bytes) -> None:
        target = self._free(page.place)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text)

    def _free(self, place: str) -> Path:
        """Return the file at *place*, with a number if that is an input or was written before."""
        while True:
            number = self._numbers[place] = self._numbers.get(place, 0) + 1
            name = place if number == 1 else f"{place}-{number}"
            target = self._folder / f"{name}{self._suffix}"
            real = os.path.realpath(target)
            if real not in self._taken:
                self._taken.add(real)
                return target


class InOrder:
    """Writes pages in the order of their inputs, in whatever order they are done."""

    def __init__(self, pages: list[Input], write: Writer) -> None:
        self._pages = pages
        self._write = write
        self._done: dict[int, bytes | None] = {}
        self._turn = 0
        self.written = 0

    def put(self, number: int, text: bytes | None) -> None:
        """Take the page with this number in the list of inputs; ``None``: it is lost."""
        self._done[number] = text
        while self._turn in self._done:
            text = self._done.pop(self._turn)
            if text is not None:
                self._write(self._pages[self._turn], text)
                self.written += 1
            self._turn += 1
