"""What the URL filter learns from one page, for other workers and for runs that continue a crawl."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, replace
from typing import Final

from topiccrawl.urls.content import PageContent
from topiccrawl.urls.novelty import MOST_LINES

#: Versions that a page states, at most, that are learned from (a choice: for phones, small phones, AMP).
MOST_VERSIONS: Final = 4
_END = b"\0"
#: Types of the words of a lesson, and of those about its content.
_PAGE: Final = [str, str, bool, bool, bool]
_CONTENT: Final = [int, int, bool, bool, str, str]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A fetched page with text, as :class:`~topiccrawl.urls.filter.UrlFilter` sees it."""

    url: str
    """Canonical URL."""
    text_hash: str
    new: bool
    """Whether it brought something new."""
    counted: bool
    """Whether it counts for the budgets of its families."""
    lines: tuple[int, ...] = ()
    """Ids of the address that was requested and of the lines that were new on its host."""
    earned: bool = False
    """Whether it was a new page on the topic, which earns its domain more host names."""
    content: PageContent | None = None
    """What mirrors and versions of it are compared by."""
    named: bool = False
    """Whether the user has named the page."""
    canonical: str = ""
    """Canonical form of the address that the page states for itself, if it is another one."""
    redirected: str = ""
    """Canonical URL that redirected to the page, if any."""
    versions: tuple[str, ...] = ()
    """Canonical forms of the addresses that the page states for versions of it."""
    copied: bool = False
    """Whether other hosts had nearly all of its text before; not packed."""


def pack_lesson(lesson: Lesson) -> bytes:
    """Return *lesson* as bytes: JSON, a zero byte, and eight bytes for each line."""
    words: list[object] = [
        lesson.url,
        lesson.text_hash,
        lesson.new,
        lesson.counted,
        lesson.earned,
    ]
    if (content := lesson.content) is not None:
        words += [content.hash, content.gist, content.has_body, lesson.named, lesson.canonical]
        words.append(lesson.redirected)
        words += lesson.versions[:MOST_VERSIONS]
    lines = lesson.lines[:MOST_LINES]
    return json.dumps(words).encode() + _END + struct.pack(f"<{len(lines)}Q", *lines)


def unpack_lesson(data: bytes) -> Lesson:
    """Return the lesson in *data*; raise ``ValueError`` or ``struct.error`` for anything else."""
    head, _, packed = data.partition(_END)
    if len(packed) > MOST_LINES * 8:
        raise ValueError(f"a lesson has at most {MOST_LINES} lines")
    words = json.loads(head)
    if not isinstance(words, list) or not _valid(list(map(type, words))):
        raise ValueError("a lesson has two texts and three flags, and may have a content")
    url, text_hash, new, counted, earned, *more = words
    lines = struct.unpack(f"<{len(packed) // 8}Q", packed)
    lesson = Lesson(url, text_hash, new, counted, lines, earned)
    if not more:  # a page without a content, or an entry of an older version
        return lesson
    content = PageContent(*more[:3])
    named, canonical, redirected, *versions = more[3:]
    return replace(
        lesson,
        content=content,
        named=named,
        canonical=canonical,
        redirected=redirected,
        versions=tuple(versions),
    )


def _valid(types: list[type]) -> bool:
    page, content = types[: len(_PAGE)], types[len(_PAGE) : len(_PAGE) + len(_CONTENT)]
    versions = types[len(_PAGE) + len(_CONTENT) :]
    if page != _PAGE or content not in ([], _CONTENT):
        return False
    return len(versions) <= MOST_VERSIONS and all(it is str for it in versions)
