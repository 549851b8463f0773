"""What words tell of a block, and what names (class and id) tell of a box."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from topiccrawl.page.regions import REGIONS, words_of

# Words of the lines around a body.  Lower case: the page's text is folded once.
_BOILERPLATE = re.compile(
    r"版权|版權|copyright|©|all rights|备案|icp|责任编辑|責任編輯|责编|编辑[：:]|来源[：:]|來源[：:]"
    r"|作者[：:]|转载|轉載|上一篇|下一篇|上一页|下一页|分享|举报|舉報|点击|點擊|阅读|閱讀|浏览|瀏覽|评论|評論"
    r"|登录|登入|注册|註冊|关注|關注|关于我们|關於我們|联系我们|聯絡我們|免责|免責|声明|聲明|微信|扫一扫"
    r"|客户端|打印|列印|关闭|關閉|收藏|返回|推荐|推薦|相关|相關|热门|熱門|更多|share|comment|sign in"
    r"|log in|subscribe|newsletter|follow us|privacy|terms|related|read more|advert"
)
# Short lines that open a part which is no body: what follows them is not the article's.
_BREAK = re.compile(
    r"[\W_]*(?:相关|相關|热门|熱門|推荐|推薦|最新|更多|精彩|猜你|延伸|编辑推荐|網友|网友|发表|發表|我要|评论|評論"
    r"|留言|回复|回覆|跟帖|上一篇|下一篇|上一页|下一页|分享|标签|標籤|关键词|关键字|版权|版權|免责|免責|责任编辑"
    r"|責任編輯|责编|附件|返回|打印|关闭|related|recommended|more |most |comments?\b|leave a|share|tags?\b"
    r"|you may|see also|popular|trending|latest|about the author|advert|sign up|subscribe)"
)
_BREAK_LENGTH = 24  # characters of such a line (a guess: longer ones are sentences)
_DATE = re.compile(
    r"(?:19|20)\d\d\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}|\d{1,2}:\d{2}"
    r"|\d+\s*(?:分钟|小时|天|个月|年|分鐘|小時|個月)前"
)
# Words of threads: what forums, question sites and boards write around posts.
_THREAD = (
    "楼主", "樓主", "发表于", "發表於", "回复", "回覆", "回帖", "跟帖", "引用", "个回答", "個回答", "采纳", "採納",
    "追问", "沙发", "只看", "赞同", "最佳答案", "网友", "楼", "樓",
)  # fmt: skip
_GOOD = re.compile(
    r"article|content|detail|zhengwen|(?<![a-z])text|post|entry|message"
    r"|(?<![a-z])(?:t_f|txt|body|story|main|answer|topic|rich)"
)
_BAD = re.compile(
    r"foot|head|nav|menu|side|recommend|related?|share|copyright|tags?(?![a-z])|hot|rank|list|login"
    r"|crumb|(?<![a-z])ad(?:s|vert)?(?![a-z])|banner|tool|widget|sponsor|social|pagination|pager"
    r"|author|meta|info|sign|popup|modal|dialog|qr"
)
_REPLY = re.compile(r"comment|repl(?:y|ies)|pinglun|huifu|liuyan|answer|floor|lzl")
_POST = re.compile(
    r"repl|(?<![a-z])post(?!e)|answer|floor|thread|topic|comment|(?<![a-z])lzl|quote|signature|message"
)
_NUMBERS = re.compile(r"[\d_-]+")


class Names(NamedTuple):
    """What the class and id of a box speak of."""

    region: int
    """A bit, by the place in :data:`REGIONS`; 0 for none."""
    good: bool
    """Content: article, text, post ..."""
    bad: bool
    """What stands around it: menus, tools, shares ..."""
    reply: bool
    """Comments and answers."""
    post: bool
    """The parts of a thread."""
    signature: str
    """The first name without numbers, by which boxes of one kind are told."""


@lru_cache(maxsize=16_384)
def names_of(tag: str, names: str) -> Names:
    """What a box's tag, class and id speak of.

    >>> names_of("div", "nav-main top").region == 1 << REGIONS.index("nav")
    True
    """
    region = tag if tag in ("nav", "header", "footer", "aside") else words_of(names)[0]
    plain = names[:200].lower()
    first = _NUMBERS.sub("", plain.split(" ", 1)[0])
    return Names(
        1 << REGIONS.index(region) if region in REGIONS else 0,
        tag == "article" or _GOOD.search(plain) is not None,
        _BAD.search(plain) is not None,
        _REPLY.search(plain) is not None,
        _POST.search(plain) is not None,
        f"{tag}.{first}",
    )


def boilerplate(lines: list[str]) -> list[bool]:
    """Whether each line, in lower case, has a word of those around bodies."""
    return [_BOILERPLATE.search(line) is not None for line in lines]


def breaks(lines: list[str]) -> list[bool]:
    """Whether each line, in lower case, opens a part that is no body."""
    return [len(line) <= _BREAK_LENGTH and _BREAK.match(line) is not None for line in lines]


def dates(lines: list[str]) -> list[bool]:
    """Whether each line has a date or a time of day."""
    return [_DATE.search(line) is not None for line in lines]


def thread_words(text: str) -> int:
    """How often the page uses the words of threads."""
    return sum(map(text.count, _THREAD))
