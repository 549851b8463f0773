"""DomainCredit: what pages without a text of their own count, and how far their domain's links fall."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.test_adaptive_exploration import own, page, rank
from topiccrawl.scoring.credit import ADVANCE, DomainCredit, find_value
from topiccrawl.scoring.strategies.adaptive import AdaptiveStrategy
from topiccrawl.scoring.strategy import PageView
from topiccrawl.urls.identity import link_id

TEXT = page("http://a.example/1", [], relevance=1.0)
LIST = replace(TEXT, no_body=True)


def credit_of(*pages: PageView) -> tuple[list[float], float]:
    credit = DomainCredit()
    counted = [credit.add(0, it) for it in pages]
    return counted, float(credit.of(np.array([0]))[0])


def test_the_first_lists_of_a_domain_count_in_full() -> None:
    assert credit_of(*[LIST] * int(ADVANCE)) == ([1.0] * int(ADVANCE), 1.0)


def test_lists_beyond_count_nothing_and_lower_the_credit() -> None:
    counted, credit = credit_of(*[LIST] * 40)
    assert sum(counted) == ADVANCE
    assert credit == pytest.approx(ADVANCE / 40)


def test_texts_count_in_full_and_make_lists_count_again() -> None:
    counted, credit = credit_of(*[LIST] * 40, *[TEXT] * 30, LIST)
    assert counted[40:70] == [1.0] * 30
    assert counted[70] == 0.0
    assert credit == pytest.approx(40 / 41)
    counted, credit = credit_of(*[LIST] * 40, *[TEXT] * 31, LIST)
    assert (counted[71], credit) == (1.0, 1.0)


def test_texts_off_topic_earn_nothing() -> None:
    off_topic = page("http://a.example/1", [])
    assert credit_of(*[LIST] * 20, *[off_topic] * 50)[1] == pytest.approx(ADVANCE / 20)


def test_the_lists_of_one_domain_cost_no_other() -> None:
    credit = DomainCredit()
    for _ in range(20):
        credit.add(1, LIST)
    assert credit.of(np.array([-1, 0, 1, 7])).tolist() == [1.0, 1.0, ADVANCE / 20, 1.0]
    assert credit.add(-1, LIST) == 1.0


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1))))
def test_credit_and_finds_stay_in_their_ranges(drawn: list[tuple[bool, float]]) -> None:
    pages = [replace(TEXT, relevant=False, no_body=bare, relevance=rel) for bare, rel in drawn]
    counted, credit = credit_of(*pages)
    assert 0 < credit <= 1
    assert all(0 <= it <= find_value(view) for it, view in zip(counted, pages, strict=True))


def test_endless_lists_fall_behind_other_links_and_make_a_crawl_dry() -> None:
    """Each page leads to two others of its domain, with anchors on the topic."""

    def score(domain: str, no_body: bool) -> tuple[np.ndarray, AdaptiveStrategy]:
        strategy = AdaptiveStrategy()
        others = [f"http://site{n}.example/" for n in range(5)]
        strategy.score(page("http://start.example/", [own(0), *others], similarity=0.2))
        for n in range(60):
            url = f"http://{domain}/{n}"
            links = [f"http://{domain}/{n + 1}", f"http://{domain}/{n + 1_000}"]
            view = page(url, links, relevance=0.7, similarity=0.8)
            strategy.score(replace(view, no_body=no_body))
        rank(strategy)
        waiting = [link_id(f"http://{domain}/1000"), link_id(own(0))]
        return strategy.rescore(np.array(waiting, dtype=np.int64))[0], strategy

    (endless, other), listing = score("lists.example", no_body=True)
    (articles, _), writing = score("lists.example", no_body=False)
    assert endless < other < articles
    assert listing.round_growth == 0.0  # It explores.
    assert writing.round_growth
