"""The odds that two pages are publications of one text: a logistic model of their evidence."""

from __future__ import annotations

from typing import Final, NamedTuple

from topiccrawl.dedup.evidence import Evidence

#: Texts with fewer shingles are judged mostly by their titles: such texts are often a form only (a choice:
#: in the help of LibreOffice, pages below are template for the most part).
SHORT: Final = 60
#: Fewer numbers in a text say less of it (a choice).
ENOUGH_NUMBERS: Final = 4
#: Similarity from which the titles of short texts count as equal (as for titles alone, [doc001]).
SHORT_TITLE: Final = 0.8


class Weights(NamedTuple):
    """The weight of each feature, see :func:`features`; a feature itself."""

    constant: float
    of_smaller: float
    of_larger: float
    of_larger_same_title: float
    same_title: float
    other_name: float
    other_numbers: float


#: Fitted by ``python -m benchmarks.copies`` (2026-11-22) on Django's documents 3.2 and 5.1, SQLAlchemy's 1.3
#: and 2.0, the help of LibreOffice 7.0, 7.4 and 25.2, Debian's handbook and manuals of 2021 to 2025, each page
#: against the most similar other pages; and on edits and traps made of 111 real news pages and of 240
#: pages of manuals.  Each source and class weighs the root of its pairs, the other pages of histories
#: four times that.  Figures for sources that were left out: docs/duplicates.md.
LONG_TEXTS: Final = Weights(-4.26, 5.93, 0.93, 4.03, 1.29, -3.61, -1.27)
#: The same from 1,400 pairs of short pages of these histories, rounded.
SHORT_TEXTS: Final = Weights(-4.4, 0.7, 2.2, 2.6, 3.4, 0.0, 0.0)


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
    return Weights(
        constant=1.0,
        # Half of a text is little, all of it is much.
        of_smaller=evidence.of_smaller**4,
        of_larger=evidence.of_larger,
        of_larger_same_title=evidence.of_larger * same_title,
        same_title=same_title,
        other_name=evidence.other_name,
        other_numbers=(1 - evidence.numbers) * min(1.0, evidence.number_count / ENOUGH_NUMBERS),
    )


def log_odds(evidence: Evidence, size: int) -> float:
    """Return ``w · x``, the log odds that the pages are publications of one text."""
    weights = SHORT_TEXTS if size < SHORT else LONG_TEXTS
    return sum(w * x for w, x in zip(weights, features(evidence, size), strict=True))
