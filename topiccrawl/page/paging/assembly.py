"""Assemble the parts of an article into one text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

#: Lines at the beginning and at the end of a part that may repeat those of the first one (a guess: title, by-line,
#: abstract; editor, source).
_HEAD: Final = 8
_TAIL: Final = 5
#: Share of the letters of the other parts from which a part contains them: the whole article on one page.
_WHOLE: Final = 0.9
#: Most letters of a line of page links: 上一页 1 2 3 下一页, (本文共3页) (a guess).
_LINKS: Final = 60
_PAGE_LINKS: Final = re.compile(
    r"(?:[上下前后後首末尾]\s*一?\s*[页頁]|第?\s*[0-9]{1,3}\s*[页頁]?|[共本文余餘下全文阅读閱讀到\s/|<>«»‹›…·:：.,，()（）【】\[\]_-]"
    r"|next|prev(?:ious)?|page|first|last|of|[当當]前)++",
    re.IGNORECASE,
)
_SMALL_NUMBER: Final = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_LETTERS: Final = re.compile(r"[\W_]+")
_PART_OF_TITLE: Final = re.compile(
    r"(?<!\s)\s*+(?:[(（【\[<]\s*+(?:第?\s*+[0-9一二三四五六七八九十]{1,3}\s*+[页頁部]?|[0-9]++\s*+/\s*+[0-9]++)\s*+[)）】\]>]"
    r"|[-_—–|]*+\s*+第\s*+[0-9一二三四五六七八九十]{1,3}\s*+[页頁]|[-_—–|]++\s*+[0-9]{1,2}"
    r"|[-_—–|]*+\s*+page\s*+[0-9]++)\s*$",
    re.IGNORECASE,
)
_FENCE: Final = re.compile(r"\s*(`{3,})")
#: A line that ends so is complete (a line of a heading is short).
_COMPLETE: Final = "。！？；：…”’」』）)】.!?;:\"'"
_HEADING: Final = 30


def without_number(title: str) -> str:
    """Return the title of an article, given that of one of its parts.

    >>> without_number("侨乡百年（2）"), without_number("第2页")
    ('侨乡百年', '第2页')
    """
    while (shorter := _PART_OF_TITLE.sub("", title)) != title and shorter:
        title = shorter
    return title


def same_article(title: str, other: str) -> bool:
    """Whether two pages have one title but for the number of the part.

    >>> same_article("侨乡百年（一）", "侨乡百年（2）"), same_article("侨乡百年", "侨乡百年_第2页")
    (True, True)
    >>> same_article("第1批名单", "第2批名单")
    False
    """
    return _bare(title) == _bare(other)


def assemble(bodies: Mapping[int, str], title: str = "") -> str:
    """Return the text of an article, given the bodies of its parts by number, and its title.

    What later parts repeat of the first one's beginning and end is left out (title, by-line, abstract,
    editor), as are lines of page links and parts that are equal to another one.  If a part contains
    all the others, it is the text.  Paragraphs that a page break has cut are joined.  The result depends on
    the bodies only, not on the order in which they came.
    """
    parts = [_lines(bodies[number]) for number in sorted(bodies)]
    parts = [part for i, part in enumerate(parts) if part and part not in parts[:i]]
    if not parts:
        return ""
    whole = _whole(parts)
    if whole is not None:
        return "\n".join(whole)
    first = parts[0]
    head, tail = set(map(_letters, first[:_HEAD])), set(map(_letters, first[-_TAIL:]))
    ends = [_cut_tail(part, parts[-1], tail) if part is not parts[-1] else part for part in parts]
    head |= {_bare(title)} if title else set()
    text = list(ends[0])
    for part in ends[1:]:
        start = 0
        while start < min(_HEAD, len(part)) and (
            _letters(part[start]) in head or _bare(part[start]) in head
        ):
            start += 1
        rest = part[start:]
        if text and rest and _goes_on(text[-1]):
            text[-1] += rest[0]
            rest = rest[1:]
        text += rest
    return "\n".join(text)


def assemble_markdown(parts: Mapping[int, str]) -> str:
    """Return the Markdown of an article, given that of its parts by number.

    Blocks that an earlier part has, too, are left out where a part begins or ends, as are page links.
    """
    text: list[str] = []
    for number in sorted(parts):
        blocks = [block for block in _blocks(parts[number]) if not _is_page_links(block)]
        known = set(text)
        while blocks and blocks[0] in known:
            del blocks[0]
        text += [
            block for i, block in enumerate(blocks) if i < len(blocks) - _TAIL or block not in known
        ]
    return "\n\n".join(text)


def _blocks(markdown: str) -> list[str]:
    """Return the blocks of a Markdown text; one of code stays in one piece."""
    blocks: list[str] = []
    fence = ""
    for block in markdown.split("\n\n"):
        if fence:
            blocks[-1] += f"\n\n{block}"
        else:
            blocks.append(block)
        for line in block.split("\n"):
            mark = _FENCE.match(line)
            if mark is not None and not fence:
                fence = mark[1]
            elif fence and line.strip() == fence:
                fence = ""
    return blocks


def _cut_tail(part: list[str], last: list[str], tail: set[str]) -> list[str]:
    """Return *part* without the lines at its end that the last part ends with, too."""
    end = len(part)
    ending = set(map(_letters, last[-_TAIL:]))
    while (
        end > 1 and len(part) - end < _TAIL and _letters(part[end - 1]) in ending & (tail | ending)
    ):
        end -= 1
    return part[:end]


def _whole(parts: list[list[str]]) -> list[str] | None:
    """Return the part that contains all others, ``None`` if none does."""
    longest = max(parts, key=lambda part: sum(map(len, part)))
    held = set(map(_letters, longest))
    others = {_letters(line) for part in parts if part is not longest for line in part}
    size = sum(map(len, others))
    if len(parts) < 2 or not size:
        return longest if len(parts) == 1 else None
    return longest if sum(len(it) for it in others if it in held) >= _WHOLE * size else None


def _lines(body: str) -> list[str]:
    lines = [line.strip() for line in body.split("\n")]
    return [line for line in lines if line and not _is_page_links(line)]


def _is_page_links(line: str) -> bool:
    """Whether a line is nothing but page links: 上一页 1 2 3 下一页."""
    if len(line) > _LINKS or not _PAGE_LINKS.fullmatch(line):
        return False
    return "页" in line or "頁" in line or len(_SMALL_NUMBER.findall(line)) > 1


def _goes_on(line: str) -> bool:
    return len(line) > _HEADING and not line.endswith(tuple(_COMPLETE))


def _letters(line: str) -> str:
    return _LETTERS.sub("", line)


def _bare(title: str) -> str:
    return _letters(without_number(title))
