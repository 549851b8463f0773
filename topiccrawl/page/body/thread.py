"""Detect threads: a forum topic, a question with answers, a post with replies.

The body of an article is the article without its readers' comments; the body of a thread is all its
posts. A comment itself does not show which it is, so the decision is made for the page.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from topiccrawl.page.body.thread_evidence import thread_evidence
from topiccrawl.page.learned import Logistic, logistic_from

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.page.body.blocks import Blocks, Floats
    from topiccrawl.page.body.containers import Containers
    from topiccrawl.page.outline import Outline

# Hosts and paths of forums and question sites, and their software.
_HOST = re.compile(
    r"(?:^|[.-])(?:bbs|forums?|tieba|guba|club|zhidao|wenda|ask|wen|community|discuss|discourse|board|answers?"
    r"|question|(?<!zhuanlan.)zhihu|luntan|shequ)\d*(?:[.-])"
)
_PATH = re.compile(
    r"/(?:bbs|forums?|threads?|topics?|questions?|answers?|ask|wenda|discuss(?:ion)?s?|luntan)"
    r"[/.\d-]|/t/(?!(?:19|20)\d\d[/-]?(?:0\d|1[0-2]))\d|viewthread|showthread|showtopic|viewtopic|dispbbs"
    r"|read\.php\?tid|forum\.php|[?&]tid=|thread-\d|topic-\d|/comments(?:\W|$)"
)
_SOFTWARE = re.compile(
    r"discuz|phpwind|phpbb|vbulletin|flarum|discourse|nodebb|xenforo|dvbbs", re.I
)

# Types of pages of schema.org that are threads; a page of frequent questions has another one.
_THREAD_TYPES = frozenset(("QAPage", "DiscussionForumPosting"))
_STATED_TYPE = re.compile(rf'"@type"\s*:\s*"(?:{"|".join(sorted(_THREAD_TYPES))})"')

#: Log odds of the learned model from which a page without a telling address is a thread.  Other pages count twice in
#: its training, so that even odds are -.69.  No real article of a site left out has more than -1.17, a post of a
#: community without a reply has -.46.  Of 300 layouts of threads left out .90 have -.5 for .88 from 0 up, of 300 of
#: other pages .048 for .033, of drawn families .97 for .96 and .039 for .031 (2026-11).
LEAST = -0.4
#: Most running text before the posts of a thread, relative to theirs (a guess).
TEXT_BEFORE = 0.3

_MARK = re.compile(
    r"\d\s?[楼樓](?!\S*[上下层層])|(?:^|\s)#\d{1,4}\b|\b\d{1,4}#|发表于|發表於|發文於|楼主|樓主|沙发|板凳"
)
# In every mark.
_HINT = re.compile("[楼樓#发發沙板]")
# Most characters of a block that can be a mark (a guess: longer ones are posts).
_MARK_LENGTH = 80


def running_text(blocks: Blocks) -> Floats:
    """Return the size of the running text of each block: outside links, with punctuation."""
    return blocks.size * (1 - blocks.link) * (blocks.punctuation > 0)


def detect_thread(outline: Outline, blocks: Blocks, containers: Containers, url: str) -> bool:
    """Return whether a page is a thread.

    By its URL, the address and the software that it states, or a learned model of its text and boxes.

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
    if by_address(url) or states_thread(outline):
        return True
    odds = thread_model().odds(evidence_of(outline, blocks, containers)[None])
    return bool(odds[0] >= LEAST)


def states_thread(outline: Outline) -> bool:
    """Return whether the metadata of a page name forum software, a type of threads or the address of one."""
    if not _THREAD_TYPES.isdisjoint(outline.item_types) or any(
        map(_STATED_TYPE.search, outline.json_ld)
    ):
        return True
    meta = outline.meta
    stated = (outline.canonical_href, meta.get("og:url", ""), meta.get("mobile-agent", ""))
    return any(map(by_address, stated)) or _SOFTWARE.search(meta.get("generator", "")) is not None


def evidence_of(outline: Outline, blocks: Blocks, containers: Containers) -> Floats:
    """Return the evidence that a page is a thread, for the learned model."""
    running = running_text(blocks)
    return thread_evidence(
        outline, blocks, containers, running, lambda: _marked_posts_of(blocks, containers, running)
    )


@cache
def thread_model() -> Logistic:
    """Return the logistic regression on the evidence that comes with the project."""
    path = files("topiccrawl.page.body") / "data" / "thread.json"
    return logistic_from(json.loads(path.read_text("utf-8")))


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
    own, outer = blocks.boxes[members], around[members]
    direct = bool((own != own[0]).any() and (outer == outer[0]).all())
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
    marks = [False] * len(lines)
    for i in range(group[0], group[-1] + 1):
        line = lines[i]
        marks[i] = (
            len(line) <= _MARK_LENGTH
            and _HINT.search(line) is not None
            and _MARK.search(line) is not None
        )
    borders = 0
    for one, other in pairwise(i for i in group if not marks[i]):
        if boxes[one] != boxes[other] and any(marks[one + 1 : other]):
            borders += 1
    return borders


def by_address(url: str) -> bool:
    """Return whether the host or path of a URL is that of a forum or question site.

    >>> [by_address(url) for url in ("https://bbs.example.cn/a/1", "https://www.example.cn/thread-1-1.html", "")]
    [True, True, False]
    """
    address = url.lower().partition("://")[2]
    host, slash, path = address.partition("/")
    return _HOST.search(f"{host}.") is not None or _PATH.search(slash + path) is not None
