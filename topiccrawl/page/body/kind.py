"""What kind of page: an article, a list of links to others, a thread, or something else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import numpy as np

from topiccrawl.page.body.blocks import Blocks, Floats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.page.body.features import PageFeatures
    from topiccrawl.page.outline import Outline

Kind = Literal["article", "list", "thread", "other"]

MIN_BODY = 60.0
"""Running text (see :data:`topiccrawl.page.body.blocks.LATIN_SHARE`) below which a page is no article for
its text alone (a guess: two sentences)."""
WEAK = 0.5
"""Probability of the best block under which a page of links or teasers is a list (a guess; the articles
of real sites have .8 and more, fronts and channels of the own corpus under .4; 2026-11)."""
LIST_LINKS = 15
"""Blocks that are links, which a list has at least (a guess)."""
LIST_SHARE = 1.5
"""Text in links over text of the body, which a list has at least (a guess)."""
SCATTERED = 0.5
"""Share of the body's blocks beside a link from which a front's text is teasers (a guess)."""

# Addresses of fronts and channels: a host, a folder of one plain word or two, a page that only lists.
_FRONT = re.compile(
    r"(?:/[a-z]{1,12}){0,2}/?(?:(?:index|default|list|home|main|channel|column|category|tag)"
    r"(?:[_-]?\d{1,3})?(?:\.[a-z]{2,5})?)?",
    re.IGNORECASE,
)
# Addresses of single pages: a long number in the last part, as a date or the key of a record.
_NUMBERED = re.compile(r"\d{5}[^/]*$")
_STATED = re.compile(r'"@type"\s*:\s*"(?:\w*Article|BlogPosting|Report)"')


def kind_of(
    outline: Outline,
    blocks: Blocks,
    features: PageFeatures,
    p: Floats,
    body: NDArray[np.bool_],
    url: str,
) -> Kind:
    """Decide by what the body is, what links take beside it, and what the page says of itself.

    ``p`` is each block's probability to be body, ``body`` which ones were chosen.

    In doubt a page is an article: one that is taken for a list is lost.
    """
    text = float((blocks.size * (1 - blocks.link))[body].sum())
    if features.thread and text > 0:
        return "thread"
    linked = blocks.link > 0.5
    links = float((blocks.size * blocks.link)[linked].sum())
    stated = "article" in outline.meta.get("og:type", "").lower() or any(
        _STATED.search(data) for data in outline.json_ld
    )
    best = float(p[~linked].max(initial=0.0))
    many = int(linked.sum()) >= LIST_LINKS and links > LIST_SHARE * text
    teasers = _scattered(blocks, linked, body) >= SCATTERED
    numbered = _NUMBERED.search(url.partition("?")[0]) is not None
    suspect = _front(url) or (best < WEAK and not numbered)
    if suspect and not stated and (many or teasers):
        return "list"
    return "article" if text >= MIN_BODY or (text > 0 and (stated or best >= WEAK)) else "other"


def _front(url: str) -> bool:
    """Whether an address is that of a front or channel; an unknown one is not."""
    rest = url.partition("://")[2].partition("#")[0].partition("?")[0]
    host, _, path = rest.partition("/")
    return bool(host) and _FRONT.fullmatch(f"/{path}") is not None


def _scattered(blocks: Blocks, linked: NDArray[np.bool_], body: NDArray[np.bool_]) -> float:
    """Share of the body's blocks with a link right before or after: teasers of other pages."""
    if int(linked.sum()) < LIST_LINKS or not body.any():
        return 0.0
    beside = np.zeros(len(blocks), bool)
    beside[1:] |= linked[:-1]
    beside[:-1] |= linked[1:]
    return float((beside & body).sum() / body.sum())
