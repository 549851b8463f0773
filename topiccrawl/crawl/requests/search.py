"""What distinguishes requests to search engines from those for pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from topiccrawl.crawl.requests.meta import SEARCH

if TYPE_CHECKING:
    from scrapy import Request


@dataclass(frozen=True, slots=True)
class SearchTicket:
    """Marks a request to an engine, in ``meta``; no record of the queue can hold one."""

    own: str
    """Host and port of the server if the user named it: it may have a private address."""


def is_search(request: Request) -> bool:
    """Whether *request* goes to a search engine: its answer is not a page of the crawl."""
    return isinstance(request.meta.get(SEARCH), SearchTicket)


def may_be_private(request: Request) -> bool:
    """Whether *request* may leave the public internet: it goes to the user's own engine."""
    ticket = request.meta.get(SEARCH)
    if not isinstance(ticket, SearchTicket) or not ticket.own:
        return False
    return urlsplit(request.url).netloc.lower() == ticket.own


def ticket_of(request: Request) -> Mapping[str, Any]:
    """Return the part of ``meta`` that passes the mark on, to the request for a robots.txt."""
    return {SEARCH: request.meta[SEARCH]} if is_search(request) else {}
