"""What is compared of a stored page, with what it states of its origin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.page.title import strip_site_tail
from topiccrawl.stories.members import StoryPage

if TYPE_CHECKING:
    from topiccrawl.store.records import PageRecord


def compared_page(page: PageRecord) -> StoryPage:
    """Return what is compared of a stored page, with what it states of its origin."""
    return StoryPage(
        url=page.url,
        title=strip_site_tail(page.title),
        body=page.body,
        site=page.site,
        source=page.source,
        published_at=page.published_at,
        fetched_at=page.fetched_at,
        first_seen=page.first_seen,
        site_name=page.site_name,
        source_url=page.source_url,
        author=page.author,
    )
