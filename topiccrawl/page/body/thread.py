"""Detect threads: a forum topic, a question with answers, a post with replies.

The body of an article is the article without its readers' comments; the body of a thread is all its
posts. A comment itself does not show which it is, so the decision is made for the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from topiccrawl.page.body.blocks import Blocks, Floats
    from topiccrawl.page.body.containers import Containers
    from topiccrawl.page.outline import Outline

# Hosts and paths of forums and question sites, and their software.
_HOST = re.compile(
    r"(?:^|[.-])(?:bbs|forums?|tieba|club|zhidao|wenda|ask|wen|community|discuss|discourse|board|answers?"
    r"|question|zhihu|luntan|shequ)\d*(?:[.-])"
)
_PATH = re.compile(
    r"/(?:bbs|forums?|threads?|topics?|questions?|answers?|ask|wenda|discuss(?:ion)?s?|luntan)"
    r"[/.\d-]|/t/\d|viewthread|showthread|showtopic|viewtopic|dispbbs|read\.php\?tid|forum\.php|[?&]tid="
    r"|thread-\d|topic-\d|/comments(?:\W|$)"
)
_SOFTWARE = re.compile(
    r"discuz|phpwind|phpbb|vbulletin|flarum|discourse|nodebb|xenforo|dvbbs", re.I
)

#: Share of replies in the running text from which a page without other signs is a thread, if the rest is
#: shorter than :data:`SHORT_POST` (a guess).
MOSTLY_REPLIES = 0.85
#: Running text outside replies, in Han characters, of a thread found by its replies: an article with more
#: comments than text is longer (a guess).
SHORT_POST = 300.0
#: Running text of replies, in Han characters, below which nothing is concluded from them (a guess).
MIN_REPLIES = 200.0
#: Borders between posts with a floor number or the like, from which a page is a thread (a guess).
MIN_MARKED_POSTS = 2
#: Most running text before the posts of a thread, relative to theirs (a guess).
TEXT_BEFORE = 0.3

_MARK = re.compile(
    r"\d\s?[楼樓](?!\S*[上下层層])|(?:^|\s)#\d{1,4}\b|\b\d{1,4}#|发表于|發表於|發文於|楼主|樓主|沙发|板凳"
)
# Most characters of a block that can be a mark (a guess: longer ones are posts).
_MARK_LENGTH = 80


def running_text(blocks: Blocks) -> Floats:
    """Return the size of the running text of each block: outside links, with punctuation."""
    return blocks.size * (1 - blocks.link) * (blocks.punctuation > 0)


def detect_thread(outline: Outline, blocks: Blocks, containers: Containers, url: str) -> bool:
    """Return whether a page is a thread, by its URL, software, replies or marks between posts.

    Parameters
    ----------
    outline : Outline
        The walked page.
    blocks : Blocks
        Its blocks, at least one.
    containers : Containers
        Their containers.
    url : str
        URL of the page, empty if unknown.
    """
    running = running_text(blocks)
    return is_thread(
        url,
        outline.meta.get("generator", ""),
        float(running[containers.replies].sum()),
        float(running[~containers.replies].sum()),
        lambda: _marked_posts_of(blocks, containers, running),
    )


def _marked_posts_of(blocks: Blocks, containers: Containers, running: Floats) -> int:
    """Count marked borders in the group with most running text; 0 if it is named a reply."""
    groups, parents = containers.groups, containers.parents
    sizes = np.bincount(groups, running)
    group = int(np.argmax(sizes))
    members = np.flatnonzero(groups == group)
    # There is hardly any text before the posts of a thread; before comments there is the article.
    text_before = running[: members[0]].sum()
    if containers.replies[members].any() or text_before > TEXT_BEFORE * sizes[group]:
        return 0
    around = parents[blocks.boxes]
    # Posts may contain their text directly or in paragraphs.
    direct = len(np.unique(blocks.boxes[members])) > 1 and len(np.unique(around[members])) == 1
    boxes = blocks.boxes if direct else around
    return marked_posts(blocks.texts, boxes.tolist(), members.tolist())


def marked_posts(lines: Sequence[str], boxes: Sequence[int], group: Sequence[int]) -> int:
    """Count borders between two posts that have a mark: a floor number, 发表于, 楼主.

    The paragraphs of an article share one box and have no mark between them, though its readers'
    comments may have floor numbers.

    Parameters
    ----------
    lines : sequence of str, shape (blocks,)
        Texts of the blocks.
    boxes : sequence of int, shape (blocks,)
        The box around each block that would be its post.
    group : sequence of int
        Indices of the blocks of one group, ascending.
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
    """Return whether a page is a thread.

    Parameters
    ----------
    url : str
        URL of the page, empty if unknown.
    generator : str
        Content of the page's meta tag ``generator``.
    replies, rest : float
        Running text in boxes named as replies, and outside of them, in Han characters (see
        :data:`topiccrawl.page.body.blocks.LATIN_SHARE`).
    marked : callable
        Returns the result of :func:`marked_posts`; called only if nothing else decides.
    """
    if _SOFTWARE.search(generator):
        return True
    address = url.lower().partition("://")[2]
    host, slash, path = address.partition("/")
    if _HOST.search(f"{host}.") or _PATH.search(slash + path):
        return True
    if replies >= max(MIN_REPLIES, MOSTLY_REPLIES * (replies + rest)) and rest < SHORT_POST:
        return True
    return marked() >= MIN_MARKED_POSTS
