"""An attacker's part of a generated web: where his links are, and where his pages lead."""

from __future__ import annotations

import re
from html import unescape

import pytest

from benchmarks.lured_web import ATTACKS, DOMAINS, LINKS, LuredWeb, is_lure
from benchmarks.lures import Cell, GenuineWeb
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.urls.domains import registered_domain
from topiccrawl.urls.hosts import host_of


def lured(name: str) -> LuredWeb:
    web = open_web("portals:500:3")
    return LuredWeb(web, web.topics[0], ATTACKS[name])


def links_of(web: LuredWeb, url: str) -> list[str]:
    page = web.get(url)
    assert page is not None
    return [unescape(link) for link in re.findall('href="([^"]+)"', page.body.decode())]


def entrances(web: LuredWeb) -> list[str]:
    found = [[link for link in links_of(web, url) if is_lure(link)] for url in web.urls()]
    return [link for links in found for link in links]


def test_comments_of_genuine_pages_lead_to_the_attacker() -> None:
    web = lured("farm")
    assert not any(map(is_lure, web.urls()))
    assert 0 < len(entrances(web)) < 2 * len(web)


def test_comments_may_be_on_pages_on_the_topic_only() -> None:
    web = lured("comments")
    for url in web.urls():
        if any(map(is_lure, links_of(web, url))):
            assert url in web.topics[0].relevant


@pytest.mark.parametrize(
    "name", [name for name, it in ATTACKS.items() if it.comments and not it.dead]
)
def test_every_attackers_page_leads_to_further_ones(name: str) -> None:
    web = lured(name)
    url = entrances(web)[0]
    while (page := web.get(url)) is not None and page.location:
        url = page.location
    following = links_of(web, url)
    assert all(map(is_lure, following))
    assert len(following) >= LINKS


def test_domains_are_as_many_as_the_attack_says() -> None:
    def found(name: str) -> set[str]:
        return {registered_domain(host_of(link)) for link in entrances(lured(name))}

    assert len(found("any-name")) == 1
    assert 2 < len(found("domains")) <= DOMAINS < len(found("any-domain"))


def test_dead_attacks_have_no_page() -> None:
    web = lured("dead")
    assert web.get(entrances(web)[0]) is None


def test_a_crawl_counts_what_the_attacker_gets() -> None:
    genuine = GenuineWeb("portals:500:3")
    topic = genuine.web.topics[0]
    settings: dict[str, object] = {"TOPICCRAWL_MEANING": False}
    alone, attacked = (
        Cell(genuine, topic, attack, ["adaptive"], settings).crawl("near", "adaptive", 60)
        for attack in (None, ATTACKS["redirects"])
    )
    assert alone.lured == alone.asked == 0
    assert 0 < attacked.lured < 1
    assert attacked.asked > attacked.lured * 60, "redirects are requests, too"
    assert attacked.share <= alone.share
