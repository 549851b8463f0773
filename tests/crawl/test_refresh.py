"""Revisits of a small site: what has changed is stored with its former version, the rest stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy import Request
from scrapy.exceptions import DownloadConnectionRefusedError
from scrapy.http import Response

from tests.support.changing_web import DAY, SITE, Article, ChangingSite, Runs, sentences
from tests.support.small_web import OFF_TOPIC, response
from tests.support.stored import from_store
from topiccrawl.dedup.tokens import METHOD
from topiccrawl.endings import MAX_PAGES

CAPTCHA = "<title>安全验证</title><p>您的访问过于频繁，请拖动滑块完成验证</p>".encode()


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    """A site with six articles, of which a crawl has stored all."""
    site = ChangingSite()
    for number in range(1, 7):
        site.publish(number)
    runs = Runs(tmp_path, site)
    crawled = runs.crawl()
    assert crawled.stats["topiccrawl/pages/stored"] == 6
    runs.later(2 * DAY)
    return runs


def test_a_changed_page_is_stored_with_its_former_version(runs: Runs) -> None:
    url = f"{SITE}news/3.html"
    before = runs.page(url)
    runs.site.articles[url].body = sentences(3, 2) + "更正：会议改在下月举行，地点不变。"
    refreshed = runs.refresh()
    stats = refreshed.stats
    assert stats["topiccrawl/refresh/changed"] == 1
    assert stats["topiccrawl/refresh/unchanged"] == 5
    after = runs.page(url)
    assert before is not None
    assert after is not None
    assert "更正" in after.body
    assert after.first_seen == before.first_seen
    assert after.link.parent == before.link.parent
    [version] = runs.versions(url)
    assert version.digest == before.content_hash
    assert runs.visit(url).changed_at is not None


@pytest.fixture
def parts(tmp_path: Path) -> tuple[Runs, list[str]]:
    """A site with an article on three pages, which a crawl has stored as one."""
    site = ChangingSite()
    urls = site.publish_parts(1, 3)
    runs = Runs(tmp_path, site)
    runs.crawl()
    runs.later(2 * DAY)
    page = runs.page(urls[0])
    assert page is not None
    assert page.parts == 3
    return runs, urls


def test_an_article_on_several_pages_is_compared_as_a_whole(parts: tuple[Runs, list[str]]) -> None:
    runs, urls = parts
    before = runs.page(urls[0])
    assert before is not None
    for _ in range(2):
        stats = runs.refresh().stats
        assert stats["topiccrawl/refresh/unchanged"] == 1
        assert "topiccrawl/refresh/changed" not in stats
        assert set(urls) <= set(runs.site.asked)
        runs.later(2 * DAY)
    runs.site.articles[urls[1]].body += "更正：会议改在下月举行，地点不变。"
    assert runs.refresh().stats["topiccrawl/refresh/changed"] == 1
    after = runs.page(urls[0])
    assert after is not None
    assert "更正" in after.body
    [version] = runs.versions(urls[0])
    assert version.digest == before.content_hash
    runs.later(2 * DAY)
    assert "topiccrawl/refresh/changed" not in runs.refresh().stats
    assert "topiccrawl/refresh/wrong_validators" not in runs.refresh().stats


def test_a_part_that_cannot_be_fetched_is_no_change(parts: tuple[Runs, list[str]]) -> None:
    runs, urls = parts
    before = runs.page(urls[0])
    runs.site.articles[urls[2]].status = 503
    stats = runs.refresh().stats
    assert stats["topiccrawl/refresh/unchanged"] == 1
    assert "topiccrawl/refresh/changed" not in stats
    assert runs.page(urls[0]) == before
    runs.later(2 * DAY)
    runs.site.articles[urls[2]].status = 200
    runs.site.articles[urls[2]].body += "更正：会议改在下月举行，地点不变。"
    assert runs.refresh().stats["topiccrawl/refresh/changed"] == 1


def test_a_page_that_did_not_change_is_not_sent_again_and_only_its_visit_is_written(
    runs: Runs,
) -> None:
    url = f"{SITE}news/2.html"
    runs.refresh(TOPICCRAWL_REFRESH_CONDITIONAL=False)
    before, outcome, visit = runs.page(url), runs.outcome(url), runs.visit(url)
    assert not runs.site.conditional
    runs.later(2 * DAY)
    stats = runs.refresh().stats
    assert stats["topiccrawl/refresh/not_modified"] >= 4  # one visit of eight is unconditional
    assert stats["topiccrawl/refresh/unchanged"] == 6
    assert "topiccrawl/refresh/failed" not in stats
    assert runs.page(url) == before
    assert runs.outcome(url) == outcome
    assert runs.visit(url).visited_at > visit.visited_at
    assert runs.visit(url).etag == visit.etag != ""


def test_a_list_is_visited_for_new_links_which_are_fetched_in_the_same_run(runs: Runs) -> None:
    new = runs.site.publish(7)
    refreshed = runs.refresh()
    assert refreshed.stats["topiccrawl/refresh/lists"] == 1
    assert refreshed.stats["topiccrawl/refresh/new_links"] == 1
    assert runs.page(new) is not None
    assert runs.visit(SITE).kind == "list"
    assert runs.visit(new).kind == "article"


@pytest.mark.parametrize("seed", ["http://qiaolian.example/", f"{SITE}welcome/"])
def test_the_page_that_a_seed_leads_to_is_visited_for_new_links(tmp_path: Path, seed: str) -> None:
    topic = tmp_path / "侨情"
    topic.mkdir()
    words = 'name = "侨情"\n[keywords.core]\n"归侨" = 1.0\n"侨眷" = 1.0\n'
    (topic / "topic.toml").write_text(f'{words}[[seeds]]\nurl = "{seed}"\n', "utf-8")
    site = ChangingSite()
    site.articles[seed] = Article("", "", location=SITE)
    site.unlisted.add(seed)
    site.publish(1)
    runs = Runs(tmp_path, site, topic=str(topic))
    runs.crawl()
    for number in (2, 3):
        runs.later(2 * DAY)
        new = site.publish(number)
        runs.refresh()
        assert seed not in site.asked
        assert runs.page(new) is not None
    assert runs.visit(SITE).kind == "list"


def test_rotating_navigation_advertisements_and_counters_are_no_change(runs: Runs) -> None:
    runs.site.rotating = True
    runs.site.etags = False
    for _ in range(3):
        stats = runs.refresh().stats
        assert stats["topiccrawl/refresh/unchanged"] == 6
        assert "topiccrawl/refresh/changed" not in stats
        runs.later(2 * DAY)
    assert not runs.versions(f"{SITE}news/1.html")


def test_a_page_is_marked_as_gone_at_the_second_look_and_comes_back(runs: Runs) -> None:
    url = f"{SITE}news/4.html"
    runs.site.articles[url].status = 404
    runs.refresh()
    assert runs.visit(url).gone_at is None
    runs.later(DAY)
    stats = runs.refresh().stats
    assert stats["topiccrawl/refresh/vanished"] == 1
    found_gone = runs.visit(url).visited_at
    assert runs.visit(url).gone_at == found_gone
    page = runs.page(url)
    assert page is not None
    assert page.gone_at == found_gone
    assert page.body
    assert runs.outcome(url).verdict == "stored"
    runs.site.articles[url].status = 200
    runs.later(8 * DAY)
    assert runs.refresh().stats["topiccrawl/refresh/back"] == 1
    assert runs.visit(url).gone_at is None
    assert runs.page(url).gone_at is None


def test_a_page_is_visited_again_at_the_address_that_was_written(runs: Runs) -> None:
    written, folder = f"{SITE}news/7/index.html", f"{SITE}news/7/"
    runs.site.articles[written] = Article("侨联动态第7期：归侨侨眷座谈会召开", sentences(7))
    runs.refresh()
    for _ in range(3):
        runs.later(2 * DAY)
        runs.refresh()
        # The folder, the canonical form, is no page of this site.
        assert written in runs.site.asked
        assert folder not in runs.site.asked
    assert runs.visit(folder).gone_at is None


def test_a_page_is_visited_again_without_the_session_of_its_first_visit(runs: Runs) -> None:
    written, key = f"{SITE}news/7.jsp;jsessionid=0A1B2C", f"{SITE}news/7.jsp"
    for url in (written, key):
        runs.site.articles[url] = Article("侨联动态第7期：归侨侨眷座谈会召开", sentences(7))
    runs.site.unlisted.add(key)
    runs.refresh()
    runs.later(2 * DAY)
    runs.refresh()
    assert key in runs.site.asked
    assert written not in runs.site.asked


def test_a_page_that_leads_to_the_front_page_is_missing(runs: Runs) -> None:
    url = f"{SITE}news/4.html"
    runs.site.articles[url].location = SITE
    for _ in range(2):
        runs.refresh()
        runs.later(DAY)
    assert runs.visit(url).gone_at is not None
    assert runs.page(url).body
    assert runs.outcome(url).verdict == "stored"


@pytest.mark.parametrize("status", [200, 429])
def test_pages_that_did_not_change_are_content_of_a_host_that_has_refused_once(
    runs: Runs, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    runs.refresh(TOPICCRAWL_REFRESH_CONDITIONAL=False)
    runs.later(2 * DAY)
    answer, refused = runs.site.answer, list[str]()

    def refuse_once(request: Request) -> Response:
        if "/news/" not in request.url or refused:
            return answer(request)
        refused.append(request.url)
        return response(request.url, CAPTCHA, status=status)

    monkeypatch.setattr(runs.site, "answer", refuse_once)
    done = runs.refresh(TOPICCRAWL_RETRY_DELAY_SECONDS=0, TOPICCRAWL_BLOCKED_DELAY_SECONDS=0)
    assert refused
    assert done.stats["topiccrawl/refresh/not_modified"] >= 3
    assert not done.run.control.blocked
    assert done.run.content.rests.gives_content("www.qiaolian.example")


@pytest.mark.parametrize("status", [403, 500, 503])
def test_a_site_that_fails_changes_nothing(runs: Runs, status: int) -> None:
    url = f"{SITE}news/4.html"
    before = runs.visit(url)
    runs.site.articles[url].status = status
    stats = runs.refresh(TOPICCRAWL_RETRY_MAX_ATTEMPTS=1).stats
    assert stats["topiccrawl/refresh/failed"] == 1
    assert "topiccrawl/refresh/missing" not in stats
    assert runs.visit(url) == before
    assert runs.outcome(url).verdict == "stored"
    assert runs.page(url) is not None


def test_a_page_that_has_left_the_topic_keeps_its_former_text(runs: Runs) -> None:
    url = f"{SITE}news/4.html"
    before = runs.page(url)
    body = f"<html><title>雨中大胜</title><body><p>{OFF_TOPIC * 3}</p></body></html>"
    runs.site.articles[url].raw = body.encode()
    assert runs.refresh().stats["topiccrawl/refresh/left_topic"] == 1
    assert runs.page(url).body == before.body
    assert runs.outcome(url).verdict == "stored"
    runs.later(2 * DAY)
    assert "topiccrawl/refresh/left_topic" not in runs.refresh().stats


def test_a_page_without_text_has_not_changed(runs: Runs) -> None:
    url = f"{SITE}news/4.html"
    before = runs.visit(url)
    runs.site.articles[url].raw = b"<html><body><div id=app></div></body></html>"
    stats = runs.refresh().stats
    assert stats["topiccrawl/refresh/unreadable"] == 1
    assert runs.visit(url).body_digest == before.body_digest
    assert runs.page(url).body


def test_a_site_that_calls_changed_pages_unmodified_is_asked_unconditionally(runs: Runs) -> None:
    runs.site.truthful = False
    runs.refresh(TOPICCRAWL_REFRESH_CONDITIONAL=False)  # now the store has the wrong validators
    for number in range(1, 7):
        runs.site.articles[f"{SITE}news/{number}.html"].body = sentences(number + 20)
    found = 0
    for _ in range(10):
        runs.later(2 * DAY)
        found += runs.refresh().stats.get("topiccrawl/refresh/changed", 0)
        if found == 6:
            break
    assert found == 6
    runs.later(2 * DAY)
    runs.refresh()
    assert not runs.site.conditional


def test_a_second_refresh_on_the_same_day_visits_no_article(runs: Runs) -> None:
    runs.refresh()
    again = runs.refresh()
    assert "topiccrawl/refresh/visited" not in again.stats
    assert again.stats["finish_reason"] == "finished"


def test_links_that_wait_in_the_queue_stay_there(tmp_path: Path) -> None:
    site = ChangingSite(shown=12)
    for number in range(1, 13):
        site.publish(number)
    runs = Runs(tmp_path, site)
    runs.crawl(TOPICCRAWL_MAX_PAGES=6)
    runs.later(2 * DAY)
    known = set(site.asked)
    runs.refresh()
    assert set(site.asked) < known
    runs.later(2 * DAY)
    runs.refresh(TOPICCRAWL_REFRESH_SHARE=0.5)
    assert set(site.asked) >= set(site.articles)


def test_pages_visited_before_the_clock_was_set_back_are_visited_again_once(tmp_path: Path) -> None:
    site = ChangingSite()
    articles = {site.publish(number) for number in range(1, 5)}
    runs = Runs(tmp_path, site)
    runs.later(30 * DAY)
    runs.crawl()
    runs.later(-30 * DAY)
    runs.refresh()
    assert articles <= set(site.asked)
    runs.refresh()
    assert not articles & set(site.asked)


def test_a_budget_limits_the_articles_of_a_day(runs: Runs) -> None:
    runs.refresh(TOPICCRAWL_REFRESH_PER_DAY=2)
    assert len([url for url in runs.site.asked if "news" in url]) == 2
    runs.later(3600)
    runs.refresh(TOPICCRAWL_REFRESH_PER_DAY=2)
    assert len([url for url in runs.site.asked if "news" in url]) == 0
    runs.later(DAY)
    runs.refresh(TOPICCRAWL_REFRESH_PER_DAY=2)
    assert len([url for url in runs.site.asked if "news" in url]) == 2


def test_a_refresh_ends_with_its_last_page_although_that_did_not_change(runs: Runs) -> None:
    # The time-out is for a run that would not end.
    refreshed = runs.refresh(TOPICCRAWL_MAX_PAGES=3, CLOSESPIDER_TIMEOUT=60)
    assert refreshed.stats["topiccrawl/refresh/not_modified"] == 2
    assert len(runs.site.asked) == 3
    assert refreshed.stats["finish_reason"] == MAX_PAGES


def test_a_refresh_without_a_network_ends_although_links_of_other_hosts_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = ChangingSite()
    for number in range(1, 7):
        site.articles[site.publish(number)].pager = '<a href="http://www.other.example/">归侨</a>'
    runs = Runs(tmp_path, site)
    runs.crawl(TOPICCRAWL_MAX_PAGES=3)
    runs.later(2 * DAY)

    def away(request: Request) -> Response:
        raise DownloadConnectionRefusedError("Connection refused")

    monkeypatch.setattr(site, "answer", away)
    refreshed = runs.refresh(CLOSESPIDER_TIMEOUT=20)
    assert refreshed.stats["finish_reason"] == "offline"


def test_a_page_with_its_stored_text_delays_no_comparison(tmp_path: Path) -> None:
    site = ChangingSite()
    parts, other = site.publish_parts(1, 3), site.publish(2)
    # They share text, and are not copies of each other.
    shared = site.articles[parts[0]].body
    site.articles[other].body = shared + "".join(sentences(n) for n in (30, 41, 52))
    runs = Runs(tmp_path, site)
    assert runs.crawl(TOPICCRAWL_DUPLICATES="stories").stats["topiccrawl/pages/stored"] == 2
    runs.later(2 * DAY)
    site.articles[other].body = shared + "更正：会议改在下月举行，地点不变。"
    stats = runs.refresh(TOPICCRAWL_DUPLICATES="stories").stats
    assert (stats["topiccrawl/refresh/changed"], stats["topiccrawl/refresh/unchanged"]) == (1, 1)
    assert from_store(runs.uri, lambda store: store.count_uncompared("侨情", METHOD)) == 0


def test_a_refresh_logs_its_own_reason_for_the_end(
    runs: Runs, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "topiccrawl.extensions.progress")
    runs.refresh()
    [summary] = [it for it in caplog.messages if it.startswith("Summary")]
    assert "everything that was due has been visited" in summary
