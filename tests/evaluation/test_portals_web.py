"""The generated web of portals: many hosts, several places of a topic, seeds that keep their distance."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urljoin

import pytest
from lxml import html

from topiccrawl.demo.portals import PortalWeb
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.portals import PortalStoredWeb
from topiccrawl.evaluation.webs.urls import web_key
from topiccrawl.page.hrefs import registered_host
from topiccrawl.urls.hosts import host_of


@pytest.fixture(scope="module")
def web() -> PortalStoredWeb:
    return PortalStoredWeb(2_000, 3)


@pytest.fixture(scope="module")
def links(web: PortalStoredWeb) -> dict[str, set[str]]:
    """The stored links of each page, read from its HTML."""
    stored, found = set(web.urls()), {}
    for url in stored:
        page = web.get(url)
        assert page is not None
        hrefs = html.fromstring(page.body.decode()).xpath("//a/@href")
        keys = {web_key(urljoin(url, href)) for href in hrefs}
        found[url] = {key for key in keys if key in stored}
    return found


def reached(start: set[str], links: dict[str, set[str]], steps: int) -> set[str]:
    found, edge = set(start), set(start)
    for _ in range(steps):
        edge = {target for url in edge for target in links[url]} - found
        found |= edge
    return found


def test_the_seed_number_draws_the_web_and_its_seeds(web: PortalStoredWeb) -> None:
    again, other = open_web("portals:2000:3"), open_web("portals:2000:4")
    urls = list(web.urls())
    assert list(again.urls()) == urls
    assert all(again.get(url) == web.get(url) for url in urls[::50])
    assert list(again.topics) == list(web.topics)
    assert set(other.urls()) != set(urls)
    assert [topic.seeds for topic in other.topics] != [topic.seeds for topic in web.topics]


def test_most_hosts_are_small_and_a_few_domains_have_most_pages(web: PortalStoredWeb) -> None:
    hosts = Counter(host_of(url) for url in web.urls())
    domains = Counter(registered_host(host_of(url)) for url in web.urls())
    assert len(hosts) > 100
    assert sorted(hosts.values())[len(hosts) // 2] < 10
    assert sum(count for _, count in domains.most_common(6)) > len(web) / 2


def test_a_topic_lies_in_several_domains(web: PortalStoredWeb) -> None:
    for topic in web.topics:
        places = Counter(registered_host(host_of(url)) for url in topic.relevant)
        assert sum(count >= 10 for count in places.values()) >= 2, topic.name
        assert len(topic.relevant) < len(web) / 8


def test_far_seeds_are_four_links_away_but_lead_to_the_topic(
    web: PortalStoredWeb, links: dict[str, set[str]]
) -> None:
    for topic in web.topics:
        far = set(topic.seeds["far"])
        assert not reached(far, links, 2) & topic.relevant, topic.name
        assert reached(far, links, 20) & topic.relevant, topic.name
        assert set(topic.seeds["near"]) <= topic.relevant


def test_pages_link_to_pages_that_exist_and_show_chinese_text(web: PortalStoredWeb) -> None:
    model = PortalWeb(2_000, 3)
    for url in model.places:
        assert {target for target in model.links(url) if target not in model.places} == set()
    page = web.get(web.topics[0].seeds["near"][0])
    assert page is not None
    assert any(keyword in page.body.decode() for keyword in web.topics[0].keywords)
    assert web.get("http://www.nowhere.example/") is None
