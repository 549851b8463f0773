"""What templates add to a title on its line: ``主题：``, ``（第 2 页）``, ``[复制链接]``."""

from __future__ import annotations

import re
from typing import Final

# Measured by nothing: the forms that forums and content management systems are known to write.
_BEFORE: Final = re.compile(
    r"^(?:\W{0,2}(?:[帖贴]子)?(?:主\s?题|主\s?題|标\s?题|標\s?題|题目|帖子|话题|问题|文章|title|topic|thread|question|subject|re|回复|回覆)\s?[:：]\s*"
    r"|(?:question|topic|thread) - |【(?:待|已|未)解[决決]】|\[(?:待|已|未)解[决決]\])",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(
    r"\s*(?:[(（\[【]\s*(?:第?\s*\d+\s*页?(?:\s*[/／共]\s*\d+\s*页?)?|页\s*\d+|page\s*\d+|\d+)\s*[)）\]】]"
    r"|[\[【(（]?(?:复制链接|複製鏈接|只看楼主|收藏|打印|编辑|編輯|edit)[\]】)）]?|\s\d+\s?(?:条)?(?:评论|評論|comments?|回复)|\s#\d{1,6})$",
    re.IGNORECASE,
)
# In what _BEFORE finds, and the last characters of what _AFTER finds, which may be a number behind a mark.
_BEFORE_HINTS: Final = (":", "：", " - ", "】", "]")
_ENDINGS: Final = frozenset(")）]】接主藏印辑輯论論复tTsSſ")


def without_additions(text: str) -> list[str]:
    """Return a text without what templates add to titles, most removed last; empty if there is nothing.

    >>> without_additions("主题：侨乡见闻 (第 2 页)")
    ['侨乡见闻 (第 2 页)', '侨乡见闻']
    >>> without_additions("【待解决】老屋漏水 #37")
    ['老屋漏水 #37', '老屋漏水']
    """
    found = []
    for pattern in (_BEFORE, _AFTER, _AFTER):
        if pattern is _AFTER and text[-1:] not in _ENDINGS and "#" not in text:
            break
        labeled = pattern is not _BEFORE or any(it in text for it in _BEFORE_HINTS)
        rest = pattern.sub("", text).strip() if labeled else text.strip()
        if rest and rest != text:
            found.append(rest)
            text = rest
    return found
