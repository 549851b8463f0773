"""Descriptions of the reasons why a crawl ended."""

from __future__ import annotations

from topiccrawl.crawl.control import CANNOT_START, FRONTIER_LOST, MAX_PAGES, STORE_LOST

#: Scrapy's close reasons in plain words.
STOP_REASONS = {
    "finished": "the frontier ran dry: every link that was found has been tried",
    "shutdown": "it was stopped by the user or by a signal",
    "cancelled": "it was canceled",
    "closespider_pagecount": "the page limit was reached",
    "closespider_itemcount": "the item limit was reached",
    "closespider_timeout": "the time limit was reached",
    "closespider_errorcount": "there were too many errors",
    "memusage_exceeded": "the memory limit was reached",
    "start_error": "the seeds could not be read",
    CANNOT_START: "it could not start (see the error above)",
    MAX_PAGES: "the page budget is used up (-a pages, TOPICCRAWL_MAX_PAGES or the topic's max_pages)",
    STORE_LOST: "neither the store nor the spool could be written",
    FRONTIER_LOST: "the queue could not be written",
}


def stop_sentence(reason: str, pages: int) -> str:
    """Return a description of the close reason; "finished" without a page is a failure.

    A close reason that is not known here is returned as it is.
    """
    if pages == 0 and reason in ("finished", "closespider_pagecount"):
        return "no seed gave a page (see the failures above)"
    return STOP_REASONS.get(reason, reason)
