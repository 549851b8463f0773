"""One fetched page: what it contains, computed from its text and boxes at the first use and kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time
from functools import cached_property
from typing import TYPE_CHECKING

from topiccrawl.page.body.blocks import han_length
from topiccrawl.page.body.contract import Extraction
from topiccrawl.page.body.extractors import DEFAULT_EXTRACTOR, get_extractor
from topiccrawl.page.body.host_lines import edge_lines, without_lines
from topiccrawl.page.body.kind import kind_by_rules
from topiccrawl.page.body.script_data import (
    MOST_VISIBLE,
    StatedArticle,
    article_in_field,
    article_in_scripts,
)
from topiccrawl.page.byline import Byline, find_byline
from topiccrawl.page.byline.names import clean_author
from topiccrawl.page.byline.posters import (
    member_of,
    owner_of,
    person_in_microdata,
    poster_of,
    related_author,
)
from topiccrawl.page.comments import Comment, comments_of
from topiccrawl.page.dates import CHINA_TIME, find_published
from topiccrawl.page.dates.in_scripts import date_in_scripts
from topiccrawl.page.hrefs import Resolver
from topiccrawl.page.links import Link, build_links
from topiccrawl.page.lists.pagers import next_pages
from topiccrawl.page.markdown import Composition, compose, stated_image
from topiccrawl.page.notcontent.features import Layout, layout_of
from topiccrawl.page.origin import (
    WECHAT_BODY,
    is_own_work,
    medium_of_entry,
    own_entry,
    site_name_of,
    source_link,
    wechat_account,
    wechat_author,
)
from topiccrawl.page.parsed import ParsedPage
from topiccrawl.page.short import is_single_item, stated_summary
from topiccrawl.page.title import Title, title_of
from topiccrawl.page.trail import trail_of

if TYPE_CHECKING:
    from topiccrawl.page.body.contract import Kind

#: Longer keywords and descriptions are cut (a guess: descriptions have some 200 characters).
MAX_STATED_CHARACTERS = 300


class Page(ParsedPage):
    """A page parsed from the bytes of one response. No property raises on a bad page.

    Binary data that is served as HTML is an empty page with :attr:`looks_like_html` False.

    Parameters
    ----------
    url : str
        URL of the page, empty if unknown.
    body : bytes
        The response body.
    declared_charset : str, optional
        Charset of the Content-Type header.
    content_type : str
        The Content-Type header, empty if there is none.
    extractor : str
        Name or dotted path of the body extractor; see :mod:`topiccrawl.page.body.extractors`.
    now : datetime, optional
        Time of the fetch, to which 昨天 and the like refer (default: the time of use).
    anchor_hint : str
        Text of the link that led to the page, a last resort for the title.
    routes : bool
        Whether links to routes of scripts (``#/article/3``) are links to pages.
    host_lines : frozenset of int
        Hashes of lines that the host repeats, which the body is without; see
        :mod:`topiccrawl.page.body.host_lines`.

    Raises
    ------
    ValueError
        If there is no such extractor.
    """

    def __init__(
        self,
        url: str,
        body: bytes,
        declared_charset: str | None = None,
        content_type: str = "",
        *,
        extractor: str = DEFAULT_EXTRACTOR,
        now: datetime | None = None,
        anchor_hint: str = "",
        routes: bool = False,
        host_lines: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(url, body, declared_charset, content_type)
        self.now = now
        self.anchor_hint = anchor_hint
        self.host_lines = host_lines
        self._routes = routes
        self._extractor = get_extractor(extractor)
        self._extractor_name = extractor

    @property
    def arguments(self) -> dict[str, str | None]:
        """Arguments that make this page again from :attr:`raw`, whenever that is; texts only."""
        return {
            "url": self.url,
            "declared_charset": self.declared_charset,
            "content_type": self.content_type,
            "extractor": self._extractor_name,
            "anchor_hint": self.anchor_hint,
        }

    def __repr__(self) -> str:
        return f"Page({self.url!r}, {len(self.raw)} bytes)"

    @property
    def media_type(self) -> str:
        """Media type of a document that is treated like a page; empty for a web page."""
        return ""

    @cached_property
    def layout(self) -> Layout | None:
        """The text outside links as notices have it; None if there is more than any notice has."""
        return layout_of(self)

    @cached_property
    def links(self) -> list[Link]:
        """All links as absolute http(s) URLs without fragment, in document order.

        At the end, the next pages of a list that only a script of the page numbers.
        """
        resolver = Resolver(self.base_url, self.encoding, routes=self._routes)
        links = build_links(self.outline, resolver)
        if further := next_pages(self):
            known = {link.url for link in links}
            links += [
                Link(url, "下一页", region="pager", nofollow=self.nofollow)
                for url in further
                if url not in known
            ]
        return links

    @cached_property
    def script_article(self) -> StatedArticle | None:
        """The article that only scripts have, of a page that shows next to nothing; None as a rule.

        Or the one that a script renders from a form field, whatever the page shows beside it.
        """
        visible = self.visible_text
        rendered = article_in_field(self.text) if self.looks_like_html else None
        if rendered is not None and rendered.body.partition("\n")[0] not in visible:
            return rendered
        # A character counts as a third at least; most pages are long.
        is_long = len(visible) > 4 * MOST_VISIBLE or han_length(visible) > MOST_VISIBLE
        if is_long or not self.looks_like_html:
            return None
        found = article_in_scripts(self.text, self.outline.json_ld)
        return None if found is None or found.body.partition("\n")[0] in visible else found

    @cached_property
    def whole_extraction(self) -> Extraction:
        """Body, comments and kind by the page's extractor, with the lines that the host repeats."""
        if self.script_article is not None:
            return Extraction(self.script_article.body, kind="article")
        found = self._extractor.extract(self)
        if not self.host_lines or found.kind is not None:
            return found
        return replace(found, kind=kind_by_rules(self.outline, self.blocks, found.body, self.url))

    @cached_property
    def extraction(self) -> Extraction:
        """Body, comments and kind, without the lines that the host repeats."""
        return without_lines(self.whole_extraction, self.host_lines)

    @cached_property
    def edge_lines(self) -> tuple[int, ...]:
        """Lines at the ends of the whole body that may be those of the host's template."""
        return edge_lines(replace(self.whole_extraction, kind=self.kind))

    @cached_property
    def lines_left_out(self) -> int:
        """Number of lines of the body that were left out because the host repeats them."""
        whole, left = self.whole_extraction, self.extraction
        return 0 if whole is left else whole.body.count("\n") - left.body.count("\n")

    @property
    def body(self) -> str:
        """Main text, one line per paragraph; empty if there is none."""
        return self.extraction.body

    @property
    def comments(self) -> str:
        """Readers' comments below an article, one line per paragraph; empty on a thread."""
        return self.extraction.comments

    @cached_property
    def comment_records(self) -> list[Comment]:
        """Readers' comments with author and time; empty on a thread, whose posts are body."""
        return comments_of(
            self.outline,
            self.extraction.comment_offsets or (),
            self.now or datetime.now(CHINA_TIME),
            self.extraction.body_offsets or (),
        )

    @cached_property
    def composition(self) -> Composition:
        """The main text as Markdown, with its images; the page is parsed again for it."""
        return self._compose(links=False)

    @property
    def markdown(self) -> str:
        """Main text as Markdown, without the title and without links; empty if there is none."""
        return self.composition.markdown

    def to_markdown(self, *, links: bool = True) -> str:
        """Return the main text as Markdown, with links or without."""
        return self._compose(links=True).markdown if links else self.markdown

    def _compose(self, *, links: bool) -> Composition:
        return compose(
            self.text,
            self.outline.text,
            self.body,
            self.extraction.body_offsets,
            self.title,
            self._resolver().resolve,
            links=links,
            complete=self.kind != "thread",
        )

    @property
    def images(self) -> tuple[str, ...]:
        """Absolute URLs of the images in the main text, in order."""
        return self.composition.images

    @cached_property
    def main_image(self) -> str:
        """URL of the picture that stands for the page: the stated one, else the first; may be empty."""
        stated = stated_image(self.meta, self.outline.json_ld)
        url = self._resolver().resolve(stated) if stated else None
        return url or next(iter(self.images), "")

    @cached_property
    def kind(self) -> Kind:
        """``article``, ``list``, ``thread`` or ``other``, by the extractor or else by rules."""
        return self.extraction.kind or kind_by_rules(self.outline, self.blocks, self.body, self.url)

    @cached_property
    def _title(self) -> Title:
        if self.script_article is not None and self.script_article.title:
            return Title(self.script_article.title)
        return title_of(self.outline, self.lines, self.url, self.anchor_hint)

    @property
    def stated_title(self) -> str:
        """Title as the page states it, empty if it does not."""
        return self._title.text

    @cached_property
    def title(self) -> str:
        """Title without site names and sort ([求助]): the stated one, else the first line of the body."""
        return self._title.without_sort or self.stated_title or self.body.partition("\n")[0][:100]

    @property
    def used_anchor_hint(self) -> bool:
        """Whether the choice of the title considered the anchor hint.

        If not, nothing about the page depends on the link that led to it; if so, title and body may.
        """
        return self._title.used_anchor_hint

    @cached_property
    def trail(self) -> list[str]:
        """Names of the channels of the page, outermost first, from breadcrumbs and metadata."""
        return trail_of(self.outline, self.lines, self.title)

    @property
    def stated_words(self) -> str:
        """Keywords and description that the metadata state, empty if they state none."""
        keywords = self.meta.get("keywords", "")[:MAX_STATED_CHARACTERS]
        return f"{keywords} {stated_summary(self)[:MAX_STATED_CHARACTERS]}".strip()

    @property
    def is_single_item(self) -> bool:
        """Whether the page, if it has little or no body, is about one thing: see :mod:`topiccrawl.page.short`."""
        return is_single_item(self)

    @cached_property
    def site_name(self) -> str:
        """Name of the site as the page states it, empty if it does not."""
        return site_name_of(self.outline, self.lines, self.title, self.url, self.meta)

    @cached_property
    def source(self) -> str:
        """Medium that the page names as its origin; for 来源：本站 the name of the site."""
        if self.byline.source:
            return self.byline.source
        return (self.site_name or "本站") if is_own_work(self.lines) else ""

    @cached_property
    def source_url(self) -> str:
        """URL of the original that the page links to, empty if there is none."""
        return source_link(self.links, self.byline.source or "", self.url)

    @cached_property
    def byline(self) -> Byline:
        """Author, source and editor, as far as the page names them clearly.

        A list has none: it names those of its entries.
        """
        if self.kind == "list":
            return Byline()
        outline, article = self.outline, self.script_article
        found = find_byline(self.lines, self.title, outline.meta, outline.json_ld)
        is_complete = found.source and found.author
        wechat = self.text if not is_complete and WECHAT_BODY in self.text else ""
        if not found.source and (account := wechat_account(wechat)):
            found = replace(found, source=account)
        if not found.source and (medium := medium_of_entry(self._own_entry)):
            found = replace(found, source=medium)
        thread = self.kind == "thread"
        # The body of a thread begins with its title.
        starts = self.extraction.body_offsets or (0,)
        first = starts[: 1 + thread][-1]
        # On a thread, a line such as 某某 发表于 may be that of a quotation.
        if thread and (author := poster_of(outline, title=self.title, post=first)):
            return replace(found, author=author)
        if found.author:
            return found
        if author := clean_author(wechat_author(wechat)):
            return replace(found, author=author)
        if article is not None:
            return replace(found, author=clean_author(article.author))
        author = (
            (None if thread else poster_of(outline, first))
            or (None if thread else person_in_microdata(self.text) or related_author(outline))
            or member_of(outline, self.title, self.url, first, only=thread)
            or owner_of(outline.title)
        )
        return replace(found, author=None if author == found.source else author)

    @cached_property
    def _own_entry(self) -> str:
        return own_entry(self.text, self.title)

    @cached_property
    def published(self) -> datetime | None:
        """Time of publication in China's time zone, midnight if only the day is known, or None.

        The dates that a list shows are those of its entries: it has only a date in the metadata or URL.
        """
        outline, article = self.outline, self.script_article
        now = self.now or datetime.now(CHINA_TIME)
        listed = self.kind == "list"
        found = find_published(
            now=now,
            lines=() if listed else self.lines,
            title=self.title,
            meta=outline.meta,
            times=() if listed else outline.times,
            json_ld=outline.json_ld if article is None else [*outline.json_ld, article.fields],
            url=self.url,
            html=self.text,
        )
        if listed:
            return found
        own = date_in_scripts(self._own_entry, now) if self._own_entry else None
        if own is not None and not self._shows(found, own):
            return own
        return found or date_in_scripts(self.text, now)

    def _shows(self, found: datetime | None, own: datetime) -> bool:
        """Return whether *found* is from a visible line and not from the metadata, which may have the time of the HTML.

        Then it counts more than *own*, the time in the scripts.
        """
        now = self.now or datetime.now(CHINA_TIME)
        shown = find_published(now=now, lines=self.lines, title=self.title)
        if shown is None or found is None:
            return False
        same_day = found.date() == own.date()
        return not same_day or (shown.date() == own.date() and shown.time() > time.min)
