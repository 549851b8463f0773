"""Class names: each site has its own naming style on all its pages."""

from __future__ import annotations

import string
from random import Random

STYLES = ("plain", "pinyin", "hashed", "bem", "grid", "misleading", "none")

_PLAIN = {
    "wrap": ("container", "page", "wrapper", "layout"),
    "nav": ("nav", "topnav", "menu", "channel-bar"),
    "crumb": ("crumbs", "path", "location", "where"),
    "main": ("main", "left-col", "col-l", "primary"),
    "title": ("headline", "main-title", "tit", "h-title"),
    "info": ("info", "date-source", "meta-line", "article-attr"),
    "body": ("article-content", "artibody", "news_txt", "text", "detail-con", "cont_1_1_2"),
    "side": ("aside", "right-col", "col-r", "sidebar"),
    "related": ("related", "more-news", "relevant", "extend-reading"),
    "share": ("share", "bdsharebuttonbox", "tool-bar", "social"),
    "comment": ("comments", "cmt-list", "feedback", "discuss"),
    "foot": ("footer", "bottom", "copyright", "end-bar"),
    "ad": ("gg", "ad_250", "spread", "adbox"),
    "list": ("list", "news-list", "ul_txt", "items"),
    "post": ("post", "reply", "plhin", "t_fsz"),
    "user": ("user", "author-col", "pls", "avatar-box"),
    "floor": ("floor", "pi", "tail", "post-tail"),
    "quote": ("quote", "blockcode", "ref", "cite-box"),
    "sign": ("sign", "signature", "autograph", "sightml"),
    "pager": ("pages", "pagination", "page-nav", "turn"),
    "caption": ("pic-desc", "img-note", "caption", "tushuo"),
    "tags": ("tags", "keywords", "labels", "tag-line"),
}
_PINYIN = {
    "wrap": "zong", "nav": "daohang", "crumb": "weizhi", "main": "zuobian", "title": "biaoti",
    "info": "xinxi", "body": "nr", "side": "youbian", "related": "xgyd", "share": "fenxiang",
    "comment": "pl", "foot": "bq", "ad": "guanggao", "list": "liebiao", "post": "tiezi",
    "user": "yonghu", "floor": "louceng", "quote": "yinyong", "sign": "qianming",
    "pager": "fanye", "caption": "tpsm", "tags": "gjc",
}  # fmt: skip
# Words that name the text on other sites and any element here.
_MISLEADING = ("content", "con", "box", "article", "text", "main", "cont", "mod")


class Classes:
    """Class attributes by role, each drawn once; ``style`` is one of :data:`STYLES`."""

    def __init__(self, style: str, draw: Random) -> None:
        self._style = style
        self._draw = draw
        self._known: dict[str, str] = {}

    def __call__(self, role: str) -> str:
        """Return `` class="…"`` or `` id="…"`` for the role, or an empty string."""
        if role not in self._known:
            self._known[role] = self._attribute(role)
        return self._known[role]

    def _attribute(self, role: str) -> str:
        draw = self._draw
        if self._style == "none":
            return ""
        if self._style == "plain":
            name = draw.choice(_PLAIN.get(role, (role,)))
            return f' id="{name}"' if draw.random() < 0.2 else f' class="{name}"'
        if self._style == "pinyin":
            return f' class="{_PINYIN.get(role, role)}{draw.choice(["", "1", "_n", "2"])}"'
        if self._style == "hashed":
            letters = string.ascii_letters + string.digits
            name = "".join(draw.choice(letters) for _ in range(6))
            return f' class="{draw.choice(["css-", "sc-", "_", "jsx-"])}{name}"'
        if self._style == "bem":
            return f' class="c-{draw.choice("abcdmnp")}{draw.randrange(9)}__{role[:3]}"'
        if self._style == "grid":
            return f' class="col-md-{draw.randrange(1, 13)} clearfix"'
        return f' class="{draw.choice(_MISLEADING)}"'
