"""The stories of a topic with their sizes and times, from the columns of an overview."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from topiccrawl.text.normalize import normalize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from topiccrawl.insight.overview import Overview


@dataclass(frozen=True)
class StoryList:
    """Stories with at least two pages, as columns of one length; most pages first."""

    story: NDArray[np.int64]
    """Code of the story."""
    row: NDArray[np.int64]
    """Row of its representative, or of its earliest page."""
    size: NDArray[np.int64]
    sites: NDArray[np.int64]
    """Registered domains of its pages."""
    first: NDArray[np.int64]
    """Earliest and latest time of a page: milliseconds since 1970."""
    last: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.story)

    @cached_property
    def newest(self) -> NDArray[np.int64]:
        """Places of the stories, that with the latest page first."""
        return np.lexsort((self.story, -self.last))


def story_list(overview: Overview) -> StoryList:
    """Return the stories of *overview* that have copies."""
    columns = overview.columns
    codes = columns.story.astype(np.int64)
    sizes = np.bincount(codes, minlength=1) if len(codes) else np.zeros(1, dtype=np.int64)
    rows = np.flatnonzero(sizes[codes] > 1) if len(codes) else np.empty(0, dtype=np.int64)
    if not len(rows):
        empty = np.empty(0, dtype=np.int64)
        return StoryList(empty, empty, empty, empty, empty, empty)
    time = overview.time[rows]
    # By story; in a story its representative first, then by time.
    order = np.lexsort((time, overview.is_copy[rows], codes[rows]))
    rows, time = rows[order], time[order]
    found, starts = np.unique(codes[rows], return_index=True)
    pairs = np.unique(np.stack([codes[rows], overview.domain[rows]], 1), axis=0)
    sites = np.bincount(pairs[:, 0], minlength=len(sizes))[found]
    first = np.minimum.reduceat(time, starts)
    last = np.maximum.reduceat(time, starts)
    by_size = np.lexsort((found, -last, -sizes[found]))
    return StoryList(
        found[by_size],
        rows[starts][by_size],
        sizes[found][by_size],
        sites[by_size],
        first[by_size],
        last[by_size],
    )


def folded_titles(overview: Overview, stories: StoryList) -> list[str]:
    """Return the normalized titles of *stories*, in which words are searched."""
    return [normalize(title) for title in overview.columns.title[stories.row]]


def containing(titles: Sequence[str], words: str) -> NDArray[np.int64]:
    """Return the places of the normalized *titles* that contain all *words*."""
    wanted = normalize(words).split()
    found = [at for at, title in enumerate(titles) if all(word in title for word in wanted)]
    return np.array(found, dtype=np.int64)
