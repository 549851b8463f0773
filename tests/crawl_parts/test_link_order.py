"""LinkOrder: what a fetched page does to the queue, with a real frontier, journal and URL filter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scrapy.settings import Settings

from tests.support.contract_support import waiting_scores
from topiccrawl.analysis.links import MergedLink, PageLinks
from topiccrawl.analysis.places import location_of
from topiccrawl.crawl.queue.ordering import FetchedPage, LinkOrder, ScoredLink
from topiccrawl.crawl.queue.queue import CrawlQueue
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scoring.classifier import PageClassifier
from topiccrawl.scoring.credit import ADVANCE
from topiccrawl.scoring.evidence import SEED_SCORE, LinkEvidence
from topiccrawl.scoring.strategy import LinkBatch, LinkScores, PageView, Parts, Strategy
from topiccrawl.urls.domains import FIRST_DOMAINS
from topiccrawl.urls.filter import UrlFilter
from topiccrawl.urls.identity import link_id
from topiccrawl.urls.novelty import page_text
from topiccrawl.urls.traps import TrapRules

HOST = "a.example"
HOME = f"http://{HOST}/"
NOW = 1_000.0


class AnchorOrder(Strategy):
    """The similarity of the anchor; ranking multiplies the scores by ten."""

    name = "anchor"

    def __init__(self) -> None:
        self.views: list[PageView] = []
        self.scores: dict[int, float] = {}

    def score(self, page: PageView) -> LinkScores:
        self.views.append(page)
        score = page.links.anchor_similarity
        self.scores.update(zip(page.links.targets.tolist(), score.tolist(), strict=True))
        return LinkScores(score, {"anchor": score})

    def rank(self) -> Iterator[None]:
        yield
        self.scores = {id: 10 * score for id, score in self.scores.items()}

    def rescore(self, ids: np.ndarray) -> tuple[np.ndarray, Parts]:
        score = np.array([self.scores.get(id, np.nan) for id in ids.tolist()])
        return score, {"anchor": score}


class Follower(MemoryFrontier):
    """A frontier that has elected another worker."""

    def try_lead(self, now: float) -> bool:
        return False


class Crawl:
    """A link order with everything that it works on."""

    def __init__(
        self,
        frontier: MemoryFrontier | None = None,
        borrow: Callable[[PageView, LinkEvidence], PageView] = lambda view, link: view,
        strategy: AnchorOrder | None = None,
        **settings: Any,
    ) -> None:
        self.strategy = strategy or AnchorOrder()
        self.frontier = MemoryFrontier() if frontier is None else frontier
        queue = CrawlQueue(self.frontier, lambda: NOW)
        self.pending = queue.pending
        self.counts: Counter[str] = Counter()
        names = {f"TOPICCRAWL_{name}": value for name, value in settings.items()}
        chosen = CrawlSettings.from_settings(Settings(names))
        self.order = LinkOrder(
            self.strategy,
            queue,
            UrlFilter(TrapRules(), lambda: NOW, domain_names=chosen.domain_names),
            PageClassifier(0.2),
            chosen,
            borrow=borrow,
            count=lambda name, number: self.counts.update({name: number}),
        )

    def fetch(self, path: str = "", evidence: LinkEvidence | None = None, **how: Any) -> list[str]:
        """Fetch a page and queue its new links; return their URLs."""
        links = self.order.page_fetched(fetched(path, evidence, **how))
        self.frontier.push([queued(link) for link in links])
        return [link.link.canonical for link in links]

    def scores(self) -> dict[int, float]:
        return waiting_scores(self.frontier)


def url(path: str) -> str:
    return HOME + path


def a_merged_link(path: str, anchor: str = "") -> MergedLink:
    return MergedLink(url(path), url(path), anchor, f"{anchor}?", "", "", nofollow=False)


def queued(link: ScoredLink) -> QueuedLink:
    return QueuedLink(link.link.canonical, HOST, link.evidence)


def fetched(
    path: str = "",
    evidence: LinkEvidence | None = None,
    *,
    links: dict[str, float] | None = None,
    relevant: bool = False,
) -> FetchedPage:
    """A page with links of these anchor similarities."""
    similarity = np.array(list((links or {}).values()), dtype=np.float64)
    no, zero = np.zeros(len(similarity), dtype=np.bool_), np.zeros(len(similarity))
    targets = np.array([link_id(url(it)) for it in links or {}], dtype=np.int64)
    batch = LinkBatch(targets, zero, no, no, no, similarity, zero)
    return FetchedPage(
        url=url(path),
        view=PageView(
            link_id(url(path)), 0.5 if relevant else 0.1, 0.0, relevant, 0, 0, 0.0, batch
        ),
        links=PageLinks([a_merged_link(it, it) for it in links or {}], batch),
        evidence=evidence or LinkEvidence(),
        host=HOST,
        text=None,
    )


# -- pages -----------------------------------------------------------------------------------------


def test_new_links_are_returned_in_page_order_with_their_evidence() -> None:
    long = "b" * 300
    page = fetched(evidence=LinkEvidence(depth=2), links={"a": 0.1, long: 0.9})
    found = Crawl().order.page_fetched(page)
    assert [link.link.canonical for link in found] == [url("a"), url(long)]
    assert [link.evidence for link in found] == [
        LinkEvidence(0.1, {"anchor": 0.1}, HOME, "a", depth=3, context="a?"),
        LinkEvidence(0.9, {"anchor": 0.9}, HOME, long[:200], depth=3, context=f"{long}?"),
    ]


def test_a_page_may_borrow_words_of_the_link_that_led_to_it() -> None:
    def borrow(view: PageView, link: LinkEvidence) -> PageView:
        return replace(view, borrowed_ids=np.array([len(link.anchor)], dtype=np.int32))

    crawl = Crawl(borrow=borrow)
    crawl.fetch(evidence=LinkEvidence(parent=HOME, anchor="侨乡"))
    assert [view.borrowed_ids.tolist() for view in crawl.strategy.views] == [[2]]


def test_links_that_the_frontier_knows_improve_there_and_are_not_returned() -> None:
    crawl = Crawl()
    assert crawl.fetch(links={"a": 0.1}) == [url("a")]
    assert crawl.fetch("other", links={"a": 0.7, "b": 0.2}) == [url("b")]
    assert crawl.scores() == {link_id(url("a")): 0.7, link_id(url("b")): 0.2}
    assert crawl.counts == {"links/scored": 3, "links/known": 1}


def test_links_of_earlier_pages_that_are_still_pending_are_known() -> None:
    crawl = Crawl()
    crawl.pending.add(QueuedLink(url("a"), HOST, LinkEvidence(0.1)))
    assert crawl.fetch(links={"a": 0.7}) == []
    assert crawl.scores() == {link_id(url("a")): 0.7}


def test_the_strategy_receives_the_place_of_the_page_in_the_crawl() -> None:
    crawl = Crawl()
    crawl.fetch()
    crawl.fetch("a", LinkEvidence(0.5, {"inherited": 0.25}, HOME, depth=1))
    places = [(view.order, view.depth, view.inherited) for view in crawl.strategy.views]
    assert places == [(1, 0, 0.0), (2, 1, 0.25)]


@pytest.mark.parametrize(("relevant", "accepted"), [(False, 0), (True, 3)])
def test_a_relevant_page_earns_its_host_more_pages(relevant: bool, accepted: int) -> None:
    frontier = MemoryFrontier(FrontierLimits(host_budget=1))
    frontier.push([QueuedLink(HOME, HOST, LinkEvidence(1.0))])
    assert frontier.pop(frozenset(), NOW) is not None
    crawl = Crawl(frontier, HOST_BUDGET_GROWTH=3)
    crawl.fetch(relevant=relevant, links={"a": 0.1, "b": 0.2, "c": 0.3})
    assert frontier.size().queued == accepted


# -- requests --------------------------------------------------------------------------------------


def test_an_expected_link_gives_its_evidence_to_one_request() -> None:
    order = Crawl().order
    evidence = LinkEvidence(0.4, {"anchor": 0.4}, HOME, "a", depth=1)
    order.expect([ScoredLink(a_merged_link("a"), evidence)])
    assert order.request_evidence(url("a"), depth=1) == evidence
    assert order.request_evidence(url("a"), depth=1) != evidence


def test_a_new_link_of_two_pages_in_flight_keeps_the_evidence_of_both() -> None:
    # Both pages are scored, while a ranking round runs, before the links of either are queued.
    crawl = Crawl()
    for path, similarity in (("one", 0.25), ("two", 0.5)):
        crawl.order.expect(crawl.order.page_fetched(fetched(path, links={"a": similarity})))
    for _request in range(2):
        evidence = crawl.order.request_evidence(url("a"), depth=1)
        crawl.frontier.push([QueuedLink(url("a"), HOST, evidence)])
        assert (evidence.parent, evidence.anchor) in {(url("one"), "a"), (url("two"), "a")}
    kept = crawl.frontier.evidence(link_id(url("a")))
    assert kept is not None
    assert (kept.parent, kept.score) == (url("two"), 0.5)


@pytest.mark.parametrize(
    ("path", "depth", "priority", "evidence"),
    [
        ("seed", 0, 0, LinkEvidence(SEED_SCORE, {"seed": 1.0})),
        ("seed", 0, 7, LinkEvidence(SEED_SCORE + 7, {"seed": 1.0})),
        ("scored", 2, 7, LinkEvidence(0.4, {"anchor": 0.4}, depth=2)),
        ("never scored", 2, 500, LinkEvidence(0.5, depth=2)),
    ],
    ids=["seed", "seed with a priority", "scored link of another page", "unknown link"],
)
def test_a_request_without_an_expected_link_gets_a_default(
    path: str, depth: int, priority: int, evidence: LinkEvidence
) -> None:
    crawl = Crawl()
    crawl.fetch(links={"scored": 0.4})
    assert crawl.order.request_evidence(url(path), depth=depth, priority=priority) == evidence


def test_the_parts_of_a_score_are_those_of_the_moment_of_fetching() -> None:
    crawl = Crawl()
    crawl.fetch(links={"a": 0.4})
    lease, then = link_id(url("a")), LinkEvidence(0.3, {"anchor": 0.3, "old": 1.0}, HOME)
    now = crawl.order.with_current_parts(lease, then)
    assert now == LinkEvidence(0.3, {"anchor": 0.4, "old": 1.0}, HOME)
    seed = LinkEvidence(SEED_SCORE, {"seed": 1.0})
    assert crawl.order.with_current_parts(lease, seed) == seed


# -- rounds ----------------------------------------------------------------------------------------


def test_a_round_is_due_after_each_so_many_pages() -> None:
    crawl = Crawl(IPAGERANK_EVERY_PAGES=2)
    due = []
    for number in range(5):
        crawl.fetch(str(number))
        due.append(crawl.order.round_due)
        if crawl.order.round_due:
            list(crawl.order.ranking_round())
    assert due == [False, True, False, True, False]
    assert crawl.counts["ranking/rounds"] == 2


class Impatient(AnchorOrder):
    """Wants a round after each page on the topic."""

    @property
    def wants_round(self) -> bool:
        return self.views[-1].relevant


def test_a_round_is_due_sooner_when_the_strategy_wants_one() -> None:
    crawl = Crawl(strategy=Impatient(), IPAGERANK_EVERY_PAGES=100)
    crawl.fetch("0")
    assert not crawl.order.round_due
    crawl.fetch("1", relevant=True)
    assert crawl.order.round_due


def test_a_round_rescores_queued_links_and_leaves_seeds_as_they_are() -> None:
    crawl = Crawl()
    seed = QueuedLink(url("seed"), HOST, LinkEvidence(SEED_SCORE))
    crawl.frontier.push([seed])
    crawl.fetch(links={"a": 0.1, "b": 0.0})
    assert sum(crawl.order.ranking_round()) == 1  # ten times zero is no change
    assert crawl.scores() == {
        link_id(url("seed")): SEED_SCORE,
        link_id(url("a")): 1.0,
        link_id(url("b")): 0.0,
    }
    assert crawl.counts["ranking/rescored"] == 1


def test_a_seed_that_a_page_links_to_stays_above_all_links() -> None:
    crawl = Crawl()
    crawl.frontier.push([QueuedLink(url("seed"), HOST, LinkEvidence(SEED_SCORE))])
    crawl.fetch(links={"a": 0.1, "seed": 0.2})
    list(crawl.order.ranking_round())
    assert crawl.scores() == {link_id(url("seed")): SEED_SCORE, link_id(url("a")): 1.0}


def test_a_worker_that_is_not_elected_ranks_without_rescoring() -> None:
    crawl = Crawl(Follower())
    crawl.fetch(links={"a": 0.1})
    assert sum(crawl.order.ranking_round()) == 0
    assert crawl.scores() == {link_id(url("a")): 0.1}
    assert crawl.strategy.scores == {link_id(url("a")): 1.0}


def test_a_host_earns_pages_for_lists_as_far_as_texts_follow() -> None:
    frontier = BudgetNotes()
    crawl = Crawl(frontier)

    def fetch(number: int, no_body: bool) -> None:
        page = fetched(str(number), relevant=True)
        view = replace(page.view, no_body=no_body, place=np.array(location_of(page.url).place))
        crawl.order.page_fetched(replace(page, view=view))

    for number in range(30):
        fetch(number, no_body=True)
    assert len(frontier.earned) == ADVANCE
    for number in range(30, 55):
        fetch(number, no_body=False)
    assert len(frontier.earned) == ADVANCE + 25
    fetch(55, no_body=True)
    assert len(frontier.earned) == ADVANCE + 26


class BudgetNotes(MemoryFrontier):
    """A frontier that notes which hosts earned pages."""

    def __init__(self) -> None:
        super().__init__()
        self.earned: list[str] = []

    def extend_budget(self, host: str, links: int) -> None:
        self.earned.append(host)
        super().extend_budget(host, links)


def test_a_repost_earns_its_own_host_pages_once() -> None:
    frontier = BudgetNotes()
    crawl = Crawl(frontier)
    text = page_text("侨联举行座谈会，归侨侨眷代表出席并发言。")
    for host in ("first.cn", "local.cn", "local.cn"):
        address = f"http://{host}/{len(frontier.earned)}/{host}"
        page = replace(fetched(relevant=True), url=address, host=host, text=text)
        crawl.order.page_fetched(page)
    assert frontier.earned == ["first.cn", "local.cn"]


@pytest.mark.parametrize("names", [0, 200])
def test_links_to_ever_new_domains_fall_behind_also_without_a_limit_of_names(names: int) -> None:
    crawl = Crawl(DOMAIN_BUDGET_HOSTS=names)
    for number in range(FIRST_DOMAINS + 1):
        assert crawl.order.refusal(f"http://d{number}.example/") is None
    link = QueuedLink("http://other.example/", "other.example", LinkEvidence(0.5, parent=HOME))
    assert crawl.order.is_crowd(link)
