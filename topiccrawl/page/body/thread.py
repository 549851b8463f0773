"""Detect threads: a forum topic, a question with answers, a post with replies.

The body of an article is the article without its readers' comments; the body of a thread is all its
posts. A comment itself does not show which it is, so the decision is made for the page.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from topiccrawl.page.body.thread_evidence import thread_evidence
from topiccrawl.page.learned import Logistic, logistic_from

if TYPE_CHECKING:
    from topiccrawl.page.body.blocks import Blocks, Floats
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
#: its training.  Of 300 layouts of threads left out .913 have .3 for .898 from .7 up, of 300 of other pages .019 for
#: .011, of 72 families of articles with comments .035 for .031; with class names no real article of a site left out
#: has .3 (2026-11).
LEAST = 0.3


def running_text(blocks: Blocks) -> Floats:
    """Return the size of the running text of each block: outside links, with punctuation."""
    return blocks.size * (1 - blocks.link) * (blocks.punctuation > 0)


def detect_thread(outline: Outline, blocks: Blocks, url: str) -> bool:
    """Return whether a page is a thread.

    By its URL, the address and the software that it states, or a learned model of its text and boxes.

    Parameters
    ----------
    outline : Outline
        The walked page.
    blocks : Blocks
        Its blocks, at least one.
    url : str
        URL of the page, empty if unknown.
    """
    if by_address(url) or states_thread(outline):
        return True
    odds = thread_model().odds(evidence_of(outline, blocks)[None])
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


def evidence_of(outline: Outline, blocks: Blocks) -> Floats:
    """Return the evidence that a page is a thread, for the learned model."""
    return thread_evidence(outline, blocks, running_text(blocks))


@cache
def thread_model() -> Logistic:
    """Return the logistic regression on the evidence that comes with the project."""
    path = files("topiccrawl.page.body") / "data" / "thread.json"
    return logistic_from(json.loads(path.read_text("utf-8")))


def by_address(url: str) -> bool:
    """Return whether the host or path of a URL is that of a forum or question site.

    >>> [by_address(url) for url in ("https://bbs.example.cn/a/1", "https://www.example.cn/thread-1-1.html", "")]
    [True, True, False]
    """
    address = url.lower().partition("://")[2]
    host, slash, path = address.partition("/")
    return _HOST.search(f"{host}.") is not None or _PATH.search(slash + path) is not None
