"""``scrapy search``: full-text search in the store."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final, cast

from rich.text import Text

from topiccrawl.commandline.console import make_console, progress
from topiccrawl.commandline.options import check_limit
from topiccrawl.commandline.store import choose_topic, opened_store, store_uri
from topiccrawl.commandline.streams import print_json
from topiccrawl.errors import OptionError
from topiccrawl.language import _, bracketed, listed, ngettext
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.reporting.markup import clean
from topiccrawl.store.search import Hit, SearchOrder, SearchQuery, SearchResult, Snippet
from topiccrawl.store.values import in_zone
from topiccrawl.text.searching import KINDS, parse_query

if TYPE_CHECKING:
    import argparse
    from datetime import datetime

    from rich.console import Console
    from scrapy.settings import Settings

#: Pages that are entered in the index in one transaction, during which a crawl waits.  A guess: half a
#: second.
_AT_ONCE: Final = 200

#: Most frequent sites that are listed.
_SITES: Final = 5


async def search(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Check the options, then search, or enter pages in the index."""
    check_limit(opts)
    uri = store_uri(opts, settings)
    if opts.index:
        return await _index(uri)
    words = " ".join(args)
    if not words.strip():
        raise OptionError(_("name what to search for: scrapy search WORDS"))
    async with opened_store(uri) as store:
        topics = [await choose_topic(store, name) for name in opts.topic]
        query = SearchQuery.from_text(
            words, order=cast("SearchOrder", opts.sort), limit=opts.limit, copies=opts.copies
        )
        if query.is_empty:
            raise OptionError(_("name what to search for: scrapy search WORDS"))
        found = await store.search(topics, query)
        is_topic = not found.total and len(args) > 1 and args[0] in await store.topics()
    if opts.json:
        print_json(as_json(found))
    else:
        _print(found)
    parsed = parse_query(words)
    for wrong in parsed.no_kinds:
        text = _("{text} is no kind of page; there are: {kinds}")
        print(text.format(text=clean(wrong, 60), kinds=listed(KINDS)), file=sys.stderr)
    for wrong in parsed.no_dates:
        print(
            _(
                "{text} is no date and was searched as a word; a day, month or year is written as "
                "since:2025-06-01, since:2025-06 or since:2025."
            ).format(text=clean(wrong, 60)),
            file=sys.stderr,
        )
    for bare in parsed.bare_fields:
        text = _("nothing stands behind {text}, which was searched as a word")
        print(text.format(text=clean(bare, 60)), file=sys.stderr)
    if is_topic:
        text = _("{topic} is a topic and was searched as a word; to search in it: --topic {topic}")
        print(text.format(topic=clean(args[0], 60)), file=sys.stderr)
    if found.unindexed:
        print(
            ngettext(
                "{count} page of an older version is not in the index yet: scrapy search --index",
                "{count} pages of an older version are not in the index yet: scrapy search --index",
                found.unindexed,
            ).format(count=found.unindexed),
            file=sys.stderr,
        )
    return 0


def _print(found: SearchResult) -> None:
    console = make_console(plain=True)
    count = ngettext("{count} page", "{count} pages", found.total).format(count=found.total)
    sites = [f"{clean(site, 60)} {number}" for site, number in found.facets.get("site", ())]
    tail = bracketed(listed(sites[:_SITES]) + (" …" if len(sites) > _SITES else ""))
    console.print(count + (tail if sites else ""), soft_wrap=True)
    for hit in found.hits:
        _print_hit(console, hit)


def _print_hit(console: Console, hit: Hit) -> None:
    line = Text(f"\n{_day(hit.headline.dated)}  {clean(hit.headline.site, 60)}  ")
    line.append_text(_marked(hit.title))
    console.print(line, soft_wrap=True)
    if hit.body.text:
        console.print(Text("    ").append_text(_marked(hit.body)), soft_wrap=True)
    console.print(f"    {clean(hit.headline.url)}", soft_wrap=True)


def _marked(snippet: Snippet) -> Text:
    """Return *snippet* for the terminal, with its marks in bold."""
    text = Text(snippet.text)
    for start, end in snippet.marks:
        text.stylize("bold red", start, end)
    return text


def _day(moment: datetime) -> str:
    return in_zone(moment, CHINA_TIME).date().isoformat()


def as_json(found: SearchResult) -> dict[str, Any]:
    """Return what was found as JSON values."""
    return {
        "total": found.total,
        "unindexed": found.unindexed,
        "facets": {name: dict(values) for name, values in found.facets.items()},
        "pages": [
            {
                "topic": hit.headline.topic,
                "url": hit.headline.url,
                "title": hit.headline.title,
                "site": hit.headline.site,
                "author": hit.headline.author,
                "source": hit.headline.source,
                "published": _time(hit.headline.published_at),
                "first_seen": _time(hit.headline.first_seen),
                "text": hit.body.text,
                "marks": [list(mark) for mark in hit.body.marks],
            }
            for hit in found.hits
        ],
    }


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else in_zone(moment, CHINA_TIME).isoformat()


async def _index(uri: str) -> int:
    """Enter the pages that are not in the index, with progress."""
    async with opened_store(uri, read_only=False) as store:
        waiting = total = await store.unindexed()
        with progress(_("pages"), total) as tick:
            while waiting:
                left = await store.index(_AT_ONCE)
                for _number in range(waiting - left):
                    tick()
                if left >= waiting:
                    break
                waiting = left
    print(
        ngettext(
            "{count} page entered in the index",
            "{count} pages entered in the index",
            total - waiting,
        ).format(count=total - waiting)
    )
    return 0
