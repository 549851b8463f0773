"""A page's text in parts: body, readers' comments, and the rest; and what kind of page it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from topiccrawl.page.body.blocks import Blocks, Floats, blocks_of
from topiccrawl.page.body.features import PageFeatures, features_of
from topiccrawl.page.body.kind import Kind, kind_of
from topiccrawl.page.body.model import BodyModel, body_model

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.page.outline import Outline

THRESHOLD = 0.5
"""Probability from which a block is body ..."""
RELATIVE_THRESHOLD = 0.6
"""... or this share of the page's best block that is no link, if that is less: a page whose body is
short or strange has only weak candidates (a guess) ..."""
FLOOR = 0.1
"""... but never less than this: a page whose best candidate is weaker has no body (a guess)."""
MOSTLY_LINK = 0.5
"""Share of links from which a block is a link rather than text (a guess)."""
POSTS = 0.4
"""Mean probability, by size, from which all blocks of a group are body on a thread, as are those of
the group that is most of the body: posts stand
in like boxes, and a short one is a post as much as a long one (a guess; on Chinese pages of sites
left out, .3 to .5 differ by .001, and all raise the F1 of threads by .05; 2026-11)."""


@dataclass(frozen=True, slots=True)
class PageParts:
    """What :func:`parts_of` found."""

    body: str
    """Main text, a line a paragraph: the article, or all posts of a thread; a list has none."""
    comments: str
    """What readers wrote under an article, a line a paragraph."""
    kind: Kind


NOTHING = PageParts("", "", "other")


def parts_of(outline: Outline, title: str, url: str, model: BodyModel | None = None) -> PageParts:
    """Tell body, comments and the rest apart, and say what kind of page it is.

    ``model`` is for those who train one; the default is the one that comes with the program.
    """
    blocks = blocks_of(outline)
    if not len(blocks):
        return NOTHING
    features = features_of(outline, blocks, title, url)
    p = (model or body_model()).predict(blocks, features)
    body = select(p, blocks, features)
    kind = kind_of(outline, blocks, features, p, body, url)
    comments = np.zeros(len(blocks), bool)
    if kind == "list":
        body = np.zeros(len(blocks), bool)
    elif kind != "thread":
        comments = features.replies & ~body & (blocks.link < MOSTLY_LINK)
        comments &= blocks.punctuation > 0
    return PageParts(_text(blocks, body), _text(blocks, comments), kind)


def select(p: Floats, blocks: Blocks, features: PageFeatures) -> NDArray[np.bool_]:
    """Which blocks are body: the probable ones without the page's title, unless it is all."""
    text = blocks.link < MOSTLY_LINK
    best = float(p[text].max(initial=0.0))
    body = p >= max(FLOOR, min(THRESHOLD, RELATIVE_THRESHOLD * best))
    body &= text | (p >= THRESHOLD)
    if features.thread:
        mass = np.bincount(features.groups, p * blocks.size)
        mean = mass / np.bincount(features.groups, blocks.size)
        most = np.argmax(np.bincount(features.groups, blocks.size * body))
        body |= text & ((mean[features.groups] >= POSTS) | (features.groups == most))
    without = body & ~features.titles
    return without if without.any() else body


def _text(blocks: Blocks, chosen: NDArray[np.bool_]) -> str:
    return "\n".join(blocks.texts[i] for i in np.flatnonzero(chosen))
