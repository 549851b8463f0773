"""Is a page a thread: a forum's topic, a question with answers, a post with its replies?

The body of an article is the article, and its readers' comments are not; the body of a thread is all
its posts.  Nothing in a comment itself tells which it is, so the page decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

# Hosts and paths of forums and question sites, and the programs behind them.
_HOST = re.compile(
    r"(?:^|[.-])(?:bbs|forums?|tieba|club|zhidao|wenda|ask|wen|community|discuss|discourse|board|answers?"
    r"|question|zhihu|luntan|shequ)\d*(?:[.-])"
)
_PATH = re.compile(
    r"/(?:bbs|forums?|threads?|topics?|questions?|answers?|ask|wenda|discuss(?:ion)?s?|luntan)"
    r"[/.\d-]|/t/\d|viewthread|showthread|showtopic|viewtopic|dispbbs|read\.php\?tid|forum\.php|[?&]tid="
    r"|thread-\d|topic-\d|/comments(?:\W|$)"
)
_PROGRAM = re.compile(r"discuz|phpwind|phpbb|vbulletin|flarum|discourse|nodebb|xenforo|dvbbs", re.I)

MOSTLY_REPLIES = 0.85
"""Share of replies in the running text from which a page without other signs is a thread ..."""
SHORT_POST = 300.0
"""... if what is not replies is shorter than this (both guesses: an article that has more comments
than text is longer)."""
MIN_REPLIES = 200.0
"""Running text of replies below which nothing is concluded from them (a guess)."""


MIN_MARKED_POSTS = 2
"""Borders between posts with a floor number or the like, from which a page is a thread (a guess)."""

_MARK = re.compile(
    r"\d\s?[楼樓](?!\S*[上下层層])|(?:^|\s)#\d{1,4}\b|\b\d{1,4}#|发表于|發表於|發文於|楼主|樓主|沙发|板凳"
)
_MARK_LENGTH = 80  # characters of a block that can be a mark (a guess: longer ones are posts)


def marked_posts(lines: Sequence[str], boxes: Sequence[int], group: Sequence[int]) -> int:
    """Borders between two posts that show a mark: a floor number, 发表于, 楼主.

    ``lines`` are the blocks, ``boxes`` the box around each one's own, and ``group`` the numbers of the
    blocks of one group.  An article's paragraphs share one box and have no mark
    between them, though its readers' comments may have floors.
    """
    marks = [len(x) <= _MARK_LENGTH and _MARK.search(x) is not None for x in lines]
    borders = 0
    for one, other in pairwise(i for i in group if not marks[i]):
        if boxes[one] != boxes[other] and any(marks[one + 1 : other]):
            borders += 1
    return borders


def is_thread(
    url: str, generator: str, replies: float, rest: float, marked: Callable[[], int] = int
) -> bool:
    """Whether a page is a thread.

    ``generator`` is its meta tag of that name; ``replies`` and ``rest`` are the running text in boxes
    named as replies and outside of them, in characters (see :data:`blocks.LATIN_SHARE`); ``marked``
    gives :func:`marked_posts`, and is asked only if nothing else decides.
    """
    if _PROGRAM.search(generator):
        return True
    address = url.lower().partition("://")[2]
    host, slash, path = address.partition("/")
    if _HOST.search(f"{host}.") or _PATH.search(slash + path):
        return True
    if replies >= max(MIN_REPLIES, MOSTLY_REPLIES * (replies + rest)) and rest < SHORT_POST:
        return True
    return marked() >= MIN_MARKED_POSTS
