"""Send a request again whose page was behind a wall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.access.following import redirect_of
from topiccrawl.crawl.logins.requests import ScrapyAnswer
from topiccrawl.crawl.meta import LEASED_URL

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

__all__ = ["leads_back", "repeated"]


def repeated(request: Request) -> Request:
    """Return *request*, or what was redirected to it, to be sent again.

    Pages behind a wall may be redirected over other addresses to the login page.
    """
    sources = request.meta.get("redirect_urls")
    if not sources:
        return request.replace(dont_filter=True)
    again = request.replace(url=sources[0], dont_filter=True)
    # For the queue this is a redirect back, which ends the present link; their number stays limited.
    again.meta["redirect_times"] = request.meta.get("redirect_times", 0) + 1
    again.meta["redirect_urls"] = [again.meta[LEASED_URL]] if LEASED_URL in again.meta else []
    return again


def leads_back(request: Request, response: Response) -> bool:
    """Whether a redirect leads to the page that was redirected here, which the queue has done with."""
    sources = request.meta.get("redirect_urls") or []
    return bool(sources) and redirect_of(ScrapyAnswer(response)) == sources[0]
