"""DomainCredit: what pages without a text of their own count, and how far their domain's links fall."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.test_adaptive_exploration import ids, own, page, rank
from topiccrawl.scoring.credit import ADVANCE, KEPT, PROMISE, DomainCredit, find_value
from topiccrawl.scoring.strategies.adaptive import AdaptiveStrategy
from topiccrawl.scoring.strategy import PageView
from topiccrawl.urls.identity import link_id

TEXT = page("http://a.example/1", [], relevance=1.0)
LIST = replace(TEXT, no_body=True)


def credit_of(*pages: PageView) -> tuple[list[float], float]:
    credit = DomainCredit()
    counted = [credit.add(0, it) for it in pages]
    return counted, float(credit.of_lists(np.array([0]))[0])


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
    assert credit.of_lists(np.array([-1, 0, 1])).tolist() == [1.0, 1.0, ADVANCE / 20]
    assert credit.add(-1, LIST) == 1.0


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1))
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


OFF_TOPIC = page("http://a.example/1", [])


def introduced(*pages: tuple[int, PageView], promise: float = 1.0) -> DomainCredit:
    """Domain 0 introduces four others, whose pages were promised by their links."""
    credit = DomainCredit()
    credit.introduce(range(1), by=-1)
    credit.introduce(range(1, 5), by=0)
    for domain, view in pages:
        credit.add(domain, view, asked=domain, promise=promise)
    return credit


def trust(credit: DomainCredit, domains: range) -> list[float]:
    return [float(it) for it in credit.trust(np.array(domains))]


def test_broken_promises_lower_the_trust_in_all_that_one_domain_introduced() -> None:
    pages = [(1 + n % 3, OFF_TOPIC) for n in range(2 * int(ADVANCE))]
    assert trust(introduced(*pages[: int(ADVANCE)]), range(-1, 5)) == [1.0] * 6
    # The fourth was never visited; the one that introduced them, and an unknown one, are not to blame.
    assert trust(introduced(*pages), range(-1, 5)) == [1, 1, 0.5, 0.5, 0.5, 0.5]


def test_links_that_promise_nothing_cost_no_trust() -> None:
    assert trust(introduced(*[(1, OFF_TOPIC)] * 100, promise=0.0), range(1, 2)) == [1]


def test_one_kept_promise_makes_up_for_several() -> None:
    pages = [(1, TEXT if n % KEPT == 0 else OFF_TOPIC) for n in range(100)]
    assert trust(introduced(*pages), range(1, 2)) == [1]


def test_lists_of_many_domains_share_one_advance() -> None:
    credit = introduced()
    found = [credit.add(1 + n % 4, LIST, asked=1 + n % 4, promise=1.0) for n in range(30)]
    assert found == [1.0] * int(ADVANCE) + [0.0] * (30 - int(ADVANCE))
    # Lists of another domain are worth less from the first one on, but its own articles earn it all.
    credit.introduce(range(5, 6), by=0)
    assert credit.of_lists(np.array([5])) == [ADVANCE / 30]
    for _ in range(int(ADVANCE)):
        credit.add(5, TEXT)
    assert credit.of_lists(np.array([5])) == [1]
    assert [credit.add(5, LIST) for _ in range(12)] == [1.0] * int(ADVANCE) + [0.0] * 2


@pytest.mark.parametrize("view", [OFF_TOPIC, TEXT])
def test_domains_without_finds_introduce_others_on_the_account_of_who_introduced_them(
    view: PageView,
) -> None:
    credit = introduced((1, view))
    for domain in range(5, 60):
        credit.introduce(range(domain, domain + 1), by=1 if domain == 5 else domain - 1)
        credit.add(domain, OFF_TOPIC, asked=domain, promise=1.0)
    credit.introduce(range(60, 61), by=59)
    # What a domain with a find introduces is not charged to the one that introduced it.
    broken = ADVANCE / 55 if view is TEXT else ADVANCE / 56
    assert trust(credit, range(60, 61)) == [broken]
    assert trust(credit, range(1, 2)) == [1.0 if view is TEXT else broken]


def on_new_domains(*, no_body: bool, promise: float) -> tuple[float, float, AdaptiveStrategy]:
    """Return the scores of a link to a new domain and of another link, after 60 such domains.

    Each page leads to two new domains, with anchors on the topic.
    """
    strategy = AdaptiveStrategy()
    others = [f"http://site{n}.example/" for n in range(5)]
    first = ["http://list0.example/", own(0), *others]
    strategy.score(page("http://start.example/", first, similarity=0.2))
    for n in range(60):
        links = [f"http://list{n + 1}.example/", f"http://list{n + 1_000}.example/"]
        view = page(f"http://list{n}.example/", links, relevance=0.7, similarity=0.8)
        batch = replace(view.links, rw_relevance=np.full(2, promise))
        strategy.score(replace(view, no_body=no_body, links=batch))
    rank(strategy)
    waiting = [link_id("http://list1059.example/"), link_id(own(0))]
    new, other = strategy.rescore(np.array(waiting, dtype=np.int64))[0].tolist()
    return new, other, strategy


def test_lists_on_many_domains_share_the_advance_of_who_introduced_them() -> None:
    new, other, strategy = on_new_domains(no_body=True, promise=1.0)
    assert new < other
    assert strategy.round_growth == 0.0  # It explores.


@pytest.mark.parametrize(("no_body", "promise"), [(False, 1.0), (True, 0.0)])
def test_articles_keep_the_promise_and_what_promises_nothing_breaks_none(
    no_body: bool, promise: float
) -> None:
    new, other, strategy = on_new_domains(no_body=no_body, promise=promise)
    assert new > other
    assert strategy.round_growth


def test_promises_count_against_the_domain_that_a_redirecting_link_led_to() -> None:
    strategy = AdaptiveStrategy()
    links = [f"http://list{n}.example/" for n in range(41)]
    start = page("http://start.example/", links)
    strategy.score(replace(start, links=replace(start.links, rw_relevance=np.ones(41))))
    for n in range(40):
        view = page(f"http://elsewhere{n}.example/", [f"http://more{n}.example/"])
        batch = replace(view.links, rw_relevance=np.ones(1))
        strategy.score(replace(view, asked=link_id(links[n]), links=batch))
    # The domains that the redirects led to, and those that they link to, are on the same account.
    waiting = [links[40], "http://more0.example/"]
    credit = strategy.rescore(ids(waiting))[1]["credit"]
    assert credit.tolist() == pytest.approx([PROMISE * np.log(ADVANCE / 40)] * 2)
