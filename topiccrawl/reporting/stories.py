"""Stories and events as read from a store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from topiccrawl.store.compared import compared_page
from topiccrawl.store.contract import PageRecord, Store
from topiccrawl.stories.events import Event, EventStory, cluster_events
from topiccrawl.stories.spread import Spread, spread

#: Characters of a text that events need: see :mod:`topiccrawl.stories.events`.
_LEAD: Final = 600


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
        return page.published_at or page.fetched_at


async def read_story(store: Store, topic: str, story: str) -> Story | None:
    """Return a story by its id, ``None`` if it has no members."""
    members = await store.members(topic, story)
    if not members:
        return None
    found = spread([compared_page(page) for page in members])
    return Story(story, {page.url: page for page in members}, found)


async def read_events(
    store: Store, topic: str, tick: Callable[[], None] = lambda: None
) -> tuple[list[Event], dict[str, str]]:
    """Return the events of *topic*, and the URLs of its stories by their ids."""
    copies = await store.copies(topic)
    stories, urls = [], {}
    async for page in store.pages(topic):
        tick()
        urls[page.id] = page.url
        stories.append(
            EventStory(
                id=page.id,
                title=page.title,
                body=page.body[:_LEAD],
                keywords=tuple(page.keywords),
                at=page.published_at or page.fetched_at,
                copies=copies.get(page.story, 0),
            )
        )
    return cluster_events(stories), urls
