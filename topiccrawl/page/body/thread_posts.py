"""Evidence from the records of a page: whether they are signed and dated as posts are, and what stands above them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.body.items import in_headings
from topiccrawl.page.body.records import Records, may_be_names, places_of, records_of
from topiccrawl.page.body.thread_lines import beside_time, is_label, time_formats
from topiccrawl.page.body.thread_words import things_in
from topiccrawl.page.body.windows import prefix_sums
from topiccrawl.page.landmarks import TRAIL_LABEL, heads_answers, heads_replies
from topiccrawl.page.tags import HEADING_TAGS

if TYPE_CHECKING:
    from topiccrawl.page.body.blocks import Blocks, Floats
    from topiccrawl.page.body.features import Flags
    from topiccrawl.page.body.thread_lines import ThreadLines
    from topiccrawl.page.outline import Outline

_COMMENTS: Final = re.compile(
    r"评论|評論|留言|跟帖|跟贴|网友|讀者|读者|说说|看法|\bcomments?\b|\bresponses?\b|\bdiscussion\b",
    re.IGNORECASE,
)
_COMMENT_NAME: Final = re.compile("comment|pinglun|cmt|feedback")
#: Blocks that are searched for the heading of the posts, and headings for the title.
_HEAD: Final = 4
#: Running text, in Han characters, of an article that stands before its comments (a guess).
_ARTICLE_SIZE: Final = 400.0
#: Running text over which an opening loses its weight (a guess: a question has some 60 Han characters).
_OPENING_SIZE: Final = 80.0
#: Size of the longest line at the head of a record (a guess).
_HEAD_SIZE: Final = 20.0
#: Running text of a first post that may be an article, if it is longer than all others together (a guess).
_LONG_POST: Final = 150.0
#: Least size, in Han characters, of a link beside a date that is the title of another page (a guess: names of members
#: and buttons are shorter).
_ENTRY_SIZE: Final = 6.0
#: Longest link that may be a name, white space included (a guess).
_NAME_LINK: Final = 24
#: Longest Latin line that needs a comma to be running text (a guess).
_LATIN_SENTENCE: Final = 20
#: Fewest records of which it shows whether few people speak, share of them in which the names stand, and most
#: different names, relative to the records: a transcript has two or three (guesses).
_SPEECHES, _SIGNED, _SPEAKERS = 5, 0.7, 0.55


@dataclass(frozen=True, slots=True)
class _Posts:
    """The records of a page, and what its lines are to them; arrays of shape (blocks,)."""

    records: Records
    lines: ThreadLines
    texts: list[str]
    title: int
    """The block of the title, -1 if it is not known."""
    before: float
    """Size of the running text between the title and the records."""
    above: float
    """The same with all other text that is no link: verse has no punctuation."""
    content: Floats
    plain: Flags
    """Lines that may be names of members."""
    linked: Flags
    """Lines with a link that may be the name of a member."""

    @property
    def start(self) -> int:
        return int(self.records.first[0])

    @property
    def parts(self) -> list[range]:
        first, last = self.records.first.tolist(), self.records.last.tolist()
        return [range(*it) for it in zip(first, last, strict=True)]


def posts_evidence(outline: Outline, blocks: Blocks, lines: ThreadLines) -> dict[str, float] | None:
    """Return the evidence of the records of a page by name, None if they are articles one below the other."""
    places = places_of(outline.boxes, blocks)
    content = _content(blocks, places, lines)
    title = _title_at(outline, blocks.texts)
    content[: title + 1] = 0.0
    sums = prefix_sums(content)
    # The head of a record is a short line without running text.
    plain = (blocks.sentences == 0) & (blocks.punctuation <= 1)
    head = (blocks.size <= _HEAD_SIZE) & (plain | lines.time)
    names = may_be_names(blocks)
    records = records_of(outline.boxes, blocks, places, head, lines.time, names, sums)
    if records is None:
        return {}
    if len(records) > 1:
        if _is_series(outline, blocks, records):
            return None
        records = _without_article(records, lines, sums)
    posts = _posts(outline, blocks, lines, records, title, content, names)
    found = _signed(outline, blocks, posts) | _above(posts)
    # Class names and ids around the first record.
    named = outline.boxes.names[int(blocks.boxes[posts.start])]
    if _COMMENT_NAME.search(named.lower()) is not None:
        found["comment_boxes"] = min(2 * posts.before / _ARTICLE_SIZE, 1.0)
    found["recurring"] = _recurring(posts, places)
    return found


def _without_article(records: Records, lines: ThreadLines, sums: Floats) -> Records:
    """Return the records without the first if that is an article: it may have a line as its comments have."""
    text = records.inside(sums)
    if sums[records.first[0]] >= 1:
        return records
    between = lines.own[records.first[0] + 1 : records.first[1] + 1]
    if text[0] > max(_LONG_POST, float(text[1:].sum())) or any(map(heads_replies, between)):
        return Records(records.first[1:], records.last[1:])
    return records


def _posts(
    outline: Outline,
    blocks: Blocks,
    lines: ThreadLines,
    records: Records,
    title: int,
    content: Floats,
    names: Flags,
) -> _Posts:
    texts = blocks.texts
    start, end = int(records.first[0]), int(records.last[-1])
    before = float(content[:start].sum())
    other = blocks.size * (1 - blocks.link) * ~(lines.time | lines.action | lines.floor)
    above = max(before, float(other[title + 1 : start].sum()))
    plain = names & ~(lines.time | lines.action) & (content == 0)
    plain[:start] = plain[end:] = False
    for i in np.flatnonzero(lines.time[start:end]).tolist():
        plain[start + i] = len(beside_time(texts[start + i])) > 1
    linked = (_short_links(outline, blocks, start, end) & (content == 0)) | lines.member
    return _Posts(records, lines, texts, title, before, above, content, plain, linked)


def _signed(outline: Outline, blocks: Blocks, posts: _Posts) -> dict[str, float]:
    """Return the shares of the records that have a text of their own and are signed or dated."""
    lines, texts, records = posts.lines, posts.texts, posts.records
    # Boards repeat the title above each post. Beside a date, a long link is an entry of a list of pages.
    titled = (blocks.link > 0.8) & (blocks.size >= 8) & ~(lines.time | lines.action)
    titled |= lines.time & (blocks.link * blocks.size >= _ENTRY_SIZE)
    titled &= ~lines.member
    for i in np.flatnonzero(titled).tolist():
        again = texts[i] in outline.title or texts[i].startswith(("Re:", "RE:", "回复"))
        titled[i] = not again
    headed = posts.linked & in_headings(outline.boxes.tags, blocks) & ~(lines.time | lines.member)
    dates = lines.time | lines.floor
    columns = (posts.content, dates, posts.plain, posts.linked, titled, lines.member, headed)
    some = records.inside(prefix_sums(np.column_stack(columns))) > 0
    own, dated, plain, linked = some[:, 0] & ~some[:, 4], some[:, 1], some[:, 2], some[:, 3]
    parts = [range(posts.title + 1, posts.start), *posts.parts]
    opening, first = (time_formats(texts, lines.time, it) for it in parts[:2])
    if not _dated_alike(posts, parts[-2:]):
        dated = np.zeros(len(records), bool)
    opened = posts.before >= 1
    found = {
        "by_members": float(some[:, 5].mean()),
        "headed": float(some[:, 6].mean()),
        "alike": float(opened and not opening.isdisjoint(first)),
    }
    weight = float(np.exp(-posts.above / _OPENING_SIZE))
    where = "opening" if opened else "no_opening"
    if len(records) > 1:
        found[f"linked*{where}"] = float((own & dated & linked).mean()) * weight
        found[f"plain*{where}"] = float((own & dated & plain & ~linked).mean()) * weight
        if opened:
            found["undated*opening"] = float((own & ~dated & linked).mean()) * weight
    elif opened:
        found["single*opening"] = float((own & dated & (plain | linked)).mean()) * weight
    return found


def _above(posts: _Posts) -> dict[str, float]:
    """Return what the lines above the records tell of them."""
    own, start = posts.lines.own, posts.start
    heads = [line for line in own[max(0, start - _HEAD) : start + 1] if line]
    comments = any(_COMMENTS.search(line) is not None for line in heads)
    answers = any(heads_answers(line) or heads_replies(line) for line in heads)
    return {
        "text*comments_head": min(posts.above / _LONG_POST, 1.0) * comments,
        "answers_head": float(answers and not comments),
        "near": max(0.0, 1 - posts.above / _ARTICLE_SIZE),
        "things": things_in(own[posts.title + 1 : start]),
    }


def _recurring(posts: _Posts, places: list[int]) -> float:
    """Return 1 if the records are speeches of few people, whose names are at one place in most of them, else 0."""
    count = len(posts.records)
    names: dict[int, list[str]] = {}
    for part in posts.parts if count >= _SPEECHES else ():
        # The first line of each place.
        of_part = {places[i]: i for i in reversed(part) if posts.plain[i] or posts.linked[i]}
        for place, i in of_part.items():
            text = posts.texts[i]
            names.setdefault(place, []).append(beside_time(text) if posts.lines.time[i] else text)
    shares = [len(set(it)) / len(it) for it in names.values() if len(it) >= _SIGNED * count]
    return float(max(shares, default=1.0) <= _SPEAKERS)


def _content(blocks: Blocks, places: list[int], lines: ThreadLines) -> Floats:
    """Return the size of the running text of each block, also of short posts in the same place as longer ones."""
    latin = np.asarray([len(it) > _LATIN_SENTENCE and it[-1] in ".!?…" for it in blocks.texts])
    content = blocks.size * (1 - blocks.link) * ((blocks.punctuation > 0) | latin)
    content[lines.time] = 0.0
    content[[TRAIL_LABEL.match(it) is not None for it in lines.own]] = 0.0
    place = np.asarray(places)
    full = 2 * np.bincount(place, content > 0) >= np.bincount(place)
    other = (content == 0) & ~lines.time & ~lines.floor & (blocks.link < 0.5)
    return np.where(other & full[place], blocks.size, content)


def _dated_alike(posts: _Posts, parts: list[range]) -> bool:
    """Return whether two posts have times of one format, if both have any: two columns of a page do not."""
    first, second = (time_formats(posts.texts, posts.lines.time, it) for it in parts)
    return not first or not second or not first.isdisjoint(second)


def _title_at(outline: Outline, texts: list[str]) -> int:
    """Return the block of the title, -1 if it is not known."""
    heads = {it.text.strip() for it in outline.headings[:_HEAD]}
    for i, text in enumerate(texts):
        if len(text) > 3 and text in outline.title and (len(text) > 6 or text in heads):
            return i
    return next((i for i, text in enumerate(texts) if text in heads), -1)


def _short_links(outline: Outline, blocks: Blocks, first: int, last: int) -> Flags:
    """Return which of the blocks from one to another have a link that may be a name."""
    found = np.zeros(len(blocks), bool)
    start, end = blocks.starts[first], blocks.starts[last] if last < len(blocks) else np.inf
    starts = [
        it.start
        for it in outline.links
        if start <= it.start < end
        and 0 < it.end - it.start <= _NAME_LINK
        and not is_label(outline.text[it.start : it.end].strip())
    ]
    found[np.searchsorted(blocks.starts, starts, side="right") - 1] = True
    return found


def _is_series(outline: Outline, blocks: Blocks, records: Records) -> bool:
    """Return whether records are articles one below the other: each has a heading of its own, the first the page's."""
    tags, heads = outline.boxes.tags, dict[str, None]()
    for first, last in zip(records.first.tolist(), records.last.tolist(), strict=True):
        inside = range(first, last)
        head = next((blocks.texts[i] for i in inside if tags[blocks.boxes[i]] in HEADING_TAGS), "")
        if not head or head in heads or heads_answers(head) or heads_replies(head):
            return False
        heads[head] = None
    return next(iter(heads)) in outline.title
