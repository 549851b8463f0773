"""Cue words in lines of text: boilerplate, section breaks, dates, threads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from topiccrawl.page.body.joined_lines import JoinedLines

    Flags = NDArray[np.bool_]

# Words of the lines around a body, in lower case.
_BOILERPLATE = re.compile(
    r"版权|版權|copyright|©|all rights|备案|icp|责任编辑|責任編輯|责编|编辑[：:]|来源[：:]|來源[：:]"
    r"|作者[：:]|转载|轉載|上一篇|下一篇|上一页|下一页|分享|举报|舉報|点击|點擊|阅读|閱讀|浏览|瀏覽|评论|評論"
    r"|登录|登入|注册|註冊|关注|關注|关于我们|關於我們|联系我们|聯絡我們|免责|免責|声明|聲明|微信|扫一扫"
    r"|客户端|打印|列印|关闭|關閉|收藏|返回|推荐|推薦|相关|相關|热门|熱門|更多|share|comment|sign in"
    r"|log in|subscribe|newsletter|follow us|privacy|terms|related|read more|advert"
)
# Statements of the owner at the end of a page.
_IMPRINT = re.compile(
    r"©|\(c\)\s*(?:19|20)\d\d|copyright|版权所有|版權所有|著作权所有|著作權所有|all rights reserved"
    r"|icp[备備证證]|公网安备|备案号|備案號|增值电信业务|许可证号|許可證號"
    # Sites of the government: 主办：县政府办公室 承办：信息中心, 网站标识码：3301820001.
    r"|网站标识码|主办(?:单位)?\s?[:：][^。]{2,30}\s(?:承办|运维|维护|技术支持)",
    re.IGNORECASE,
)
# Most characters and commas and full stops of such a line (guesses: others are sentences about copyright).
_IMPRINT_LENGTH, _IMPRINT_MARKS = 200, 2
# Short lines that begin a part after the article: related links, comments and the like.
_BREAK = re.compile(
    r"[\W_]*(?:相关|相關|热门|熱門|推荐|推薦|最新|更多|精彩|猜你|延伸|编辑推荐|網友|网友|发表|發表|我要|评论|評論"
    r"|留言|回复|回覆|跟帖|上一篇|下一篇|上一页|下一页|分享|标签|標籤|关键词|关键字|版权|版權|免责|免責|责任编辑"
    r"|責任編輯|责编|附件|返回|打印|关闭|related|recommended|more |most |comments?\b|leave a|share|tags?\b"
    r"|you may|see also|popular|trending|latest|about the author|advert|sign up|subscribe)"
)
# Most characters of such a line (a guess: longer ones are sentences).
_BREAK_LENGTH = 24
# The label of an advertisement, which may stand between any two paragraphs.
_ADVERTISEMENT = re.compile(r"\W*advertis(?:ements?|ing)\W*")
# From a digit on, so that a search looks for one: 2023-4-1, 10:05, 2小时前.
_DATE = re.compile(
    r"\d(?:(?:(?<=1)9|(?<=2)0)\d\d\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d|:\d\d"
    r"|\s*(?:分钟|小时|天|个月|年|分鐘|小時|個月)前)"
)
# The end of a day or hour, and the beginning of the next: 08:30-18:00, 2019年3月2日至3月5日, 6月1日 09:00 至 17:00.
_PERIOD = re.compile(
    r"(?:\d日|:\d\d|[-/.]\d{1,2}[-/.]\d{1,2})\s?(?:[至到~～]|[-—–]{1,2})\s?(?:次日)?\s?\d{1,4}\s?[-/.:年月]\s?\d"
)
# Statements about rights and opinions, credits at the beginning of a line, invitations to follow. Searches are
# fast because each alternative begins with a letter.
_NOTICES = (
    "特别", "免责", "平台", "版权", "重要", "郑重", "本站", "本网", "侵权", "特別", "免責", "平臺", "版權",
)  # fmt: skip
_DISCLAIMER = re.compile(
    "|".join(rf"{word}\w{{0,4}}(?:声明|聲明|说明|說明)" for word in _NOTICES)
    + r"|非[经經]\w{0,6}(?:授权|授權|许可|許可|同意)"
    r"|观点\w{0,8}(?:仅代表|不代表|僅代表)|觀點\w{0,8}(?:不代表|僅代表)|仅代表(?:作者|本人|个人)|僅代表作者|不代表本"
    r"|如有\w{0,6}侵[权權]|涉及\w{0,6}侵[权權]|涉嫌\w{0,6}侵[权權]|若有\w{0,6}侵[权權]"
    r"|侵权\w{0,6}(?:联系|删除)|侵權\w{0,6}(?:聯繫|刪除)|转载请|转载须|轉載請"
    r"|未[经經]\w{0,12}(?:授权|授權|许可|許可|同意)|信息存储空间"
    r"|不构成\w{0,6}(?:建议|意见|依据)|据此操作|不代表\w{2,10}(?:立场|立場|观点)|(?:来源|转载)[于自]?(?:互联)?网络|版权归\w{0,8}(?:作者|所有)"
    r"|广告主|广告内容|all rights reserved|reproduced without"
)
_STATEMENT = re.compile(r"[\W_]*[声聲]明\s*[:：]")
_CREDIT = re.compile(
    r"[\W_]*(?:责任?编辑?|責任?編輯?|编辑|編輯|校对|校對|审核|审校|监制|值班主任|来源|來源|稿源|作者|原标题"
    r"|记者|通讯员|摄影|图源|供稿|编审|初审|终审)\s*[:：丨|]"
)
_PROMOTION = re.compile(
    r"扫[一码描]|掃[一碼描]|公众号|公眾號|关注我们|欢迎关注|长按|下载app|客户端下载|微信号|加入\S{0,6}群|订阅"
    r"|更多\w{0,4}(?:资讯|新闻)|新闻线索|[报爆]料(?:热线|电话)"
    r"|点击\S{0,8}(?:查看|下载|购买|进入)|subscribe|newsletter|follow us|sign up|download the app"
)
# Each match of a pattern contains one of these words, which are found many times faster.
# fmt: off
_DISCLAIMER_WORDS = (
    "声明", "聲明", "说明", "說明", "非经", "非經", "代表", "侵权", "侵權", "转载请", "转载须", "轉載請", "未经",
    "未經", "信息存储空间", "不构成", "据此操作", "网络", "版权归", "广告主", "广告内容", "all rights reserved",
    "reproduced without",
)
_STATEMENT_WORDS = ("声明", "聲明")
_CREDIT_WORDS = (":", "：", "丨", "|")
_PROMOTION_WORDS = (
    "扫", "掃", "公众号", "公眾號", "关注我们", "欢迎关注", "长按", "下载app", "客户端下载", "微信号", "加入", "订阅",
    "更多", "新闻线索", "料热线", "料电话", "点击", "subscribe", "newsletter", "follow us", "sign up",
    "download the app",
)
# fmt: on
# Most characters of such a line (a guess: statements about rights have up to 300).
_CUE_LENGTH = 400
# Words that forums, question sites and boards write around posts.
_THREAD = (
    "楼主", "樓主", "发表于", "發表於", "回复", "回覆", "回帖", "跟帖", "引用", "个回答", "個回答", "采纳", "採納",
    "追问", "沙发", "只看", "赞同", "最佳答案", "网友", "楼", "樓",
)  # fmt: skip


def has_boilerplate(lines: JoinedLines) -> Flags:
    """Return whether each line, in lower case, contains a word of the lines around bodies."""
    return lines.matching(_BOILERPLATE)


def cues_of(lines: list[str], joined: JoinedLines) -> dict[str, Flags]:
    """Return whether each line, in lower case, is a disclaimer, a credit, or a promotion."""

    def found(match: Callable[[str], object], words: Iterable[str]) -> Flags:
        flags = np.zeros(len(lines), bool)
        for row in joined.containing_any(words):
            flags[row] = len(lines[row]) <= _CUE_LENGTH and match(lines[row]) is not None
        return flags

    return {
        "disclaimer": found(_DISCLAIMER.search, _DISCLAIMER_WORDS)
        | found(_STATEMENT.match, _STATEMENT_WORDS),
        "credit": found(_CREDIT.match, _CREDIT_WORDS),
        "promotion": found(_PROMOTION.search, _PROMOTION_WORDS),
    }


def is_imprint(lines: list[str]) -> list[bool]:
    """Return whether each line names the owner of the page and its rights."""
    return [
        len(line) <= _IMPRINT_LENGTH
        and line.count("，") + line.count("。") <= _IMPRINT_MARKS
        and _IMPRINT.search(line) is not None
        for line in lines
    ]


def is_section_break(lines: list[str]) -> list[bool]:
    """Return whether each line, in lower case, begins a part after the article."""
    return [len(line) <= _BREAK_LENGTH and _BREAK.match(line) is not None for line in lines]


def is_advertisement(line: str) -> bool:
    """Return whether a line, in lower case, is no more than the label of an advertisement."""
    return _ADVERTISEMENT.fullmatch(line) is not None


def has_date(lines: JoinedLines) -> Flags:
    """Return whether each line contains a date or a time of day."""
    return lines.matching(_DATE)


def is_period(line: str) -> bool:
    """Return whether a line states hours or days from one to another: 08:30-18:00, 3月2日至3月5日."""
    return _PERIOD.search(line) is not None


def count_thread_words(text: str) -> int:
    """Return how often a page uses the words of threads."""
    # The page of an article has few of their first characters, which are found faster than words.
    return sum(text.count(word) for word in _THREAD if word[0] in text)
