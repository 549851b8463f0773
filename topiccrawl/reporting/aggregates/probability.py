"""What the page classifier made of the fetched pages: probabilities, thresholds, later judgments."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topiccrawl.reporting.aggregates.histogram import Bin, Histogram
from topiccrawl.reporting.aggregates.tallies import Thresholds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.store.records import OutcomeRecord

#: Rows of the table; tenths are usual for reliability diagrams.
TENTHS = 10


@dataclass(frozen=True, slots=True)
class Probabilities:
    """Probabilities of the pages of one report."""

    judged: int
    """Pages with a probability."""
    kept: int
    """The stored ones among them."""
    expected: float
    """Sum of all probabilities: the expected number of pages on topic."""
    expected_kept: float
    """The same of the stored pages."""
    bins: Sequence[Bin]
    """For the chart."""
    tenths: Sequence[Bin]
    """For the table: [0, .1), [.1, .2) … [.9, 1]."""
    thresholds: Thresholds
    """Thresholds of the probability that pages were judged by."""
    withdrawn: int
    """Pages that a later judgment withdrew, and that have not returned."""
    readmitted: int
    """Stored pages that were withdrawn before."""
    admitted: int
    """Stored pages that were near misses at first."""


class ProbabilityTally:
    """Sums over outcomes, in bounded memory."""

    def __init__(self) -> None:
        self._histogram = Histogram()
        self._kept = 0
        self._expected = self._expected_kept = 0.0
        self._thresholds: Thresholds | None = None
        self._reasons: Counter[str] = Counter()

    def add(self, outcome: OutcomeRecord) -> None:
        """Count one outcome; they must come in crawl order."""
        stored = outcome.kept
        if outcome.reason in ("withdrawn", "readmitted", "admitted"):
            self._reasons[outcome.reason] += 1
        if (p := outcome.probability) is None:
            return
        self._histogram.add(p, stored)
        self._expected += p
        if stored:
            self._kept += 1
            self._expected_kept += p
        if (value := outcome.probability_threshold) is not None:
            # Stored pages are judged to the end, most others by the threshold of their time only.
            last = stored or not self._kept
            self._thresholds = Thresholds.seen(self._thresholds, value, last=last)

    def result(self) -> Probabilities | None:
        """Return the sums; ``None`` if the classifier has not learned."""
        if self._thresholds is None:
            return None
        return Probabilities(
            judged=self._histogram.total,
            kept=self._kept,
            expected=self._expected,
            expected_kept=self._expected_kept,
            bins=self._histogram.bins(1.0),
            tenths=self._histogram.bins(1.0, TENTHS),
            thresholds=self._thresholds,
            withdrawn=self._reasons["withdrawn"],
            readmitted=self._reasons["readmitted"],
            admitted=self._reasons["admitted"],
        )
