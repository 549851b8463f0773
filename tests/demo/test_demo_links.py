"""Where links lead: nothing dangles by accident, the topic is reachable, tunnels hide it."""

from __future__ import annotations

from collections import Counter, deque
from urllib.parse import urldefrag, urljoin

import pytest

from tests.support.html_trees import html_tree
from topiccrawl.demo import DemoWeb


def links_of(web: DemoWeb, url: str) -> list[str]:
    """Absolute http links of a page, frames, areas and meta refresh included."""
    page = web.html(url)
    if not page:
        return []
    tree = html_tree(page)
    base = (tree.xpath("//base/@href") or [url])[0]
    raw = tree.xpath("//a/@href | //area/@href | //frame/@src")
    raw += [
        value.partition("url=")[2] for value in tree.xpath("//meta[@http-equiv='refresh']/@content")
    ]
    absolute = (urldefrag(urljoin(base, link))[0] for link in raw)
    return [link for link in absolute if link.startswith("http")]


@pytest.fixture(scope="module")
def web() -> DemoWeb:
    return DemoWeb()


def walk(web: DemoWeb, *, without: frozenset[str] = frozenset(), limit: int = 4000) -> set[str]:
    """Canonical URLs of what a crawl from the seeds can reach, traps left aside."""
    seen = set(web.seeds)
    queue = deque(web.seeds)
    while queue and len(seen) < limit:
        url = queue.popleft()
        answer = web.answer(url, 2)
        assert answer is not None
        found = [answer.location] if answer.location else links_of(web, url)
        for link in found:
            target = web.canonical(link)
            if target is None or target in seen or web.is_trap(target):
                continue
            if web.kind_of(target) not in without:
                seen.add(target)
                queue.append(target)
    return seen


def test_every_link_leads_to_a_page_or_is_a_dead_link_on_purpose(web: DemoWeb) -> None:
    dead = Counter()
    for url in web.pages():
        for link in links_of(web, url):
            if web.kind_of(link) is None:
                assert "/content/9" in link, (url, link)
                dead[url] += 1
    assert 0.05 < len(dead) / sum(1 for _ in web.pages()) < 0.2


def test_all_ordinary_pages_can_be_reached_from_the_seeds() -> None:
    web = DemoWeb(size=300)
    assert set(web.pages()) <= walk(web)


def test_hubs_lead_to_all_regions_of_a_larger_web() -> None:
    web = DemoWeb(size=5000)
    homes = {web.atlas.site(region, "hub").root for region in range(web.atlas.regions)}
    reached, queue = {web.seeds[0]}, deque([web.seeds[0]])
    while queue:
        for link in links_of(web, queue.popleft()):
            if link in homes and link not in reached:
                reached.add(link)
                queue.append(link)
    assert len(homes) == 3
    assert reached == homes


def test_hidden_clusters_are_reached_through_tunnels_only() -> None:
    web = DemoWeb(size=300)
    hidden = {site.host for site in web.atlas.sites if site.hidden}
    reached = walk(web, without=frozenset({"tunnel"}))
    assert not [url for url in reached if url.split("/")[2] in hidden]
    on_topic = [url for url in web.relevant() if url.split("/")[2] in hidden]
    assert len(on_topic) >= 0.2 * len(web.relevant())


def test_tunnels_are_two_to_four_pages_without_the_topic_and_end_at_it(web: DemoWeb) -> None:
    lengths = set()
    for tunnel in web.atlas.tunnels(0):
        lengths.add(tunnel.length)
        for step in range(1, tunnel.length + 1):
            url = f"{tunnel.site.root}zt/{tunnel.number}/{step}.html"
            assert web.topics_of(url) == {"local"}
            onward = [link for link in links_of(web, url) if "/zt/" in link]
            leads = [link for link in links_of(web, url) if tunnel.target.host in link]
            if step < tunnel.length:
                assert onward == [f"{tunnel.site.root}zt/{tunnel.number}/{step + 1}.html"]
                assert not leads
            else:
                assert any("qiaoqing" in web.topics_of(link) for link in leads)
    assert lengths == {2, 3, 4}


def test_pages_on_the_topic_link_to_the_topic_more_often_than_others(web: DemoWeb) -> None:
    def share(urls: list[str]) -> float:
        targets = [link for url in urls for link in links_of(web, url)]
        on_topic = [link for link in targets if "qiaoqing" in web.topics_of(link)]
        return len(on_topic) / len(targets)

    mixed = [url for url in web.relevant() if "zonghe" in url or "haibin" in url]
    others = [url for url in web.relevant("local") if "zonghe" in url or "haibin" in url]
    assert share(mixed) > 2 * share(others)


def test_seeds_are_mostly_off_topic(web: DemoWeb) -> None:
    assert len(web.seeds) == 3
    for seed in web.seeds:
        assert "qiaoqing" not in web.topics_of(seed)


def test_session_links_differ_from_page_to_page(web: DemoWeb) -> None:
    seen: dict[str | None, set[str]] = {}
    for url in web.pages(("article", "list")):
        if "linjiang.example" in url:
            for link in links_of(web, url):
                if "sid=" in link:
                    seen.setdefault(web.canonical(link), set()).add(link)
    assert sum(len(forms) > 1 for forms in seen.values()) > len(seen) / 2


def test_a_web_without_hazards_has_no_trap_dead_link_or_failure() -> None:
    web = DemoWeb(size=300, hazards=False)
    for url in web.pages():
        answer = web.answer(url, 1)
        assert answer is not None
        assert answer.status == 200
        for link in links_of(web, url):
            assert web.kind_of(link) not in (None, "slow", "binary", "blank", "error", "deep")
            assert not web.is_trap(link)
            assert not web.robots_disallowed(link)
