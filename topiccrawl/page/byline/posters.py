"""Who wrote the first post of a thread, or an article of a platform: the first element that is named for it."""

from __future__ import annotations

import re
from bisect import bisect_left
from html import unescape
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from topiccrawl.page.byline.names import behind_position, clean_author, is_medium, is_no_name
from topiccrawl.page.hrefs import leads_to_member
from topiccrawl.page.landmarks import heads_answers, heads_replies
from topiccrawl.page.outline import link_text
from topiccrawl.page.title.site_names import split_fields

if TYPE_CHECKING:
    from topiccrawl.page.outline import Outline

#: Names of elements: ``authi`` of Discuz, ``readName`` of phpwind, ``author``, ``post-author``, ``username``.
_POSTER: Final = re.compile(
    r"(?:^|[\s_-])(?:authi|read_?name|(?:post|topic|thread|question)?[-_]?author(?:[-_]?(?:info[-_]?)?name)?"
    r"|user[-_]?name|nick[-_]?name|poster)(?:$|\s)",
    re.IGNORECASE,
)
#: On an article: ``author-name`` of Baijiahao, ``index-module_authorName_7y5nA``, ``AuthorInfo-name`` of Zhihu, the
#: hCard ``author vcard``, and ``author`` alone.
_AUTHOR: Final = re.compile(
    r"(?:^|[\s_-])author(?:[-_]?info)?[-_]?name(?:$|[\s_-])|^(?:(?:post|entry|article)[-_])?author(?:\svcard)?$|^vcard\sauthor$",
    re.IGNORECASE,
)
#: Classes of links to the author; those of users are in the head of a page, too.
_LINK: Final = re.compile(r"(?:^|\s)(?:(?:post|topic|thread)[-_])?author(?:$|\s)", re.IGNORECASE)
_LABEL: Final = re.compile(
    r"^(?:作者|楼主|樓主|发帖人|發帖人|提问者|(?:post(?:ed)?\s?)?by(?=\s))\s*[:：]?\s*",
    re.IGNORECASE,
)
#: The first part of a path that is an account: that of the page's own address, of a blog or with a long number.
_ACCOUNT_IN_PATH: Final = re.compile(r"^https?://(?P<host>[^/]+)/(?P<account>[^/?#]+)/.")
_LONG_NUMBER: Final = re.compile(r"\d{6}")
#: Links of members that are actions, not names.
_ACTIONS: Final = frozenset(
    (
        "登录",
        "登入",
        "注册",
        "註冊",
        "退出",
        "个人中心",
        "我的主页",
        "关注",
        "私信",
        "发消息",
        "查看主页",
        "帮助",
    )
)
#: One or two words of two characters or more.
_MEMBER_NAME: Final = re.compile(r"[\w·.\-]{2,}(?:\s[\w·.\-]+)?")
#: The owner of a blog in a later field of ``<title>``: 木丁的博客, 木丁的个人空间.
_OWNED: Final = re.compile(
    r"(?!我们|我們|你们|大家|本站|网友|網友)(?P<name>[\w·.\- ]{2,20})的(?:个人|個人|网络|網路|技术|技術)?"
    r"(?:博客|部落格|blog|专栏|專欄|空间|空間|日志|日誌|主页|主頁)",
    re.IGNORECASE,
)
#: Microdata of schema.org: the author, and the name in it, as content or text; the next thing ends it. The space before
#: an attribute is tested behind its name: a search for a word is fast.
_AUTHOR_ITEM: Final = re.compile(
    r"itemprop=(?<=\sitemprop=)[\"']?author[\"']?\s(?:[^<>]{0,200}\s)?itemscope\b[^<>]{0,200}>"
)
_NAME_ITEM: Final = re.compile(
    r"\sitemprop=[\"']?name[\"']?(?:\s[^<>]{0,200}?\bcontent=[\"'](?P<stated>[^\"'<>]{1,60})[\"']"
    r"|(?:\s[^<>]{0,200})?>\s{0,60}(?:<(?!/)[^<>]{0,300}>\s{0,60}){0,3}(?P<shown>[^<>]{1,60})<)"
)
_NEXT_ITEM: Final = re.compile(r"\sitemprop=[\"']?(?:author|publisher)\b")
#: Authors that are read, and characters of each (guesses: some state a picture and a description before the name).
_MOST_ITEMS, _LONGEST_ITEM = 5, 1_200
#: Whom programs name where their owner has not: those of Hexo.
_PLACEHOLDERS: Final = frozenset(("john doe", "your name"))
#: A day behind the name of a member, or the time since.
_TIME_BEHIND: Final = re.compile(
    r"\n?[^\n\d]{0,12}(?:(?:19|20)\d\d[-/.年]\d{1,2}[-/.月]\d"
    r"|\d{1,2}\s?(?:分钟|小时|天|个月|年|分鐘|小時|個月)[\s\d分钟鐘]{0,8}前)"
)
#: Characters between the title, or the text, and the link of its author (guesses: a face, badges, counters).
_BEFORE_TITLE, _BEFORE_TEXT = 200, 600
_start_of: Final = attrgetter("start")
#: Most characters of the line that heads answers, with white space around it (a guess).
_LONGEST_HEAD: Final = 60
#: Characters of a word: 回复, 评论.
_WORD: Final = 2
#: Longest name of a member (forums allow 15 to 20 characters).
_LONGEST: Final = 20


def poster_of(
    outline: Outline, above: int | None = None, title: str = "", post: int = 0
) -> str | None:
    """Return the name in the first box that is named as that of a poster, None if there is none.

    Who answers a question is not its author: below the heading of the answers no box counts.

    Parameters
    ----------
    outline : Outline
        The walked page.
    above : int, optional
        Where the text of an article begins: only boxes before it count, and only names of authors, as those of users
        are in its comments, too.
    title : str, optional
        Title of the page, below which answers are.
    post : int
        Where the text of the first post begins: 回复 alone above it is a button.
    """
    boxes, text = outline.boxes, outline.text
    named = _POSTER if above is None else _AUTHOR
    limit = _answers_start(text, title, post) if above is None else above
    if above is None and (link := _named_link(outline, limit)):
        return link
    for names, start, end in zip(boxes.names, boxes.starts, boxes.ends, strict=True):
        if start >= limit:
            return None
        if names and start < end <= start + 4 * _LONGEST and named.search(names):
            words = _LABEL.sub("", " ".join(text[start:end].split())).split(" ")
            if linked := _link_at(outline, start, end, words[0]):
                return behind_position(linked) or linked
            # Names of Western members have a space; behind others stand rank and time.
            western = len(words) == 2 and "".join(words).isascii() and "".join(words).isalpha()
            name = (" ".join(words) if western else words[0]).strip(":：\u200b")
            if 2 <= len(name) <= _LONGEST and not name.isdigit() and not is_no_name(name):
                return behind_position(name) or name
    return None


def _link_at(outline: Outline, start: int, end: int, first: str) -> str | None:
    """Return the text of the first link in a box if its text begins so: rank and time may follow without a space."""
    found = outline.links
    low, high = bisect_left(found, start, key=_start_of), bisect_left(found, end, key=_start_of)
    # The link of a portrait has no text.
    link = next((link for link in found[low:high] if link.end > link.start), None)
    if link is None or link.end > end:
        return None
    name = link_text(outline.text, link).strip()
    is_name = _MEMBER_NAME.fullmatch(name) and len(name) <= _LONGEST and not name.isdigit()
    return name if is_name and first.startswith(name) and not is_no_name(name) else None


def _answers_start(text: str, title: str, post: int = 0) -> int:
    """Return the offset of the heading of answers or replies below the title, the end without one.

    A word alone is a button above the text of the first post.
    """
    at = max(0, text.find(title)) if title else 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        # Lines with much space are cut: no heading has any.
        if end - at <= _LONGEST_HEAD:
            line = text[at:end].strip()
            is_button = at < post and len(line) <= _WORD
            if heads_answers(line) or (heads_replies(line) and not is_button):
                return at
        at = end + 1
    return len(text)


def _named_link(outline: Outline, limit: int) -> str | None:
    """Return the text of the first link that is named as that of a poster, above the first box that is.

    Boards such as NGA name the link to the member itself.
    """
    text, boxes = outline.text, outline.boxes
    named = zip(boxes.names, boxes.starts, strict=True)
    first = next((start for names, start in named if names and _POSTER.search(names)), limit)
    first = min(first, limit)
    for link in outline.links:
        if link.start >= first:
            return None
        if link.kind == "a" and _LINK.search(link.attributes.get("class", "")):
            name = link_text(text, link).strip()
            if _MEMBER_NAME.fullmatch(name) and len(name) <= _LONGEST and not is_no_name(name):
                return name
    return None


def member_of(
    outline: Outline, title: str, url: str, above: int, *, only: bool = False
) -> str | None:
    """Return the name in the first link near the title that leads to the page of a member, None if there is none.

    Parameters
    ----------
    outline : Outline
        The walked page.
    title : str
        Its title.
    url : str
        Its URL, which may begin with the account.
    above : int
        Where the text begins: only links before it count.
    only : bool
        Whether the page must lead to no other member below: a single answer has one author, a thread several. A time
        behind the name, above the text, is enough, and so is a name above the text and the heading of answers or
        replies.
    """
    text, end = outline.text, above
    heading = text.rfind(title, 0, end) if title else -1
    start = heading - _BEFORE_TITLE if heading >= 0 else end - _BEFORE_TEXT
    own = _ACCOUNT_IN_PATH.match(url)
    account = ""
    if own is not None and ("blog" in own["host"] or _LONG_NUMBER.search(own["account"])):
        account = f"/{own['account']}"
    found: str | None = None
    first_end = 0
    for link in outline.links:
        if link.kind != "a" or not start <= link.start < link.end <= (len(text) if only else end):
            continue
        href = link.href.strip()
        if leads_to_member(href) or (account and href.rstrip("/").endswith(account)):
            name = link_text(text, link).strip()
            no_name = name.isdigit() or name in _ACTIONS or is_no_name(name) or is_medium(name)
            if no_name or len(name) > _LONGEST or not _MEMBER_NAME.fullmatch(name):
                continue
            if not only or (link.end <= end and _is_dated(text, link.end)):
                return name
            if found is None and link.end > end:
                return None
            if found is not None and name != found:
                return found if first_end <= _answers_start(text, title) < link.start else None
            if found is None:
                first_end = link.end
            found = name
    return found


def owner_of(title: str) -> str | None:
    """Return the owner of the blog that the content of ``<title>`` names behind the headline, None if it names none.

    >>> owner_of("秋天的空间 - 木丁的个人空间 - 某社区"), owner_of("秋天的空间 - 某社区")
    ('木丁', None)
    >>> owner_of("关于 - 我们的博客")
    """
    for field in split_fields(title)[1:]:
        if (match := _OWNED.fullmatch(field)) is not None:
            name = match["name"].strip()
            return None if is_no_name(name) or is_medium(name) else name
    return None


def person_in_microdata(html: str) -> str | None:
    """Return the author that the microdata of a page name, None if they name none, several or a medium.

    >>> person_in_microdata(
    ...     '<span hidden itemprop="author" itemscope itemtype="http://schema.org/Person">'
    ...     '<meta itemprop="name" content="木丁"></span>'
    ... )
    '木丁'
    """
    names: set[str] = set()
    for item in islice(_AUTHOR_ITEM.finditer(html), _MOST_ITEMS):
        end = item.end() + _LONGEST_ITEM
        following = _NEXT_ITEM.search(html, item.end(), end)
        match = _NAME_ITEM.search(html, item.end(), following.start() if following else end)
        if match is not None:
            names.add(unescape(match["stated"] or match["shown"]).strip())
    if len(names) != 1 or (name := names.pop()).lower() in _PLACEHOLDERS or is_medium(name):
        return None
    return clean_author(name)


def related_author(outline: Outline) -> str | None:
    """Return the text of the links that state their relation as that to the author, None for none or several texts.

    The themes of WordPress, Typecho, Z-Blog and Hexo have such a link without a label.
    """
    names: set[str] = set()
    for link in outline.links:
        relations = link.attributes.get("rel", "") if link.kind == "a" else ""
        if "author" in relations.lower().split():
            # The link of a portrait has no text.
            names.add(link_text(outline.text, link).strip())
    names.discard("")
    if len(names) != 1 or len(name := names.pop()) > _LONGEST or is_medium(name):
        return None
    return clean_author(name)


def _is_dated(text: str, start: int) -> bool:
    """Return whether a time follows on the line."""
    return _TIME_BEHIND.match(text, start, start + 2 * _LONGEST) is not None
