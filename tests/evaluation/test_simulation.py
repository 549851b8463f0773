"""The simulation fetches what a crawler would, in the order in which it would."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from tests.support.volcano_web import LIST, NEWS, ON, RELEVANT, A, B, html, small_pages
from topiccrawl.evaluation.experiment import Experiment, Run
from topiccrawl.evaluation.plan import Plan
from topiccrawl.evaluation.simulation.analyses import Analyses
from topiccrawl.evaluation.simulation.pages import StoredPages
from topiccrawl.evaluation.simulation.simulate import simulate
from topiccrawl.evaluation.webs.web import StoredPage
from topiccrawl.evaluation.worker import run_config
from topiccrawl.topics.definition import Keyword, TopicDefinition
from topiccrawl.topics.topic import Topic


class DictWeb:
    """A web in memory."""

    name, language, topics = "dict", "en", ()

    def __init__(self, pages: dict[str, StoredPage]) -> None:
        self._pages = pages

    def __len__(self) -> int:
        return len(self._pages)

    def urls(self) -> Iterator[str]:
        return iter(self._pages)

    def get(self, url: str) -> StoredPage | None:
        return self._pages.get(url)

    def close(self) -> None:
        pass


def stored(pages: dict[str, bytes]) -> dict[str, StoredPage]:
    return {url: StoredPage(url, body) for url, body in pages.items()}


def run(
    pages: dict[str, StoredPage], seeds: list[str], strategy: str = "breadth-first",
    most: int = 100, concurrency: int = 1, **settings: object,
) -> Run:  # fmt: skip
    words = ("volcano", "lava", "eruption", "crater")
    definition = TopicDefinition(
        "v", language="en", keywords=tuple(Keyword(w, 1.0, "core") for w in words)
    )
    analyses = Analyses(StoredPages(DictWeb(pages)), Topic.learn(definition))
    experiment = Experiment("v", "near", strategy, most)
    return simulate(
        analyses,
        seeds,
        experiment,
        run_config(Plan("", (), settings=settings), experiment),
        concurrency=concurrency,
    )


def fetched(result: Run) -> list[str]:
    return [fetch.url for fetch in result.fetches]


def test_breadth_first_takes_links_in_page_order() -> None:
    result = run(stored(small_pages()), [LIST])
    assert fetched(result)[:6] == [LIST, *(f"{A}/v{i}" for i in (1, 2, 3)), f"{A}/", f"{A}/v4"]
    assert result.note == "nothing left to fetch"


def test_pages_that_are_not_stored_are_no_fetches() -> None:
    assert f"{A}/gone" not in fetched(run(stored(small_pages()), [LIST]))


def test_shark_search_finds_the_topic_before_the_rest() -> None:
    order = fetched(run(stored(small_pages()), [NEWS, f"{A}/"], "shark-search"))
    assert set(order[3 : 3 + len(RELEVANT)]) == set(RELEVANT)


def test_the_budget_ends_a_run() -> None:
    result = run(stored(small_pages()), [LIST], most=3)
    assert len(result.fetches) == 3
    assert result.note == ""


def test_a_run_contains_sizes_and_the_crawlers_relevance() -> None:
    pages = small_pages()
    result = run(stored(pages), [LIST])
    assert [fetch.size for fetch in result.fetches] == [len(pages[u]) for u in fetched(result)]
    by_url = {fetch.url: fetch.relevance for fetch in result.fetches}
    assert by_url[f"{A}/v1"] > by_url[NEWS] if NEWS in by_url else by_url[f"{A}/v1"] > 0.3


def test_a_redirect_is_followed_in_the_place_of_its_link_and_is_no_page() -> None:
    pages = stored(small_pages())
    pages[f"{A}/v1"] = StoredPage(f"{A}/v1", b"", status=301, location=f"{B}/lava")
    assert fetched(run(pages, [LIST]))[:4] == [LIST, f"{B}/lava", f"{A}/v2", f"{A}/v3"]


def test_redirects_in_a_circle_end() -> None:
    pages = stored(small_pages())
    pages[f"{A}/v1"] = StoredPage(f"{A}/v1", b"", status=302, location=f"{A}/round")
    pages[f"{A}/round"] = StoredPage(f"{A}/round", b"", status=302, location=f"{A}/v1")
    pages[f"{A}/v2"] = StoredPage(f"{A}/v2", b"", status=302, location=f"{A}/v2")
    assert fetched(run(pages, [LIST]))[:2] == [LIST, f"{A}/v3"]


def test_a_meta_refresh_is_fetched_and_then_left_as_scrapy_does() -> None:
    pages = stored(small_pages())
    body = f'<html><head><meta http-equiv="refresh" content="0; url={B}/lava"></head></html>'
    pages[f"{A}/v1"] = StoredPage(f"{A}/v1", body.encode())
    result = run(pages, [LIST])
    assert fetched(result)[:2] == [LIST, f"{A}/v1"]
    assert f"{B}/lava" in fetched(result)[2:5]
    assert math.isnan(result.fetches[1].relevance)


def test_what_is_no_html_is_fetched_and_has_no_links() -> None:
    pages = stored(small_pages())
    pages[f"{A}/v1"] = StoredPage(f"{A}/v1", b"\x89PNG\r\n\x1a\n" + bytes(80), "image/png")
    result = run(pages, [LIST])
    assert fetched(result)[1] == f"{A}/v1"
    assert math.isnan(result.fetches[1].relevance)


def test_missing_pages_and_errors_are_passed_over() -> None:
    pages = stored(small_pages())
    pages[f"{A}/v1"] = StoredPage(f"{A}/v1", b"sorry", status=404)
    assert f"{A}/v1" not in fetched(run(pages, [LIST, "http://nowhere.example/"]))


def test_nofollow_links_are_not_followed_unless_it_is_asked_for() -> None:
    pages = small_pages()
    pages[LIST] = pages[LIST].replace(b"<a href", b'<a rel="nofollow" href', 1)
    assert fetched(run(stored(pages), [LIST]))[1] == f"{A}/v2"


def test_traps_are_refused_and_the_other_links_of_the_page_kept() -> None:
    pages = small_pages()
    trap = f"{A}/x/x/x/x/x/x/x/"
    pages[LIST] = html("List", ON, [(trap, "volcano"), (f"{A}/v1", "volcano")])
    pages[trap] = html("Trap", ON, [])
    assert fetched(run(stored(pages), [LIST]))[:2] == [LIST, f"{A}/v1"]
    assert trap in fetched(run(stored(pages), [LIST], TOPICCRAWL_TRAP_REPEATED_SEGMENTS=0))


def test_a_host_has_its_budget() -> None:
    result = run(
        stored(small_pages()),
        [LIST],
        TOPICCRAWL_HOST_BUDGET_PAGES=2,
        TOPICCRAWL_HOST_BUDGET_GROWTH=0,
    )
    assert sum(url.startswith(A) for url in fetched(result)) == 2


@pytest.mark.parametrize("strategy", ["shark-search", "rwb", "ipagerank-rwb", "hits", "in-degree"])
def test_the_same_run_is_the_same_twice(strategy: str) -> None:
    pages = stored(small_pages())
    settings = {"TOPICCRAWL_IPAGERANK_EVERY_PAGES": 3}
    assert fetched(run(pages, [LIST], strategy, **settings)) == fetched(
        run(pages, [LIST], strategy, **settings)
    )


def test_a_page_that_depends_on_the_anchor_is_read_for_each_anchor() -> None:
    body = b"<html><head><title></title></head><body><p>x</p></body></html>"
    pages = StoredPages(DictWeb({f"{A}/t": StoredPage(f"{A}/t", body)}))
    answer = pages.get(f"{A}/t")
    assert answer is not None
    assert answer.by_anchor
    for anchor in ("The lava of the volcano", "Crater lakes of the world"):
        assert pages.reached(answer, anchor).title == anchor


def test_with_several_requests_in_flight_the_links_of_a_page_wait_for_its_answer() -> None:
    links = {"": ("a", "b"), "a": ("below-a",), "b": ("below-b",), "below-a": (), "below-b": ()}
    pages = stored(
        {
            f"{A}/{name}": html(name, ON, [(f"{A}/{target}", target) for target in targets])
            for name, targets in links.items()
        }
    )
    one = fetched(run(pages, [f"{A}/"], "depth-first"))
    assert one == [f"{A}/{name}" for name in ("", "b", "below-b", "a", "below-a")]
    two = fetched(run(pages, [f"{A}/"], "depth-first", concurrency=2))
    assert two == [f"{A}/{name}" for name in ("", "b", "a", "below-b", "below-a")]


def test_the_number_in_flight_changes_nothing_for_breadth_first() -> None:
    pages = stored(small_pages())
    assert fetched(run(pages, [LIST], concurrency=16)) == fetched(run(pages, [LIST]))


def test_redirects_to_no_address_lead_nowhere() -> None:
    refresh = b'<html><head><meta http-equiv="refresh" content="0; url=http://[x"></head><body>a</body></html>'
    stored = (
        StoredPage(f"{A}/moved", b"", status=302, location="http://[x"),
        StoredPage(f"{A}/refresh", refresh),
    )
    pages = StoredPages(DictWeb({page.url: page for page in stored}))
    answers = [pages.get(page.url) for page in stored]
    assert [(it.status, it.redirect) for it in answers if it] == [(302, ""), (200, "")]
    assert pages.links(f"{A}/moved") == (302, ())
