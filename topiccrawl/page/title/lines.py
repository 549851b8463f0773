"""Lines that are not headlines, and the path that a permalink shares with its page."""

from __future__ import annotations

import re

# Breadcrumbs, numbered sections, subtitles.
_NO_HEADLINE = re.compile(
    r"^(?:首页|首頁|当前位置|當前位置|您(?:现在)?的位置|您当前|位置[:：]|[一二三四五六七八九十]{1,2}[、.]|\d{1,2}[、.．]|——|[(（][一二三四五六七八九十\d])"
    r"|>>| > |»|›|^[^\w]*$|：$"
)
_BOX = re.compile(
    r"\W*(?:导航|導航|统计|公告|存档|存檔|归档|分类|分類|评论|評論|回复|留言|相关|相關|推荐|图文推荐|热门|热点|友情链接|最新|猜你|"
    r"搜索|登录|目录|菜单|标签|关于|联系|上一篇|下一篇|post comment|comments?|archives?|e-?mail"
    r"|share|subscribe|newsletters?|sign (?:up|in)|log ?in|advertisement|search|navigation|categories|tags|menu)",
    re.IGNORECASE,
)


def is_box(text: str) -> bool:
    """Return whether a line is the heading of a box of the template: 相关阅读, 评论."""
    return _BOX.match(text) is not None


def is_no_headline(text: str) -> bool:
    """Return whether a line is a breadcrumb, a numbered section or a subtitle."""
    return _NO_HEADLINE.search(text) is not None


def path_of(url: str) -> str:
    """Return the path of a URL without extension, which a permalink shares with its page."""
    path = url.partition("#")[0].rstrip("/")
    if "://" in path:
        path = path.partition("://")[2].partition("/")[2]
    path = path.lstrip("./")
    stem, dot, extension = path.rpartition(".")
    if dot and "/" not in extension and "?" not in extension and len(extension) <= 5:
        path = stem
    return path if len(path) >= 4 else ""


def name_of(path: str) -> str:
    """Return the last part of a path with its query: what a link within one folder states.

    >>> name_of("news/2025-03/18/content_3128"), name_of("bbs/show.asp?id=5/2"), name_of("a/1")
    ('content_3128', 'show.asp?id=5/2', '')
    """
    folder = path.partition("?")[0].rpartition("/")[0]
    name = path[len(folder) :].lstrip("/")
    return name if len(name) >= 4 else ""
