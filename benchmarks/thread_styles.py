"""The structure of the posts of drawn sites, shared by threads and by articles with comments.

The parts of a post in any order, the text before its author, replies inside replies, pictures in place of names, times
that a script writes or a tooltip has, boxes of utility classes or with microformats, headings and bodies of posts in
boxes of their own, one row of a table with a head; in Chinese and in English.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from random import Random

from benchmarks.corpus.site import NICKS
from benchmarks.corpus.stories import TOPICS, moment, read_lines, read_sections, story
from benchmarks.thread_families import Entry
from benchmarks.thread_templates import ENGLISH_NAMES, ENGLISH_POSTS

TITLES = (
    "阳台封窗以后冬天还是漏风怎么处理", "求推荐一款适合新手的自行车", "退休金算错了应该找哪个部门", "孩子晚上不肯睡觉有什么办法", "老屋的瓦片自己能不能换",
    "今年的橘子特别酸是什么原因", "请问二楼改造要不要重新报批", "我家的猫突然不吃东西了", "新手第一次露营的准备清单", "周末爬山捡到一只手套，有人丢了吗", "换了新路由器以后经常掉线",
    "记录一下修旧收音机的过程", "公积金异地能不能提取", "有没有人知道老电影院什么时候拆", "买的二手相机快门不灵", "说说你们那里过年吃什么", "自己做的豆瓣酱发白还能吃吗",
    "房东不退押金该怎么办", "想学吉他，四十岁还来得及吗", "小区门口的路灯坏了三个月",
)  # fmt: skip
SIDES = (
    "",
    "",
    "",
    "<div><h4>相关问题</h4>{r}</div>",
    "<div><h3>推荐话题</h3>{r}</div>",
    "<div><h3>热门文章</h3>{r}</div>",
)
_FILLERS = ("同问", "谢谢，已经解决了", "顶一下", "学习了", "楼上说得对", "没有用过，不好说", "收藏了，慢慢看", "可以试试换一家", "哈哈")  # fmt: skip
_ENGLISH_FILLERS = ("Same here.", "Thanks, solved.", "No idea.", "+1", "Try another one.")
_CLASSES: dict[str, tuple[str, ...]] = {
    "utility": ("flex p-4", "mb-2 text-sm", "row", "col-md-9", "media-body", "panel panel-default", "panel-body", "card", "list-group-item", "d-flex mt-3", "box", "wrap"),
    "telling": ("post", "reply", "reply-item", "comment", "answer", "floor", "message", "thread-post", "topic-reply"),
    "comment": ("comment", "comment-item", "cmt", "pl-item", "feedback", "comment-body", "msg"),
    "micro": ("h-entry", "u-comment h-cite", "hentry", "h-cite", "e-content", "comment"),
}  # fmt: skip
_HREFS = ("/u/{i}", "/user/{n}", "/m/{i}", "profile.php?id={i}", "/@u{i}", "#", "javascript:void(0)", "/users/{i}", "/home/{i}", "/space/{i}", "/{n}")  # fmt: skip
_TIMES: tuple[Callable[[datetime], str], ...] = (
    lambda t: f"{t:%Y-%m-%d %H:%M:%S}", lambda t: f"{t:%Y-%m-%d %H:%M}", lambda t: f"{t:%Y-%m-%d}", lambda t: f"{t.year}年{t.month}月{t.day}日", lambda t: f"{t:%m-%d %H:%M}",
    lambda t: f"{t.minute % 9 + 1} 年前", lambda t: f"{t.day}天前", lambda t: f"{t.hour}小时前", lambda t: f"{t.month}月{t.day}日", lambda t: f"{t:%Y/%m/%d %H:%M}",
)  # fmt: skip
_ENGLISH_TIMES: tuple[Callable[[datetime], str], ...] = (
    lambda t: f"{t:%b} {t.day}, {t.year}", lambda t: f"{t.hour} hours ago", lambda t: f"{t:%Y-%m-%d %H:%M:%S}", lambda t: f"{t:%B} {t.day}, {t.year} at {t:%I:%M %p}",
    lambda t: f"{t.day} days ago", lambda t: f"{t.day} {t:%b %Y}",
)  # fmt: skip
# Words before the time of a reply, or between its name and time, of threads and of comments.
_REPLIED = ("回复于", "回复于 ", "发表于 ", "回答于 ", "", "", "", "发布于 ", "回复时间：", "发布时间：", "时间：", "在 {t} 说", "于", "添加于 ")  # fmt: skip
_COMMENTED = ("评论于 ", "发表于 ", "", "", "", "说道：", "于 ", "时间：", "发布于 ", "回复于 ", "评论时间：")  # fmt: skip
_ENGLISH_REPLIED = (
    "replied ",
    "answered ",
    "Posted ",
    "posted on ",
    "wrote ",
    "",
    "",
    "Created: ",
)
_ENGLISH_COMMENTED = ("says: ", "said on ", "on ", "", "", "commented ", "Posted ")
_ACTIONS = (
    "",
    "",
    "",
    "回复",
    "赞 {m}",
    "回复 引用",
    "举报 点赞",
    "{m} 个赞",
    "采纳",
    "分享 收藏 举报",
    "▲ {m}",
)
_ENGLISH_ACTIONS = ("", "", "reply", "Reply Quote", "link | reply", "Like Share", "Report")


class Layout:
    """The structure of the posts of a site."""

    def __init__(self, draw: Random, *, comments: bool, english: bool) -> None:
        self.draw, self.english = draw, english
        self.naming = draw.choice(
            ("none", "hashed", "utility", "utility", "comment" if comments else "telling", "micro")
        )
        self.shape = draw.choice(
            ("boxes", "boxes", "list", "nested", "panels", "deep", "head row", "pairs", "flat", "cells")
        )  # fmt: skip
        self.order = draw.sample(("name", "time", "text", "actions"), 4)
        # Most posts begin with the name.
        if draw.random() < 0.6:
            self.order.remove("name")
            self.order.insert(0, "name")
        self.together = draw.random() < 0.6
        self.picture = draw.random() < 0.6
        self.name_only_in_picture = self.picture and draw.random() < 0.15
        self.href = draw.choice(_HREFS)
        self.linked = draw.random() < 0.6
        self.name_tag = draw.choice(("a", "b", "span", "h4", "div", "strong"))
        self.shown_time = draw.choice(("text", "text", "text", "text", "tooltip", "none"))
        self.time = draw.choice(_ENGLISH_TIMES if english else _TIMES)
        verbs = (
            (_ENGLISH_COMMENTED if comments else _ENGLISH_REPLIED)
            if english
            else (_COMMENTED if comments else _REPLIED)
        )
        self.verb = draw.choice(verbs)
        self.floor = draw.choice(("", "", "", "{i}楼", "#{i}", "#{i} ·")) if not english else draw.choice(("", "", "#{i}"))  # fmt: skip
        self.actions = draw.choice(_ENGLISH_ACTIONS if english else _ACTIONS)
        self.rank = draw.choice(("", "", "", "", "会员", "积分: {m}", "律师", "注册时间：2011-03-0{d}", "（匿名）", "Posts: {m}"))  # fmt: skip
        self.paragraph = draw.choice(("p", "p", "br", "div"))
        self.inside = draw.random() < 0.5
        self.separator = draw.choice(("", "", "<hr>", "<div></div>"))
        self.microdata = self.naming == "micro" and draw.random() < 0.5
        self.classes: dict[str, str] = {}
        self.words = "comment" if comments else "telling"

    def name(self, role: str) -> str:
        """Return the class attribute of a role, the same on all pages of the layout."""
        if role not in self.classes:
            found = ""
            if self.naming == "hashed":
                found = "".join(
                    self.draw.choice("abcdefghijkmnpqrstuvwxyz0123456789") for _ in range(7)
                )
            elif self.naming != "none" and self.draw.random() < 0.8:
                found = self.draw.choice(_CLASSES[self.naming])
            self.classes[role] = f' class="{found}"' if found else ""
        return self.classes[role]

    def text(self, lines: Sequence[str]) -> str:
        """Return the HTML of paragraphs."""
        if self.paragraph == "br":
            inner = "<br>".join(lines)
        else:
            inner = "".join(f"<{self.paragraph}>{x}</{self.paragraph}>" for x in lines)
        return (
            f"<div{self.name('text')}>{inner}</div>"
            if self.inside or self.paragraph == "br"
            else inner
        )

    def parts(self, i: int, it: Entry, draw: Random) -> tuple[str, str, str, str]:
        """Return the author, the time, the text and the buttons of a post."""
        name = "" if self.name_only_in_picture else it.name
        if self.linked:
            href = self.href.format(i=i + 3, n=f"n{i}")
            name = f'<a href="{href}">{name}</a>'
            if self.name_tag == "h4":
                name = f"<h4>{name}</h4>"
        elif name:
            name = f"<{self.name_tag}>{name}</{self.name_tag}>"
        if self.picture:
            name = f'<img src="/a.png" alt="{it.name}">{name}'
        if self.rank:
            name += f" <span>{self.rank.format(m=draw.randrange(900), d=i % 9 + 1)}</span>"
        when = ""
        if self.shown_time == "text":
            when = self.time(it.when)
            when = self.verb.format(t=when) if "{t}" in self.verb else f"{self.verb}{when}"
        elif self.shown_time == "tooltip":
            when = f'<span title="{it.when:%Y-%m-%dT%H:%M:%S}"></span>'
        if self.floor:
            when = f"{self.floor.format(i=i + 1)} {when}"
        actions = self.actions.format(m=draw.randrange(40))
        return name, when, self.text(it.lines), actions

    def post(self, i: int, it: Entry, draw: Random, children: str = "") -> str:
        """Return the HTML of a post with what replies to it."""
        n = self.name
        name, when, text, actions = self.parts(i, it, draw)
        if self.shape == "head row":
            return f"<tr><td>{i + 1}</td><td>{name}</td><td>{text}</td><td>{when}</td></tr>"
        if self.shape == "cells":
            return (
                f"<tr><td{n('side')}><p>{name}</p><p>{when}</p></td><td>{text}{actions}</td></tr>"
            )
        parts = {"name": name, "time": when, "text": text, "actions": actions}
        if self.shape == "panels":
            return f"<div{n('post')}><div{n('head')}>{name} {when}</div><div{n('body')}>{text}</div></div>"
        if self.shape == "pairs":
            return f"<h4{n('head')}>{name} {when}</h4><div{n('body')}>{text}</div>"
        if self.together:
            order = [
                x
                for x in self.order
                if x != "time" and (x != "actions" or "name" in self.order[:2])
            ]
            parts["name"] = f"{name} {when}"
        else:
            order = self.order
        inner = "".join(
            parts[x] if x == "text" else f"<div{n(x)}>{parts[x]}</div>" for x in order if parts[x]
        )
        if self.microdata:
            inner = f'<div itemprop="comment" itemscope itemtype="https://schema.org/Comment">{inner}</div>'
        if self.shape == "flat":
            return f"{inner}<hr>"
        if self.shape == "deep":
            return f"<div class=row><div class=col><div{n('post')}>{inner}</div></div></div>{self.separator}"
        if self.shape == "nested":
            below = f"<ol>{children}</ol>" if children else ""
            return f"<li{n('post')}>{inner}{below}</li>"
        tag = "li" if self.shape == "list" else "div"
        return f"<{tag}{n('post')}>{inner}</{tag}>{self.separator}"

    def posts(self, entries: Sequence[Entry], first: int, draw: Random) -> str:
        """Return the HTML of posts of which the first one has a number."""
        if self.shape == "nested":
            return self._nested(entries, first, draw)
        rows = "".join(self.post(first + i, it, draw) for i, it in enumerate(entries))
        if self.shape == "head row":
            return f"<table{self.name('all')}><tr><th>编号</th><th>昵称</th><th>内容</th><th>时间</th></tr>{rows}</table>"
        tag = {"cells": "table", "list": "ul"}.get(self.shape, "div")
        return f"<{tag}{self.name('all')}>{rows}</{tag}>"

    def _nested(self, entries: Sequence[Entry], first: int, draw: Random) -> str:
        done, rows = 0, ""
        while done < len(entries):
            size = draw.choice((1, 1, 2, 3))
            html = ""
            for i in reversed(range(done, min(done + size, len(entries)))):
                html = self.post(first + i, entries[i], draw, html)
            rows += html
            done += size
        return f"<ol{self.name('all')}>{rows}</ol>"


def draw_texts(draw: Random, count: int, english: bool) -> list[tuple[str, ...]]:
    """Return the texts of *count* posts, in Chinese or in English."""
    fillers, pool = (
        (_ENGLISH_FILLERS, ENGLISH_POSTS) if english else (_FILLERS, read_lines("comments"))
    )
    long = [x for _, lines in (*read_sections("threads"), *read_sections("questions")) for x in lines[1:]]  # fmt: skip
    found: list[tuple[str, ...]] = []
    for _ in range(count):
        kind = draw.random()
        if kind < 0.2:
            found.append((draw.choice(fillers),))
        elif english and kind < 0.8:
            found.append((draw.choice(pool),))
        elif english:
            found.append((draw.choice(pool), draw.choice(pool)))
        elif kind < 0.5:
            found.append((draw.choice(pool),))
        elif kind < 0.85:
            found.append((draw.choice(long).replace("{地}", "南塘").replace("{数}", "40"),))
        else:
            found.append(story(draw, draw.choice(TOPICS)).paragraphs[: draw.randint(1, 2)])
    return found


def draw_entries(draw: Random, texts: Sequence[tuple[str, ...]], english: bool) -> list[Entry]:
    """Return the posts with these *texts*, each with a name and a later time than the one before."""
    when, names, found = moment(draw), ENGLISH_NAMES if english else NICKS, []
    for lines in texts:
        found.append(Entry(draw.choice(names), when, lines))
        when += timedelta(minutes=draw.choice((9, 50, 400, 4_000)) * draw.randint(1, 9))
    return found


def comments_of(style: Layout, draw: Random, count: int) -> str:
    """Return the HTML of some comments in a layout."""
    return style.posts(
        draw_entries(draw, draw_texts(draw, count, style.english), style.english), 0, draw
    )
