"""Body extraction as a replaceable stage: one protocol, extractors by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from topiccrawl.page.body.density import extract_by_density

if TYPE_CHECKING:
    from collections.abc import Callable

    from topiccrawl.page.body.classify import PageParts

DEFAULT_EXTRACTOR = "blocks"


@dataclass(frozen=True, slots=True)
class Body:
    """Main text of a page, a line a paragraph; empty if none was found.

    ``extractor`` is the name of the method that found it.
    """

    text: str
    extractor: str


class Readable(Protocol):
    """What an extractor may read of a page; each is worked out when it is asked for."""

    @property
    def text(self) -> str:
        """The decoded HTML."""

    @property
    def parts(self) -> PageParts:
        """Body, comments and kind by the blocks of the one walk."""


class BodyExtractor(Protocol):
    """Finds the main text of a page. Must not raise, change the page or take more than linear time."""

    def extract(self, page: Readable) -> Body:
        """Main text of the page."""
        ...


class BlockExtractor:
    """The default: a learned opinion of each block; see :mod:`topiccrawl.page.body.classify`."""

    name = "blocks"

    def extract(self, page: Readable) -> Body:
        """Main text by the page's blocks."""
        return Body(page.parts.body, self.name)


class TextDensityExtractor:
    """Document 001's method; see :mod:`topiccrawl.page.body.density`."""

    name = "text-density"

    def extract(self, page: Readable) -> Body:
        """Main text by the density of the lines of the HTML; the tree is not used."""
        return Body(extract_by_density(page.text), self.name)


_EXTRACTORS: dict[str, Callable[[], BodyExtractor]] = {
    BlockExtractor.name: BlockExtractor,
    TextDensityExtractor.name: TextDensityExtractor,
}


def register_extractor(name: str, factory: Callable[[], BodyExtractor]) -> None:
    """Make an extractor known under ``name``; ValueError if the name is taken."""
    if name in _EXTRACTORS:
        raise ValueError(f"body extractor {name!r} is registered already")
    _EXTRACTORS[name] = factory


def extractor_names() -> list[str]:
    """Names of all extractors, sorted."""
    return sorted(_EXTRACTORS)


def get_extractor(name: str) -> BodyExtractor:
    """A new extractor; ValueError naming the known ones if there is none of this name."""
    try:
        return _EXTRACTORS[name]()
    except KeyError:
        known = ", ".join(extractor_names())
        raise ValueError(f"unknown body extractor {name!r}; known are: {known}") from None
