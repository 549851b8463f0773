"""Names of sites and channels: at the end of titles, and in place of titles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from topiccrawl.page.body.joined_lines import JoinedLines
from topiccrawl.page.outline import link_text
from topiccrawl.page.words_only import words_only

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.page.outline import RawLink

#: Most characters of a field that may be the name of a site or channel (a guess).
MAX_FIELD = 14

# The same after a hyphen; the head must have at least as many (a guess).
_MAX_FIELD_AFTER_HYPHEN = 8
# Only the first characters of a title are used.
_MAX_RAW_CHARACTERS = 1_000
_AROUND = " -_|｜—–·\u3000"
# Links among which one to the front page is searched: it is at the top of a page.
_MAX_LINKS = 60

_SPACE = r"[\s\u3000]"
#: Separators of fields. A hyphen, dot or colon between Latin letters or digits belongs to the word.
SEPARATOR = re.compile(
    rf"{_SPACE}*[_|｜]+{_SPACE}*"
    rf"|{_SPACE}+[\-–—·:：«»<>/]{{1,2}}{_SPACE}+"
    rf"|{_SPACE}*[—–]{{1,2}}{_SPACE}*"
    rf"|(?<![A-Za-z0-9])[\-·:：]{{1,2}}|[\-·:：]{{1,2}}(?![A-Za-z0-9])"
)
# Endings of names, in lower case.
# fmt: off
_NAME_ENDS = (
    "网", "網", "网站", "網站", "频道", "頻道", "新闻", "新聞", "在线", "在線", "线上", "周刊",
    "週刊", "报", "報", "报社", "通讯社", "门户", "论坛", "論壇", "博客", "部落格", "社区",
    "社區", "贴吧", "首页", "首頁", "主页", "中心", "资讯", "資訊", "专题", "栏目", "平台",
    "客户端", "客戶端", "知乎", "百科", "文库", "图书馆", "政府", "大学", "电视台", "电台",
    "广播", "杂志", "出版社", "协会", "委员会", "办公室", "联合会", "聯合會", "商会", "商會",
    "学会", "學會", "研究会", "研究會", "基金会", "基金會", "侨联", "僑聯", "侨办", "僑辦",
    "正文", "全文", "详情", "要闻", ".com", ".cn", ".net", ".org", ".tw", ".hk", "news",
    "online", "daily", "times", "blog", "wiki",
)
# fmt: on
_STRONG = re.compile(r"[_|｜]")
_FORUM = re.compile(rf"{_SPACE}*-{_SPACE}*Powered by .*$", re.IGNORECASE)
_NOISE = re.compile(r"[\W_]+")
# Content of <title> where the template has no headline.
_GENERIC = re.compile(
    r"(?:欢迎|歡迎|谢谢您?访问|感谢|welcome)"
    r"|(?:显示|顯示|无标题(?:文档|页)?|untitled(?: document)?|new page \d*|首页|首頁|正文|详情页?"
    r"|内容页?|详细(?:内容|信息)?|打印(?:本页|页面?|内容|预览|版|文章)?|列印(?:本頁|頁面?|預覽)?|print(?:\s(?:page|preview|version))?"
    r"|新建网页\s?\d*|楼主|樓主|沙[发發]|板凳|地板|\d{1,5}\s?[楼樓#]"
    r"|[查阅][看读]全文|更多\S*|[上下]一[页篇]|点击\S*|查看|链接|鏈接|浏览|阅读|文章|新闻|信息|公告"
    r"|(?:新闻|文章|信息|内容|通知)(?:详情|内容|正文|显示|页|中心|动态|公告|浏览|查看|列表)"
    r"|[^\s]{0,6}(?:详情|详细页?|内容页)|document|index|default|home|article|detail|loading\S*|请稍候)$",
    re.IGNORECASE,
)
_FRONT = re.compile(r"^(?:https?://[^/?#]+)?/?(?:index\.\w+|default\.\w+)?$", re.IGNORECASE)
_NOT_A_NAME = re.compile(r"首页|首頁|主页|回到|返回|设为|收藏|登录|注册|更多|home", re.IGNORECASE)

# Notices that name the site, in lower case; what stands around its name there; characters at either end of a page,
# of such a line, and of such a name (guesses).
_NOTICES: Final = ("版权所有", "版權所有", "copyright", "©", "欢迎", "歡迎")
_AROUND_NAMES: Final = re.compile(
    r"版[权權]所有|copyright|all\s?rights?\s?reserved|[©ⓒ]|\(c\)|(?:19|20)\d\d"
    r"|[欢歡]迎(?:[您你]|大家)?(?:[来來]到|光[临臨]|[访訪][问問]|[进進]入|登[录錄陆陸])?|[\s:：|，,。.!！;；·—–-]+"
)
_END: Final = 3_000
_MAX_NOTICE: Final = 200
_NOTICED_LETTERS: Final = 4, 30


def plain(text: str) -> str:
    """Return the letters and digits of a text in lower case, for comparison."""
    return _NOISE.sub("", text).lower()


def plain_all(lines: Sequence[str]) -> list[str]:
    """Return :func:`plain` of each of some texts without line ends, faster than one by one."""
    if not lines:
        return []
    return words_only("\n".join(lines)).replace("_", "").lower().split("\n")


def is_generic(title: str) -> bool:
    """Return whether a title is a placeholder of a template: 显示, 欢迎访问…, Untitled."""
    return _GENERIC.match(title.strip(_AROUND)) is not None


def looks_like_name(text: str) -> bool:
    """Return whether a text is short and ends like the name of a site or channel.

    >>> looks_like_name("北医新闻网"), looks_like_name("老归侨回忆当年办报")
    (True, False)
    """
    if not text.rstrip(" .。!！)）]】").lower().endswith(_NAME_ENDS):
        return False
    bare = plain(text)
    return len(bare) <= 8 or (len(bare) <= MAX_FIELD and bare.endswith(_SURE_ENDS))


# Headlines of nine and more characters also end in 新闻 or 报, but hardly in these.
_SURE_ENDS = (
    "网",
    "網",
    "网站",
    "頻道",
    "频道",
    "论坛",
    "論壇",
    "博客",
    "在线",
    "日报",
    "官网",
    "首页",
    "首頁",
    "主页",
)


def names_in_links(links: Sequence[RawLink], text: str, url: str) -> list[str]:
    """Return the names of a site in the links to its front page.

    Parameters
    ----------
    links : sequence of RawLink
        Links of the page; their positions refer to ``text``.
    text : str
        Text of the outline.
    url : str
        URL of the page; only links to ``/`` or to the root of its host count.
    """
    host = url.partition("://")[2].partition("/")[0].lower()
    names: list[str] = []
    for link in links[:_MAX_LINKS]:
        href = link.href
        if len(href) > 60 or not _FRONT.match(href):
            continue
        if "://" in href and host and href.partition("://")[2].partition("/")[0].lower() != host:
            continue
        for name in (link_text(text, link), *link.alts):
            name = " ".join(name.split())
            if 2 <= len(name) <= MAX_FIELD and _NOT_A_NAME.search(name) is None:
                names.append(name)
    return names


def names_in_notices(text: str) -> list[str]:
    """Return the names that notices of copyright and greetings at both ends of a page state, and other words of them.

    Parameters
    ----------
    text : str
        Text of the outline.

    >>> names_in_notices("欢迎您来到海边论坛！\\n首页\\nCopyright 2016 蓝湾数码有限公司 版权所有 All rights reserved")
    ['海边论坛', '蓝湾数码有限公司']
    """
    ends = text if len(text) <= 2 * _END else f"{text[:_END]}\n{text[-_END:]}"
    lines = ends.lower().split("\n")
    noticed = (lines[row] for row in sorted(JoinedLines(lines).containing_any(_NOTICES)))
    pieces = (
        piece for line in noticed if len(line) <= _MAX_NOTICE for piece in _AROUND_NAMES.split(line)
    )
    return [it for it in pieces if _NOTICED_LETTERS[0] <= len(it) <= _NOTICED_LETTERS[1]]


def split_fields(title: str) -> list[str]:
    """Return the fields of the content of ``<title>``: headline, channel, site.

    >>> split_fields("第十届华商大会开幕_侨界要闻_中国侨网")
    ['第十届华商大会开幕', '侨界要闻', '中国侨网']
    """
    fields = SEPARATOR.split(" ".join(title.split())[:_MAX_RAW_CHARACTERS])
    return [field for field in (one.strip(_AROUND) for one in fields) if field]


def strip_site_tail(title: str) -> str:
    """Return a title without the names of site and channel at its end, after ``- _ | — – · :``.

    A field is removed if it ends like the name of a site (网, 日报, 频道, .com), or is short and follows
    ``_``, ``|``, a spaced separator or a hyphen. Dashes and colons also occur within headlines, so after
    them the name must be clear. The result is never empty unless the title is.

    Parameters
    ----------
    title : str
        Content of ``<title>``.

    References
    ----------
    [thesis], the first of the three steps to the title of a page.

    Examples
    --------
    >>> strip_site_tail("第十届华商大会开幕_侨界要闻_中国侨网")
    '第十届华商大会开幕'
    >>> strip_site_tail("Covid-19：最新研究")
    'Covid-19：最新研究'
    """
    title = _FORUM.sub("", " ".join(title.split()))[:_MAX_RAW_CHARACTERS]
    while True:
        title = title.strip(_AROUND) or title
        last = None
        for match in SEPARATOR.finditer(title):
            last = match
        if last is None:
            return title
        head, field = title[: last.start()].strip(), title[last.end() :].strip()
        if len(plain(head)) < 2 or not _is_name(field, last.group(), head):
            return title
        title = head


def _is_name(field: str, separator: str, head: str) -> bool:
    bare = plain(field)
    if not bare:
        return True
    if separator.strip() in {":", "："} or (len(bare) > len(plain(head)) and len(bare) > MAX_FIELD):
        return False
    if field.rstrip(" .。!！").lower().endswith(_NAME_ENDS) and len(bare) <= 2 * MAX_FIELD:
        return True
    strong = _STRONG.search(separator) is not None
    spaced = separator[0].isspace() and separator[-1].isspace()
    if strong or spaced:
        return len(bare) <= MAX_FIELD and len(bare) < len(plain(head))
    return "-" in separator and len(bare) <= _MAX_FIELD_AFTER_HYPHEN <= len(plain(head))
