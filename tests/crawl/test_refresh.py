"""Revisits of a small site: what has changed is stored with its former version, the rest stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.changing_web import DAY, SITE, ChangingSite, Runs, sentences


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
