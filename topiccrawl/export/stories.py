"""Stories as tables: document 001's propagation, page attribute and event tables."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from datetime import datetime
from typing import Final, Literal, TypeAlias

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.reporting.stories import Story, read_events, read_story
from topiccrawl.store.columns import Column, Value, table_columns
from topiccrawl.store.contract import Store
from topiccrawl.store.values import in_zone
from topiccrawl.stories.events import Event

#: Tables that can be written.
Table = Literal["spread", "pages", "events"]
Row: TypeAlias = Mapping[str, Value]

#: Names and headings of the columns of each table, in document 001's order.
_HEADINGS: Final[dict[Table, tuple[tuple[str, str, str], ...]]] = {
    "spread": (
        ("story", "报道", "story"),
        ("title", "标题", "title"),
        ("url", "链接", "URL"),
        ("keywords", "关键词", "keywords"),
        ("publisher", "发布站点", "first publisher"),
        ("reposted_by", "转载站点", "reposted by"),
        ("author", "作者", "author"),
        ("summary", "摘要", "summary"),
        ("published_at", "发布时间", "published"),
        ("comments", "评论", "comments"),
        ("copies", "副本数", "copies"),
        ("confidence", "首发把握", "confidence"),
    ),
    "pages": (
        ("story", "报道", "story"),
        ("title", "标题", "title"),
        ("url", "链接", "URL"),
        ("site", "站点", "site"),
        ("outlet", "媒体", "outlet"),
        ("author", "作者", "author"),
        ("source", "来源", "source"),
        ("published_at", "发布时间", "published"),
        ("fetched_at", "抓取时间", "fetched"),
        ("keywords", "关键词", "keywords"),
        ("summary", "摘要", "summary"),
        ("comments", "评论", "comments"),
        ("relation", "与原文的关系", "relation"),
        ("taken_from", "转自", "taken from"),
        ("reason", "依据", "reason"),
        ("confidence", "把握", "confidence"),
    ),
    "events": (
        ("event", "事件编号", "event"),
        ("name", "事件名称", "name"),
        ("time", "时间", "time"),
        ("places", "地点", "places"),
        ("persons", "人物", "persons"),
        ("organizations", "机构", "organizations"),
        ("stories", "报道数", "stories"),
        ("copies", "副本数", "copies"),
        ("first", "最早报道", "first report"),
        ("last", "最近报道", "last report"),
        ("urls", "链接", "URLs"),
    ),
}


def columns_of(table: Table) -> list[Column]:
    """Return the columns of a table, for the writers of :mod:`topiccrawl.export.writers`."""
    return table_columns(_HEADINGS[table])


def values(table: Table, row: Row) -> list[Value]:
    """Return the cells of *row*, times in China."""
    cells = [row[name] for name, _, _ in _HEADINGS[table]]
    return [in_zone(it, CHINA_TIME) if isinstance(it, datetime) else it for it in cells]


async def rows(
    store: Store, topic: str, table: Table, tick: Callable[[], None] = lambda: None
) -> AsyncGenerator[Row, None]:
    """Yield the rows of a table: stories with copies by size, their pages by time, or events."""
    if table == "events":
        events, urls = await read_events(store, topic, tick)
        for event in events:
            yield event_row(event, urls)
        return
    async for found in store.stories(topic):
        story = await read_story(store, topic, found.story)
        tick()
        if story is None:
            continue
        if table == "spread":
            yield spread_row(story)
        else:
            for url in story.members:
                yield page_row(story, url)


def spread_row(story: Story) -> Row:
    """Return document 001's row of a story: who published it first, and who reposted it."""
    found, first = story.spread, story.first
    root = found.nodes[found.root]
    nodes = [
        node for node in found.nodes.values() if node.page is not None and node.id != first.url
    ]
    nodes.sort(key=lambda node: (story.published(node.id), node.id))
    return {
        "story": story.id,
        "title": first.title,
        "url": first.url,
        "keywords": list(first.keywords),
        "publisher": root.name,
        "reposted_by": list(dict.fromkeys(node.name for node in nodes)),
        "author": first.author,
        "summary": first.summary,
        "published_at": first.published_at,
        "comments": first.comments,
        "copies": len(story.members) - 1,
        "confidence": found.first_confidence,
    }


def page_row(story: Story, url: str) -> Row:
    """Return document 001's attributes of a page, with its place in the spread."""
    page, edge = story.members[url], story.spread.edges.get(url)
    return {
        "story": story.id,
        "title": page.title,
        "url": url,
        "site": page.site,
        "outlet": story.spread.nodes[url].name,
        "author": page.author,
        "source": page.source,
        "published_at": page.published_at,
        "fetched_at": page.fetched_at,
        "keywords": list(page.keywords),
        "summary": page.summary,
        "comments": page.comments,
        "relation": page.relation,
        "taken_from": edge.source.removeprefix("outlet:") if edge else "",
        "reason": edge.reason if edge else "",
        "confidence": edge.confidence if edge else story.spread.first_confidence,
    }


def event_row(event: Event, urls: Mapping[str, str]) -> Row:
    """Return document 001's row of an event."""
    return {
        "event": event.number,
        "name": event.name,
        "time": event.when.days_text if event.when else "",
        "places": event.names.places,
        "persons": event.names.persons,
        "organizations": event.names.organizations,
        "stories": len(event.stories),
        "copies": event.copies,
        "first": event.first,
        "last": event.last,
        "urls": [urls[story] for story in event.stories],
    }
