"""Words for pages with little text, from their metadata and from the link that led to them.

A series of pictures has a title and captions.  Its keywords, its description, the names of its channels, and
the anchor and the surroundings of the link that led to it are often the only words of the topic.  They are
terms like those of the text and have the same ids, so that what was learned from texts applies to them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.analysis.features import page_term_ids
from topiccrawl.scoring.classifier.rows import TERMS

if TYPE_CHECKING:
    from topiccrawl.analysis.page import PageAnalysis
    from topiccrawl.scoring.evidence import LinkEvidence
    from topiccrawl.scoring.strategy import PageView
    from topiccrawl.topics.topic import Topic

#: Most terms of the metadata, and most of a link (a guess: a description has some 40 terms, the surroundings
#: of a link, 40 characters on each side, have up to 20).
BORROWED: Final = 40


def with_stated_words(view: PageView, analysis: PageAnalysis) -> PageView:
    """Return *view* with the words of the page's metadata, if it has little text.

    That is: no body, or fewer than TERMS different terms.
    """
    if analysis.has_body and len(analysis.vector) >= TERMS:
        return view
    heaviest = (weight for _, weight in analysis.vector.top(len(view.term_ids)))
    short = replace(view, little_text=True, term_norm=math.hypot(*heaviest))
    return _with_words(short, analysis.topic, "\n".join([analysis.stated_words, *analysis.trail]))


class LinkWords:
    """Adds the words of the link that led to a page of little text."""

    def __init__(self, topic: Topic) -> None:
        self._topic = topic

    def __call__(self, view: PageView, link: LinkEvidence) -> PageView:
        """Return *view* with the words of *link*; a page with enough text as it is."""
        if not view.little_text or link.parent is None:
            return view
        return _with_words(view, self._topic, f"{link.anchor}\n{link.context}")


def _with_words(view: PageView, topic: Topic, text: str) -> PageView:
    """Return *view* with the terms of *text* that it does not have yet."""
    terms = topic.analyzer.terms(text)
    if not terms:
        return view
    vector = topic.weigh(terms)
    ids, weights = page_term_ids(vector, BORROWED)
    # In the units of the page's own weights; all that a page without text has are these.
    heaviest = math.hypot(*(weight for _, weight in vector.top(BORROWED)))
    weights = weights * (heaviest / (view.term_norm or 1.0))
    known = {*view.term_ids.tolist(), *view.borrowed_ids.tolist()}
    new = np.array([term not in known for term in ids.tolist()], dtype=np.bool_)
    return replace(
        view,
        borrowed_ids=np.concatenate([view.borrowed_ids, ids[new]]),
        borrowed_weights=np.concatenate([view.borrowed_weights, weights[new]]),
    )
