"""Landmarks among the visible lines of a page: its title, its running text, links to other pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

#: What breadcrumbs begin with: 您现在的位置：.
TRAIL_LABEL = re.compile(
    r"(?:您|你)?(?:现在|現在|目前|当前|當前)?(?:所在|所处)?(?:的)?(?:位置|栏目|导航)(?:是|为)?\s*[:：]"
    r"|(?:您|你)(?:现在|目前|当前)?(?:所)?(?:在|处)(?:的)?(?:位置)?\s*[:：]|you are here\s*:?",
    re.IGNORECASE,
)
_OTHER_PAGES = re.compile(
    r"^\W{0,3}(?:(?:最新|网友|網友|全部|精彩|热门|用户|读者)?(?:评论|評論|回复|回復|留言|跟帖)(?!员)|相关(?:阅读|新闻|文章|推荐|链接|报道)"
    r"|相關(?!.*[，。])|延伸阅读|延伸閱讀|推荐阅读|热门|熱門|猜你|上一篇|下一篇|上一条|下一条|Comments?\b|Related)",
    re.IGNORECASE,
)
# The headings that Blogger and WordPress write above comments. A number of comments alone may be part of the by-line.
_COMMENTS = re.compile(
    r"(?:\d{1,4}|one)\s(?:comments?:$|thoughts?\son\b|(?:responses?|repl(?:y|ies))\sto\b)"
    r"|[《“][^》”]{1,100}[》”]\s?上?有\s?\d{1,4}\s?(?:条评论|个想法|则评论|則留言|条留言)",
    re.IGNORECASE,
)

# 已有 8 条评论, 共3则留言: among comments it is their heading.
_COUNTED = re.compile(
    r"(?:已有|现有|現有|目前有|共有?|全部)?\s?\d[\d,]{0,6}\s?(?:条|條|个|則|则|篇)(?:网友)?(?:评论|評論|回复|回應|回应|留言|跟帖|跟贴)"
)

# 3个回答, 全部回答 (3), 最佳答案, 医生回复: the line between a question and its answers.
_ANSWERS = re.compile(
    r"\W{0,3}(?:(?:共|已有|全部|所有|其[他它]|网友|热心网友|用户|医生|医师|律师|专家|老师|最佳|满意|推荐|被?采纳|被选|精彩)?的?\s?(?:\d{1,5}\s?[个個條条位]?\s?)?"
    r"(?:回答|解答|答案)|(?:医生|医师|律师|专家)(?:回复|答复))(?:列表)?\s?[(（:：]?\s?(?:\d{1,5}\s?[个個條条]?)?\W{0,3}"
)
# 共收到 3 条回复, 回复 (3), 全部评论, 3 replies
_REPLIES = re.compile(
    r"\W{0,3}(?:"
    r"(?:共(?:收到)?|已有)?\s?\d{1,5}\s?[条條个個人篇則]?"
    r"\s?(?:回[复覆應应帖]|跟帖|评论|repl(?:y|ies)|answers?|comments?|responses?|posts?)"
    r"|(?:全部|所有|最新|网友|大家的)?(?:回[复覆應应帖答]|跟帖|评论|replies|answers|comments|responses)(?:列表)?"
    r"\s?[(（:：]?\s?(?:\d{1,5}\s?[条條]?)?\s?[)）]?)\W{0,3}",
    re.IGNORECASE,
)
_ANSWERS_LENGTH = 20

# Lines of one heading (a guess).
_MOST_LINES = 4


def find_title_line(lines: Sequence[str], title: str) -> int | None:
    """Return the index of the first line that is the title, else of the first that contains it."""
    if len(title) < 2:
        return None
    head = title[:20]
    contains: int | None = None
    for number, line in enumerate(lines):
        if head in line:
            if line == title:
                return number
            if contains is None and len(line) < len(title) + 40:
                contains = number
    return next(iter(split_title(lines, title)), None) if contains is None else contains


def split_title(lines: Sequence[str], title: str) -> range:
    """Return the numbers of the first adjacent lines that are the title together, empty if there are none.

    >>> split_title(["首页", "关于推进", "养老服务的通知"], "关于推进养老服务的通知")
    range(1, 3)
    """
    whole = "".join(title.split())
    for first, line in enumerate(lines):
        if len(line) < 2 or not whole.startswith(line[:2]):
            continue
        joined = ""
        for last, part in enumerate(lines[first : first + _MOST_LINES], first):
            joined += "".join(part.split())
            if joined == whole:
                return range(first, last + 1)
            if not whole.startswith(joined):
                break
    return range(0)


def find_text_start(lines: Sequence[str]) -> int | None:
    """Return the index of the first line of running text, None if there is none.

    Such a line is long, alone or with the next two, and consists of sentences.
    """
    return next(running_lines(lines), None)


def running_lines(lines: Sequence[str]) -> Iterator[int]:
    """Yield the indices of all lines of running text."""
    return (it for it, line in enumerate(lines) if len(line) >= 25 and _is_running(lines, it))


def _is_running(lines: Sequence[str], number: int) -> bool:
    line = lines[number]
    some = line if len(line) >= 120 else "".join(lines[number : number + 3])
    if len(some) >= 60 and some.count("，") + some.count("。") + some.count(", ") >= 2:
        marks = line.count("，") + line.count("。") + line.count("、") + line.count(", ")
        return marks > 0 or len(line) >= 60
    return False


#: The head of a mail, as which boards of universities show their posts: 发信人: a (b), 信区: c.
MAIL_HEAD = re.compile(r"\W*(?:发信人|發信人|寄信人)\s*[:：].*信[区區]\s*[:：]\s*\S+\s*$")


def starts_other_pages(line: str) -> bool:
    """Return whether a line is the heading of comments or of links to other pages."""
    if len(line) <= 30 and _OTHER_PAGES.match(line) is not None:
        return True
    return len(line) <= 150 and _COMMENTS.match(line) is not None


def heads_answers(line: str) -> bool:
    """Return whether a line is the heading of the answers to a question.

    >>> [heads_answers(line) for line in ("3个回答", "最佳答案：", "医生回复", "回答者：木丁", "回复 3")]
    [True, True, True, False, False]
    """
    return len(line) <= _ANSWERS_LENGTH and _ANSWERS.fullmatch(line) is not None


def heads_replies(line: str) -> bool:
    """Return whether a line on a thread is the heading of the replies, or their number.

    >>> [heads_replies(line) for line in ("共收到 3 条回复", "回复 (3)", "3 replies", "回复 张三")]
    [True, True, True, False]
    """
    return len(line) <= _ANSWERS_LENGTH and _REPLIES.fullmatch(line) is not None


def heads_comments(line: str) -> bool:
    """Return whether a line among comments is a heading of them: 51条评论|1,307人参与网友评论, 《…》上有 3 条评论."""
    return (len(line) <= 150 and _COMMENTS.match(line) is not None) or (
        len(line) <= 60 and _COUNTED.match(line) is not None
    )
