"""What of a page is compared to find changes: its text, without what differs at every visit."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

#: Longest line that may be a counter, a date or a label rather than a sentence, in characters (a guess: a
#: line with date, source and three counters has some seventy).
_LONGEST_LABEL: Final = 90
#: Ends of sentences: a line with one is text, whatever numbers it has.
_SENTENCE: Final = re.compile(r"[。！？!?；;]|\.\s")
#: What counters count, in Chinese and English (a choice; templates of the common Chinese systems).
_COUNTED: Final = (
    r"(?:阅读|閱讀|浏览|瀏覽|点击|點擊|访问|訪問|查看|观看|播放|围观|人气|人氣|热度|评论|評論|跟帖|跟贴|回复|回復|"
    r"点阅|點閱|点赞|點讚|赞|收藏|转发|轉發|分享|下载|下載|关注|粉丝|参与|在线|次数|顶|踩|"
    r"views?|reads?|hits?|visits?|comments?|replies|likes?|shares?|downloads?|online|followers?)"
)
_NUMBER: Final = r"[0-9][0-9,.]*\s*(?:[万萬千亿億kKwWmM]\+?)?\+?"
#: What is behind the word: 阅读量, 瀏覽人次.
_OF: Final = r"(?:量|数|數|率|次数|次數|人数|人數|人次|总数|指数|指數|count)"
#: Counters with the word before the number, and behind it.
_COUNTER: Final = re.compile(
    rf"{_COUNTED}[^\w\n]{{0,3}}{_OF}?[^\w\n]{{0,4}}{_NUMBER}\s*(?:次|人次|人|条|條|个|個)?",
    re.IGNORECASE,
)
_COUNTER_BEFORE: Final = re.compile(
    rf"(?<![\d:.,]){_NUMBER}\s*(?:次|人次|人|条|條|个|個|名)?\s*{_COUNTED}(?:量|数)?", re.IGNORECASE
)
#: A counter's word on a line of its own; its number is on the line before or after.
_LABEL: Final = re.compile(rf"[\W_]*{_COUNTED}\s*{_OF}?[\W_]*", re.IGNORECASE)
#: What number the reader is: 您是第 88 位访客.
_READER: Final = re.compile(
    r"第\s*[0-9,]+\s*[位个個名]\s*(?:访客|訪客|访问者|浏览者|瀏覽者|读者|讀者|来访者)"
)
#: How long ago something was: it differs at every visit.
_AGO: Final = re.compile(
    r"(?:[0-9]+\s*(?:秒|分|分钟|分鐘|小时|小時|天|周|个月|月|年)(?:之?前)|刚刚|剛剛|刚才"
    r"|[0-9]+\s*(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\s+ago|just now)",
    re.IGNORECASE,
)
#: What each counter, and each time that passes by itself, has.
_NUMBER_OR_NOW: Final = re.compile(r"[0-9]|刚刚|剛剛|刚才|just now", re.IGNORECASE)
_WEEKDAY: Final = (
    r"(?:星期|周|週|礼拜)[一二三四五六日天]|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
)
_MONTHS: Final = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
#: Everything that a line about the present day may consist of.
_TODAY: Final = re.compile(
    rf"更新时间|更新時間|更新日期|最[后後近]更新|打印时间|打印日期|今天是?|今日是?|现在是?|现在时间|当前时间|北京时间|当前日期|农历[^\s\d]*|{_WEEKDAY}|[上下]午|凌晨|"
    rf"today(?:\s+is)?|now|(?:{_MONTHS})\b|[ap]m\b|公元|[年月日号時时分秒点]|[\d\W_]",
    re.IGNORECASE,
)
#: Nothing but numbers: the cell of a table, the numbers of a draw; no date, which has other signs.
_PLAIN_NUMBERS: Final = re.compile(
    r"[+\-−]?[0-9][0-9,]*(?:\.[0-9]+)?\s*[%‰分]?(?:\s+[0-9][0-9,]*(?:\.[0-9]+)?\s*[%‰分]?)*"
)
#: The number of a counter.
_COUNT: Final = re.compile(_NUMBER, re.IGNORECASE)
#: Labels of advertisements, with which a short line begins (the labels that China's rules for advertisements on
#: the internet ask for, and their English ones).
_ADVERTISEMENT: Final = re.compile(
    r"[\[(【〔「『<]?\s*(?:广告|廣告|推广|推廣|赞助|贊助|ad|ads|advertisement|sponsored|promoted)"
    r"\s*(?:[\])】〕」』>:：|·-]|$)",
    re.IGNORECASE,
)
_SPACES: Final = re.compile(r"\s+")
#: Length of a digest in bytes.
_DIGEST_BYTES: Final = 16


def content_lines(body: str) -> Iterator[str]:
    """Yield the lines of a body as they are compared.

    Left out are counters (阅读：123 次), times that pass by themselves (3小时前), labeled advertisements and
    lines that consist of a date, as far as they stand in short lines without a sentence: the numbers of a
    text are content, and those of a table, which are lines of their own.

    Examples
    --------
    >>> list(content_lines("来源：新华网 阅读：1,024 次\\n今天是2026年11月23日 星期一\\n全文有 3 页。"))
    ['来源:新华网', '全文有3页。']
    """
    lines = [it.strip() for it in unicodedata.normalize("NFKC", body).split("\n")]
    lines = [it for it in lines if it]
    for line, before, after in zip(lines, ["", *lines], [*lines[1:], ""], strict=False):
        text = line
        if len(text) <= _LONGEST_LABEL and _SENTENCE.search(text) is None:
            if _NUMBER_OR_NOW.search(text):
                if _COUNT.fullmatch(text) and (_LABEL.fullmatch(before) or _LABEL.fullmatch(after)):
                    continue
                for pattern in (_COUNTER, _COUNTER_BEFORE, _READER, _AGO):
                    text = pattern.sub("", text)
            # The first character of most lines says that they are about something else.
            today = not text or (_TODAY.match(text) and not _TODAY.sub("", text))
            if (today and not _PLAIN_NUMBERS.fullmatch(line)) or _ADVERTISEMENT.match(text):
                continue
        if text := _SPACES.sub("", text):
            yield text


def body_digest(body: str) -> str:
    """Return the digest of a body: equal for bodies without a difference that counts."""
    return _digest(content_lines(body))


def links_digest(urls: Iterable[str]) -> str:
    """Return the digest of a set of addresses, whatever their order."""
    return _digest(sorted(set(urls)))


def _digest(lines: Iterable[str]) -> str:
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for line in lines:
        digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()
