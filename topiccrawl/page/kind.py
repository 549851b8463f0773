"""What kind of page: an article, a list of links to others, a thread, or something else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import numpy as np

from topiccrawl.page.blocks import Blocks, Floats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.page.features import PageFeatures
    from topiccrawl.page.outline import Outline

MIN_BODY = 60.0
"""Running text (see :data:`topiccrawl.page.blocks.LATIN_SHARE`) below which a page is no article for
its text alone (a guess: two sentences)."""
LIST_LINKS = 15
"""Blocks that are links, from which a page with little other text is a list (a guess)."""
LIST_SHARE = 1.5
"""Text in links over text of the body, from which a page without other signs is a list (a guess)."""
_TEASER = 40.0  # a list's items are shorter than this, on average (a guess)

# Addresses of fronts and channels: nothing after the last slash, or a page that only lists.
_FRONT = re.compile(
    r"(?:/|/(?:index|default|list|home|main|channel|column|category|tag)[\w-]*(?:\.\w{2,5})?)/?$"
)


def kind_of(
    outline: Outline,
    blocks: Blocks,
    features: PageFeatures,
    body: NDArray[np.bool_],
    p: Floats,
    url: str,
) -> Literal["article", "list", "thread", "other"]:
    """Decide by what the body is, what links take beside it, and what the page says of itself."""
    running = blocks.size * (1 - blocks.link)
    text = float(running[body].sum())
    if features.thread and text > 0:
        return "thread"
    linked = blocks.link > 0.5
    links = float((blocks.size * blocks.link)[linked].sum())
    stated = outline.meta.get("og:type", "").lower()
    path = url.partition("://")[2].partition("#")[0].partition("?")[0]
    front = path.find("/") < 0 or _FRONT.search(path) is not None
    evidence = 0.0
    evidence += 1.0 if links > LIST_SHARE * text else -0.5
    evidence += 1.0 if front else -0.5
    evidence += 0.5 if int(linked.sum()) >= LIST_LINKS else -1.0
    evidence += _scattered(blocks, body)
    if "article" in stated:
        evidence -= 1.0
    if text >= 10 * MIN_BODY:
        evidence -= 1.0
    if evidence > 1.0:
        return "list"
    return "article" if text >= MIN_BODY or "article" in stated else "other"


def _scattered(blocks: Blocks, body: NDArray[np.bool_]) -> float:
    """Share of the body's blocks with a link right before or after: teasers of other pages."""
    if not body.any():
        return 1.0
    linked = blocks.link > 0.5
    beside = np.zeros(len(blocks), bool)
    beside[1:] |= linked[:-1]
    beside[:-1] |= linked[1:]
    mean = float(blocks.size[body].mean())
    share = float((beside & body).sum() / body.sum())
    return share if mean < _TEASER else share / 2
