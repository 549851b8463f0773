"""Parts behind a text that are other pages: teasers, the next article, although their blocks look like body.

A *part* is all selected blocks of one group that follow the group of the text.  The block classifier sees one block
after the other; here the text and a part are compared as wholes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.body.items import HEADINGS, in_headings
from topiccrawl.page.body.selection import SENTENCE_END, THRESHOLD
from topiccrawl.page.body.windows import prefix_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.page.body.blocks import Blocks, Floats, Ints
    from topiccrawl.page.body.features import PageFeatures
    from topiccrawl.page.learned import Logistic

    Flags = NDArray[np.bool_]

#: Least probability of a part that is body: with .2 short Chinese texts above feeds of sites left out gain .05 to .08,
#: with .3 .08 to .09, with .4 one of 181 English pages as they are is lost more (2026-11).
LEAST: Final = 0.3
#: Names of the features, in the order of the columns.
FEATURES: Final = (
    "size by text", "size", "runs", "probability", "probability of text", "best of text by best", "terms",
    "terms of text", "away", "headed", "linked", "dated",
    "selected",
)  # fmt: skip
#: Least share of links, and least size, of a block that links to another page by its title; blocks above a run of a
#: part among which its heading, link or date is (guesses).
_LINKED, _TITLE_SIZE, _ABOVE = 0.8, 5.0, 4
#: Copies of the title that may be the heading of the article (a guess: a trail, a heading).
_COPIES: Final = 3
#: Terms of the title are counted per this size, in Han characters (not tuned).
_TERMS_PER: Final = 100


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts behind the text of a page that have no more terms of the title for their size than it has."""

    numbers: Ints
    """Shape (blocks,): the number of the part of each block, -1 for none."""
    matrix: Floats
    """Shape (parts, features)."""


def parts_of(
    tags: list[str], blocks: Blocks, features: PageFeatures, body: Flags, p: Floats
) -> Parts | None:
    """Return the parts behind the text, None if there is none; parameters as in :func:`without_other_parts`."""
    chosen = np.flatnonzero(body)
    if not len(chosen):
        return None
    # The text begins with the first block that is body by itself.
    chosen = chosen[int(np.argmax(p[chosen] >= THRESHOLD)) :]
    groups = features.groups[chosen]
    lines = chosen[groups == groups[0]]
    # What has no sentence is a label, or another copy of the title.
    if chosen[-1] == lines[-1] or not any(SENTENCE_END.search(blocks.texts[i]) for i in lines):
        return None
    # Number 0 is the text.
    numbers, first, at = np.unique(groups, return_index=True, return_inverse=True)
    text = int(at[0])
    size = np.bincount(at, blocks.size[chosen])
    terms = np.bincount(at, np.expm1(features.column("terms")[chosen])) / size
    end = blocks.last[_container(blocks, features.parents, lines)]
    able = (chosen[first] >= end) & (terms <= terms[text]) & (terms[text] > 0)
    parts = np.flatnonzero(able)
    if not len(parts):
        return None
    mean = np.bincount(at, p[chosen]) / np.bincount(at)
    best = np.zeros(len(numbers))
    np.maximum.at(best, at, p[chosen])
    begins = (np.diff(at, prepend=-1) != 0) | (np.diff(chosen, prepend=-2) > 1)
    runs = np.bincount(at, begins)
    above = _above(tags, blocks, features, chosen, np.flatnonzero(begins))
    shares = [np.bincount(at[begins], column, len(numbers)) / runs for column in above.T]
    weight = np.log1p(_TERMS_PER * terms)
    whole = np.bincount(features.groups, blocks.size)[numbers]
    columns = (
        np.log(size / size[text]), np.log(size), np.log(runs), mean, mean[text], best[text] - best, weight,
        weight[text], np.log(np.maximum(chosen[first] - chosen[0], 1)), *shares,
        size / whole,
    )  # fmt: skip
    part_of = np.full(len(numbers), -1)
    part_of[parts] = np.arange(len(parts))
    found = np.full(len(body), -1)
    found[chosen] = part_of[at]
    matrix = np.column_stack([np.broadcast_to(it, len(numbers)) for it in columns])
    return Parts(found, matrix[parts])


def _container(blocks: Blocks, parents: Ints, text: Ints) -> int:
    """Return the innermost box around all blocks of the text, and around the box of its first one."""
    box = int(parents[blocks.boxes[text[0]]])
    while box and blocks.last[box] <= text[-1]:
        box = int(parents[box])
    return box


def _above(
    tags: list[str], blocks: Blocks, features: PageFeatures, chosen: Ints, begins: Ints
) -> Flags:
    """Return whether a heading, a link by its title, a date is close above each run, shape (runs, 3)."""
    heading = in_headings(tags, blocks)
    linked = (blocks.link >= _LINKED) & (blocks.size >= _TITLE_SIZE)
    sums = prefix_sums(np.column_stack((heading & ~features.titles, linked, features.borders)))
    last = chosen[begins]
    return np.asarray(sums[last] > sums[np.minimum(np.maximum(last - _ABOVE, chosen[0] + 1), last)])


def without_next_articles(
    tags: list[str], blocks: Blocks, features: PageFeatures, body: Flags
) -> Flags:
    """Return the body up to the next heading of the title's sort that is in another box: the next article's.

    Parameters as in :func:`without_other_parts`.  Sections of one article have other headings than its title, or are
    in the box of that.
    """
    around = features.parents[blocks.boxes]
    for title in np.flatnonzero(features.titles)[:_COPIES].tolist():
        if tags[blocks.boxes[title]] not in HEADINGS:
            continue
        alike = (features.groups == features.groups[title]) & (around != around[title])
        alike[: title + 1] = False
        following = np.flatnonzero(alike & ~features.titles)
        if not len(following):
            continue
        lines = title + np.flatnonzero(body[title : following[0]])
        if any(SENTENCE_END.search(blocks.texts[i]) for i in lines):
            first = body.copy()
            first[following[0] :] = False
            return first
    return body


def without_other_parts(
    tags: list[str],
    blocks: Blocks,
    features: PageFeatures,
    body: Flags,
    p: Floats,
    model: Logistic,
) -> Flags:
    """Return the body of an article without the parts behind its text that are other pages.

    Parameters
    ----------
    tags : list of str, shape (boxes,)
        The tags of the boxes of the page.
    blocks : Blocks
        Its blocks, at least one.
    features : PageFeatures
        Their features.
    body : ndarray of bool, shape (blocks,)
        The blocks that were selected as body.
    p : ndarray of float, shape (blocks,)
        Probability of each block to be body, in [0, 1].
    model : Logistic
        The probability of a part to be body.

    Returns
    -------
    ndarray of bool, shape (blocks,)
    """
    parts = parts_of(tags, blocks, features, body, p)
    if parts is None:
        return body
    other = model.predict(parts.matrix) < LEAST
    return body & ~((parts.numbers >= 0) & other[parts.numbers])
