"""Features of blocks for the block classifier: one row per block, one column per feature.

The features describe a block in four steps outward: the block itself; the blocks before and after it;
its containers, and the group of all blocks with the same containers; the page.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topiccrawl.page.body.blocks import Blocks, Floats, Ints
from topiccrawl.page.body.containers import containers_of
from topiccrawl.page.body.cue_words import (
    count_thread_words,
    cues_of,
    has_boilerplate,
    has_date,
    is_advertisement,
    is_period,
    is_section_break,
)
from topiccrawl.page.body.items import item_features
from topiccrawl.page.body.joined_lines import JoinedLines
from topiccrawl.page.body.stated_body import in_article_body, share_of_description
from topiccrawl.page.body.thread import detect_thread, running_text
from topiccrawl.page.body.title_terms import title_terms
from topiccrawl.page.body.windows import prefix_sums, shifted, window_sums
from topiccrawl.page.landmarks import split_title
from topiccrawl.page.regions import REGIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.page.outline import Outline

#: Tags of the innermost box that have a column of their own.
TAGS = (
    "p", "li", "td", "div", "h1", "h2", "h3", "h4", "dd", "dt", "pre", "blockquote", "body",
    "section", "figcaption",
)  # fmt: skip
_TAG_NUMBERS = {tag: number for number, tag in enumerate(TAGS)}
# Features of a block that the blocks before and after it have, too.
_OF_NEIGHBORS = ("size", "link", "punctuation", "boilerplate")
_SENTENCE_ENDS = frozenset("。！？!?…”」』.；;：:）)")
# Most characters of a line with a word of the lines around bodies, or with a date (a guess: longer ones are text).
_SHORT = 100
# Least size and largest share of links of a block of running text.
_PARAGRAPH_SIZE, _PARAGRAPH_LINK = 25.0, 0.3

#: Terms of a title that a text has, where the title shares none with the page (a guess near the mean of real pages).
SPREAD_TERMS = 3.0

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PageFeatures:
    """The features of a page's blocks, and what the extractor needs besides them."""

    names: tuple[str, ...]
    """Names of the columns."""
    matrix: Floats
    """Shape (blocks, features)."""
    groups: Ints
    """Shape (blocks,): blocks with the same number have the same containers."""
    parents: Ints
    """Shape (boxes,): the parent of each box, itself for the first."""
    thread: bool
    """Whether the page is a thread."""
    replies: Flags
    """Shape (blocks,): in a box named as a reply or comment."""
    titles: Flags
    """Shape (blocks,): equal to the page's title."""
    borders: Flags
    """Shape (blocks,): with a date, or the beginning of a part after the article."""

    def column(self, name: str) -> Floats:
        """Return the feature *name* of all blocks, shape (blocks,)."""
        return self.matrix[:, self.names.index(name)]


class _Columns:
    """Columns of the matrix in the order in which they are added."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.places: list[int | slice] = []
        self.columns: list[Floats | Flags | float] = []

    def add(self, name: str, values: Floats | Flags | float) -> None:
        """Add a column."""
        self.places.append(len(self.names))
        self.names.append(name)
        self.columns.append(values)

    def add_all(self, names: Sequence[str], values: Floats | Flags) -> None:
        """Add several columns; *values* has the shape (blocks, columns)."""
        start = len(self.names)
        self.names += names
        self.places.append(slice(start, len(self.names)))
        self.columns.append(values)

    def matrix(self, blocks: int) -> Floats:
        """Return all columns, shape (blocks, columns)."""
        matrix = np.empty((blocks, len(self.names)))
        for place, values in zip(self.places, self.columns, strict=True):
            matrix[:, place] = values
        return matrix


def features_of(outline: Outline, blocks: Blocks, title: str, url: str) -> PageFeatures:
    """Compute the features of all blocks of a page. Linear.

    Parameters
    ----------
    outline : Outline
        The walked page.
    blocks : Blocks
        Its blocks, at least one.
    title : str
        Title as the page states it, empty if it does not.
    url : str
        URL of the page, empty if unknown.

    Returns
    -------
    PageFeatures
        With a matrix of shape (blocks, 157).
    """
    return _FeatureBuilder(outline, blocks, title, url).build()


class _FeatureBuilder:
    """Builds the features of one page, step by step outward from the block."""

    def __init__(self, outline: Outline, blocks: Blocks, title: str, url: str) -> None:
        self.outline, self.blocks, self.title, self.url = outline, blocks, title, url
        self.out = _Columns()
        self.n = len(blocks)
        self.containers = containers_of(outline.boxes, blocks, title)
        self.parents = self.containers.parents
        self.groups = self.containers.groups
        self.replies = self.containers.replies
        self.thread = detect_thread(outline, blocks, url)
        self.running = running_text(blocks)
        self.folded = [text.lower() for text in blocks.texts]
        self.joined = JoinedLines(self.folded)

    def build(self) -> PageFeatures:
        self._add_block()
        self._add_neighbors()
        self._add_containers()
        self._add_names_and_tags()
        self._add_page()
        return PageFeatures(
            names=tuple(self.out.names),
            matrix=self.out.matrix(self.n),
            groups=self.groups,
            parents=self.parents,
            thread=self.thread,
            replies=self.replies,
            titles=self.titles,
            borders=self.borders,
        )

    def _add_block(self) -> None:
        """Add features of the block itself."""
        b, add = self.blocks, self.out.add
        self.log_size = np.log(b.size)
        self.log_punctuation = np.log1p(b.punctuation)
        # Cues of short lines: the text of a page is in long ones.
        short = JoinedLines([line if len(line) <= _SHORT else "" for line in self.folded])
        self.boilerplate = has_boilerplate(short).astype(float)
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
        self.dated = has_date(short).astype(float)
        add("date", self.dated)
        for name, lines in cues_of(self.folded, self.joined).items():
            add(name, lines)
        add("ends", np.asarray([text[-1] in _SENTENCE_ENDS for text in b.texts]))
        count = Counter(self.folded)
        add("repeated", np.asarray([count[line] > 1 for line in self.folded]))
        add("size*link", self.log_size * b.link)

    def _add_neighbors(self) -> None:
        """Add features of the blocks before and after, and of section breaks before."""
        b, add = self.blocks, self.out.add
        own = np.column_stack((self.log_size, b.link, self.log_punctuation, self.boilerplate))
        for by in (-2, -1, 1, 2):
            self.out.add_all([f"{name}{by:+d}" for name in _OF_NEIGHBORS], shifted(own, by))
        total = b.size.sum()
        sums = prefix_sums(
            np.column_stack((b.size, np.ones(self.n), b.size * b.link, b.punctuation))
        )
        for reach in (5, 15):
            near = window_sums(sums, reach)
            size = near[:, 0]
            add(f"size~{reach}", np.log(size / near[:, 1]))
            add(f"link~{reach}", near[:, 2] / size)
            add(f"density~{reach}", near[:, 3] / size * 10)
            add(f"share~{reach}", size / total)
        self.near = window_sums(prefix_sums(b.size * (1 - b.link)), 5)
        opens = np.asarray(is_section_break(self.folded), bool)
        self.borders = opens | (self.dated > 0)
        for i in np.flatnonzero(opens).tolist():
            self.borders[i] &= not is_advertisement(self.folded[i])
        for i in np.flatnonzero(self.borders & ~opens).tolist():
            self.borders[i] = not is_period(self.folded[i])
        at = np.arange(self.n)
        last = np.maximum.accumulate(np.where(opens, at, -1))
        add("break", opens)
        add("after break", np.where(last >= 0, np.exp(-(at - last) / 10), 0.0))
        add("breaks before", np.log1p(np.cumsum(opens) - opens))

    def _sums(self, first: Ints, last: Ints) -> Floats:
        return self.prefix[last] - self.prefix[first]

    def _add_containers(self) -> None:
        """Add features of the four innermost boxes and of the group."""
        b, add = self.blocks, self.out.add
        table = np.column_stack(
            (b.size, b.size * b.link, b.punctuation, b.link > 0.5, np.ones(self.n), self.paragraph)
        ).astype(np.float64)
        self.prefix = prefix_sums(table)
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
            # A box that contains a block has text, so sums are never zero.
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

    def _add_names_and_tags(self) -> None:
        """Add features of the names of the boxes around, and of the innermost tag."""
        add = self.out.add
        boxes = self.outline.boxes
        bits = self.containers.regions[:, None] >> np.arange(len(REGIONS)) & 1
        inside = bits.astype(bool)
        if self.thread:
            # Comments are posts, so their names must not count against them.
            inside[:, REGIONS.index("comment")] = False
        self.out.add_all(REGIONS, inside)
        add("good", self.containers.good)
        add("bad", self.containers.bad)
        add("depth", self.containers.depth)
        add("reply", self.replies & (not self.thread))
        numbers = [_TAG_NUMBERS.get(boxes.tags[box], -1) for box in self.blocks.boxes.tolist()]
        tags = np.asarray(numbers)
        self.out.add_all([f"<{tag}>" for tag in TAGS], tags[:, None] == np.arange(len(TAGS)))

    def _distance(self, box: int) -> tuple[Floats, Floats]:
        """Return the steps up from ``box``, and from each block's box, to their common ancestor."""
        shared = np.zeros(self.n)  # boxes around both, and box 0
        height = 0
        while box:
            shared[self.blocks.first[box] : self.blocks.last[box]] += 1
            box = int(self.parents[box])
            height += 1
        return height - shared, self.containers.depth - shared

    def _add_page(self) -> None:
        """Add features relative to the title, the best block and the whole page."""
        b, add = self.blocks, self.out.add
        at = np.arange(self.n)
        title = self.title.lower()
        self.titles = np.asarray([line == title for line in self.folded], bool)
        key = title[:30]
        place = next((i for i, line in enumerate(self.folded) if key and key in line), -1)
        if place < 0 and len(parts := split_title(self.folded, title)):
            place = parts[0]
            self.titles[parts.start : parts.stop] = True
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
        items = item_features(
            self.outline.boxes, self.containers.sorts, b, self.running, self.dated, place
        )
        for name, values in items.items():
            add(name, values)
        self._add_metadata()
        self._add_title_terms(title, place)
        total = float(b.size.sum())
        reply_size = float(self.running[self.replies].sum())
        rest_size = float(self.running[~self.replies].sum())
        for name, value in (
            ("page size", np.log(total)),
            ("page link", float((b.size * b.link).sum()) / total),
            ("page blocks", np.log(self.n)),
            ("page paragraphs", np.log1p(self.prefix[-1][5])),
            ("thread", float(self.thread)),
            ("thread words", np.log1p(count_thread_words(self.outline.text))),
            ("posts", np.log1p(self.containers.posts)),
            ("replies", reply_size / (reply_size + rest_size + 1)),
        ):
            add(name, value)

    def _add_title_terms(self, title: str, place: int) -> None:
        """Add features of the title's terms around each block, and of the text between title and block."""
        b, add = self.blocks, self.out.add
        terms = title_terms(title, self.joined)
        terms[self.titles] = 0
        if not terms.any():
            # A title that shares nothing with the page says nothing: as if its terms were spread over the text.
            text = b.size * (1 - b.link) * ~self.titles
            terms = SPREAD_TERMS * text / max(1.0, float(text.sum()))
        sums = prefix_sums(np.column_stack((terms, self.running, self.running > 0)))
        total = max(1e-6, float(sums[-1, 0]))
        near, box = window_sums(sums, 3), b.boxes
        add("terms", np.log1p(terms))
        add("terms~3", near[:, 0] / total)
        for level in range(1, 4):
            box = self.parents[box]
            if level != 2:
                inside = sums[b.last[box]] - sums[b.first[box]]
                add(f"terms box{level}", inside[:, 0] / total)
        add("terms before", sums[:-1, 0] / total)
        since = sums[:-1] - sums[max(place, 0)]
        add("text since title", np.sign(since[:, 1]) * np.log1p(np.abs(since[:, 1])))
        add("texts since title", np.sign(since[:, 2]) * np.log1p(np.abs(since[:, 2])))

    def _add_metadata(self) -> None:
        """Add features of the description and the JSON-LD."""
        shares = share_of_description(self.outline.meta, self.folded)
        self.out.add("described", np.asarray(shares))
        inside = in_article_body(self.outline.json_ld, self.folded)
        self.out.add("stated", 0.0 if inside is None else np.asarray(inside))
        self.out.add("has statement", float(inside is not None))
