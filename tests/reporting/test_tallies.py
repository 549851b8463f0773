"""Counting by host and reason stays bounded and never loses a page."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.reporting_store import make_outcome
from topiccrawl.reporting.aggregates.tallies import (
    MAX_REASONS,
    OTHER,
    Best,
    HostTally,
    ReasonTally,
    outcome_host,
)
from topiccrawl.scoring.evidence import LinkEvidence


@given(st.lists(st.tuples(st.integers(0, 30), st.booleans()), max_size=150), st.integers(1, 12))
def test_sums_over_hosts_are_exact_even_when_hosts_were_forgotten(
    pages: list[tuple[int, bool]], max_hosts: int
) -> None:
    tally = HostTally(max_hosts)
    for host, stored in pages:
        tally.add(f"h{host}.cn", fetched=True, relevant=stored, stored=stored, failed=False)
    top, rest = tally.top(3)
    assert len(tally) <= max_hosts
    assert sum(h.fetched for h in top) + rest.fetched == len(pages)
    assert sum(h.stored for h in top) + rest.stored == sum(stored for _, stored in pages)
    assert tally.complete == (len({h for h, _ in pages}) <= max_hosts)


def test_rich_hosts_survive_when_room_runs_out() -> None:
    tally = HostTally(4)
    for _ in range(9):
        tally.add("rich.cn", fetched=True, relevant=True, stored=True, failed=False)
    for n in range(50):
        tally.add(f"poor{n}.cn", fetched=True, relevant=False, stored=False, failed=False)
    assert tally.top(1)[0][0].host == "rich.cn"


def test_hosts_are_ranked_by_stored_pages_then_by_name() -> None:
    tally = HostTally()
    for host in ("b.cn", "a.cn", "c.cn"):
        tally.add(host, fetched=True, relevant=host == "c.cn", stored=host == "c.cn", failed=False)
    assert [h.host for h in tally.top(9)[0]] == ["c.cn", "a.cn", "b.cn"]


@pytest.mark.parametrize(
    ("site", "url", "host"),
    [
        ("QW.cn", "http://other.cn/", "qw.cn"),
        ("", "http://U.cn:80/x", "u.cn"),
        ("", "http://[bad", ""),
        ("", "mailto:a@b.cn", ""),
    ],
    ids=["recorded site", "from the URL", "broken URL", "no host"],
)
def test_host_of_an_outcome(site: str, url: str, host: str) -> None:
    assert outcome_host(make_outcome(url, site=site)) == host


def test_reasons_are_counted_and_show_their_most_relevant_victims() -> None:
    tally = ReasonTally(examples=2)
    for n, relevance in enumerate([0.1, None, 0.2, math.nan, 0.15]):
        tally.add(
            make_outcome(f"http://a.cn/{n}", verdict="dropped", reason="x", relevance=relevance)
        )
    tally.add(make_outcome(verdict="failed", reason="http-404"))
    first, second = tally.all()
    assert (first.reason, first.count) == ("x", 5)
    assert [e.relevance for e in first.examples] == [0.2, 0.15]
    assert (second.verdict, second.reason, second.count) == ("failed", "http-404", 1)


def test_too_many_reasons_are_added_up_as_other() -> None:
    tally = ReasonTally()
    for n in range(MAX_REASONS + 7):
        tally.add(make_outcome(verdict="dropped", reason=f"r{n:04}"))
    assert tally.all()[0].reason == OTHER
    assert tally.all()[0].count == 7


@given(st.lists(st.floats(allow_nan=False) | st.just(math.nan), max_size=40), st.integers(0, 8))
def test_best_is_what_sorting_everything_would_give(scores: list[float], n: int) -> None:
    best = Best(n)
    for place, score in enumerate(scores):
        best.add(make_outcome(f"http://a.cn/{place}", link=LinkEvidence(score)))

    def rank(place: int) -> tuple[float, int]:
        score = scores[place]
        return (-score if math.isfinite(score) else math.inf, place)

    expected = sorted(range(len(scores)), key=rank)[:n]
    assert [o.url for o in best.all()] == [f"http://a.cn/{place}" for place in expected]
