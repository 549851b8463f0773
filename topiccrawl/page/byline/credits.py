"""Credits within a text: （来源：…）, 本文转载自《…》, 稿源 …, 摘自 …, 原载于 …."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from topiccrawl.page.byline.names import is_medium

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The word before the name; the name is quoted, or ends at the next punctuation.
_CREDIT: Final = re.compile(
    r"(?:"
    r"(?:(?:^|[\n(（\[【〔])\s{0,4}(?:文章|稿件|消息|本文|信息|内容|內容|新闻|新聞|资料|資料|原文|正文|文字)?(?:来源|來源|出处|出處)(?:[于於]|自)?\s*[:：])"
    r"|稿源\s*[:：]?|(?:转载|轉載|转|轉|摘|摘编|摘編|选|選|节选|節選|转摘|摘录|摘錄|源|出|编译|編譯)自[于於]?\s*[:：]?"
    r"|(?:转载|轉載)(?:[于於]|来源|來源|出处|出處)?\s*[:：]"
    r"|(?:原文?|首)(?:载|載|发表|發表|发|發|刊载|刊載|刊登|刊)[于於在]?\s*[:：]?|刊[载載登发發]?[于於]\s*[:：]?"
    r"|(?:via|source|from)\s*[:：])\s*"
    r"(?:[^\s，。；：:《》]{0,6}[《「『“](?P<quoted>[^》」』”\n]{2,24})[》」』”]"
    r"|(?P<plain>[^\s，。；;！？!?（）()《》【】\[\]“”\"<>|]{2,30}))",
    re.IGNORECASE,
)


def credited(text: str) -> Iterator[str]:
    """Yield the names that the credits in *text* give as its origin.

    Without quotation marks and colon, only what looks like a medium is a name: 来自全国各地 has none.

    >>> list(credited("本文转载自《桂林日报》。")), list(credited("代表源自全国各地"))
    (['桂林日报'], [])
    """
    for match in _CREDIT.finditer(text):
        name = match.group("quoted") or match.group("plain")
        before = match.group()[: -len(name)]
        if match.group("quoted") or ":" in before or "：" in before or is_medium(name):
            yield name
