"""What the URL filter learns from one page, for other workers and for runs that continue a crawl."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass

from topiccrawl.urls.novelty import MOST_LINES

_END = b"\0"


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
    """Ids of the lines that were new on its host."""
    earned: bool = False
    """Whether it was a new page on the topic, which earns its domain more host names."""
    copied: bool = False
    """Whether other hosts had nearly all of its text before; not packed."""


def pack_lesson(lesson: Lesson) -> bytes:
    """Return *lesson* as bytes: JSON, a zero byte, and eight bytes for each line."""
    words = [lesson.url, lesson.text_hash, lesson.new, lesson.counted, lesson.earned]
    lines = lesson.lines[:MOST_LINES]
    return json.dumps(words).encode() + _END + struct.pack(f"<{len(lines)}Q", *lines)


def unpack_lesson(data: bytes) -> Lesson:
    """Return the lesson in *data*; raise ``ValueError`` or ``struct.error`` for anything else."""
    head, _, packed = data.partition(_END)
    if len(packed) > MOST_LINES * 8:
        raise ValueError(f"a lesson has at most {MOST_LINES} lines")
    words = json.loads(head)
    if not isinstance(words, list) or list(map(type, words)) != [str, str, bool, bool, bool]:
        raise ValueError("a lesson has two texts and three flags")
    url, text_hash, new, counted, earned = words
    lines = struct.unpack(f"<{len(packed) // 8}Q", packed)
    return Lesson(url, text_hash, new, counted, lines, earned)
