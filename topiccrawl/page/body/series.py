"""Series of short entries that belong to an article as a whole: of a live ticker, a talk page, a list."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.body.selection import MOSTLY_LINK, SENTENCE_END

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.page.body.blocks import Blocks, Ints
    from topiccrawl.page.body.features import PageFeatures

    Flags = NDArray[np.bool_]

#: A line that is only a time: 15:02, 4月3日 22:15, 2024-03-16 18:20.
_TIME: Final = re.compile(
    r"[\[【(（]?(?:(?:(?:19|20)\d\d[-/.年])?\d{1,2}[-/.月]\d{1,2}[日号]?\s*)?\d{1,2}[:：]\d\d(?:[:：]\d\d)?\s*[\])）】]?"
)
#: Its greatest size in Han characters, of which three digits are one.
_TIME_SIZE: Final = 8.0
#: Fewest entries of a ticker, most blocks of one, fewest Han characters of its text, and most lines between the text
#: or the title and the first one (guesses).
_LEAST_ENTRIES, _ENTRY_BLOCKS, _ENTRY_SIZE, _ABOVE_ENTRIES = 3, 6, 5.0, 12
#: Greatest size of the name of a member beside a time (a guess: forums allow 15 to 20 letters), and share of the times
#: that have one from which the entries are posts.
_NAME_SIZE, _NAMED = 8.0, 0.5
#: The buttons of replies.
_ACTION: Final = re.compile(
    r"\W*(?:[点點]?[赞讚]|[评評][论論]|[回][复覆復]|[举舉][报報]|引用|支持|反[对對]|reply|quote|like|report)[\s\d()（）]*",
    re.IGNORECASE,
)
#: A line that begins with a time, as the parts of a recording are listed: 03:12 第一户人家.
_TIMED: Final = re.compile(r"[\[【(（]?\d{1,2}[:：]\d\d(?:[:：]\d\d)?[\])）】]?\s*[-–—]?\s*[^\W\d]")
#: The end of a contribution to a talk page of MediaWiki, in Chinese and English.
_SIGNED: Final = re.compile(
    r"(?:年\d{1,2}月\d{1,2}日\s?\([一二三四五六日]\)\s?\d\d:\d\d|\d\d:\d\d, \d{1,2} [A-Z]\w{2,8} (?:19|20)\d\d)"
    r"\s?\((?:UTC|CST|[A-Z]{3,4})\)$"
)
_IN_LISTS: Final = frozenset({"li", "pre", "dt", "dd"})
#: Most blocks of a list that a line introduces (a guess).
_MOST_INTRODUCED: Final = 40
#: Share of the definitions of a list from which all of it is body.
_DEFINED: Final = 0.5
#: Fewest definitions of one.
_LEAST_DEFINITIONS: Final = 2
_COLONS: Final = (":", "：")


def entries_of(blocks: Blocks, features: PageFeatures) -> Flags:
    """Return the times and texts of a live ticker close below the title.

    Each entry is a line that is only a time, and text without links behind it: posts have a name, too.
    """
    none = np.zeros(len(blocks), bool)
    may_be = features.borders & (blocks.size <= _TIME_SIZE) & ~features.replies & (blocks.link == 0)
    times = [i for i in np.flatnonzero(may_be).tolist() if _TIME.fullmatch(blocks.texts[i])]
    if times:
        group = np.bincount(features.groups[times]).argmax()
        times = [i for i in times if features.groups[i] == group]
    if len(times) < _LEAST_ENTRIES:
        return none
    text = (blocks.link < MOSTLY_LINK) & ~features.titles
    # Texts of all entries but the last, which may have anything behind it.
    groups: set[int] = set()
    for start, end in pairwise(times):
        inside = np.flatnonzero(text[start + 1 : end]) + start + 1
        if end - start > _ENTRY_BLOCKS or blocks.size[inside].sum() < _ENTRY_SIZE:
            return none
        if any(_ACTION.fullmatch(blocks.texts[i]) for i in inside.tolist()):
            return none
        groups.update(features.groups[inside].tolist())
    if _have_names(blocks, text, times):
        return none
    breaks = features.column("break") > 0
    title = np.flatnonzero(features.titles[: times[0]])
    above = slice(int(title[-1]) + 1 if len(title) else 0, times[0])
    if not len(title) or breaks[above].any():
        return none
    if above.stop - above.start > _ABOVE_ENTRIES:
        return none
    end = times[-1] + 1
    while end < min(len(blocks), times[-1] + _ENTRY_BLOCKS) and int(features.groups[end]) in groups:
        end += 1
    found = none.copy()
    found[times[0] : end] = text[times[0] : end]
    return found


def _have_names(blocks: Blocks, text: Flags, times: list[int]) -> bool:
    """Return whether most times stand beside a short line of their own, before or behind them: a name."""
    short = text & (blocks.size < _NAME_SIZE)
    short[times] = False
    ends = [
        SENTENCE_END.search(blocks.texts[i]) is not None for i in np.flatnonzero(short).tolist()
    ]
    short[short] = ~np.asarray(ends, bool)
    # The text of an entry may be short, too, unless there is more of it.
    before = sum(bool(short[i - 1]) for i in times if i)
    behind = sum(bool(short[i + 1]) and j - i > 2 for i, j in pairwise(times))
    return max(before, behind) >= _NAMED * len(times)


def series_of(tags: list[str], blocks: Blocks, features: PageFeatures, body: Flags) -> Flags:
    """Return the rest of series of which a part is body.

    Parameters
    ----------
    tags : list of str, shape (boxes,)
        The tags of the boxes of the page.
    blocks : Blocks
        Its blocks, at least one.
    features : PageFeatures
        Their features.
    body : ndarray of bool, shape (blocks,)
        The blocks that were selected as body.

    Returns
    -------
    ndarray of bool, shape (blocks,)
    """
    text = (blocks.link < MOSTLY_LINK) & ~features.titles
    found = _timed_lines(blocks, features.groups, body) | _contributions(blocks)
    found |= _definitions(tags, blocks, features.parents, body)
    return (found | _introduced(tags, blocks, features, body | found)) & text


def _timed_lines(blocks: Blocks, groups: Ints, body: Flags) -> Flags:
    """Return the lines that begin with a time, in a group of the body that has several of them."""
    timed = np.zeros(len(blocks), bool)
    count = int(groups.max()) + 1
    of_body = np.zeros(count, bool)
    of_body[groups[body]] = True
    for i in np.flatnonzero((blocks.digits > 0) & of_body[groups]).tolist():
        timed[i] = _TIMED.match(blocks.texts[i]) is not None
    enough = np.bincount(groups[timed], minlength=count) >= _LEAST_ENTRIES
    return timed & enough[groups]


def _contributions(blocks: Blocks) -> Flags:
    """Return the blocks from the first to the last signed contribution to a talk page, and their headings."""
    found = np.zeros(len(blocks), bool)
    # The day and the clock of a signature end with a bracket.
    signed = [i for i, it in enumerate(blocks.texts) if it[-1] == ")" and _SIGNED.search(it)]
    if len(signed) > 1:
        found[max(0, signed[0] - 1) : signed[-1] + 1] = True
    return found


def _definitions(tags: list[str], blocks: Blocks, parents: Ints, body: Flags) -> Flags:
    """Return the blocks of the lists of definitions that are mostly body.

    A list of one definition is a frame: its terms are the title and the by-line of the text in it.
    """
    found = np.zeros(len(blocks), bool)
    if "dt" not in tags or not body.any():
        return found
    definitions = Counter(int(parents[i]) for i, tag in enumerate(tags) if tag == "dd")
    for box in {int(parents[i]) for i, tag in enumerate(tags) if tag == "dt"}:
        if definitions[box] < _LEAST_DEFINITIONS:
            continue
        inside = slice(int(blocks.first[box]), int(blocks.last[box]))
        terms = np.asarray([tags[i] == "dt" for i in blocks.boxes[inside]], bool)
        size = blocks.size[inside] * ~terms
        if tags[box] == "dl" and size @ body[inside] >= _DEFINED * size.sum() > 0:
            found[inside] = True
    return found


def _introduced(tags: list[str], blocks: Blocks, features: PageFeatures, body: Flags) -> Flags:
    """Return the items of lists, and lines of programs, that a line of the body introduces with a colon."""
    found = np.zeros(len(blocks), bool)
    breaks = features.column("break") > 0

    def in_list(i: int) -> bool:
        box = int(blocks.boxes[i])
        return tags[box] in _IN_LISTS or tags[int(features.parents[box])] == "li"

    for i in np.flatnonzero(body).tolist():
        if not blocks.texts[i].endswith(_COLONS):
            continue
        end = i + 1
        while end < min(len(blocks), i + 1 + _MOST_INTRODUCED):
            same = features.groups[end] == features.groups[i + 1]
            if not same or breaks[end] or blocks.link[end] >= MOSTLY_LINK or not in_list(end):
                break
            end += 1
        found[i + 1 : end] = True
    return found
