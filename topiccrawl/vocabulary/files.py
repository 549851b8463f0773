"""Texts from a file or from the files of a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _, listed
from topiccrawl.page.decoding import decode
from topiccrawl.page.page import Page
from topiccrawl.userfiles import read_user_bytes

#: Suffixes of the files that are read from a folder, as text and as pages; a file named itself is a text
#: unless it has one of the latter.
TEXTS: Final = frozenset({".txt", ".utf8", ".md", ".text"})
PAGES: Final = frozenset({".html", ".htm", ".shtml", ".xhtml"})


def read_texts(path: Path) -> list[str]:
    """Return the texts at *path*, those of a folder in the order of their names.

    Texts are UTF-8, or in the charset that they seem to have; of a page the title and the body are taken. Raises
    ``ConfigurationError`` if there is no such file, none in the folder, or one cannot be read.
    """
    if path.is_dir():
        files = sorted(
            file
            for file in path.rglob("*")
            if file.suffix.lower() in TEXTS | PAGES and file.is_file()
        )
        if not files:
            raise ConfigurationError(
                _("{path}: must contain files named {suffixes}").format(
                    path=path, suffixes=listed(sorted(TEXTS | PAGES))
                )
            )
    else:
        files = [path]
    return [_read(file) for file in files]


def _read(file: Path) -> str:
    data = read_user_bytes(file)
    if file.suffix.lower() in PAGES:
        page = Page("", data, None, "text/html")
        return f"{page.title}\n{page.body or page.visible_text}"
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return decode(data).text
