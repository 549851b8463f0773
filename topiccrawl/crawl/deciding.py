"""The decision about one page: whether it is kept, and with which probability it is on topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from topiccrawl.analysis.page import PageAnalysis

#: Share of the threshold from which a page is a near miss (a guess).
NEAR_MISS_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Decision:
    """Decision about one page."""

    probability: float
    """Probability that the page is on topic, in [0, 1]."""
    kept: bool
    near_miss: bool
    """Whether the page is stored beside the collection, because it may enter it later."""
    detail: str
    """The reason for people: values and thresholds."""
    judged: bool = False
    """Whether it is the user's own judgment, which outweighs everything."""


#: Decisions of the user.
JUDGED_RELEVANT: Final = Decision(1.0, True, False, "judged relevant by the user", judged=True)
JUDGED_OFF_TOPIC: Final = Decision(0.0, False, False, "judged off topic by the user", judged=True)


def decide(analysis: PageAnalysis) -> Decision:
    """Return the decision about a page by its relevance s and the topic's threshold t.

    The probability is ``s / (s + t)``: 1/2 at the threshold, in the order of the relevance, and not
    calibrated.
    """
    score, threshold = analysis.relevance.score, analysis.topic.threshold
    kept = score >= threshold
    sign = ">=" if kept else "<"
    return Decision(
        probability=score / (score + threshold),
        kept=kept,
        near_miss=not kept and score >= NEAR_MISS_SHARE * threshold,
        detail=f"relevance {score:.3f} {sign} threshold {threshold:.3f}",
    )
