"""Layouts of drawn pages with several texts: threads, questions and guestbooks, and pages that only look like them.

Where :mod:`benchmarks.thread_families` varies what is written around a post, a layout varies the structure: the parts
of a post in any order, the text before its author, replies inside replies, pictures in place of names, times that a
script writes or a tooltip has, boxes of utility classes or with microformats, headings and bodies of posts in boxes of
their own, one row of a table with a head, pages whose ``<title>`` names the site alone; in Chinese and in English.
Articles have comments by the same layouts.  Reviews, interviews, chronicles, frequent questions, reports by the
minute, people and teasers have texts in boxes of one sort, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from random import Random

from benchmarks.corpus.site import NICKS, Site
from benchmarks.corpus.stories import TOPICS, moment, read_lines, read_sections, section, story
from benchmarks.thread_families import Drawn, Entry
from benchmarks.thread_templates import ENGLISH_NAMES, ENGLISH_POSTS

#: Layouts that models are trained on: threads, and pages that are none.
THREAD_LAYOUTS, OTHER_LAYOUTS = 300, 300

_TITLES = (
    "阳台封窗以后冬天还是漏风怎么处理", "求推荐一款适合新手的自行车", "退休金算错了应该找哪个部门", "孩子晚上不肯睡觉有什么办法", "老屋的瓦片自己能不能换",
    "今年的橘子特别酸是什么原因", "请问二楼改造要不要重新报批", "我家的猫突然不吃东西了", "新手第一次露营的准备清单", "周末爬山捡到一只手套，有人丢了吗", "换了新路由器以后经常掉线",
    "记录一下修旧收音机的过程", "公积金异地能不能提取", "有没有人知道老电影院什么时候拆", "买的二手相机快门不灵", "说说你们那里过年吃什么", "自己做的豆瓣酱发白还能吃吗",
    "房东不退押金该怎么办", "想学吉他，四十岁还来得及吗", "小区门口的路灯坏了三个月",
)  # fmt: skip
_ENGLISH_TITLES = (
    "How do I stop the kitchen door from squeaking", "Best route for a first long ride", "Old radio hums after ten minutes", "Is it safe to eat last year's jam?",
    "Anyone else lost the signal on the north side", "Looking for a used lens, any advice?", "Boiler makes a knocking noise at night", "What to do with a cracked tile",
)  # fmt: skip
# Paragraphs of people who write about themselves: not all articles are news.
_ESSAYS = (
    "我是在外婆家长大的，院子里有一口井，夏天的西瓜都吊在井里。后来我去过很多地方，再也没有吃过那么凉的西瓜。", "你要是问我那几年怎么过来的，我也说不上来。每天骑车四十分钟上班，晚上回来煮一碗面，就这样过了三年。",
    "上个月我终于把书房收拾出来了。旧报纸卖了六块钱，从箱底翻出一封信，是中学同桌写给我的，当年竟然没有拆开。", "父亲一辈子没有夸过我。那天他当着邻居的面说，这孩子还行，我站在门后面，眼泪一下子就下来了。",
    "我们一行四个人，早上六点出发，爬到山顶已经是中午。老张带的饭团冻得像石头，大家还是吃得很香。", "如果你也打算来这里，我的建议是避开周末。我去的那天排了两个小时的队，进去以后十分钟就看完了。",
    "我试过三种办法，前两种都失败了，第三种是邻居教我的：先用温水泡一夜，再用旧牙刷轻轻地刷。", "写到这里，我才发现已经是半夜了。窗外下着雨，猫睡在我的脚边，谢谢你一直读到这里。", "我不喜欢开会，可是那一次例外。主任讲了十分钟就停下来，问我们每一个人，你们为什么要做这份工作？",
    "说起来惭愧，我学了五年琴，到现在也只会弹三首曲子。老师说，你不要急，曲子会自己来找你的。",
)  # fmt: skip
# First paragraphs of advice, which ask as well.
_ADVICE = (
    "你家的砧板多久换一次？很多人用到开裂也舍不得扔，其实裂缝里藏着的细菌比马桶圈还多，今天就来说一说怎样保养。", "孩子咳嗽老不好怎么办？先不要急着吃药，看看是不是下面这几种情况。", "种了三年的月季不开花是什么原因？园艺师告诉我们，多半是修剪的时间不对。",
    "退休以后搬到哪里住最好？这个问题没有标准答案，不过有五点值得先想清楚。", "有没有一种办法可以让旧自行车重新变得好骑？有，而且不用花多少钱，一把刷子和一瓶油就够了。", "请问您对这次改造有什么看法？记者在街头随机问了二十位居民，多数人表示支持，也有人担心工期太长。",
)  # fmt: skip
# First posts: half of them ask nothing.
_OPENERS = (
    "上周刚搬进来，封窗的师傅说用的是三元乙丙胶条，可是晚上坐在沙发上还是觉得有一股凉风从下面钻进来。", "拍了几张照片，大家看看是不是缝太大了，要不要叫他们返工。", "昨天去办手续，窗口的人说系统里查不到我前面八年的缴费记录，让我回原单位开证明，原单位早就没了。",
    "先说结论：能买，但是不要指望它有多快。我骑了两个月，一共八百公里，换过一次内胎。", "今天早上七点多，在东门的台阶上捡到一只黑色的皮手套，左手的，里面有绒，放在保安室了，丢的人自己去拿。", "报修了四次，每次都说已经登记，就是没有人来，晚上下班回来一路摸黑，前天隔壁的阿姨还摔了一跤。",
    "如题，求推荐，预算一千左右，主要是上下班骑，路上有一个长坡。", "坐标北方，一楼，没有地暖，有没有便宜又管用的办法？", "合同上写的是押一付三，住满一年没有拖欠过房租，退房的时候他说墙上有钉眼，要扣两千块，这合理吗？", "不懂就问，这种情况要去哪个部门反映？",
    "发一个帖子记录一下全过程，顺便给后来的人做个参考，有说错的地方请指正。", "第一次发帖，不知道发在这里对不对。事情是这样的，去年六月我在他们店里交了三千块定金，到现在还没有送货。", "家里的这台是八几年的，外壳是木头的，背后的电容鼓了两个，换了以后声音还是有嗡嗡声。", "每年到这个时候就想吃，可是外面卖的都不对味，我妈当年放的是炒米，不是糯米粉。",
    "宝宝一岁七个月，以前九点就睡，最近非要玩到十一点，关了灯就哭。", "医生您好，我父亲今年六十八岁，上个月体检查出来有一个小结节，需要马上做手术吗？", "女，三十二岁，最近两个月一到下午就头疼，休息一会儿会好一点。", "电脑重启以后就再也连不上了，灯是绿的，别的设备都正常，重装了驱动也没有用。",
    "去年春天种下去的，今年结了七八个，皮很厚，酸得牙都软了，隔壁那棵就很甜。", "RT", "在线等，挺急的。", "想了很久还是决定说出来，憋在心里太难受了。", "版本是最新的，日志里面没有报错，点保存就卡住不动。", "有人知道什么时候开门吗，白跑了两趟。",
)  # fmt: skip
_ENGLISH_OPENERS = (
    "It started about a month ago and oil only helps for a day or two.", "I have forty pounds to spend, so nothing fancy. Which one would you pick?", "Found the attached photo in a drawer and now I am curious who took it.", "The logs show nothing and the light stays green, but it drops out twice an hour.",
    "Just sharing what worked for me, since nobody else seems to have written it down.", "Does anybody know when they open again?", "They told me it would take a week. That was in March.", "As the title says. Any pointers are welcome, thanks.",
)  # fmt: skip
_ENGLISH_ESSAYS = (
    "I grew up two streets from the harbour, and my first memory is of my grandfather mending nets in the kitchen.",
    "If you ask me how we got through that winter, I honestly do not know. We walked a lot, and we read to each other.",
    "Last month I finally cleared the attic. I found a letter my brother had written to me, and I had never opened it.",
    "My advice to you is to go early. When I arrived at nine there was nobody, and by eleven I could not find a seat.",
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
_COUNTS = ("{n} 条回复", "{n} 回复", "共收到 {n} 条回复", "回复 ({n})", "所有回答 {n}", "{n}人回复", "全部回复", "{n} 个回答", "共{n}条回复", "回答 {n}", "跟帖", "大家的回答",
           "", "", "", "评论：", "{n} 条评论", "热门回答 最新回答", "网友回复", "回应")  # fmt: skip
_ENGLISH_COUNTS = (
    "{n} replies",
    "Replies ({n})",
    "{n} answers",
    "",
    "",
    "{n} posts",
    "Answers",
    "{n} comments",
    "Responses",
)
_COMMENT_COUNTS = ("网友评论", "评论（{n}）", "{n} 条评论", "最新评论", "", "", "全部评论", "读者留言", "《{t}》上有{n}条评论", "{n} 条回复", "精彩评论", "发表评论", "看点评")  # fmt: skip
_ENGLISH_COMMENT_COUNTS = ("Comments", "{n} Comments", "{n} thoughts on “{t}”", "", "Reader comments", "{n} responses")  # fmt: skip
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
_ENDS = ("", "", "请先<a href='/login'>登录</a>，然后再发表回复", "回复内容<textarea></textarea><button>提交</button>", "登录后方可回复", "我来回答", "<textarea></textarea><button>回帖</button>",
         "发表回复", "发表评论", "写下你的回答")  # fmt: skip
_COMMENT_ENDS = ("", "发表回复 您的邮箱地址不会被公开", "取消回复", "发表评论 <textarea></textarea><button>提交</button>", "登录后评论", "网友评论仅代表个人观点")  # fmt: skip
_ENGLISH_ENDS = ("", "Post a reply", "Log in to reply", "You must be logged in to post")
_GENERIC = (
    "话题",
    "问题详情",
    "帖子详情",
    "主题",
    "校园论坛",
    "问答",
    "{s}",
    "{s}",
    "详情",
    "{n}的提问",
    "讨论区",
)
_ENGLISH_GENERIC = ("Topic", "Forum", "View thread", "{s}")
_SIDES = (
    "",
    "",
    "",
    "<div><h4>相关问题</h4>{r}</div>",
    "<div><h3>推荐话题</h3>{r}</div>",
    "<div><h3>热门文章</h3>{r}</div>",
)


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


def _texts(draw: Random, count: int, english: bool) -> list[tuple[str, ...]]:
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


def _entries(draw: Random, texts: Sequence[tuple[str, ...]], english: bool) -> list[Entry]:
    when, names, found = moment(draw), ENGLISH_NAMES if english else NICKS, []
    for lines in texts:
        found.append(Entry(draw.choice(names), when, lines))
        when += timedelta(minutes=draw.choice((9, 50, 400, 4_000)) * draw.randint(1, 9))
    return found


def comments_of(style: Layout, draw: Random, count: int) -> str:
    """Return the HTML of some comments in a layout."""
    return style.posts(_entries(draw, _texts(draw, count, style.english), style.english), 0, draw)


def _question(draw: Random, english: bool) -> tuple[str, tuple[str, ...]]:
    """Return the title of a thread and its first post."""
    if english:
        text = draw.sample((*ENGLISH_POSTS, *_ENGLISH_OPENERS), draw.choice((1, 1, 2)))
        return draw.choice(_ENGLISH_TITLES), tuple(text)
    told = section(draw, draw.choice(("threads", "questions")), draw.randrange(50))
    lines: tuple[str, ...] = told.paragraphs[:1]
    if draw.random() < 0.8:
        lines = tuple(draw.sample(_OPENERS, draw.choice((1, 1, 1, 2))))
    if draw.random() < 0.25:
        lines = (*lines, *story(draw, draw.choice(TOPICS)).paragraphs[: draw.randint(1, 4)])
    return (told.title if draw.random() < 0.2 else draw.choice(_TITLES)), lines


def thread_layout(layout: int, page: int) -> Drawn:
    """Return a page of a layout of threads."""
    of_layout, draw = Random(f"layout of threads {layout}"), Random(f"layout {layout}/{page}")
    english = of_layout.random() < 0.25
    style = Layout(of_layout, comments=False, english=english)
    guestbook = of_layout.random() < 0.08
    opening = of_layout.choice(("alike", "own", "own", "own", "titled"))
    described = of_layout.random() < 0.85
    title_tag = of_layout.choice(("h1", "h1", "h2", "h3", "h4", "div", "span", "b"))
    asker = of_layout.choice(("above", "above", "below", "line", "none"))
    asked = of_layout.choice(("", "", "作者 {n}", "提问者：{n}", "{n} 发表了", "由 {n} 添加", "发布于 {t}", "创建时间：{t} 来自: {n}", "{t} by {n}", "来自 生活 {m} 次浏览", "321 阅读 {m} 回答",
                              "最后由 {n} 回复于 {t}"))  # fmt: skip
    head = of_layout.choice(_ENGLISH_COUNTS if english else _COUNTS)
    end = of_layout.choice(_ENGLISH_ENDS if english else _ENDS)
    named = of_layout.random() < 0.65
    generic = of_layout.choice(_ENGLISH_GENERIC if english else _GENERIC)
    card = of_layout.choice(("", "", "", "<div><span>作者</span><a href='/u/9'>{n}</a><span>积分: {m}</span></div>", "<div>作者：{n}</div>"))  # fmt: skip
    side = of_layout.choice(_SIDES)
    site = Site(layout, "boards", layout % 7, "en" if english else "cn")
    title, lines = _question(draw, english)
    count = draw.choice((1, 1, 1, 2, 2, 3, 5, 9, 14))
    if guestbook:
        count = max(2, count)
    entries = _entries(draw, [lines, *_texts(draw, count, english)], english)
    first, *rest = entries
    values = {
        "n": first.name,
        "t": style.time(first.when),
        "m": draw.randrange(900),
        "s": site.name,
    }
    heading = f"<{title_tag}{style.name('title')}>{title}</{title_tag}>"
    body = [title, *(first.lines if described else ()), *(x for it in rest for x in it.lines)]
    count_line = f"<div{style.name('count')}>{head.format(n=count, t=title)}</div>" if head else ""
    if guestbook:
        heading, title = "", "留言板"
        inner = f"<h1>{title}</h1>{style.posts(rest, 0, draw)}"
        body = [x for it in rest for x in it.lines]
    elif opening == "alike":
        inner = f"{heading}{count_line}{style.posts(entries, 0, draw)}"
        body = [title, *(x for it in entries for x in it.lines)]
    elif opening == "titled":
        # The title is a part of the first post.
        inner = style.posts([Entry(first.name, first.when, (f"{title}。", *first.lines))], 0, draw)
        inner += count_line + style.posts(rest, 1, draw)
        body = [f"{title}。", *first.lines, *(x for it in rest for x in it.lines)]
    else:
        line = f"<div{style.name('info')}>{asked.format(**values)}</div>" if asked else ""
        if asker == "above":
            line = (
                f"<div>{style.parts(0, first, draw)[0]} {style.parts(0, first, draw)[1]}</div>"
                + line
            )
        text = style.text(first.lines) if described else ""
        below = line if asker in ("below", "line") else ""
        inner = f"<div{style.name('opening')}>{heading}{'' if below else line}<div{style.name('asked')}>{text}</div>{below}</div>"
        inner += count_line + style.posts(rest, 0, draw)
    whole = f"{title}{of_layout.choice((' - ', '_', ' | '))}{site.name}"
    return Drawn(
        f"<!DOCTYPE html><html>{site.head(whole if named else generic.format(**values))}<body>{site.nav()}"
        f"{card.format(**values)}<div{style.name('page')}>{inner}<div>{end}</div></div>"
        f"{side.format(r=site.links(draw, 6))}{site.foot()}</body></html>",
        "\n".join(body),
    )


def other_layout(layout: int, page: int) -> Drawn:
    """Return a page of a layout that is no thread: an article with comments, or another one with texts in boxes."""
    of_layout, draw = Random(f"layout of others {layout}"), Random(f"other {layout}/{page}")
    english = of_layout.random() < 0.2
    style = Layout(of_layout, comments=True, english=english)
    kind = of_layout.choice(("commented", "commented", "commented", "commented", *_OTHERS))
    site = Site(layout, "articles", layout % 7, "en" if english else "cn")
    told = story(draw, "en_mill" if english else draw.choice(TOPICS), least=3)
    title = told.title
    if not english and of_layout.random() < 0.25:
        title = draw.choice(_TITLES)
    when = moment(draw)
    essay, personal = of_layout.random() < 0.35, _ENGLISH_ESSAYS if english else _ESSAYS
    byline = of_layout.choice(("{t}", "{t} 来源：{s}", "{n} {t}", "作者：{n} {t}", "{t} 阅读({m})", "发布时间：{t} 浏览次数：{m}", "posted @ {t} {n}"))  # fmt: skip
    below = of_layout.random() < 0.2
    head = of_layout.choice(_ENGLISH_COMMENT_COUNTS if english else _COMMENT_COUNTS)
    end = of_layout.choice(
        _COMMENT_ENDS if not english else ("", "Leave a comment", "Leave a Reply")
    )
    side, linked = of_layout.choice(_SIDES), of_layout.random() < 0.5
    line = byline.format(t=style.time(when), s=site.name, n=draw.choice(NICKS), m=draw.randrange(900))  # fmt: skip
    paragraphs = told.paragraphs
    if essay:
        paragraphs = tuple(draw.sample(personal, draw.randint(3, min(6, len(personal)))))
    elif not english and draw.random() < 0.3:
        paragraphs = (draw.choice(_ADVICE), *paragraphs[1:])
    article = style.text(paragraphs)
    if kind == "commented":
        count = draw.choice((0, 1, 2, 3, 6, 12))
        comments = (
            style.posts(_entries(draw, _texts(draw, count, english), english), 0, draw)
            if count
            else ""
        )
        label = f"<h3>{head.format(n=count, t=title)}</h3>" if head else ""
        parts = f"<div>{line}</div>{article}" if not below else f"{article}<div>{line}</div>"
        inner = f"<h1>{title}</h1>{parts}{site.related(draw) if linked else ''}{label}{comments}<div>{end}</div>"
        body = paragraphs
    else:
        inner, body = _OTHERS[kind](style, draw, title, line)
    return Drawn(
        f"<!DOCTYPE html><html>{site.head(site.tail(title))}<body>{site.nav()}<div{style.name('page')}>{inner}</div>"
        f"{side.format(r=site.links(draw, 6))}{site.foot()}</body></html>",
        "\n".join(body),
    )


def _reviews(style: Layout, draw: Random, title: str, line: str) -> tuple[str, tuple[str, ...]]:
    told = story(draw, draw.choice(TOPICS), least=2, most=3)
    posts = _entries(draw, _texts(draw, draw.randint(2, 9), style.english), style.english)
    inner = f"<h1>{title}</h1><div>￥{draw.randrange(20, 900)}.00 加入购物车</div><h3>商品详情</h3>{style.text(told.paragraphs)}"
    return f"{inner}<h3>买家评价</h3>{style.posts(posts, 0, draw)}", told.paragraphs


def _interview(style: Layout, draw: Random, title: str, line: str) -> tuple[str, tuple[str, ...]]:
    told = section(draw, "interviews", draw.randrange(50))
    n = style.name
    rows = "".join(
        f"<div{n('post')}><div{n('name')}>{('记者', '某先生')[i % 2]}</div><div{n('text')}>{x}</div></div>"
        for i, x in enumerate(told.paragraphs)
    )
    return f"<h1>{title}</h1><div>{line}</div>{rows}", told.paragraphs


def _chronicle(style: Layout, draw: Random, title: str, line: str) -> tuple[str, tuple[str, ...]]:
    told, when, rows, n = story(draw, draw.choice(TOPICS), least=5), moment(draw), "", style.name
    clock = draw.random() < 0.5
    lines = told.paragraphs if draw.random() < 0.5 else tuple(draw.sample(_ESSAYS, 5))
    for text in lines:
        shown = f"{when:%H:%M}" if clock else style.time(when)
        rows += f"<li{n('post')}><div{n('time')}>{shown}</div>{style.text((text,))}</li>"
        when += timedelta(minutes=7) if clock else timedelta(days=40)
    return f"<h1>{title}</h1><div>{line}</div><ul>{rows}</ul>", lines


def _frequent(style: Layout, draw: Random, title: str, line: str) -> tuple[str, tuple[str, ...]]:
    rows, lines, n = "", list[str](), style.name
    for asked in draw.sample(_TITLES, draw.randint(3, 8)):
        text = section(draw, "questions", draw.randrange(50)).paragraphs[-1]
        rows += f"<div{n('post')}><div{n('asked')}>{asked}？</div>{style.text((text,))}</div>"
        lines += (f"{asked}？", text)
    return f"<h1>常见问题</h1><div>更新时间：{moment(draw):%Y-%m-%d}</div>{rows}<p>没有找到答案？我要提问</p>", tuple(lines)  # fmt: skip


def _sections(style: Layout, draw: Random, title: str, line: str) -> tuple[str, tuple[str, ...]]:
    told, rows, n = story(draw, draw.choice(TOPICS), least=5), "", style.name
    for head, text in zip(("背景", "过程", "做法", "材料", "结果", "费用", "说明", "附记"), told.paragraphs, strict=False):  # fmt: skip
        rows += f"<div{n('post')}><h4>{head}</h4>{style.text((text,))}</div>"
    return f"<h1>{title}</h1><div>{line}</div>{rows}", told.paragraphs


def _people(style: Layout, draw: Random, title: str, line: str) -> tuple[str, tuple[str, ...]]:
    told, rows = story(draw, draw.choice(TOPICS), least=5), ""
    style.rank = ""
    for i, text in enumerate(told.paragraphs):
        entry = Entry(NICKS[i % len(NICKS)], moment(draw), (text,))
        name, _, shown, _ = style.parts(i, entry, draw)
        rows += f"<div{style.name('post')}>{name}<div>主任 教授</div>{shown}</div>"
    return f"<h1>师资介绍</h1><div>{line}</div>{rows}", told.paragraphs


def _teasers(style: Layout, draw: Random, title: str, line: str) -> tuple[str, tuple[str, ...]]:
    rows = ""
    for i in range(draw.randint(4, 10)):
        told = story(draw, draw.choice(TOPICS))
        rows += (
            f"<div{style.name('post')}><h3><a href='/p/{i}'>{told.title}</a></h3>{style.text((told.paragraphs[0][:60] + '…',))}"
            f"<div>{draw.choice(NICKS)} {style.time(moment(draw))} 评论 {draw.randrange(9)}</div></div>"
        )
    return f"<h2>{draw.choice(('最新', '生活', '专栏'))}</h2>{rows}", ()


def _transcript(style: Layout, draw: Random, title: str, line: str) -> tuple[str, tuple[str, ...]]:
    lines = [
        x for _ in range(3) for x in section(draw, "interviews", draw.randrange(50)).paragraphs
    ]
    speakers = draw.sample(
        ("主持人", "发言人", "记者", "某先生", "委员", "主任", "Speaker", "Ms Hill"),
        draw.choice((2, 3)),
    )
    entries = _entries(draw, [(x,) for x in lines], style.english)
    style.rank = style.actions = style.floor = ""
    rows = "".join(
        style.post(i, Entry(speakers[i % len(speakers)], it.when, it.lines), draw)
        for i, it in enumerate(entries)
    )
    tag = "table" if style.shape in ("head row", "cells") else "div"
    return f"<h1>{title}</h1><div>{line}</div><{tag}>{rows}</{tag}>", tuple(lines)


def _rated(style: Layout, draw: Random, title: str, line: str) -> tuple[str, tuple[str, ...]]:
    posts = _entries(draw, _texts(draw, draw.randint(2, 9), style.english), style.english)
    style.rank = draw.choice(
        (
            "五星好评",
            "评分：{m}",
            "推荐 打分 {m}",
            "4.5分",
            "★★★★☆",
            "5 stars",
            "Rated 4 out of 5",
            "口味 {m} 环境 {m}",
        )
    )
    about = draw.choice(
        (
            "{n}条评价 人均 {m} 元 地址：东街{n}号",
            "{n} reviews",
            "￥{m}.00 已售 {n}",
            "{m} 人打分 营业时间 9:00-21:00",
            "电话：555-{m}",
        )
    )
    about = about.format(n=draw.randint(2, 99), m=draw.randrange(20, 900))
    return f"<h1>{title[:8]}</h1><div>{about}</div>{style.posts(posts, 0, draw)}", ()


def _postings(style: Layout, draw: Random, title: str, line: str) -> tuple[str, tuple[str, ...]]:
    rows, kinds = "", draw.choice((("焊工", "会计", "司机", "园艺师", "教师", "厨师"), ("v2.1", "v2.0.3", "v2.0", "v1.9", "v1.8.1", "1.8"), ("讲座", "招聘", "通知", "公示", "活动", "培训")))  # fmt: skip
    for i, head in enumerate(kinds[: draw.randint(3, 6)]):
        told = story(draw, draw.choice(TOPICS))
        parts = [
            f"<h3><a href='/p/{i}'>{head}</a></h3>",
            f"<div>{draw.choice(NICKS[:3])} {style.time(moment(draw))}</div>",
            style.text((told.paragraphs[0],)),
        ]
        if draw.random() < 0.5:
            parts[0], parts[1] = parts[1], parts[0]
        rows += f"<div{style.name('post')}>{''.join(parts)}</div>"
    return f"<h2>{draw.choice(('招聘信息', '更新日志', 'Releases', '公告'))}</h2>{rows}", ()


_OTHERS: dict[str, Callable[[Layout, Random, str, str], tuple[str, tuple[str, ...]]]] = {
    "reviews": _reviews, "interview": _interview, "chronicle": _chronicle, "frequent": _frequent, "sections": _sections,
    "people": _people, "teasers": _teasers, "transcript": _transcript, "rated": _rated, "postings": _postings,
}  # fmt: skip
