"""The contract of a body extractor: what it may read of a page, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from topiccrawl.page.body.blocks import Blocks
    from topiccrawl.page.outline import Outline

Kind = Literal["article", "list", "thread", "other"]


@dataclass(frozen=True, slots=True)
class Extraction:
    """The text of a page in parts, and the kind of the page."""

    body: str = ""
    """Main text, one line per paragraph: the article, or all posts of a thread. A list has none."""
    comments: str = ""
    """Readers' comments below an article, one line per paragraph. The posts of a thread are body."""
    kind: Kind | None = None
    """None if the extractor does not decide: the page derives it by rules at its first use, see
    :func:`topiccrawl.page.body.kind.kind_by_rules`."""
    body_offsets: tuple[int, ...] | None = None
    """Offset in the outline's text of each line of the body, from which its Markdown is written; None if the
    extractor does not state them: the lines are then looked for."""
    comment_offsets: tuple[int, ...] | None = None
    """The same for the comments; None: the comments are not divided into records."""


class ReadablePage(Protocol):
    """The properties of a page that an extractor may read. Each is computed at its first use."""

    @property
    def url(self) -> str:
        """URL of the page, empty if unknown."""

    @property
    def text(self) -> str:
        """The decoded HTML."""

    @property
    def outline(self) -> Outline:
        """Text, links, boxes and metadata, gathered in one walk over the element tree."""

    @property
    def blocks(self) -> Blocks:
        """The blocks of the text, in document order."""

    @property
    def stated_title(self) -> str:
        """Title as the page states it, empty if it does not."""


class BodyExtractor(Protocol):
    """Finds body, comments and kind of a page.

    An extractor is a class without constructor arguments. One instance is shared by all pages of
    the process, so it must not keep anything of a page. It must not raise on any page, change the
    page, or take more than linear time.
    """

    def extract(self, page: ReadablePage) -> Extraction:
        """Return body, comments and kind of a page."""
        ...
