"""Body extraction as a replaceable stage: one protocol, extractors by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from topiccrawl.page.density import extract_by_density

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml import etree

DEFAULT_EXTRACTOR = "text-density"


@dataclass(frozen=True, slots=True)
class Body:
    """Main text of a page, a line a paragraph; empty if none was found.

    ``extractor`` is the name of the method that found it.
    """

    text: str
    extractor: str


class BodyExtractor(Protocol):
    """Finds the main text of a page. Must not raise, change the tree or take more than linear time.

    It is given the page's text and its tree, and reads the one it works on.
    """

    def extract(self, html: str, tree: etree._Element) -> Body:
        """Main text of the page."""
        ...


class TextDensityExtractor:
    """Document 001's method; see :mod:`topiccrawl.page.density`."""

    name = "text-density"

    def extract(self, html: str, tree: etree._Element) -> Body:
        """Main text by the density of the lines of ``html``; the tree is not used."""
        return Body(extract_by_density(html), self.name)


_EXTRACTORS: dict[str, Callable[[], BodyExtractor]] = {
    TextDensityExtractor.name: TextDensityExtractor
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
