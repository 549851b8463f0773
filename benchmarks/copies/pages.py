"""Pages that copies are made of, and pairs of pages with the relation that they should have."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from topiccrawl.dedup.compared import ComparedPage, RelationKind
from topiccrawl.page.page import Page

#: Pages with less text are no articles to edit.
LEAST_CHARACTERS = 300

_SENTENCE = re.compile(r"[^。！？!?\n]+[。！？!?]?\n?")


@dataclass(frozen=True, slots=True)
class SourcePage:
    """A page of a source, as in a line of JSON: ``{"source", "era", "key", "title", "body"}``."""

    source: str
    """Pages of one source are never on both sides of a split."""
    title: str
    body: str
    era: str = ""
    """Version of the source."""
    key: str = ""
    """Address within the source, the same in all versions."""

    def compared(self, name: object = "") -> ComparedPage:
        """Return the page under a URL of its own, with *name* in it."""
        return ComparedPage(url=f"http://{name}.example/", title=self.title, body=self.body)

    def sentences(self) -> list[str]:
        """Return the sentences of the body; joined, they are the body."""
        return _SENTENCE.findall(self.body)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two pages and what the first should be to the second."""

    source: str
    sort: str
    """How the pair was made, such as ``edit: paragraphs cut`` or ``trap: weather``."""
    first: SourcePage
    second: SourcePage
    kinds: frozenset[RelationKind]
    """Right answers."""
    copy: bool
    """Whether the pages are copies of one text."""


def read_jsonl(path: Path) -> list[SourcePage]:
    """Read pages of a file with a line of JSON each.

    Raises
    ------
    ValueError
        If a line lacks a field; the message names file and line.
    """
    pages = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                d = json.loads(line)
                pages.append(
                    SourcePage(d["source"], d["title"], d["body"], str(d["era"]), d["key"])
                )
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(f"{path}, line {number}: {error!r}") from error
    return pages


def articles(pages: Iterable[SourcePage]) -> list[SourcePage]:
    """Return one page for each text that is long enough to be edited."""
    kept: dict[tuple[str, str], SourcePage] = {}
    for page in pages:
        if len(page.body) >= LEAST_CHARACTERS and page.title:
            kept.setdefault((page.source, page.key or page.title), page)
    return list(kept.values())


def labeled_pages(folder: Path) -> Iterator[SourcePage]:
    """Yield the pages of a folder of labeled pages: ``NAME.html`` and ``NAME.json`` with ``site``."""
    for label in sorted(folder.glob("*.json")):
        html = label.with_suffix(".html")
        if html.exists():
            stated = json.loads(label.read_text(encoding="utf-8"))
            page = Page(f"http://{stated['host'] or 'a.example'}/{label.stem}", html.read_bytes())
            yield SourcePage(stated["site"] or label.stem, page.title, page.body, "", label.stem)


def sample(pages: list[SourcePage], count: int, seed: int) -> list[SourcePage]:
    """Return at most *count* of the pages."""
    return random.Random(seed).sample(pages, min(count, len(pages)))
