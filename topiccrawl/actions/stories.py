"""``scrapy stories``: stories with their copies, the spread of one, and events."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, cast

from topiccrawl.commandline.console import make_console, progress
from topiccrawl.commandline.errors import CommandError, fail
from topiccrawl.commandline.options import row_limit
from topiccrawl.commandline.store import choose_topic, one_argument, opened_store, store_uri
from topiccrawl.commandline.streams import print_json
from topiccrawl.commandline.tables import write_table
from topiccrawl.crawl.settling.right import TERM_SECONDS
from topiccrawl.crawl.settling.settling import Settled, settle
from topiccrawl.errors import OptionError
from topiccrawl.export.stories import (
    Row,
    Table,
    columns_of,
    event_row,
    page_row,
    rows,
    spread_row,
    values,
)
from topiccrawl.language import N_, _, ngettext
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.reporting.event_table import compute_events, save_events
from topiccrawl.reporting.explain import spellings
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.stories import Story, read_events, read_story
from topiccrawl.reporting.text.spread import tree_lines
from topiccrawl.store.values import in_zone
from topiccrawl.stories.events import by_size

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncGenerator, AsyncIterator, Mapping

    from scrapy.settings import Settings

    from topiccrawl.store.columns import Value
    from topiccrawl.store.contract import Store
    from topiccrawl.store.stories import StoryOrder


#: Seconds to wait for another process that compares the pages of a topic: one that was killed has lost its
#: right by then.
_PATIENCE_SECONDS: Final = 2 * TERM_SECONDS


async def stories(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Check the options, then do what they ask for."""
    limit = row_limit(opts)
    uri = store_uri(opts, settings)
    named = one_argument(args, N_("topic"))
    if opts.save and not opts.events:
        raise OptionError(_("--save is only for --events"))
    if opts.update:
        return await _update(uri, named)
    if opts.save:
        return await _save_events(uri, named)
    async with opened_store(uri) as store:
        topic = await choose_topic(store, named)
        if opts.story:
            return await _one(store, topic, opts.story, as_json=opts.json)
        if opts.out:
            return await _table(store, topic, uri, limit, opts)
        if opts.events:
            return await _events(store, topic, limit, as_json=opts.json)
        return await _list(store, topic, limit, opts)


async def _list(store: Store, topic: str, limit: int | None, opts: argparse.Namespace) -> int:
    """Print the stories that have copies."""
    found = [
        story
        async for story in store.stories(topic, order=cast("StoryOrder", opts.order), limit=limit)
    ]
    if opts.json:
        print_json([asdict(story) for story in found], _as_json)
        return 0
    if not found:
        print(_("{topic}: no story has copies").format(topic=clean(topic)))
        return 0
    for story in found:
        number = story.members - 1
        copies = ngettext("{count} copy", "{count} copies", number).format(count=number)
        print(f"{story.story}  {copies}  {clean(story.title, 80)}")
        print(f"    {clean(story.url)}")
    return 0


async def _one(store: Store, topic: str, wanted: str, *, as_json: bool) -> int:
    """Print the spread of a story."""
    story = await _find(store, topic, wanted)
    if as_json:
        print_json(story_json(story), _as_json)
        return 0
    console = make_console(plain=True)
    console.print(clean(story.first.title, 200), soft_wrap=True)
    for line in tree_lines(story):
        console.print(line, soft_wrap=True)
    return 0


async def _find(store: Store, topic: str, wanted: str) -> Story:
    """Return the story with this id, or that of the page with this URL in any spelling."""
    is_url = "://" in wanted
    story = None if is_url else await read_story(store, topic, wanted)
    for url in spellings(wanted) if story is None else ():
        page = await store.page(topic, url)
        if page is not None and page.story:
            story = await read_story(store, topic, page.story)
            break
    if story is None and is_url:
        raise CommandError(_("{url} is in no story").format(url=clean(wanted)))
    if story is None:
        raise CommandError(
            _("topic {topic!r} has no story {story!r}; scrapy stories lists them").format(
                topic=topic, story=wanted
            )
        )
    return story


def story_json(story: Story) -> dict[str, Any]:
    """Return a story and its spread as JSON values."""
    found = story.spread
    return {
        **spread_row(story),
        "first": found.first,
        "root": found.root,
        "nodes": [
            {"id": node.id, "outlet": node.name, "fetched": node.page is not None}
            for node in found.nodes.values()
        ],
        "edges": [asdict(edge) for edge in found.edges.values()],
        "pages": [page_row(story, url) for url in story.members],
    }


async def _events(store: Store, topic: str, limit: int | None, *, as_json: bool) -> int:
    """Print the events, those with most stories first."""
    with progress(_("pages"), await store.count(topic)) as tick:
        events, urls = await read_events(store, topic, tick)
    found = [(event, event_row(event, urls)) for event in by_size(events)[:limit]]
    if as_json:
        print_json([row for _event, row in found], _as_json)
        return 0
    if not found:
        print(_("{topic}: there are no events").format(topic=clean(topic)))
    for event, row in found:
        stories, copies = len(event.stories), event.copies
        count = _("{stories}, {copies}").format(
            stories=ngettext("{count} story", "{count} stories", stories).format(count=stories),
            copies=ngettext("{count} copy", "{count} copies", copies).format(count=copies),
        )
        print(f"{row['event']}  {row['time'] or '—'}  {clean(str(row['name']), 80)}  ({count})")
        named = [*_texts(row, "places"), *_texts(row, "persons"), *_texts(row, "organizations")]
        if named:
            print(f"    {clean('、'.join(named), 200)}")
    return 0


async def _save_events(uri: str, named: str | None) -> int:
    """Compute the events of one topic or of all, and keep them in the store."""
    async with opened_store(uri, read_only=False) as store:
        topics = [await choose_topic(store, named)] if named else list(await store.topics())
        for topic in topics:
            with progress(_("pages"), await store.count(topic)) as tick:
                table = await compute_events(store, topic, datetime.now(UTC), tick)
            await save_events(store, topic, table)
            count = len(table.rows)
            text = ngettext("{topic}: {count} event", "{topic}: {count} events", count)
            print(text.format(topic=clean(topic), count=count))
    return 0


def _texts(row: Mapping[str, Any], name: str) -> list[str]:
    return list(row[name])


async def _table(
    store: Store, topic: str, uri: str, limit: int | None, opts: argparse.Namespace
) -> int:
    """Write a table to the file."""
    table = cast("Table", opts.table)
    with progress(_("stories")) as tick:
        found = rows(store, topic, table, tick)
        cells = _first(found, limit, table)
        return await write_table(uri, "stories", topic, columns_of(table), cells, opts)


async def _first(
    found: AsyncGenerator[Row, None], limit: int | None, table: Table
) -> AsyncIterator[list[Value]]:
    """Yield the cells of the first *limit* rows, of all without one."""
    count = 0
    async with aclosing(found):
        async for row in found:
            yield values(table, row)
            count += 1
            if count == limit:
                return


async def _update(uri: str, named: str | None) -> int:
    """Compare the pages that were not compared, with progress; one busy topic stops no other."""
    code = 0
    async with opened_store(uri, read_only=False) as store:
        topics = [await choose_topic(store, named)] if named else list(await store.topics())
        for topic in topics:
            with progress(_("pages")) as tick:
                seen = 0

                def advance(done: Settled, tick: Any = tick) -> None:
                    nonlocal seen
                    while seen < done.compared:
                        tick()
                        seen += 1

                done = await settle(store, topic, on_progress=advance, patience=_PATIENCE_SECONDS)
            print(
                ngettext(
                    "{topic}: {compared} page compared, {joined} became copies, {freed} are listed",
                    "{topic}: {compared} pages compared, {joined} became copies, {freed} are listed",
                    done.compared,
                ).format(
                    topic=clean(topic), compared=done.compared, joined=done.joined, freed=done.freed
                )
            )
            if done.busy:
                code = fail(
                    _(
                        "{topic}: another process, such as a crawl, is comparing its pages now; it "
                        "does the same work"
                    ).format(topic=clean(topic))
                )
    return code


def _as_json(value: object) -> object:
    if isinstance(value, datetime):
        return in_zone(value, CHINA_TIME).isoformat()
    return str(value)
