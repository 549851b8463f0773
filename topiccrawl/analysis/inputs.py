"""The pages that the arguments of ``extract`` denote."""

from __future__ import annotations

import glob
import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from topiccrawl.documents.formats import ENDINGS
from topiccrawl.errors import ConfigurationError, needs_extra
from topiccrawl.language import _

if TYPE_CHECKING:
    from topiccrawl.imports.warc_index import WarcPlace

#: Suffixes of the files that are read from a folder; a file named itself may have any.
SUFFIXES = frozenset({
    ".html", ".htm", ".shtml", ".xhtml", ".asp", ".aspx", ".php", ".jsp",
    *(f".{ending}" for ending in ENDINGS if ending != "txt"),
})  # fmt: skip
#: The argument that denotes standard input.
STANDARD_INPUT = "-"
#: Longest name of an output file that is made of a URL, in characters (file systems allow 255 bytes).
_LONGEST_NAME = 120

#: Suffixes of WARC files, whose responses are pages.
WARC_SUFFIXES = (".warc", ".warc.gz")

_WEB = re.compile(r"https?://", re.IGNORECASE)
_NO_NAME = re.compile(r"[^\w.\-]+")


@dataclass(frozen=True, slots=True)
class Input:
    """One page: a file, a URL to be fetched, or standard input (neither of the two)."""

    name: str
    """Value of the field ``id`` of its record."""
    place: str
    """Path of its output below a folder, without suffix."""
    path: Path | None = None
    url: str = ""
    record: WarcPlace | None = None
    """Place in a WARC file; :attr:`name` is then the URL."""

    @property
    def label(self) -> str:
        """What error messages call it."""
        if self.record is not None:
            return f"{self.path}: {self.name}"
        return str(self.path) if self.path is not None else self.url or _("standard input")


@dataclass(slots=True)
class Inputs:
    """The inputs that command-line arguments denote."""

    pages: list[Input] = field(default_factory=list)
    """In the order of the arguments; folders sorted."""
    missing: list[str] = field(default_factory=list)
    """Messages about arguments that denote nothing."""

    @property
    def urls(self) -> list[str]:
        """The URLs to be fetched."""
        return [page.url for page in self.pages if page.url]


def find_inputs(arguments: Iterable[str]) -> Inputs:
    """Expand arguments into pages.

    Parameters
    ----------
    arguments : iterable of str
        URLs, files, WARC files (their pages), folders (all their pages, at any depth), glob
        patterns, and ``-``.
    """
    found = Inputs()
    for argument in arguments:
        path = Path(argument)
        if argument == STANDARD_INPUT:
            found.pages.append(Input("stdin", "stdin"))
        elif _WEB.match(argument):
            found.pages.append(Input(argument, _url_name(argument), url=argument))
        elif path.is_dir():
            pages = list(_pages_below(path))
            found.pages += pages
            if not pages:
                found.missing.append(_("{path}: no pages in this folder").format(path=argument))
        elif path.exists() or not glob.has_magic(argument):
            _add_file(path, found)  # a missing one is reported when it is read
        else:
            matches = sorted(map(Path, glob.glob(argument, recursive=True)))  # noqa: PTH207
            for file in filter(Path.is_file, matches):
                _add_file(file, found)
            if not matches:
                found.missing.append(_("{path}: nothing matches").format(path=argument))
    return found


def listed_arguments(raw: bytes) -> list[str]:
    r"""Return the arguments that a list names: one a line, or separated by NUL (``find -print0``).

    >>> listed_arguments(b"a.html\r\n\nb c.html\n"), listed_arguments(b"a\nb.html\0")
    (['a.html', 'b c.html'], ['a\nb.html'])
    """
    raw = raw.removeprefix(BOM_UTF8)
    parts = raw.split(b"\0") if b"\0" in raw else raw.splitlines()
    return [os.fsdecode(part) for part in parts if part.strip()]


def _add_file(path: Path, found: Inputs) -> None:
    """Add a file, or the pages of a WARC file."""
    if not path.name.lower().endswith(WARC_SUFFIXES) or not path.is_file():
        found.pages.append(Input(path.stem, path.stem, path))
        return
    try:
        with needs_extra("warc", _("A WARC file")):
            from topiccrawl.imports.warc import page_places
        places = page_places(path)
    except ConfigurationError as error:
        found.missing.append(str(error))
        return
    found.pages += [Input(url, _url_name(url), path, record=place) for url, place in places]
    if not places:
        found.missing.append(_("{path}: no pages in this file").format(path=path))


def _pages_below(folder: Path) -> Iterator[Input]:
    files = (it for it in folder.rglob("*") if it.suffix.lower() in SUFFIXES and it.is_file())
    for file in sorted(files):
        yield Input(file.stem, str(file.relative_to(folder).with_suffix("")), file)


def _url_name(url: str) -> str:
    """Return a file name made of a URL.

    >>> _url_name("http://www.a.cn/b/1.html?x=1")
    'www.a.cn_b_1.html_x_1'
    """
    name = _NO_NAME.sub("_", url.partition("://")[2].rpartition("@")[2])
    return name.strip("._")[:_LONGEST_NAME] or "page"
