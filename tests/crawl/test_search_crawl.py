"""Crawls of one word without seeds, with local servers that behave like search engines."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks.search.engines import LocalEngine, running
from benchmarks.search.index import Hit, Index
from tests.support.crawl_runs import scrapy
from tests.support.loopback_sites import Answer, Crawl, Site, article, crawl, serving
from tests.support.project import make_project
from tests.support.small_web import ON_TOPIC, link, page

HOST = "www.qiao.example"
WORD = "侨眷"
#: Pages on the topic, which do not link to each other, and one off the topic.
PATHS = [f"/p{i}.html" for i in range(8)]
#: A body that says the word often enough.
TEXT = "侨眷代表谈到侨眷的生活，侨眷子女的教育，以及侨眷企业的发展，希望侨眷权益得到保护。"


@pytest.fixture
def site() -> Iterator[Site]:
    pages = {
        path: Answer(page(f"侨眷座谈{path}", f"{path}的侨眷座谈：{TEXT}{ON_TOPIC}"))
        for path in PATHS
    }
    pages["/gone.html"] = Answer(status=404)
    with serving(pages, "127.0.0.5") as found:
        yield found


def index(site: Site, *more: Hit) -> Index:
    paths = [*PATHS, "/gone.html"]
    hits = [Hit(f"http://{HOST}:{site.port}{p}", f"侨眷座谈{p}", "侨眷与侨联座谈") for p in paths]
    return Index([*hits, *more])


def search(folder: Path, *, arguments: tuple[str, ...] = (), **settings: object) -> Crawl:
    own = {"TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED": HOST, "TOPICCRAWL_DUPLICATES": "titles"}
    words = ["-a", "search=1", *arguments]
    names = {HOST: ["127.0.0.5"]}
    return crawl(folder, [], names=names, arguments=words, topic=WORD, **{**own, **settings})


def test_one_word_finds_its_pages(tmp_path: Path, site: Site) -> None:
    engine = LocalEngine("local", index(site), bad=0.0)
    with running([engine]):
        own = {**own_engines(tmp_path, engine), "TOPICCRAWL_SEARCH_QUERIES": 4}
        found = search(tmp_path, **own)
        asked = list(engine.asked)
        again = search(tmp_path, **own)
    assert found.code == 0, found.log
    assert {page.url.partition(str(site.port))[2] for page in found.pages} == set(PATHS)
    assert engine.asked[0] == WORD
    lines = [page.found_by.splitlines() for page in found.pages]
    assert all(f"found by query {WORD}, engine local, rank" in each[0] for each in lines)
    assert engine.asked == asked, "a run that goes on asks nothing again"
    assert len(again.pages) == len(found.pages)
    shown = scrapy(
        ["explain", found.pages[0].url, "--store", "sqlite:///pages.sqlite"],
        {"PYTHONPATH": str(Path(__file__).parents[2]), "LANG": "C"},
        cwd=tmp_path,
    )
    assert f"found by query {WORD}" in " ".join(shown.stdout.split()), shown.stdout


def test_an_engine_of_the_topics_own_folder_is_asked(tmp_path: Path, site: Site) -> None:
    engine = LocalEngine("local", index(site), bad=0.0)
    topic = tmp_path / "seeds" / WORD
    with running([engine]):
        own = own_engines(topic, engine) | {"TOPICCRAWL_SEARCH_FOLDER": ""}
        toml = f'name = "{WORD}"\nlanguage = "zh"\n[keywords.core]\n"{WORD}" = 1.0\n'
        (topic / "topic.toml").write_text(toml, "utf-8")
        found = search(tmp_path, **own)
    assert found.code == 0, found.log
    assert {page.url.partition(str(site.port))[2] for page in found.pages} == set(PATHS)


def test_links_wait_until_engines_were_asked(tmp_path: Path) -> None:
    paths = [f"/s{i}.html" for i in range(30)]
    links = "".join(link(f"/l{i}.html", "侨眷") for i in range(20))
    sources = {p: Answer(page(f"侨眷座谈{p}", f"{p}的侨眷：{TEXT}", links)) for p in paths}
    linked = {f"/l{i}.html": Answer(page("侨眷", f"{i}：{TEXT}")) for i in range(20)}
    with serving({**sources, **linked}, "127.0.0.5") as site:
        hits = [Hit(f"http://{HOST}:{site.port}{it}", f"侨眷{it}", "侨眷") for it in paths]
        engine = LocalEngine("local", Index(hits), bad=0.0)
        with running([engine]):
            own = own_engines(tmp_path, engine)
            slow = tmp_path / "engines" / "local.toml"
            slow.write_text(engine.description.replace("interval = 0", "interval = 2"))
            found = search(tmp_path, **own)
    assert found.code == 0, found.log
    asked = [it for it in site.asked if it.endswith(".html")]
    first = asked.index(next(it for it in asked if it in linked))
    assert set(asked[:first]) == set(paths), "all three pages of results came before any link"
    assert len(set(asked)) == 50


def own_engines(folder: Path, *engines: LocalEngine) -> dict[str, object]:
    own = folder / "engines"
    own.mkdir(parents=True, exist_ok=True)
    for engine in engines:
        (own / f"{engine.name}.toml").write_text(engine.description)
    return {
        "TOPICCRAWL_SEARCH_ENGINES": ",".join(engine.name for engine in engines),
        "TOPICCRAWL_SEARCH_FOLDER": own,
        "TOPICCRAWL_SEARCH_QUERIES": 8,
        "TOPICCRAWL_SEARCH_REST_SECONDS": 0,
    }


def test_captcha_pages_are_neither_stored_nor_followed(tmp_path: Path, site: Site) -> None:
    page = LocalEngine("page", index(site), "html", bad=1.0, faults=("captcha",))
    redirect = LocalEngine("redirect", index(site), bad=1.0, faults=("captcha-redirect",))
    with running([page, redirect]):
        found = search(tmp_path, **own_engines(tmp_path, page, redirect))
    assert page.asked
    assert redirect.asked
    assert len(page.asked) + len(redirect.asked) <= 8
    assert not page.captchas + redirect.captchas
    assert not found.pages
    assert not found.outcomes
    assert found.code == 1, "no page was fetched"
    for name in ("page", "redirect"):
        assert found.lines(f"Search engine {name} gave no results"), found.log


def test_an_engine_whose_robots_txt_forbids_it_is_not_asked(tmp_path: Path, site: Site) -> None:
    engine = LocalEngine("closed", index(site), bad=0.0, robots="User-agent: *\nDisallow: /search")
    with running([engine]):
        found = search(tmp_path, **own_engines(tmp_path, engine))
    assert not engine.asked
    assert found.code == 1
    assert found.lines("Search engine closed is not asked: Forbidden by robots.txt"), found.log


def test_searxng_is_asked_by_a_form_where_its_robots_txt_forbids_addresses(
    tmp_path: Path, site: Site
) -> None:
    robots = "User-agent: *\nDisallow: /*?*q=*"
    engine = LocalEngine("searxng", index(site), bad=0.0, robots=robots)
    with running([engine]):
        found = search(tmp_path, TOPICCRAWL_SEARXNG_URL=engine.address, TOPICCRAWL_SEARCH_QUERIES=1)
    assert engine.methods == ["POST"]
    assert len(found.pages) == len(PATHS)


def test_a_result_may_not_lead_into_the_private_network(tmp_path: Path, site: Site) -> None:
    with serving({"/secret": article("侨眷密件")}, "127.0.0.1") as secret:
        engine = LocalEngine(
            "local", index(site, Hit(f"{secret.url}/secret", "侨眷密件", "侨眷")), bad=0.0
        )
        with running([engine]):
            found = search(tmp_path, **own_engines(tmp_path, engine))
        assert found.outcomes[f"{secret.url}/secret"].reason == "private-address"
        assert not secret.connections


def test_a_word_without_seeds_and_engines_is_told_what_to_do(tmp_path: Path) -> None:
    found = search(tmp_path)
    assert found.code == 1
    assert "TOPICCRAWL_SEARXNG_URL" in found.log.splitlines()[-1]
    plain = crawl(tmp_path, [], topic=WORD)
    assert "-a search=1" in plain.log.splitlines()[-1]


def test_a_search_server_that_is_down_ends_the_crawl_soon_and_is_asked_by_the_next(
    tmp_path: Path, site: Site
) -> None:
    engine = LocalEngine("searxng", index(site), bad=0.0)
    with running([engine]):
        gone = engine.address
    own = {"TOPICCRAWL_SEARCH_QUERIES": 1, "TOPICCRAWL_SEARCH_REST_SECONDS": 7}
    down = search(tmp_path, TOPICCRAWL_SEARXNG_URL=gone, **own)
    assert down.code == 1
    tries = down.lines("Search engine searxng cannot be reached at 127.0.0.1")
    assert len(tries) == 2, down.log
    assert "does it run there? It is tried again in 7 s" in tries[0]
    assert "no search engine gave a page to start from" in down.log.splitlines()[-1]
    with running([engine]):
        found = search(tmp_path, TOPICCRAWL_SEARXNG_URL=engine.address, **own)
    assert len(found.pages) == len(PATHS), found.log
    assert not found.lines("cannot be reached"), found.log


def test_a_second_worker_waits_for_what_the_first_one_searches(tmp_path: Path) -> None:
    own = {"TOPICCRAWL_SEARXNG_URL": "http://127.0.0.1:9/", "TOPICCRAWL_SEARCH_REST_SECONDS": 5}
    make_project(tmp_path)
    with ThreadPoolExecutor() as pool:
        both = list(pool.map(lambda _worker: search(tmp_path, **own), range(2)))
    # Each has searched: the second one when the first one had ended without a source.
    for done in both:
        assert done.lines("Search engine searxng cannot be reached"), done.log
        assert "no search engine gave a page to start from" in done.log.splitlines()[-1]
