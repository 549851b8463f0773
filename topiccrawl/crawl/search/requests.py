"""Requests for the pages that a search has found."""

from __future__ import annotations

from scrapy import Request

from topiccrawl.crawl.meta import EVIDENCE, SCORE
from topiccrawl.crawl.ordering import SEED_SCORE
from topiccrawl.crawl.search.searching import found_by
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.sources.results import Source

__all__ = ["source_request"]


def source_request(source: Source) -> Request:
    """Return the request for a source: before all links of pages, the best sources first."""
    evidence = LinkEvidence(
        SEED_SCORE + source.score,
        {"search": source.score},
        anchor=source.title,
        found_by=found_by(source),
    )
    return Request(source.written, meta={SCORE: evidence.score, EVIDENCE: evidence})
