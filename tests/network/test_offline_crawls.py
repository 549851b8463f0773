"""Crawls without a network, with dead seeds, and through an outage."""

from __future__ import annotations

from pathlib import Path

from tests.support.loopback_sites import Answer, article, crawl, serving

ALLOWED = {"TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED": "all"}
#: As in production, but for the time between two requests.
USUAL = {"TOPICCRAWL_RETRY_DELAY_SECONDS": 60, "TOPICCRAWL_RETRY_MAX_ATTEMPTS": 1, "RETRY_TIMES": 2}


def test_a_crawl_without_a_network_ends_at_once_with_one_line_and_keeps_its_links(
    tmp_path: Path,
) -> None:
    seeds = ["http://www.yi.test/", "http://www.er.test/", "http://www.er.test/2"]
    for _ in range(2):  # more often than a link has attempts
        done = crawl(tmp_path, seeds, **ALLOWED, **USUAL)
        assert done.code == 1
        (line,) = done.lines("] ERROR: ")
        assert "online" in line
        assert "proxy" in line
        assert len(done.lines("] WARNING: ")) == 0
        assert not done.lines("Traceback")
    with serving({"/": article("侨情首页"), "/2": article("归侨")}, "127.0.0.1") as site:
        names = {"www.yi.test": ["127.0.0.1"], "www.er.test": ["127.0.0.1"]}
        proxy = {"http_proxy": site.url}
        answered = crawl(tmp_path, seeds, names=names, environment=proxy, **ALLOWED, **USUAL)
        assert {"http://www.yi.test/", "http://www.er.test/", "http://www.er.test/2"} <= set(
            site.asked
        )
    assert not answered.lines("online")


def test_a_dead_seed_is_named_in_one_line_and_the_others_are_crawled(tmp_path: Path) -> None:
    with serving({"/": article("侨情首页")}, "127.0.0.1") as site:
        seeds = [f"{site.url}/", "http://www.dead.test/", f"{site.url}/missing"]
        done = crawl(tmp_path, seeds, **ALLOWED)
    assert done.code == 0
    assert len(done.lines("Seed http://www.dead.test/ gives no page")) == 1
    assert len(done.lines("Seed ")) == 2
    assert done.outcomes["http://www.dead.test/"].reason == "dns"


def test_a_network_that_comes_back_loses_no_link(tmp_path: Path) -> None:
    # The only host goes away after its first page and comes back while the crawl waits.
    links = [f"/{n}" for n in range(6)]
    pages = {"/": article("侨情首页", *links), **{path: article(f"归侨{path}") for path in links}}
    asked: list[str] = []

    def answer(path: str) -> Answer:
        asked.append(path)
        away = 2 < len(asked) < 7
        return Answer(status=-1) if away else pages.get(path, Answer(status=404))

    with serving(answer, "127.0.0.1") as site:
        settings = {**ALLOWED, "CONCURRENT_REQUESTS": 1, "TOPICCRAWL_RETRY_MAX_ATTEMPTS": 3}
        done = crawl(tmp_path, [f"{site.url}/"], **settings)
    assert set(links) <= set(asked[6:])
    assert len(done.lines("The network seems to be lost")) >= 1
    assert len(done.lines("The network is back")) >= 1
    assert done.code == 0


def test_a_network_that_stays_away_ends_the_crawl_with_its_links_queued(tmp_path: Path) -> None:
    links = [f"/{n}" for n in range(6)]
    pages = {"/": article("侨情首页", *links)}
    asked: list[str] = []

    def answer(path: str) -> Answer:
        asked.append(path)
        return pages.get(path, Answer(status=404 if len(asked) == 1 else -1))

    with serving(answer, "127.0.0.1") as site:
        done = crawl(tmp_path, [f"{site.url}/"], **{**ALLOWED, "TOPICCRAWL_OFFLINE_SECONDS": 0})
    assert done.code == 1
    queued = {url for url, outcome in done.outcomes.items() if outcome.verdict == "queued"}
    assert len(queued) >= 3
    assert len(done.lines("The crawl stops")) == 1


def test_a_forgotten_setting_for_private_addresses_costs_no_link_of_the_queue(
    tmp_path: Path,
) -> None:
    links = [f"/{n}" for n in range(10)]
    pages = {"/": article("侨情首页", *links), **{path: article(f"归侨{path}") for path in links}}
    with serving(pages, "127.0.0.1") as one, serving(pages, "127.0.0.2") as two:
        seeds = [f"{one.url}/", f"{two.url}/"]
        first = crawl(tmp_path, seeds, arguments=["-a", "pages=2"], **ALLOWED)
        assert first.code == 0
        for _ in range(2):
            forgotten = crawl(tmp_path, seeds)
            assert forgotten.code == 1
            (line,) = forgotten.lines("] ERROR: ")
            assert "TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED" in line
            assert "The links stay queued" in line
        again = crawl(tmp_path, seeds, **ALLOWED)
    assert again.code == 0
    # The hosts are mirrors of each other: some pages are fetched of one of them only.
    assert set(links) <= set(one.asked) | set(two.asked)
    assert "private-address" not in {outcome.reason for outcome in again.outcomes.values()}


def test_a_seed_that_gave_no_page_is_tried_again_by_the_next_run(tmp_path: Path) -> None:
    links = [f"/{n}" for n in range(10)]
    pages = {"/": article("侨情首页", *links), **{path: article(f"归侨{path}") for path in links}}
    asked: list[str] = []

    def answer(path: str) -> Answer:
        asked.append(path)
        return article("侨情首页") if asked.count("/") > 1 else Answer(status=404)

    with serving(pages, "127.0.0.1") as one, serving(answer, "127.0.0.2") as two:
        seeds = [f"{one.url}/", f"{two.url}/"]
        for _ in range(3):
            done = crawl(tmp_path, seeds, arguments=["-a", "pages=2"], **ALLOWED)
            assert done.code == 0
    # In vain at first, then with success, and not any more.
    assert asked.count("/") == 2
    assert done.outcomes[f"{two.url}/"].verdict != "failed"
    assert one.asked.count("/") == 1


def test_a_seed_that_was_fetched_at_its_second_attempt_is_not_fetched_by_the_next_run(
    tmp_path: Path,
) -> None:
    links = [f"/{n}" for n in range(10)]
    pages = {"/": article("侨情首页", *links), **{path: article(f"归侨{path}") for path in links}}
    asked: list[str] = []

    def answer(path: str) -> Answer:
        asked.append(path)
        busy = path == "/" and asked.count("/") == 1
        return Answer(status=503) if busy else pages.get(path, Answer(status=404))

    settings = {**ALLOWED, "TOPICCRAWL_RETRY_MAX_ATTEMPTS": 3}
    with serving(answer, "127.0.0.1") as site:
        for _ in range(2):
            done = crawl(tmp_path, [f"{site.url}/"], arguments=["-a", "pages=2"], **settings)
            assert done.code == 0
    assert asked.count("/") == 2


def test_links_that_a_forgotten_setting_refuses_beside_others_are_fetched_when_it_is_back(
    tmp_path: Path,
) -> None:
    inside = [f"/in/{n}" for n in range(8)]
    outside = [f"/out/{n}" for n in range(8)]
    with serving({it: article(f"归侨{it}") for it in inside}, "127.0.0.3") as private:
        pages = {it: article(f"华侨{it}") for it in outside}
        links = [*outside, *(f"{private.url}{it}" for it in inside)]
        pages["/"] = article("侨情首页", *links)
        with serving(pages, "127.0.0.2") as site:
            seeds = [f"{site.url}/"]
            first = crawl(tmp_path, seeds, arguments=["-a", "pages=2"], **ALLOWED)
            public = {"TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED": "127.0.0.2"}
            forgotten = crawl(tmp_path, seeds, **public)
            before = set(private.asked)
            again = crawl(tmp_path, seeds, **ALLOWED)
    assert first.code == forgotten.code == again.code == 0
    assert not before.issuperset(inside)
    assert "'127.0.0.2' instead of 'all'" in forgotten.log
    assert set(inside) <= set(private.asked)
    assert sorted(it for it in private.asked if it in inside) == sorted(inside)
    assert "private-address" not in {outcome.reason for outcome in again.outcomes.values()}
