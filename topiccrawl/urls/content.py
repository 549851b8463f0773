"""What two addresses must have in common to be the same page: its content in two numbers."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from topiccrawl.urls.novelty import PageText

#: Fewest letters of a paragraph that counts.  Shorter lines of a body are what versions of a page differ in:
#: 来源, 阅读 1234 次, 责任编辑, 打印本页 (a guess: a line of 20 Han characters is a sentence).
PARAGRAPH: Final = 20
#: Fewest letters in paragraphs of a page that is compared by its body; others are compared by all that a
#: reader sees (the shortest body that is analyzed, [doc001]).
BODY: Final = 100
_SPACES: Final = re.compile(r"[\W_]+")
_DIGITS: Final = re.compile(r"\d+")
_SIZE: Final = 6


@dataclass(frozen=True, slots=True)
class PageContent:
    """The content of a page, as mirrors and versions are compared."""

    hash: int
    """Equal for pages with equal paragraphs; of a page without a body, with equal visible text.  48 bits."""
    gist: int
    """The same without digits and words of the address: error pages that repeat what was asked for, and
    pages of a calendar, have one gist."""
    has_body: bool
    """Whether the paragraphs of its body are compared."""


#: The content of a page that a server does not have: differs from every content.
GONE: Final = PageContent(0, 0, has_body=False)


def page_content(body: str, text: PageText | None) -> PageContent | None:
    """Return the content of a page, ``None`` if it has no text.

    *body* is the main text, one line for each paragraph; the visible *text* is compared if it is too short.
    """
    if text is None:
        return None
    lines = (_SPACES.sub("", line) for line in body.split("\n"))
    paragraphs = [line for line in lines if len(line) >= PARAGRAPH]
    if sum(map(len, paragraphs)) < BODY:
        gist = _number(*map(str, sorted(set(text.lines))))
        return PageContent(int(text.hash[: 2 * _SIZE], 16), gist, has_body=False)
    words = _DIGITS.sub("", "\n".join(paragraphs))
    return PageContent(_number(*paragraphs), _number(words), has_body=True)


def _number(*texts: str) -> int:
    digest = hashlib.blake2b("\n".join(texts).encode("utf-8", "replace"), digest_size=_SIZE)
    return int.from_bytes(digest.digest()) or 1
