"""What tells a body's blocks from the others, as numbers: a row for each block, a column a feature.

Four circles around a block: itself; the blocks before and after it; the boxes it stands in, and the
group of blocks that stand in like boxes anywhere on the page; the page.  What each column means
stands where it is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topiccrawl.page.body.blocks import Blocks, Floats, Ints
from topiccrawl.page.body.containers import box_names
from topiccrawl.page.body.cue_words import (
    boilerplate,
    breaks,
    dates,
    thread_words,
)
from topiccrawl.page.body.stated_body import described, stated
from topiccrawl.page.body.thread import is_thread, marked_posts
from topiccrawl.page.body.windows import shifted, window
from topiccrawl.page.regions import REGIONS

if TYPE_CHECKING:
    from topiccrawl.page.outline import Outline

TAGS = (
    "p", "li", "td", "div", "h1", "h2", "h3", "h4", "dd", "dt", "pre", "blockquote", "body",
    "section", "figcaption",
)  # fmt: skip
_ENDS = frozenset("。！？!?…”」』.；;：:）)")
TEXT_BEFORE = 0.3
"""Running text before the posts of a thread over theirs, at most (a guess)."""
_PARAGRAPH_SIZE, _PARAGRAPH_LINK = 25.0, 0.3  # a block of running text, at least and at most


Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PageFeatures:
    """The numbers, and what the extractor needs besides them."""

    names: tuple[str, ...]
    """Of the columns."""
    matrix: Floats
    """Shape (blocks, features)."""
    groups: Ints
    """Shape (blocks,): blocks of one number stand in like boxes."""
    parents: Ints
    """Shape (boxes,): the box around each, itself for the first."""
    thread: bool
    replies: Flags
    """Shape (blocks,): stands in a box named as a reply or comment."""
    titles: Flags
    """Shape (blocks,): is the page's title."""


class _Columns:
    def __init__(self) -> None:
        self.names: list[str] = []
        self.columns: list[Floats | Flags | float] = []

    def add(self, name: str, values: Floats | Flags | float) -> None:
        self.names.append(name)
        self.columns.append(values)


def features_of(outline: Outline, blocks: Blocks, title: str, url: str) -> PageFeatures:
    """The features of all blocks, of which there is at least one. Linear."""
    return _Reader(outline, blocks, title, url).result()


class _Reader:
    """One page being described, circle by circle."""

    def __init__(self, outline: Outline, blocks: Blocks, title: str, url: str) -> None:
        self.outline, self.blocks, self.title, self.url = outline, blocks, title, url
        self.out = _Columns()
        self.n = len(blocks)
        self.named = box_names(outline.boxes, blocks)
        self.running = blocks.size * (1 - blocks.link) * (blocks.punctuation > 0)
        self.folded = [text.lower() for text in blocks.texts]

    def result(self) -> PageFeatures:
        self._boxes()
        self._itself()
        self._around()
        self._inside()
        self._named()
        self._of_the_page()
        matrix = np.empty((self.n, len(self.out.columns)))
        for i, column in enumerate(self.out.columns):
            matrix[:, i] = column
        return PageFeatures(
            names=tuple(self.out.names),
            matrix=matrix,
            groups=self.groups,
            parents=self.parents,
            thread=self.thread,
            replies=self.replies,
            titles=self.titles,
        )

    # -- the page: a thread?

    def _boxes(self) -> None:
        named = self.named
        self.parents, self.groups, self.replies = named.parents, named.groups, named.replies
        running = self.running
        self.reply_size = float(running[self.replies].sum())
        self.rest_size = float(running[~self.replies].sum())
        self.thread = is_thread(
            self.url,
            self.outline.meta.get("generator", ""),
            self.reply_size,
            self.rest_size,
            self._marked_posts,
        )

    def _marked_posts(self) -> int:
        """Of the group that has most running text; one that is named a reply decides nothing."""
        b = self.blocks
        running = self.running
        sizes = np.bincount(self.groups, running)
        group = int(np.argmax(sizes))
        alike = np.flatnonzero(self.groups == group)
        # Before a thread's posts there is no text to speak of; before comments the article.
        if self.replies[alike].any() or running[: alike[0]].sum() > TEXT_BEFORE * sizes[group]:
            return 0
        around = self.parents[b.boxes]
        # Text right in the post's box is as good as paragraphs in it.
        own = len(np.unique(b.boxes[alike])) > 1 and len(np.unique(around[alike])) == 1
        return marked_posts(b.texts, (b.boxes if own else around).tolist(), alike.tolist())

    # -- the block itself

    def _itself(self) -> None:
        b, add = self.blocks, self.out.add
        self.log_size = np.log(b.size)
        self.log_punctuation = np.log1p(b.punctuation)
        short = [line if len(line) <= 100 else "" for line in self.folded]
        self.boilerplate = np.asarray(boilerplate(short), float)
        self.paragraph = (
            (b.size >= _PARAGRAPH_SIZE) & (b.link < _PARAGRAPH_LINK) & (b.punctuation > 0)
        ).astype(float)
        self.density = np.minimum(b.punctuation / b.size * 10, 3)
        add("size", self.log_size)
        add("link", b.link)
        add("density", self.density)
        add("punctuation", self.log_punctuation)
        add("sentences", np.log1p(b.sentences))
        add("han", b.han)
        add("digits", b.digits)
        add("boilerplate", self.boilerplate)
        add("date", np.asarray(dates(short)))
        add("ends", np.asarray([text[-1] in _ENDS for text in b.texts]))
        seen: dict[str, int] = {}
        for line in self.folded:
            seen[line] = seen.get(line, 0) + 1
        add("repeated", np.asarray([seen[line] - 1 for line in self.folded]) > 0)
        add("size*link", self.log_size * b.link)

    # -- neighbours

    def _around(self) -> None:
        b, add = self.blocks, self.out.add
        for by in (-2, -1, 1, 2):
            add(f"size{by:+d}", shifted(self.log_size, by))
            add(f"link{by:+d}", shifted(b.link, by))
            add(f"punctuation{by:+d}", shifted(self.log_punctuation, by))
            add(f"boilerplate{by:+d}", shifted(self.boilerplate, by))
        total = b.size.sum()
        ones = np.ones(self.n)
        for reach in (5, 15):
            size = window(b.size, reach)
            add(f"size~{reach}", np.log(size / window(ones, reach)))
            add(f"link~{reach}", window(b.size * b.link, reach) / size)
            add(f"density~{reach}", window(b.punctuation, reach) / size * 10)
            add(f"share~{reach}", size / total)
        self.near = window(b.size * (1 - b.link), 5)
        opens = np.asarray(breaks(self.folded))
        at = np.arange(self.n)
        last = np.maximum.accumulate(np.where(opens, at, -1))
        add("break", opens)
        add("after break", np.where(last >= 0, np.exp(-(at - last) / 10), 0.0))
        # How deep the break stands below the block: a break inside another box ends nothing here.
        add("breaks before", np.log1p(np.cumsum(opens) - opens))

    # -- boxes and groups

    def _sums(self, first: Ints, last: Ints) -> Floats:
        return self.prefix[last] - self.prefix[first]

    def _inside(self) -> None:
        b, add = self.blocks, self.out.add
        table = np.column_stack(
            (b.size, b.size * b.link, b.punctuation, b.link > 0.5, np.ones(self.n), self.paragraph)
        ).astype(np.float64)
        self.prefix = np.concatenate((np.zeros((1, 6)), np.cumsum(table, axis=0)))
        total = self.prefix[-1]
        self.relative: dict[str, Floats] = {}

        def describe(name: str, sums: Floats) -> None:
            size, count = sums[:, 0], sums[:, 4]
            link = sums[:, 1] / size
            share = sums[:, 5] / max(1.0, total[5])
            add(f"{name} share", size / total[0])
            add(f"{name} link", link)
            add(f"{name} density", sums[:, 2] / size * 10)
            add(f"{name} mean", np.log(size / count))
            add(f"{name} count", np.log(count))
            add(f"{name} paragraphs", share)
            add(f"{name} linked", sums[:, 3] / count)
            self.relative[f"{name} paragraphs"] = share * (1 - link)
            self.relative[f"{name} share"] = size / total[0] * (1 - link)

        box = b.boxes
        for level in range(4):
            # A box whose text is all in unseen blocks cannot hold a block: sums are never zero.
            describe(f"box{level}", self._sums(b.first[box], b.last[box]))
            box = self.parents[box]
        groups = np.zeros((int(self.groups.max()) + 1, 6))
        np.add.at(groups, self.groups, table)
        describe("group", groups[self.groups])
        self.relative["near"] = self.near
        for name in ("box1 paragraphs", "box2 paragraphs", "box3 paragraphs", "group paragraphs",
                     "group share", "box1 share", "near"):  # fmt: skip
            values = self.relative[name]
            add(f"{name} of best", values / max(1e-6, float(values.max())))

    # -- names and tags

    def _named(self) -> None:
        add = self.out.add
        boxes = self.outline.boxes
        for i, region in enumerate(REGIONS):
            inside = (self.named.regions >> i & 1).astype(bool)
            # On a thread the comments are posts: their names must not count against them.
            if region == "comment" and self.thread:
                inside = np.zeros(self.n, bool)
            add(region, inside)
        add("good", self.named.good)
        add("bad", self.named.bad)
        add("depth", self.named.depth)
        add("reply", self.replies & (not self.thread))
        tags = np.asarray(boxes.tags)[self.blocks.boxes]
        for tag in TAGS:
            add(f"<{tag}>", tags == tag)

    # -- the page: title, description, best block, kind

    def _distance(self, box: int) -> tuple[Floats, Floats]:
        """Steps from *box* up, and from each block's box up, to where they meet."""
        height = np.full(len(self.parents), -1)
        up = 0
        while height[box] < 0:
            height[box] = up
            box, up = int(self.parents[box]), up + 1
        at = self.blocks.boxes
        steps = np.zeros(self.n)
        while (outside := height[at] < 0).any():
            steps += outside
            at = np.where(outside, self.parents[at], at)
        return height[at].astype(float), steps

    def _of_the_page(self) -> None:
        b, add = self.blocks, self.out.add
        at = np.arange(self.n)
        title = self.title.lower()
        self.titles = np.asarray([line == title for line in self.folded], bool)
        key = title[:30]
        place = next((i for i, line in enumerate(self.folded) if key and key in line), -1)
        size = np.cumsum(b.size)
        add("is title", self.titles)
        add("has title", float(place >= 0))
        add("after title", np.where(at > place, 1.0, 0.0) if place >= 0 else np.full(self.n, 0.5))
        since = np.clip((at - place) / 20, -2, 5) if place >= 0 else np.zeros(self.n)
        add("since title", since)
        up, own = self._distance(int(b.boxes[place]) if place >= 0 else 0)
        add("title up", np.minimum(up, 10.0))
        add("title own", np.log1p(own))
        best = int(np.argmax(self.running))
        up, own = self._distance(int(b.boxes[best]))
        add("best up", np.minimum(up, 8.0))
        add("best own", np.minimum(own, 6.0))
        add("best away", np.minimum(np.abs(at - best), 60) / 20)
        add("most punctuation", self.log_punctuation / max(0.7, float(self.log_punctuation.max())))
        add("position", size / size[-1])
        add("place", at / self.n)
        self._told()
        total = float(b.size.sum())
        for name, value in (
            ("page size", np.log(total)),
            ("page link", float((b.size * b.link).sum()) / total),
            ("page blocks", np.log(self.n)),
            ("page paragraphs", np.log1p(self.prefix[-1][5])),
            ("thread", float(self.thread)),
            ("thread words", np.log1p(thread_words(self.outline.text))),
            ("posts", np.log1p(self.named.posts)),
            ("replies", self.reply_size / (self.reply_size + self.rest_size + 1)),
        ):
            add(name, value)

    def _told(self) -> None:
        self.out.add("told", np.asarray(described(self.outline.meta, self.folded)))
        inside = stated(self.outline.json_ld, self.folded)
        self.out.add("stated", 0.0 if inside is None else np.asarray(inside))
        self.out.add("has statement", float(inside is not None))
