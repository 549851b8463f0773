"""What the view of a story shows, computed off the event loop and kept for the next request."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from topiccrawl.bounded import BoundedDict
from topiccrawl.insight.stories.spread_drawing import Drawing, spread_drawing
from topiccrawl.insight.stories.spread_tree import FirstEvidence, Tree, first_evidence, spread_tree
from topiccrawl.insight.stories.timeline import Timeline, timeline
from topiccrawl.reporting.stories import Story
from topiccrawl.store.compared import compared_page
from topiccrawl.store.contract import PageRecord, Store
from topiccrawl.stories.spread import spread

#: Stories that are kept (a guess: those that are looked at in an hour), and members of one whose spread is
#: computed: the oldest ones; comparing all texts takes quadratic time.
_KEPT: Final = 64
#: Seconds for which the members of a story are not read again (a guess).
_FRESH_SECONDS: Final = 15.0
MOST_MEMBERS: Final = 400


@dataclass(frozen=True, slots=True)
class StoryView:
    """A story with everything that its view shows; texts of members are left out."""

    story: Story
    tree: Tree
    drawing: Drawing | None
    timeline: Timeline | None
    evidence: FirstEvidence
    members: int
    """All members; more than those of the tree if there are more than :data:`MOST_MEMBERS`."""

    @property
    def first(self) -> PageRecord:
        """The first publisher's page."""
        return self.story.first

    @property
    def first_name(self) -> str:
        """Name of the first publisher's outlet."""
        return self.story.spread.nodes[self.story.spread.first].name

    @property
    def origin(self) -> str:
        """Name of an outlet of which no page was fetched and that the first publisher took it from."""
        root = self.story.spread.nodes[self.story.spread.root]
        return root.name if root.page is None else ""


def story_view(story: str, members: Sequence[PageRecord]) -> StoryView:
    """Return the view of a story with *members*, oldest first."""
    some = members[:MOST_MEMBERS]
    compared = [compared_page(page) for page in some]
    found = spread(compared)
    published: Mapping[str, datetime | None] = {page.url: page.published_at for page in some}
    tree = spread_tree(found, published)
    first = published.get(found.first)
    times = [page.published_at for page in members if page.published_at is not None]
    light = {page.url: replace(page, body="", comments="") for page in some}
    nodes = {
        key: replace(node, page=node.page and replace(node.page, body=""))
        for key, node in found.nodes.items()
    }
    return StoryView(
        Story(story, light, replace(found, nodes=nodes)),
        tree,
        spread_drawing(tree.rows),
        timeline([max(at, first) if first else at for at in times]),
        first_evidence(compared, found.first),
        len(members),
    )


class StoryViews:
    """The views of stories that were looked at last; a story that changes is computed again."""

    def __init__(self) -> None:
        self._kept: BoundedDict[tuple[str, str], tuple[object, StoryView]] = BoundedDict(_KEPT)
        self._fresh: BoundedDict[tuple[str, str], float] = BoundedDict(_KEPT)

    async def view(self, store: Store, topic: str, story: str) -> StoryView | None:
        """Return the view of a story, ``None`` if it has no members."""
        fresh = self._fresh.get((topic, story))
        if fresh is not None and time.monotonic() < fresh and (topic, story) in self._kept:
            return self._kept[topic, story][1]
        members = await store.members(topic, story)
        if not members:
            return None
        self._fresh[topic, story] = time.monotonic() + _FRESH_SECONDS
        state = (
            len(members),
            max(it.fetched_at for it in members),
            tuple(it.content_hash for it in members),
        )
        known = self._kept.get((topic, story))
        if known is not None and known[0] == state:
            self._kept.move_to_end((topic, story))
            return known[1]
        made = await asyncio.to_thread(story_view, story, members)
        self._kept[topic, story] = (state, made)
        return made
