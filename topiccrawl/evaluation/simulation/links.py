"""Links of stored pages as the crawler follows them."""

from __future__ import annotations

from collections.abc import Iterable

from topiccrawl.crawl.requests.pages import may_be_page
from topiccrawl.evaluation.simulation.pages import StoredPages, request_url
from topiccrawl.evaluation.webs.urls import web_key


def read_links(pages: StoredPages, urls: Iterable[str]) -> dict[str, tuple[int, list[str]]]:
    """Return status and link targets by stored URL; a redirect has one target."""
    found: dict[str, tuple[int, list[str]]] = {}
    for url in urls:
        links = pages.links(url)
        if links is None:
            continue
        status, targets = links
        wanted = (
            web_key(request_url(link.url))
            for link in targets
            if not link.nofollow and may_be_page(link.url)
        )
        found[url] = status, list(dict.fromkeys(target for target in wanted if target))
    return found
