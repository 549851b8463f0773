"""Scores of revisits and of the new links of lists.

They are above those of all links of pages, so that a ranking round leaves them as they are: lists first, then what
is new in them, then articles.
"""

from __future__ import annotations

from typing import Final

from topiccrawl.crawl.ordering import SEED_SCORE

ARTICLE_SCORE: Final = SEED_SCORE
NEW_LINK_SCORE: Final = SEED_SCORE + 100.0
LIST_SCORE: Final = SEED_SCORE + 300.0


def new_link_score(score: float) -> float:
    """Return the score of a new link of a list that would have *score* otherwise: the same order, above all."""
    return NEW_LINK_SCORE + 100.0 * score / (1.0 + abs(score))
