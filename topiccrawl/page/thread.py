"""Is a page a thread: a forum's topic, a question with answers, a post with its replies?

The body of an article is the article, and its readers' comments are not; the body of a thread is all
its posts.  Nothing in a comment itself tells which it is, so the page decides.
"""

from __future__ import annotations

import re

# Hosts and paths of forums and question sites, and the programs behind them.
_HOST = re.compile(
    r"(?:^|[.-])(?:bbs|forums?|tieba|club|zhidao|wenda|ask|wen|community|discuss|discourse|board|answers?"
    r"|question|zhihu|luntan|shequ)\d*(?:[.-])"
)
_PATH = re.compile(
    r"/(?:bbs|forums?|threads?|topics?|questions?|answers?|ask|wenda|discuss(?:ion)?s?|luntan|t)"
    r"[/.\d-]|viewthread|showthread|showtopic|viewtopic|dispbbs|read\.php\?tid|forum\.php|[?&]tid="
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


def is_thread(url: str, generator: str, replies: float, rest: float) -> bool:
    """Whether a page is a thread.

    ``generator`` is its meta tag of that name; ``replies`` and ``rest`` are the running text in boxes
    named as replies and outside of them, in characters (see :data:`blocks.LATIN_SHARE`).
    """
    if _PROGRAM.search(generator):
        return True
    address = url.lower().partition("://")[2]
    host, slash, path = address.partition("/")
    if _HOST.search(f"{host}.") or _PATH.search(slash + path):
        return True
    return (
        replies >= MIN_REPLIES
        and rest < SHORT_POST
        and replies >= MOSTLY_REPLIES * (replies + rest)
    )
