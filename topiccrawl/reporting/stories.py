"""Stories and events as read from a store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from topiccrawl.store.compared import compared_page
from topiccrawl.store.contract import PageRecord, Store
from topiccrawl.stories.clocks import dated
from topiccrawl.stories.events import Event, EventStory, by_size, cluster_events
from topiccrawl.stories.leads import LEAD
from topiccrawl.stories.spread import Spread, spread

#: Characters of a title that events need (a guess: longer than any).
_MOST_TITLE: Final = 200
#: Stories and events in a report.
TOP_STORIES: Final = 12
TOP_EVENTS: Final = 20
#: Stories, the newest ones, that a report groups into events: some 10 s, 9 ms each (1,579 stories,
#: 2026-11-22).
MOST_CLUSTERED: Final = 1_200


@dataclass(frozen=True, slots=True)
class Story:
    """One story, with its spread."""

    id: str
    members: Mapping[str, PageRecord]
    """By URL, oldest first."""
    spread: Spread

    @property
    def first(self) -> PageRecord:
        """Record of the first publisher's page."""
        return self.members[self.spread.first]

    def published(self, url: str) -> datetime:
        """Return the publish time of a member, or else the time of its fetch."""
        page = self.members[url]
        return dated(page.published_at, page.fetched_at)


async def read_story(store: Store, topic: str, story: str) -> Story | None:
    """Return a story by its id, ``None`` if it has no members."""
    members = await store.members(topic, story)
    if not members:
        return None
    found = spread([compared_page(page) for page in members])
    return Story(story, {page.url: page for page in members}, found)


async def event_stories(
    store: Store,
    topic: str,
    tick: Callable[[], None],
    *,
    most: int | None = None,
) -> AsyncIterator[tuple[PageRecord, EventStory]]:
    """Yield the representatives of the stories of *topic*, the last published first, and what events need of them.

    At most *most*.  *tick* is called for each.
    """
    copies = await store.copies(topic)
    async with aclosing(store.pages(topic, order="published", limit=most)) as pages:  # type: ignore[type-var]
        async for page in pages:
            tick()
            yield (
                page,
                EventStory(
                    id=page.id,
                    title=page.title[:_MOST_TITLE],
                    body=page.body[:LEAD],
                    keywords=tuple(page.keywords),
                    at=dated(page.published_at, page.fetched_at),
                    copies=copies.get(page.story, 0),
                ),
            )


async def read_events(
    store: Store,
    topic: str,
    tick: Callable[[], None] = lambda: None,
    *,
    most: int | None = None,
) -> tuple[list[Event], dict[str, str]]:
    """Return the events of *topic*, and the URLs of its stories by their ids.

    With *most*, only that many stories are read, those published last.
    """
    stories, urls = [], {}
    async for page, story in event_stories(store, topic, tick, most=most):
        urls[page.id] = page.url
        stories.append(story)
    return cluster_events(stories), urls


@dataclass(frozen=True, slots=True)
class StoriesFound:
    """Stories and events of a report."""

    count: int
    """Stories with copies."""
    copies: int
    stories: Sequence[Story]
    """Those with most copies, without the texts of their members."""
    events: Sequence[Event]
    """Those with most stories."""
    urls: Mapping[str, str]
    """URL of each story's representative in the events."""


async def collect_stories(store: Store, topic: str) -> StoriesFound:
    """Return the largest stories and events of *topic*."""
    copies = await store.copies(topic)
    found = []
    async for row in store.stories(topic, limit=TOP_STORIES):
        story = await read_story(store, topic, row.story)
        if story is not None:
            found.append(_without_texts(story))
    events, urls = await read_events(store, topic, most=MOST_CLUSTERED)
    events = by_size(event for event in events if len(event.stories) > 1)
    return StoriesFound(len(copies), sum(copies.values()), found, events[:TOP_EVENTS], urls)


def _without_texts(story: Story) -> Story:
    """Return *story* without the texts, which its drawing does not need."""
    nodes = {
        key: replace(node, page=node.page and replace(node.page, body=""))
        for key, node in story.spread.nodes.items()
    }
    members = {url: replace(page, body="", comments="") for url, page in story.members.items()}
    return replace(story, members=members, spread=replace(story.spread, nodes=nodes))
