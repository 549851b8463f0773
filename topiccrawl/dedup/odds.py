"""The odds that two pages are publications of one text: a logistic model of their evidence."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from topiccrawl.dedup.evidence import Evidence
from topiccrawl.dedup.titles import MIN_TERMS

#: Texts with fewer shingles are judged mostly by their titles: such texts are often a form only (a choice:
#: in the help of LibreOffice, pages below are template for the most part).
SHORT: Final = 60
#: Longer texts are not trusted more (a choice).
LONG: Final = 960
#: Numbers of a text from which they count fully (a choice).
ENOUGH_NUMBERS: Final = 4
#: Similarity from which the titles of short texts count as equal (as for titles alone, [doc001]).
SHORT_TITLE: Final = 0.8


class Weights(NamedTuple):
    """The weight of each feature, or the features themselves."""

    constant: float
    of_smaller: float
    """How much of the smaller text is shared: to the fourth power, as half of a text is little."""
    of_long: float
    """The same squared, times the length of the smaller text, from :data:`SHORT` to :data:`LONG`."""
    of_larger: float
    """How much of the larger text is shared, if the titles are equal."""
    same_title: float
    plain_title: float
    """1 if the titles are equal and have few terms: 索引 and 插入 say little of a page."""
    other_name: float
    other_numbers: float


#: Fitted 2026-11-22 (``benchmarks/copies/fitting.py``) on Django's documents 3.2 and 5.1, SQLAlchemy's 1.3 and
#: 2.0, the help of LibreOffice 7.0, 7.4 and 25.2, Debian's handbook and manuals of 2021 to 2025, each page
#: against the most similar other pages; and on edits and traps made of 111 real news pages and of 240
#: pages of manuals.  Figures for sources that were left out: docs/duplicates.md.
LONG_TEXTS: Final = Weights(-3.79, 3.48, 5.16, 4.80, 1.17, 0.0, -3.32, -2.14)
#: The same from 2,000 pairs of short pages of these histories, rounded.  The weight of plain titles is a choice:
#: it spares 14 of 41 wrong copies in seven parts of LibreOffice's help, one to five in each but one, and
#: costs 14 of 3,416 edits, mostly excerpts of a few lines; none of 763 copies in the documents of Django,
#: SQLAlchemy, Sphinx and Flask (2026-11-24).
#: The weight of other names is that of long texts: without it, warnings and reports of two cities, which differ in
#: the name and a number, are copies in 5 to 28 % of pairs of four forms, with it in none; of 849 edits of 80 flashes
#: it costs 3 (2026-11).
SHORT_TEXTS: Final = Weights(-4.4, 0.7, 0.0, 4.8, 3.4, -2.0, -3.32, 0.0)


def features(evidence: Evidence, size: int) -> Weights:
    """Return the features of two pages, each in [0, 1].

    Parameters
    ----------
    evidence
        Comparison of the pages.
    size
        Distinct shingles of the smaller text.
    """
    same_title = float(evidence.title >= (SHORT_TITLE if size < SHORT else 1.0))
    length = math.log(min(max(size, SHORT), LONG) / SHORT) / math.log(LONG / SHORT)
    return Weights(
        constant=1.0,
        of_smaller=evidence.of_smaller**4,
        of_long=evidence.of_smaller**2 * length,
        of_larger=evidence.of_larger * same_title,
        same_title=same_title,
        plain_title=same_title * (evidence.title_terms < MIN_TERMS),
        other_name=evidence.other_name,
        other_numbers=(1 - evidence.numbers) * min(1.0, evidence.number_count / ENOUGH_NUMBERS),
    )


def most_log_odds(title: float, of_first: float, of_second: float, size: int) -> float:
    """Return a bound of the log odds that needs neither the names nor the numbers in the texts.

    It is the :func:`log_odds` of pages that agree in both, as other names and numbers weigh against.
    """
    agreeing = Evidence(
        of_first=of_first,
        of_second=of_second,
        jaccard=0.0,
        title=title,
        title_terms=MIN_TERMS,
        other_edition=False,
        other_amount=False,
        other_thing=False,
        other_name=0.0,
        numbers=1.0,
        number_count=0,
    )
    return log_odds(agreeing, size)


def log_odds(evidence: Evidence, size: int) -> float:
    """Return ``w · x``, the log odds that the pages are publications of one text."""
    weights = SHORT_TEXTS if size < SHORT else LONG_TEXTS
    return sum(w * x for w, x in zip(weights, features(evidence, size), strict=True))
