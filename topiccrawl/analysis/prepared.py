"""The analysis of a page as a compact record: made in a worker process, read by the crawl.

The record holds everything that the crawl needs of nearly every page.  What few pages need (the whole outline,
the links with all their attributes) is packed in it separately and unpacked at first use, so that nothing is
computed a second time.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from topiccrawl.analysis.links import MergedLink, PageLinks
from topiccrawl.page.links import Link
from topiccrawl.page.outline import Outline
from topiccrawl.page.page import Page

if TYPE_CHECKING:
    from datetime import datetime

    from topiccrawl.analysis.page import PageAnalysis
    from topiccrawl.analysis.summarized import SummaryLimits
    from topiccrawl.scoring.strategy import LinkBatch

#: Links that are unpacked in one step: 1 ms (30,000 links, 2026-11).
_PIECE: Final = 1_000
#: Properties of a page that are computed once and kept by it.
_PAGE: Final = (
    "looks_like_html",
    "base_url",
    "canonical_url",
    "versions",
    "visible_text",
    "script_article",
    "whole_extraction",
    "extraction",
    "kind",
    "_title",
    "trail",
    "edge_lines",
    "lines_left_out",
)
#: Those that only stored pages need.
_STORED: Final = (
    "byline",
    "published",
    "site_name",
    "source",
    "source_url",
    "comment_records",
)
_MARKDOWN: Final = ("composition", "main_image")
#: Share of the topic's threshold from which a page may be kept (a guess: as for near misses).
_LIKELY_SHARE: Final = 0.5
#: Bytes of a page for which nothing is left to the crawl (a guess; what is left of smaller ones takes 10 ms).
_LARGE: Final = 200_000
#: Properties of an analysis that are computed once and kept by it.
_ANALYSIS: Final = (
    "view",
    "relevance",
    "title_hit",
    "text",
    "content",
    "paging",
)
#: Those that only stored pages and further visits need.
_COMPARED: Final = ("body_hash", "body_digest")


@dataclass(frozen=True, slots=True)
class PageTask:
    """One response to analyze."""

    url: str
    body: bytes
    """As much of it as is read."""
    declared_charset: str | None
    content_type: str
    anchor_hint: str
    now: datetime
    status: int
    host_lines: frozenset[int] = frozenset()
    """Lines that the host repeats."""


class ReadyLinks(NamedTuple):
    """The links of a page as they are if the URL filter rewrites and rejects none."""

    urls: Sequence[str]
    """Of all links of the page."""
    links: PageLinks
    """Merged, without the page itself and without links that are not followed."""


class PackedAnalysis(NamedTuple):
    """The record; all but the first field are unpacked by themselves."""

    core: bytes
    links: tuple[bytes, ...]
    """Pieces of the merged links."""
    batch: bytes
    """Arrays of the merged links."""
    outline: bytes
    all_links: bytes
    """Links of the page with all attributes."""


class PreparedPage(Page):
    """A page that was read in another process."""

    _packed: PackedAnalysis
    _values: dict[str, Any]

    def take(
        self, packed: PackedAnalysis, computed: dict[str, Any], values: dict[str, Any]
    ) -> None:
        """Take over what was computed: properties by name, and further values."""
        self._packed, self._values = packed, values
        vars(self).update(computed)

    @cached_property
    def outline(self) -> Outline:
        """Text, boxes and metadata."""
        found: Outline = pickle.loads(self._packed.outline)
        return found

    @cached_property
    def links(self) -> list[Link]:
        """All links of the page."""
        return list(map(Link._make, pickle.loads(self._packed.all_links)))

    @property
    def encoding(self) -> str:
        """Name of the page's encoding."""
        return str(self._values["encoding"])

    @property
    def meta(self) -> dict[str, str]:
        """Content of the meta tags."""
        found: dict[str, str] = self._values["meta"]
        return found

    @property
    def stated_heading(self) -> str:
        """Content of ``<title>``."""
        return str(self._values["stated_heading"])

    @property
    def feeds(self) -> list[str]:
        """Addresses of the feeds that the page states."""
        found: list[str] = self._values["feeds"]
        return found


def pack(
    analysis: PageAnalysis,
    status: int,
    limits: SummaryLimits,
    *,
    shells: bool = False,
    markdown: bool = False,
) -> PackedAnalysis:
    """Compute everything that a crawl needs of a page, and pack it.

    *analysis* has no URL filter.  *limits* are those of summary and keywords, which relevant pages get;
    *shells*: pages that a browser shows better are looked for; *markdown*: kept pages get Markdown and a main
    image.
    """
    page = analysis.page
    if not page.looks_like_html:
        nothing = {"encoding": page.encoding, "meta": {}, "feeds": [], "stated_heading": ""}
        return _packed({"looks_like_html": False}, {}, nothing, outline=Outline())
    likely = _may_be_kept(analysis)
    names, of_analysis = [*_PAGE], [*_ANALYSIS]
    if likely:
        names += [*_STORED, *(_MARKDOWN if markdown else ())]
        of_analysis += _COMPARED
    computed = {name: getattr(page, name) for name in names}
    links = analysis.links
    values: dict[str, Any] = {
        "encoding": page.encoding,
        "meta": page.meta,
        "feeds": page.feeds,
        "stated_heading": page.stated_heading,
        "recognized": (status, analysis.recognized(status)),
        "urls": [link.url for link in page.links],
    }
    analyzed = {name: getattr(analysis, name) for name in of_analysis}
    values["summarized"] = None
    if likely and page.body:
        values["summarized"] = analysis.summarized(page.title, page.body, limits)
    if shells:
        analyzed |= {"shown": analysis.shown, "shell": analysis.shell}
        if analysis.shell:
            analyzed["template"] = analysis.template
    return _packed(
        computed,
        analyzed,
        values,
        links.links,
        links.batch,
        page.outline,
        page.links,
    )


def _may_be_kept(analysis: PageAnalysis) -> bool:
    """Whether it is worth while to compute what only kept pages need; for others the crawl does it."""
    least = _LIKELY_SHARE * analysis.topic.threshold
    return analysis.relevance.score >= least or len(analysis.page.raw) > _LARGE


def _packed(
    page: dict[str, Any],
    analysis: dict[str, Any],
    values: dict[str, Any],
    links: Sequence[MergedLink] = (),
    batch: LinkBatch | None = None,
    outline: Outline | None = None,
    all_links: Sequence[Link] = (),
) -> PackedAnalysis:
    rows = list(map(_row, links))
    pieces = [rows[i : i + _PIECE] for i in range(0, len(rows), _PIECE)]
    return PackedAnalysis(
        _dump((page, analysis, values)),
        tuple(map(_dump, pieces)),
        _dump(batch),
        _dump(outline),
        _dump(list(map(tuple, all_links))),
    )


def _dump(value: object) -> bytes:
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


#: The fields of a link; a tuple of them is packed several times as fast as the link.
_row: Final = attrgetter(*(field.name for field in fields(MergedLink)))


def unpack(packed: PackedAnalysis, analysis: PageAnalysis) -> Iterator[None]:
    """Fill in *analysis*, whose page is a :class:`PreparedPage`, a few milliseconds at a time."""
    page = analysis.page
    assert isinstance(page, PreparedPage)
    computed, analyzed, values = pickle.loads(packed.core)
    page.take(packed, computed, values)
    vars(analysis).update(analyzed)
    if not page.looks_like_html:
        return
    yield
    links: list[MergedLink] = []
    for piece in packed.links:
        links += [MergedLink(*row) for row in pickle.loads(piece)]
        yield
    ready = ReadyLinks(values["urls"], PageLinks(links, pickle.loads(packed.batch)))
    analysis.take(ready, values["recognized"], values["summarized"])
