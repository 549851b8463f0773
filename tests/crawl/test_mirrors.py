"""A site that answers under several names is fetched once, and nothing of other sites is lost."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.mirror_web import ARTICLES, MIRRORS, WWW, MirrorWeb, number_of
from tests.support.small_web import crawl_small
from tests.support.trap_web import article

PLAIN: dict[str, Any] = {
    "TOPICCRAWL_STRATEGY": "breadth-first",
    "TOPICCRAWL_PAGE_CLASSIFIER": False,
    "TOPICCRAWL_PATTERN_BUDGET_PAGES": 0,
}


def crawl(web: MirrorWeb, **settings: Any) -> dict[str, Any]:
    """Crawl from the front page; return the statistics."""
    seeds = [f"{web.origins[0]}/"]
    return dict(crawl_small(web, seeds, **PLAIN, **settings).stats)


@pytest.mark.parametrize("learn", [True, False])
def test_a_site_under_four_names_is_fetched_little_more_than_once(learn: bool) -> None:
    web = MirrorWeb()
    stats = crawl(web, TOPICCRAWL_LEARN_MIRRORS=learn)
    fetched = web.articles()
    print(
        learn,
        len(web.asked),
        len(fetched),
        {k: v for k, v in stats.items() if "mirror" in k or "versions" in k},
    )
    assert {number_of(url) for url in fetched} == set(range(ARTICLES))
    assert len(fetched) < 1.6 * ARTICLES if learn else len(fetched) == len(MIRRORS) * ARTICLES
