"""Kickers: short lines above the headline that ``<title>`` puts before it, 重点项目进行时：三江汇流处 新港通航忙."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.page.outline import Outline

# What stands between kicker and headline.
_BETWEEN: Final = r"\s{0,2}[:：|｜\-—_\s]\s{0,2}"
# Level of lines that are no headings; those have 1 to 4.
_NO_HEADING: Final = 5


def below_kicker(text: str, outline: Outline, lines: Sequence[str], stated: str) -> str:
    """Return the headline below a text that is its kicker, the text if it is none.

    A stated title has both, and the line below is a higher heading, or more elements emphasize it.

    >>> from topiccrawl.page.outline import Heading, Outline
    >>> outline = Outline(headings=[Heading(1, "千亩晚稻长势好", 0)])
    >>> below_kicker("稳产保供", outline, ["稳产保供", "千亩晚稻长势好"], "稳产保供：千亩晚稻长势好 - 晨报")
    '千亩晚稻长势好'
    """
    if not text or text not in stated or text not in lines:
        return text
    at = lines.index(text)
    below = lines[at + 1] if at + 1 < len(lines) else ""
    if not below or re.search(re.escape(text) + _BETWEEN + re.escape(below), stated) is None:
        return text
    return below if _rank(below, outline) < _rank(text, outline) else text


def _rank(line: str, outline: Outline) -> tuple[int, int]:
    """Return the level of a line's heading, and less the more elements emphasize the line."""
    levels = [it.level for it in outline.headings if it.text == line]
    spans = [outline.text[slice(*span)].strip() for span in outline.emphasized]
    return min(levels, default=_NO_HEADING), -spans.count(line)
