"""Families of drawn templates: threads, questions, and articles with comments, that differ in everything a template decides.

A family is drawn once: how a post is boxed, where its author, time, floor and buttons stand and how they are
written, whether the first post is like the others, which words stand between it and the replies, how boxes
are named.  Its pages differ in their texts.  Articles have comments that are written by the same rules, so
that neither a time, nor a floor, nor a name alone tells a thread.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from benchmarks.corpus.site import NICKS, Site
from benchmarks.corpus.stories import TOPICS, moment, read_lines, read_sections, section, story

#: Families that models are trained on, of threads, of articles and of questions.
THREAD_FAMILIES, ARTICLE_FAMILIES, QUESTION_FAMILIES = 72, 72, 48
#: Pages of each family.
PAGES = 4

_TIMES: tuple[Callable[[datetime], str], ...] = (
    lambda t: f"{t:%Y-%m-%d %H:%M}", lambda t: f"{t:%Y-%m-%d %H:%M:%S}", lambda t: f"{t:%Y-%m-%d}",
    lambda t: f"{t:%Y/%m/%d %H:%M}", lambda t: f"{t:%Y年%m月%d日 %H:%M}", lambda t: f"{t:%m-%d %H:%M}",
    lambda t: f"{t.year}-{t.month}-{t.day} {t:%H:%M}", lambda t: f"{t.month}月{t.day}日 {t:%H:%M}", lambda t: f"{t.minute % 23 + 1}小时前",
    lambda t: f"{t.minute % 11 + 1}个月前", lambda t: f"{t.day % 9 + 1}年前", lambda t: f"{t.day}天前", lambda t: f"{t:%a %b %d %H:%M:%S %Y}",
    lambda t: f"{t.year}.{t.month}.{t.day}", lambda t: f"{t:%Y.%m.%d %H:%M}",
)  # fmt: skip
_BEFORE_TIME = ("", "", "", "发表于 ", "发表于：", "发布于 ", "回复于 ", "时间：", "发表时间:", "于 ", "· ", "评论于 ", "发布时间：", "编辑于 ", "更新于 ")  # fmt: skip
_FLOORS: tuple[Callable[[int], str], ...] = (
    lambda i: "", lambda i: "", lambda i: "", lambda i: f"{i + 1}楼", lambda i: f"{i + 1} 楼", lambda i: f"#{i + 1}",
    lambda i: f"{i + 1}#", lambda i: f"第{i + 1}楼", lambda i: f"[{i + 1}]", lambda i: f"{i + 1}F", lambda i: f"{i + 1}",
    lambda i: ("楼主", "沙发", "板凳", "地板")[i] if i < 4 else f"{i + 1}楼",
    lambda i: "楼主" if i == 0 else f"{i}楼", lambda i: "楼主" if i == 0 else "",
)  # fmt: skip
_ACTIONS = ("", "", "回复", "回复 引用 举报", "引用 回复 编辑 TOP", "赞({n}) 踩 回复", "{n} 回复", "支持({n}) 反对(0)", "{n} 赞 · 分享 · 举报",
            "只看该作者 倒序浏览", "顶({n}) 回复本楼", "赞同 {n} 评论 收藏", "回应", "点赞 {n}", "有用 {n} 没用", "收起回复")  # fmt: skip
_PROFILES = ("等级：新手上路 帖子：{n} 积分：{m}", "级别: 会员 精华: 0 发帖: {n} 威望: {m} 点", "<p>{n} 级</p><p>注册会员</p>", "主题 {n} 帖子 {m} 积分 {m}",
             "注册时间 2011-3-{d} 在线时间 {n} 小时", "{n} 声望", "<dl><dt>经验</dt><dd>{m}</dd><dt>金钱</dt><dd>{n}</dd></dl>", "来自：南方 文章：{n}",
             "<em>论坛元老</em>", "UID {m} 性别 保密 登录 {n} 次", "Lv{d}", "粉丝 {n} 关注 {d}", "版主", "Full Member", "写过几本小书", "工程师 @ 某某公司")  # fmt: skip
_SIGNS = (
    "不积跬步，无以至千里。",
    "签名还没有想好",
    "出售闲置，看我的主页",
    "岁月静好",
    "来自我的手机客户端",
)
_FILLERS = ("顶", "谢谢分享", "mark一下", "同问", "+1", "学习了，谢谢楼上各位。", "路过，帮顶。", "好的，收到", "坐等结果", "+1，我家也是这样", "666",
            "已解决，谢谢大家", "不懂，等高手来", "感谢分享，收藏了", "说得在理", "怎么联系？", "请问现在还有吗", "楼主好人")  # fmt: skip
_THREAD_HEADS = ("", "", "", "{n} 条回复", "全部回复（{n}）", "{n} 个回答", "回帖 {n}", "最新回复 ({n})", "全部评论 {n}", "评论 ({n})", "讨论数量: {n}",
                 "{n} 个回复", "回答({n})", "网友回答", "回复列表", "其他回答（{n}条）", "按时间排序", "回应 {n}", "跟帖({n})")  # fmt: skip
_ARTICLE_HEADS = ("评论", "网友评论", "全部评论({n})", "{n} 条评论", "最新评论", "评论列表", "我来说两句", "已有 {n} 条评论", "网友留言", "读者评论", "精彩评论",
                  "跟帖（{n}）", "{n} Comments", "Responses", "留言板", "发表评论", "共有 {n} 人参与评论", "{n} 条回应：“{t}”", "#评论", "", "看点评论", "热门评论",
                  "{n} 条回复", "《{t}》有 {n} 条回复")  # fmt: skip
_THREAD_STATS = ("", "", "查看: {m} | 回复: {n}", "点击：{m} 回复：{n}", "{m} 次点击", "阅读 {m}", "浏览 {m} 次", "关注者 {n} 被浏览 {m}", "只看楼主 收藏 回复",
                 "访问：{m}", "楼主 返回版面", "发新帖 回复", "分享到 收藏 举报", "来自 生活区")  # fmt: skip
_THREAD_ENDS = ("", "", "您需要登录后才可以回帖 登录 | 注册", "发表回复", "返回列表 发新帖", "写回答", "发表评论 登录后可评论", "快速回复主题", "我来回答", "[返回上页] [跟帖]", "回复此贴",
                "加入小组后可回应", "本版积分规则")  # fmt: skip
_THREAD_TITLES = (*[""] * 8, " - 生活论坛", " - 社区", "_百科吧", " - 问答", " - Powered by Board", "|讨论", " - 水木", "—茶座")  # fmt: skip
_ARTICLE_ENDS = ("发表评论", "登录后评论", "发布", "", "查看全部评论", "网友评论仅供其表达个人看法，并不表明本站立场", "姓名 邮箱 网址 提交评论", "Leave a Reply")  # fmt: skip
_ASKERS = ("提问者：{n} 提问时间：{t}", "{n} 提问于 {t}", "提问人：{n} {t}", "{n} | {t} | 浏览 {m}", "{t} 浏览 {m} 次 悬赏 20 分", "<span>{n}</span> <span>{t}</span>", "{t}",
           "匿名用户 {t}", "患者：{n} 女 32岁 {t}", "", "", "提问于：{t}", "来自：{n} 分类：生活 {t}", "{n}的提问 {t} 阅读 {m}")  # fmt: skip
_ANSWER_HEADS = ("{n}个回答", "{n} 个回答", "医生回复", "最佳答案", "律师解答", "网友回答({n})", "已有{n}条答案", "全部回答", "推荐答案", "回答", "专家解答", "{n}条回答", "回答列表",
                 "老师解答", "满意答案", "所有回答 {n}", "共 {n} 个回答", "", "")  # fmt: skip
_ANSWERERS = ("{n} 回答于 {t}", "回答者：{n} {t}", "<b>{n}</b> <span>{t}</span>", "<a href='/u/{i}'>{n}</a><span>{t}</span>", "{n} 主治医师 市立医院 {t}", "{n}律师 执业 8 年",
              "<div>{n}</div><div>{t}</div>", "<a href='/u/{i}'>{n}</a>", "{n}医生", "{t}", "热心网友 {t}", "<p>回答数：{m} 被采纳数：{i}</p><h4>{n}</h4>", "")  # fmt: skip
_ANSWER_ACTIONS = ("", "", "赞({m}) 踩", "采纳", "有用({m})", "赞同 {m} 评论", "举报 赞({m})", "追问", "评论 分享", "回复")  # fmt: skip
_QUESTION_ENDS = ("我来回答", "提交回答", "我要提问", "写回答", "您可以输入答案 提交", "还没有解决？我要提问", "相关问题", "", "", "参与回答")  # fmt: skip
_QUESTION_TITLES = (*[""] * 6, " - 问答", "_某某网", " | 生活百科", "_有问必答", " - 家庭医生", "_法律咨询")  # fmt: skip
_BOX_WORDS = {
    "telling": ("post", "reply", "comment-item", "floor", "answer", "topic-item", "msg", "thread-post"),
    "comment": ("comment", "comment-item", "cmt", "reply-item", "pinglun", "feedback-item", "review"),
    "plain": ("item", "box", "c1", "list-item", "row", "cell", "block", "card", "media", "inner"),
    "article": ("content", "article", "main", "text", "entry"),
    "question": ("answer", "answer-item", "reply", "da", "ask-answer", "huida", "answers"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """A post or a comment."""

    name: str
    when: datetime
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn page and its body: title and all posts of a thread, or the article without its comments."""

    html: str
    body: str


class Style:
    """How a family writes a post."""

    def __init__(self, draw: Random, words: str) -> None:
        self.draw = draw
        self.layout = draw.choice(
            ("boxes", "boxes", "boxes", "list", "list", "table", "rows", "flat", "lines", "terms")
        )
        self.naming = draw.choice(("none", "hashed", "plain", words, words))
        self.time, self.before_time = draw.choice(_TIMES), draw.choice(_BEFORE_TIME)
        self.time_tag = draw.choice(("", "", "span", "em", "time", "small", "div", "p"))
        self.time_place = draw.choice(("head", "head", "head", "foot", "foot", "side"))
        self.floor = draw.choice(_FLOORS)
        self.floor_place = draw.choice(("head", "head", "foot", "side"))
        self.actions = draw.choice(_ACTIONS)
        self.linked_actions = draw.random() < 0.6
        self.name_place = draw.choice(("side", "head", "head", "foot", "inline"))
        self.name_form = draw.choice(
            ("<a href='/u/{i}'>{x}</a>", "<a href='/u/{i}'>{x}</a>", "<b>{x}</b>", "{x}", "作者：{x}", "<span>{x}：</span>", "网友 {x}", "<h4>{x}</h4>", "<i>{x}</i> 说道：")
        )  # fmt: skip
        self.wrapped = draw.choice((0, 0, 1, 1, 2))
        self.paragraph = draw.choice(("p", "p", "div", "br"))
        self.outer = draw.choice(("div", "div", "section", "article"))
        self.names: dict[str, str] = {}
        self.words = words

    def name(self, role: str) -> str:
        """Return the class attribute of a role, the same on all pages of the family."""
        if role not in self.names:
            self.names[role] = self._name()
        return self.names[role]

    def _name(self) -> str:
        if self.naming == "none" or self.draw.random() < 0.2:
            return ""
        if self.naming == "hashed":
            letters = string.ascii_letters + string.digits
            return f' class="{"".join(self.draw.choice(letters) for _ in range(6))}"'
        return f' class="{self.draw.choice(_BOX_WORDS[self.naming])}"'

    def write(self, entries: Sequence[Entry], first: int, draw: Random, profile: str) -> str:
        """Return the HTML of posts, of which the first one has a number."""
        return self._around([self._entry(first + i, it, draw, profile) for i, it in enumerate(entries)])  # fmt: skip

    def _entry(self, i: int, it: Entry, draw: Random, profile: str) -> str:
        parts: dict[str, list[str]] = {"side": [], "head": [], "foot": []}
        name = self.name_form.format(i=i, x=it.name)
        if self.name_place != "inline":
            parts[self.name_place].append(name)
        if profile:
            filled = profile.format(n=draw.randrange(400), m=draw.randrange(9_000), d=i % 9 + 1)
            parts["side"].append(f"<div>{filled}</div>")
        when = f"{self.before_time}{self.time(it.when)}"
        parts[self.time_place].append(f"<{self.time_tag}>{when}</{self.time_tag}>" if self.time_tag else when)  # fmt: skip
        floor = self.floor(i)
        if floor:
            parts[self.floor_place].append(floor)
        if self.actions:
            actions = self.actions.format(n=draw.randrange(60))
            if self.linked_actions:
                actions = " ".join(f"<a href='#r{i}'>{x}</a>" for x in actions.split())
            parts["foot"].append(actions)
        side, head, foot = (" ".join(parts[x]) for x in ("side", "head", "foot"))
        text = self.text(it.lines, f"{name}：" if self.name_place == "inline" else "")
        return self._boxed(i, side, head, text, foot)

    def text(self, lines: Sequence[str], inline: str = "") -> str:
        """Return the HTML of the paragraphs of a post, the first of which may begin with a name."""
        joined = (f"{inline}{lines[0]}", *lines[1:])
        if self.paragraph == "br":
            text = "<br>".join(joined)
        else:
            text = "".join(f"<{self.paragraph}>{x}</{self.paragraph}>" for x in joined)
        for level in range(self.wrapped):
            text = f"<div{self.name(f'text {level}')}>{text}</div>"
        return text

    def _boxed(self, i: int, side: str, head: str, text: str, foot: str) -> str:
        n = self.name
        if self.layout in ("table", "rows"):
            row = (
                f"<tr><td width=20%{n('side')}>{side}</td><td{n('main')}><div{n('head')}>{head}</div>{text}"
                f"<div{n('foot')}>{foot}</div></td></tr>"
            )
            return row if self.layout == "rows" else f"<table{n('post')}>{row}</table>"
        if self.layout == "lines":
            return f"{side} {head}<br>{text}<br>{foot}<hr>"
        inner = (f"<div{n('side')}>{side}</div>" if side else "") + (f"<div{n('head')}>{head}</div>" if head else "")  # fmt: skip
        inner += f"{text if self.wrapped or self.paragraph != 'br' else f'<div>{text}</div>'}"
        inner += f"<div{n('foot')}>{foot}</div>" if foot else ""
        if self.layout == "flat":
            return inner
        if self.layout == "list":
            return f"<li id=c{i}{n('post')}>{inner}</li>"
        if self.layout == "terms":
            return f"<dt>{side} {head}</dt><dd>{text}{foot}</dd>"
        return f"<{self.outer}{n('post')}>{inner}</{self.outer}>"

    def _around(self, rows: Sequence[str]) -> str:
        tag = {"list": "ul", "rows": "table", "terms": "dl"}.get(self.layout, "div")
        return f"<{tag}{self.name('all')}>{''.join(rows)}</{tag}>"


def _texts(draw: Random, count: int) -> list[tuple[str, ...]]:
    """Return the texts of replies: most of a line, some of several paragraphs."""
    pool = (*read_lines("comments"), *_FILLERS)
    long = [x for _, lines in read_sections("threads") for x in lines]
    texts: list[tuple[str, ...]] = []
    for _ in range(count):
        kind = draw.random()
        if kind < 0.6:
            texts.append((draw.choice(pool),))
        elif kind < 0.9:
            texts.append((draw.choice(long).replace("{地}", "南塘").replace("{数}", "40"),))
        else:
            texts.append(story(draw, draw.choice(TOPICS)).paragraphs[: draw.randint(1, 3)])
    return texts


def _entries(draw: Random, texts: Sequence[tuple[str, ...]]) -> list[Entry]:
    when = moment(draw)
    found = []
    for lines in texts:
        found.append(Entry(draw.choice(NICKS), when, lines))
        when += timedelta(minutes=draw.choice((7, 40, 300, 3_000)) * draw.randint(1, 9))
    return found


def _around(
    of_family: Random, profiled: float, heads: Sequence[str], ends: Sequence[str]
) -> tuple[str, str, str]:
    """Return what a family writes around its posts: the writer's profile, a head, an end."""
    profile = of_family.choice(_PROFILES) if of_family.random() < profiled else ""
    return profile, of_family.choice(heads), of_family.choice(ends)


def thread_page(family: int, page: int) -> Drawn:
    """Return a page of a family of threads."""
    of_family, draw = Random(f"threads of family {family}"), Random(f"thread {family}/{page}")
    style = Style(of_family, "telling")
    alike = of_family.random() < 0.6
    profile, head, end = _around(of_family, 0.5, _THREAD_HEADS, _THREAD_ENDS)
    stats, tail = of_family.choice(_THREAD_STATS), of_family.choice(_THREAD_TITLES)
    signed, quoted, questions = (of_family.random() < x for x in (0.2, 0.3, 0.3))
    title_tag = of_family.choice(("h1", "h1", "h2", "h3", "div", "b", "span"))
    site = Site(family, "boards", family % 7)
    told = section(draw, "questions" if questions else "threads", draw.randrange(50))
    kept = draw.randint(2, max(2, len(told.paragraphs)))
    texts = [(x,) for x in told.paragraphs[:kept]] + _texts(draw, draw.choice((0, 0, 1, 3, 8)))
    if draw.random() < 0.35:
        more = story(draw, draw.choice(TOPICS)).paragraphs
        texts[0] = (*texts[0], *more[: draw.randint(1, 6)])
    entries = _entries(draw, texts)
    if quoted and len(entries) > 2:
        last = entries[-1]
        quote = f"引用 {entries[0].name} 的发言：{entries[0].lines[0][:24]}"
        entries[-1] = Entry(last.name, last.when, (quote, *last.lines))
    count = len(entries) - 1
    body = "\n".join((told.title, *(line for it in entries for line in it.lines)))
    signs = f"<div>{draw.choice(_SIGNS)}</div>" if signed else ""
    between = f"<div>{head.format(n=count)}</div>" if head else ""
    if alike:
        posts = style.write(entries, 0, draw, profile)
        inner = f"{between}{posts}" if of_family.random() < 0.5 else posts
    else:
        opening = Style(of_family, "article")
        opening.layout = of_family.choice(("boxes", "flat", "lines"))
        inner = opening.write(entries[:1], 0, draw, profile) + signs + between
        inner += style.write(entries[1:], 0, draw, profile)
    numbers = {"n": count, "m": draw.randrange(9_000)}
    html = (
        f"<!DOCTYPE html><html>{site.head(f'{told.title}{tail}')}<body>{site.nav()}<div{style.name('page')}>"
        f"<{title_tag}>{told.title}</{title_tag}><div>{stats.format(**numbers)}</div>{inner}<div>{end}</div></div>"
        f"{site.side(draw) if of_family.random() < 0.5 else ''}{site.foot()}</body></html>"
    )
    return Drawn(html, body)


def article_page(family: int, page: int) -> Drawn:
    """Return a page of a family of articles: news and posts of blogs, most of them with comments."""
    of_family, draw = Random(f"articles of family {family}"), Random(f"article {family}/{page}")
    style = Style(of_family, "comment")
    blog = of_family.random() < 0.4
    profile, head, end = _around(of_family, 0.1, _ARTICLE_HEADS, _ARTICLE_ENDS)
    head_tag = of_family.choice(("h3", "h2", "div", "p", "b", "span"))
    related, sourced, owned = (of_family.random() < x for x in (0.5, 0.7, 0.3))
    paragraph = of_family.choice(("p", "p", "p", "div", "br"))
    byline = of_family.choice(("top", "top", "top", "bottom"))
    stated = of_family.random() < 0.2
    site = Site(family, "articles", family % 7)
    told = story(draw, draw.choice(TOPICS), least=1 if blog else 2, most=5 if blog else 9)
    when = _TIMES[of_family.randrange(6)](moment(draw))
    count = draw.choice((0, 1, 2, 3, 5, 8, 14, 30) if blog else (0, 0, 1, 2, 3, 5, 8, 14))
    if blog:
        line = f"{of_family.choice(('发表于', '', '日期：', 'Posted on'))} {when} {draw.choice(NICKS)} 阅读({draw.randrange(900)}) 评论({count})"
    else:
        line = f"{when} {f'来源：{site.paper}' if sourced else site.paper} {'责任编辑：方敏' if of_family.random() < 0.3 else ''}"
    text = "<br>".join(told.paragraphs) if paragraph == "br" else "".join(f"<{paragraph}>{x}</{paragraph}>" for x in told.paragraphs)  # fmt: skip
    text = f"<div{site.css('body')}>{text}</div>"
    inner = f"<div>{line}</div>{text}" if byline == "top" else f"{text}<div>{line}</div>"
    comments = ""
    if count:
        entries = _entries(draw, _texts(draw, count))
        if owned and count > 1:
            last = entries[-1]
            entries[-1] = Entry("博主" if blog else "作者", last.when, last.lines)
        first = 0 if of_family.random() < 0.7 else 1
        comments = style.write(entries, first, draw, profile)
    label = head.format(n=count, t=told.title)
    # Comments of some templates are in the same box as the article.
    inside = of_family.random() < 0.4
    below = f"{site.related(draw) if related else ''}<{head_tag}>{label}</{head_tag}>{comments}<div>{end}</div>"
    title = site.tail(told.title) if of_family.random() < 0.7 else told.title
    meta = '<meta property="og:type" content="article">' if stated else ""
    html = (
        f"<!DOCTYPE html><html>{site.head(title, more=meta)}<body>{site.nav()}<div{site.css('main')}><h1>{told.title}</h1>{inner}"
        f"{below if inside else ''}</div>{'' if inside else below}{site.side(draw) if of_family.random() < 0.6 else ''}"
        f"{site.foot()}</body></html>"
    )
    return Drawn(html, "\n".join(told.paragraphs))


def question_page(family: int, page: int) -> Drawn:
    """Return a page of a family of question sites: a question and its answers, most of them one or two."""
    of_family, draw = Random(f"questions of family {family}"), Random(f"question {family}/{page}")
    style = Style(of_family, "question")
    asker, head, answerer, actions, end, tail = (
        of_family.choice(x)
        for x in (_ASKERS, _ANSWER_HEADS, _ANSWERERS, _ANSWER_ACTIONS, _QUESTION_ENDS, _QUESTION_TITLES)
    )  # fmt: skip
    title_tag, box = (of_family.choice(x) for x in (("h1", "h1", "h2", "h3", "div"), ("div", "div", "li", "dl", "section")))  # fmt: skip
    described, named = of_family.random() < 0.8, of_family.random() < 0.8
    asker_below, head_tag = of_family.random() < 0.3, of_family.choice(("h2", "h3", "div", "p"))
    site = Site(family, "boards", family % 7)
    told = section(draw, "questions", draw.randrange(50))
    asked, *answers = told.paragraphs
    texts: list[tuple[str, ...]] = [(x,) for x in answers[: draw.choice((1, 1, 1, 2, 3))]]
    texts = texts or [("去问问本地的人吧。",)]
    if draw.random() < 0.5:
        texts[0] = (*texts[0], *story(draw, draw.choice(TOPICS)).paragraphs[: draw.randint(1, 3)])
    texts += _texts(draw, draw.choice((0, 0, 0, 1, 6)))
    entries = _entries(draw, [(asked,), *texts])
    count = len(texts)

    def filled(pattern: str, it: Entry, i: int) -> str:
        return pattern.format(n=it.name, t=style.time(it.when), m=draw.randrange(900), i=i)

    rows = "".join(
        f"<{box}{style.name('post')}><div{style.name('head')}>{filled(answerer, it, i)}</div>{style.text(it.lines)}"
        f"<div{style.name('foot')}>{filled(actions, it, i)}</div></{box}>"
        for i, it in enumerate(entries[1:], 1)
    )
    line = f"<div{style.name('side')}>{filled(asker, entries[0], 0)}</div>"
    text = f"<div{style.name('asked')}>{asked}</div>" if described else ""
    question = f"{text}{line}" if asker_below else f"{line}{text}"
    html = (
        f"<!DOCTYPE html><html>{site.head(f'{told.title}{tail}' if named else '问题详情')}<body>{site.nav()}<div{style.name('page')}>"
        f"<{title_tag}>{told.title}</{title_tag}>{question}<{head_tag}>{head.format(n=count)}</{head_tag}>"
        f"<div{style.name('all')}>{rows}</div><div>{end}</div></div>"
        f"{site.side(draw) if of_family.random() < 0.5 else ''}{site.foot()}</body></html>"
    )
    lines = (
        told.title,
        *((asked,) if described else ()),
        *(x for it in entries[1:] for x in it.lines),
    )
    return Drawn(html, "\n".join(lines))
