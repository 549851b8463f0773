"""Titles that a label names: 标题：…, 名　　称：… in the head of a document, 来信标题 in a cell of a table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Lines from the top among which the label is, fewest and most characters of a title (guesses).
_TOP, _SHORTEST, _LONGEST = 60, 4, 100
_LABEL: Final = re.compile(
    r"(?:来信|信件|留言|投诉|咨询|建议|诉求|问题|帖子|文章|文件|公文|公告|通知|信息)?"
    r"(?:标\s*题|標\s*題|主\s*题|主\s*題|题\s*目|名\s*称|名\s*稱|[题題]\s*名(?P<catalog>\s?/\s?(?:责任|責任|著)者)?)"
    r"\s*[:：]\s*(?P<title>.*)"
    # A cell of a table of letters, without a colon; its value may be in the same line.
    r"|(?:来信|信件|留言|投诉|咨询|建议|诉求|帖子|公文)(?:标题|主题)\s*(?P<value>(?:[^不请应须必].*)?)"
)
_OTHER_LABEL: Final = re.compile(r"[:：]$|^[\u4e00-\u9fff\s]{2,8}[:：]")


def labeled_title(lines: Sequence[str]) -> str:
    """Return the first title that a label names among the lines at the top of a page, empty if there is none.

    >>> labeled_title(["局长信箱", "标题：", "关于延长夜间公交的建议"])
    '关于延长夜间公交的建议'
    >>> labeled_title(["信件详情", "信件标题关于延长夜间公交的建议"])
    '关于延长夜间公交的建议'
    >>> labeled_title(["名 称：", "文 号："])
    ''
    """
    for line, following in zip(lines[:_TOP], [*lines[1 : _TOP + 1], ""], strict=False):
        match = _LABEL.fullmatch(line)
        if match is None:
            continue
        title = (match["title"] or match["value"] or "").strip() or following
        if match["catalog"]:
            title = title.partition("/")[0].strip()
        if _SHORTEST <= len(title) <= _LONGEST and not _OTHER_LABEL.search(title):
            return title
    return ""
