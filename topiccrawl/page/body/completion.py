"""Lines of an article that are certain by where they stand, and links between paragraphs that lead away from it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.body.not_text import without_foreign
from topiccrawl.page.body.selection import (
    GAP,
    LEAST_VERSE,
    MOST_IN_GAP,
    MOSTLY_LINK,
    SENTENCE_END,
    in_gaps,
    verse_of,
)
from topiccrawl.page.body.series import series_of
from topiccrawl.page.body.tables import with_tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.page.body.blocks import Blocks, Floats
    from topiccrawl.page.body.features import PageFeatures

    Flags = NDArray[np.bool_]

#: Tags of the headings of sections, and their least probability between two blocks of the body (not tuned: 25 of 50 on
#: 221 Chinese manuals from .007 up were looked at, all are right).
HEADINGS: Final = frozenset({"h2", "h3", "h4", "h5", "h6"})
LEAST_HEADING = 0.02
#: Least probability, and greatest size in Han characters, of a sentence behind a line of the body in the same
#: containers: short paragraphs are weak (of 674 pages, 2026-11, six lines of three have it, all right; at half of it
#: one of two more is a disclaimer; longer ones are those of further articles on 3 of 360 pages with a feed behind).
LEAST_SENTENCE, SENTENCE_SIZE = 0.2, 30.0
#: Greatest size of a paragraph of a section that the pattern of the body goes on with (a guess; without a limit,
#: further articles were taken on 2 of 360 pages with a feed behind).
SECTION_SIZE = 60.0
#: Most lines of a signature, and the greatest size of one in Han characters (guesses: the names of offices).
MOST_SIGNATURE, SIGNATURE_SIZE = 4, 30.0
#: Names of an hour are not verse: 时间：.
_COLONS: Final = (":", "：")
#: The day that ends a signature, on a line of its own: 2024年3月18日, 二〇二四年三月十八日.
_DAY: Final = re.compile(
    r"(?:(?:19|20)\d\d|[一二][〇○零Ｏ九\d一二三四五六七八]{3})\s?年\s?[\d一二三四五六七八九十]{1,2}\s?月"
    r"\s?[\d一二三四五六七八九十]{1,3}\s?日"
)
#: The edition in which a newspaper printed the text: 《 人民日报 》（ 2024年03月17日 07 版）.
_EDITION: Final = re.compile(
    r"\W?《\s?[^》]{2,12}》\W{0,3}(?:19|20)\d\d\s?年\s?\d{1,2}\s?月\s?\d{1,2}\s?日[^。，]{0,12}版[^。，]{0,8}[)）]"
)
#: The label of an answer, and lines between a letter and it (a guess: a table has its state, office and day).
_ANSWER: Final = re.compile(
    r"(?:[答回][复復覆]|办理|处理|解答)(?:内容|结果|意见|情况|正文)?\s?[:：]?|(?:官方|单位|部门)[答回]复\s?[:：]?"
)
MOST_TO_ANSWER: Final = 16
#: Most lines between the label of an answer and its text (a guess: office, day, state).
MOST_INFO: Final = 3


def completed(
    tags: list[str], blocks: Blocks, features: PageFeatures, body: Flags, p: Floats
) -> Flags:
    """Return the body of an article with what belongs to it, and without links to other pages between its paragraphs.

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
    p : ndarray of float, shape (blocks,)
        Probability of each block to be body, in [0, 1].

    Returns
    -------
    ndarray of bool, shape (blocks,)
    """
    if not body.any():
        return body
    others = _notices(features) | features.titles
    body = body | sentences_behind(blocks, features, body, p, others)
    body |= sections_alike(blocks, features, body, others)
    body |= last_section(tags, blocks, features, body, p)
    tables = with_tables(tags, blocks, features.parents, body)
    body = tables | series_of(tags, blocks, features, tables)
    able = (blocks.link < MOSTLY_LINK) & (p >= GAP) & ~features.titles
    body |= in_gaps(able, body, features)
    body |= headings_between(tags, blocks, features, body, p)
    body |= verse_above(blocks, features, body)
    body |= signature(blocks, features, body)
    body |= answers(blocks, features, body)
    return without_foreign(blocks, features.parents, body)


def sentences_behind(
    blocks: Blocks, features: PageFeatures, body: Flags, p: Floats, others: Flags
) -> Flags:
    """Return the runs of short sentences directly behind a line of the body, in the same containers.

    *others* are the notices and titles of the page, which are none.
    """
    able = ~body & (blocks.sentences > 0) & (blocks.link < MOSTLY_LINK) & (p >= LEAST_SENTENCE)
    able &= (blocks.size <= SENTENCE_SIZE) & ~others
    found = np.zeros(len(body), bool)
    for i in np.flatnonzero(able[1:]).tolist():
        if (body[i] or found[i]) and features.groups[i] == features.groups[i + 1]:
            found[i + 1] = SENTENCE_END.search(blocks.texts[i + 1]) is not None
    return found


def _notices(features: PageFeatures) -> Flags:
    found = np.zeros(len(features.matrix), bool)
    for name in ("disclaimer", "credit", "promotion"):
        found |= features.column(name) > 0
    return found


def sections_alike(blocks: Blocks, features: PageFeatures, body: Flags, others: Flags) -> Flags:
    """Return the sections before and behind those of the body that have the same containers, with their headings.

    Their headings, in containers of their own, are short; links are in none of them, as in lists of other pages, nor
    are *others*, the notices and titles of the page.
    """
    found = body.copy()
    plain = (blocks.link == 0) & (blocks.size <= SECTION_SIZE)
    plain &= ~(features.borders | others)
    short = plain & (blocks.size <= SIGNATURE_SIZE) & (blocks.sentences == 0)
    groups, last = features.groups, len(body) - 1
    for step in (1, -1):
        first = at = int(np.flatnonzero(body)[-1 if step > 0 else 0])
        text = plain & (groups == groups[first])
        sentences = text & (blocks.sentences > 0)
        heading = -1
        while 0 <= (near := at + step) <= last and plain[near]:
            if not text[near]:
                beyond = [i for i in (near + step, near + 2 * step) if 0 <= i <= last]
                # Cells of a form have labels and values, but no sentences.
                is_section = sentences[beyond].any() and text[beyond[0]]
                if not (is_section and short[near] and heading in (-1, groups[near])):
                    break
                heading = groups[near]
            at = near
        if heading >= 0:
            found[min(first, at) : max(first, at) + 1] = True
    return found


def headings_between(
    tags: list[str], blocks: Blocks, features: PageFeatures, body: Flags, p: Floats
) -> Flags:
    """Return the headings in short gaps of the body."""
    able = ~body & (blocks.link < MOSTLY_LINK) & (p >= LEAST_HEADING) & ~features.titles
    able[: int(np.argmax(body))] = False
    for i in np.flatnonzero(able).tolist():
        able[i] = tags[blocks.boxes[i]] in HEADINGS
    return in_gaps(able, body, features)


def verse_above(blocks: Blocks, features: PageFeatures, body: Flags) -> Flags:
    """Return the verse between title and body: a poem above its explanation. Lines of data have colons and digits."""
    none = np.zeros(len(body), bool)
    first = int(np.argmax(body))
    if first - int(np.argmax(features.titles)) <= LEAST_VERSE:
        return none
    verse = verse_of(blocks, features)
    lines = np.flatnonzero(verse)
    if not len(lines) or lines[-1] >= first or blocks.digits[lines].any():
        return none
    labeled = any(colon in blocks.texts[i] for i in lines for colon in _COLONS)
    return none if labeled else verse


def last_section(
    tags: list[str], blocks: Blocks, features: PageFeatures, body: Flags, p: Floats
) -> Flags:
    """Return the blocks below a heading that would be the end of the body, up to the next one or another part.

    A list is text as a whole, if one item of it is probable.
    """
    section = np.zeros(len(body), bool)
    heading = int(np.flatnonzero(body)[-1]) if body.any() else -1
    if heading < 0 or tags[blocks.boxes[heading]] not in HEADINGS:
        return section
    end = heading + 1
    while end < min(len(body), heading + 1 + MOST_IN_GAP) and not (
        features.borders[end] or tags[blocks.boxes[end]] in HEADINGS
    ):
        end += 1
    inside = slice(heading + 1, end)
    text = blocks.link[inside] < MOSTLY_LINK
    probable = features.groups[inside][text & (p[inside] >= GAP)]
    section[inside] = text & np.isin(features.groups[inside], probable)
    return section


def signature(blocks: Blocks, features: PageFeatures, body: Flags) -> Flags:
    """Return the office and the day below the body that sign a document, or its edition, in the same container."""
    signed = np.zeros(len(body), bool)
    last = int(np.flatnonzero(body)[-1])
    if last + 1 < len(body) and features.groups[last + 1] == features.groups[last]:
        signed[last + 1] = _EDITION.fullmatch(blocks.texts[last + 1]) is not None
    if not any(map(_DAY.fullmatch, blocks.texts[last + 1 : last + 1 + MOST_SIGNATURE])):
        return signed
    # The last line may be in a table.
    groups = features.groups[last], np.argmax(np.bincount(features.groups, blocks.size * body))
    for i in range(last + 1, min(last + 1 + MOST_SIGNATURE, len(body))):
        small = blocks.size[i] <= SIGNATURE_SIZE and blocks.link[i] == 0
        if features.groups[i] not in groups or not small:
            break
        if _DAY.fullmatch(blocks.texts[i]):
            signed[last + 1 : i + 1] = True
            break
        if blocks.punctuation[i]:
            break
    return signed


def answers(blocks: Blocks, features: PageFeatures, body: Flags) -> Flags:
    """Return the paragraphs behind the label of an office's answer below the body, a letter: 答复内容."""
    found = np.zeros(len(body), bool)
    below = int(np.flatnonzero(body)[-1]) + 1
    text = (blocks.sentences > 0) & (blocks.link < MOSTLY_LINK)
    for i in range(below, min(below + MOST_TO_ANSWER, len(body) - 1)):
        if _ANSWER.fullmatch(blocks.texts[i]) is None:
            continue
        # Office and day of the answer may stand below its label.
        start = next((j for j in range(i + 1, min(i + 2 + MOST_INFO, len(body))) if text[j]), i + 1)
        end = start
        while end < len(body) and text[end] and features.groups[end] == features.groups[start]:
            end += 1
        found[start:end] = True
        break
    return found
