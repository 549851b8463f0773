"""Build the corpus: all families of sites and their pages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from benchmarks.corpus import community, government, lists, news, oldweb, pages
from benchmarks.corpus.records import Sample
from benchmarks.corpus.site import Site
from benchmarks.corpus.template import Template

SITES = 2
PAGES = 3


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of site: its template and the encoding of its servers."""

    name: str
    template: Template
    encoding: str = "utf-8"
    header: str | None = "utf-8"
    """Charset of the Content-Type header, which may be missing or wrong."""
    script: str = "cn"
    meta: str | None = ""
    """Charset in the page's meta tag: None for no meta tag, empty for the template's own."""


#: The order is fixed: the ids of pages are made from the names.
FAMILIES = (
    Family("portal", news.portal),
    Family("minified", news.minified),
    Family("application", news.application),
    Family("article_pages", news.pages),
    Family("captions", news.captions),
    Family("interview", news.interview),
    Family("discussed", news.discussed),
    Family("wechat", news.wechat),
    Family("short", news.short),
    Family("english", news.english, script="en"),
    Family("big5_news", pages.blog, "big5", None, script="tw", meta="big5"),
    Family("old_tables", oldweb.tables, "gbk", None),
    Family("old_cells", oldweb.cells, "gb18030", "gb2312"),
    Family("unclosed", oldweb.unclosed, "gbk", None),
    Family("stray_end", oldweb.stray_end),
    Family("stray_middle", oldweb.stray_middle, "gb18030", None),
    Family("script_first", oldweb.script_first),
    Family("meta_lies", news.portal, "utf-8", None, meta="gb2312"),
    Family("header_lies", oldweb.tables, "gbk", "iso-8859-1", meta="utf-8"),
    Family("charset_absent", oldweb.cells, "gbk", None, meta=None),
    Family("notice", government.notice),
    Family("statistics", government.statistics),
    Family("bulletin", government.bulletin),
    Family("discuz", community.discuz, "gbk", "gbk"),
    Family("board", community.board, "gbk", None),
    Family("bar", community.bar),
    Family("answers", community.answers),
    Family("entry", pages.entry),
    Family("recipe", pages.recipe),
    Family("poem", pages.poem),
    Family("blog", pages.blog),
    Family("tw_blog", pages.blog, script="tw"),
    Family("film", pages.film),
    Family("gallery", pages.gallery),
    Family("channel", lists.channel),
    Family("teasers", lists.teasers),
    Family("front", lists.front),
)


def _bytes(family: Family, html: str) -> bytes:
    if family.meta != "":
        for stated in ("utf-8", "gb2312", "gbk", "GB2312"):
            html = html.replace(f'<meta charset="{stated}">', f"<meta charset={family.meta}>")
            html = html.replace(f'charset={stated}"', f'charset={family.meta}"')
        if family.meta is None:
            html = html.replace("<meta charset=None>", "").replace("charset=None", "")
    return html.encode(family.encoding, "xmlcharrefreplace")


def make(family: Family, *, seed: int = 1, sites: int = SITES, count: int = PAGES) -> list[Sample]:
    """Return ``count`` pages of each of ``sites`` sites of a family."""
    made = []
    for number in range(sites):
        site = Site(seed, family.name, number, family.script)
        for k in range(count):
            page = family.template(site, Random(f"{site.seed}/{k}"), k)
            path = page.path or f"/{site.style}/"
            made.append(
                Sample(
                    id=f"{family.name}-{number}-{k}",
                    family=family.name,
                    site=site.host,
                    url=f"http://{site.host}{path}" + ("" if path == "/" else f"{k + 1_000}.html"),
                    data=_bytes(family, page.html),
                    charset=family.header,
                    fetched=site.fetched(page.when),
                    truth=page.truth,
                )
            )
    return made


@cache
def corpus(seed: int = 1) -> tuple[Sample, ...]:
    """Return the whole corpus of a seed: 37 families, 74 sites, 222 pages."""
    return tuple(sample for family in FAMILIES for sample in make(family, seed=seed))
