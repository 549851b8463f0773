"""Layouts of drawn pages that only look like threads.

Articles have comments by the layouts of posts (:mod:`benchmarks.thread_styles`).  Reviews, interviews, chronicles,
frequent questions, reports by the minute, people and teasers have texts in boxes of one sort, too.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random

from benchmarks.corpus.site import NICKS, Site
from benchmarks.corpus.stories import TOPICS, moment, section, story
from benchmarks.thread_families import Drawn, Entry
from benchmarks.thread_styles import SIDES, TITLES, Layout, draw_entries, draw_texts

#: Layouts that models are trained on.
OTHER_LAYOUTS = 300

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
_ENGLISH_ESSAYS = (
    "I grew up two streets from the harbour, and my first memory is of my grandfather mending nets in the kitchen.",
    "If you ask me how we got through that winter, I honestly do not know. We walked a lot, and we read to each other.",
    "Last month I finally cleared the attic. I found a letter my brother had written to me, and I had never opened it.",
    "My advice to you is to go early. When I arrived at nine there was nobody, and by eleven I could not find a seat.",
)
_COMMENT_COUNTS = ("网友评论", "评论（{n}）", "{n} 条评论", "最新评论", "", "", "全部评论", "读者留言", "《{t}》上有{n}条评论", "{n} 条回复", "精彩评论", "发表评论", "看点评")  # fmt: skip
_ENGLISH_COMMENT_COUNTS = ("Comments", "{n} Comments", "{n} thoughts on “{t}”", "", "Reader comments", "{n} responses")  # fmt: skip
_COMMENT_ENDS = ("", "发表回复 您的邮箱地址不会被公开", "取消回复", "发表评论 <textarea></textarea><button>提交</button>", "登录后评论", "网友评论仅代表个人观点")  # fmt: skip


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
        title = draw.choice(TITLES)
    when = moment(draw)
    essay, personal = of_layout.random() < 0.35, _ENGLISH_ESSAYS if english else _ESSAYS
    byline = of_layout.choice(("{t}", "{t} 来源：{s}", "{n} {t}", "作者：{n} {t}", "{t} 阅读({m})", "发布时间：{t} 浏览次数：{m}", "posted @ {t} {n}"))  # fmt: skip
    below = of_layout.random() < 0.2
    head = of_layout.choice(_ENGLISH_COMMENT_COUNTS if english else _COMMENT_COUNTS)
    end = of_layout.choice(
        _COMMENT_ENDS if not english else ("", "Leave a comment", "Leave a Reply")
    )
    side, linked = of_layout.choice(SIDES), of_layout.random() < 0.5
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
            style.posts(draw_entries(draw, draw_texts(draw, count, english), english), 0, draw)
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
    posts = draw_entries(draw, draw_texts(draw, draw.randint(2, 9), style.english), style.english)
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
    for asked in draw.sample(TITLES, draw.randint(3, 8)):
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
    entries = draw_entries(draw, [(x,) for x in lines], style.english)
    style.rank = style.actions = style.floor = ""
    rows = "".join(
        style.post(i, Entry(speakers[i % len(speakers)], it.when, it.lines), draw)
        for i, it in enumerate(entries)
    )
    tag = "table" if style.shape in ("head row", "cells") else "div"
    return f"<h1>{title}</h1><div>{line}</div><{tag}>{rows}</{tag}>", tuple(lines)


def _rated(style: Layout, draw: Random, title: str, line: str) -> tuple[str, tuple[str, ...]]:
    posts = draw_entries(draw, draw_texts(draw, draw.randint(2, 9), style.english), style.english)
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
