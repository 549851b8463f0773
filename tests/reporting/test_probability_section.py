"""The report's section on probabilities: sums, thresholds, later judgments, in plain language."""

from __future__ import annotations

from tests.support.html_trees import html_tree
from tests.support.reporting_store import make_outcome
from topiccrawl.reporting.aggregates.probability import Probabilities, ProbabilityTally
from topiccrawl.reporting.html.probability import probability_section
from topiccrawl.reporting.words.labels import Words
from topiccrawl.store.contract import OutcomeRecord


def outcome(
    number: int, verdict: str, reason: str, p: float | None, threshold: float | None
) -> OutcomeRecord:
    return make_outcome(
        f"http://a.cn/{number}",
        verdict=verdict,
        reason=reason,
        probability=p,
        probability_threshold=threshold,
    )


ROWS = (
    ("dropped", "off-topic", 0.1, None),  # before anything was learned
    ("stored", "relevant", 0.95, 0.4),
    ("stored", "admitted", 0.5, 0.45),
    ("dropped", "duplicate-title", 0.75, 0.6),
    ("dropped", "withdrawn", 0.2, 0.45),
    ("stored", "readmitted", 1.0, 0.45),
    ("dropped", "off-topic", 0.0, 0.3),
    ("failed", "http-404", None, None),
)


def tallied(*rows: tuple[str, str, float | None, float | None]) -> Probabilities | None:
    tally = ProbabilityTally()
    for number, row in enumerate(rows):
        tally.add(outcome(number, *row))
    return tally.result()


def test_pages_are_counted_by_tenths_of_probability() -> None:
    found = tallied(*ROWS)
    assert found is not None
    assert [(tenth.kept, tenth.rejected) for tenth in found.tenths] == [
        (0, 1), (0, 1), (0, 1), (0, 0), (0, 0), (1, 0), (0, 0), (0, 1), (0, 0), (2, 0),
    ]  # fmt: skip
    assert (found.judged, found.kept) == (7, 3)
    assert round(found.expected, 6) == 3.5
    assert round(found.expected_kept, 6) == 2.45


def test_the_last_threshold_is_that_of_the_stored_pages() -> None:
    found = tallied(*ROWS)
    assert found is not None
    thresholds = found.thresholds
    assert (thresholds.low, thresholds.high, thresholds.last) == (0.3, 0.6, 0.45)
    none_stored = tallied(("dropped", "off-topic", 0.1, 0.6), ("dropped", "off-topic", 0.1, 0.3))
    assert none_stored is not None
    assert none_stored.thresholds.last == 0.3


def test_the_summary_is_in_plain_language() -> None:
    section = probability_section(tallied(*ROWS), Words("en"))
    assert section is not None
    text = html_tree(section).find_class("plain")[0].text_content()
    assert " ".join(text.split()) == (
        "7 pages were judged; by their probabilities about 4 of them are on topic. "
        "3 were kept, of which about 82% are expected to be on topic; a page is kept from a "
        "probability of 0.45 on (the threshold). Judged again: 1 withdrawn, 1 withdrawn before "
        "and back again, 1 entered from the near misses."
    )


def test_without_later_changes_nothing_is_said_of_them() -> None:
    section = probability_section(tallied(("stored", "relevant", 0.9, 0.4)), Words("zh"))
    assert section is not None
    assert "复判" not in section
    assert "入库 1 页，估计其中约 90% 切题" in section


def test_a_crawl_without_the_classifier_has_no_such_section() -> None:
    assert tallied(("stored", "relevant", 0.6, None)) is None
    assert probability_section(None, Words("both")) is None
