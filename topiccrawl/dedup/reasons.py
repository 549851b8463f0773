"""Why two pages are related as they are, for people."""

from __future__ import annotations

import math

from topiccrawl import details
from topiccrawl.dedup.evidence import Evidence
from topiccrawl.dedup.prepared import PreparedPage

#: Numbers of a title that a reason lists at most (a choice).
_LISTED = 3
#: Share of numbers below which a reason mentions them (a choice).
_FEW_NUMBERS = 0.5


def reasons(a: PreparedPage, b: PreparedPage, evidence: Evidence) -> tuple[str, ...]:
    """Return the reasons for and against the relation of two pages, the most important first."""
    return tuple(_reasons(a, b, evidence))


def _reasons(a: PreparedPage, b: PreparedPage, evidence: Evidence) -> list[str]:
    found = []
    if evidence.other_edition or evidence.other_amount:
        first, second = a.title_numbers.only(b.title_numbers), b.title_numbers.only(a.title_numbers)
        found.append(details.OTHER_NUMBERS_IN_TITLES(first=_listed(first), second=_listed(second)))
    if not a.size or not b.size:
        found.append(details.NO_TEXT())
    elif evidence.jaccard == 1.0:
        found.append(details.EQUAL_TEXTS())
    else:
        found.append(
            details.SHARED_TEXT(
                first=_percent(evidence.of_first), second=_percent(evidence.of_second)
            )
        )
    if evidence.title == 1.0:
        found.append(details.EQUAL_TITLES())
    else:
        found.append(details.SIMILAR_TITLES(similarity=f"{evidence.title:.2f}"))
    if evidence.other_thing:
        found.append(details.OTHER_THINGS())
    elif evidence.other_name >= 0.5:
        found.append(details.OTHER_NAMES())
    if evidence.numbers < _FEW_NUMBERS and evidence.jaccard > 0:
        found.append(details.OTHER_NUMBERS(first=_percent(evidence.numbers)))
    return found


def _listed(numbers: list[str]) -> str:
    return ", ".join(n[:20] for n in numbers[:_LISTED])


def _percent(share: float) -> str:
    return f"{math.floor(100 * share)}%"
