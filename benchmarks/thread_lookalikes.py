"""Pages that are no threads and look like some: articles with comments, feeds, interviews, diaries, frequent questions.

Drawn as those of :mod:`benchmarks.thread_templates`, in two halves as well.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random

from benchmarks.corpus.site import NICKS, Site
from benchmarks.corpus.stories import TOPICS, moment, read_lines, section, story
from benchmarks.thread_templates import ENGLISH_NAMES, ENGLISH_POSTS


def _article(site: Site, draw: Random) -> tuple[str, str]:
    text = story(draw, draw.choice(TOPICS), least=2)
    when = moment(draw)
    inner = "".join(f"<p>{x}</p>" for x in text.paragraphs)
    return (
        text.title,
        f"<h1>{text.title}</h1><div>{when:%Y-%m-%d %H:%M} 来源：{site.paper}</div><div{site.css('body')}>{inner}</div>",
    )


def _said(draw: Random, least: int = 2, most: int = 12) -> list[tuple[str, str, str]]:
    when = moment(draw)
    out = []
    for text in draw.sample(read_lines("comments"), draw.randint(least, most)):
        out.append((draw.choice(NICKS), f"{when:%Y-%m-%d %H:%M}", text))
        when += timedelta(minutes=draw.randrange(5, 900))
    return out


def _commented(
    write: Callable[[int, str, str, str], str], head: str, tag: str = "ul"
) -> Callable[[int], str]:
    def page(seed: int) -> str:
        draw = Random(f"article {head} {seed}")
        site = Site(seed, "articles", seed % 7)
        title, inner = _article(site, draw)
        rows = "".join(write(i, *one) for i, one in enumerate(_said(draw)))
        return (
            f"<!DOCTYPE html><html>{site.head(site.tail(title))}<body>{site.nav()}{inner}{site.share()}"
            f"{site.related(draw)}<h3>{head}</h3><{tag}>{rows}</{tag}>{site.side(draw)}{site.foot()}</body></html>"
        )

    return page


def _english_comments(seed: int) -> str:
    draw = Random(f"english {seed}")
    site = Site(seed, "english", seed % 7, "en")
    told = story(draw, "en_mill", least=3)
    rows = "".join(
        f"<li class=comment><b>{draw.choice(ENGLISH_NAMES)}</b> says: <div>{moment(draw):%B %d, %Y at %I:%M %p}</div><p>{x}</p><a>Reply</a></li>"
        for x in draw.sample(ENGLISH_POSTS, draw.randint(2, 6))
    )
    inner = "".join(f"<p>{x}</p>" for x in told.paragraphs)
    return (
        f"<html>{site.head(site.tail(told.title))}<body>{site.nav()}<h1>{told.title}</h1><div>{moment(draw):%B %d, %Y}</div>{inner}"
        f"<h3>Comments</h3><ol>{rows}</ol>{site.foot()}</body></html>"
    )


def _feed(seed: int) -> str:
    draw = Random(f"feed {seed}")
    site = Site(seed, "feeds", seed % 7)
    rows = ""
    for _ in range(draw.randint(4, 12)):
        told = story(draw, draw.choice(TOPICS))
        rows += (
            f"<div class=post><h2><a href=/p/{draw.randrange(9_999)}>{told.title}</a></h2><div>{draw.choice(NICKS)} · "
            f"{moment(draw):%Y-%m-%d} · 评论({draw.randrange(9)})</div><p>{told.paragraphs[0]}</p><a>阅读全文</a></div>"
        )
    return f"<html>{site.head(site.name)}<body>{site.nav()}{rows}{site.side(draw)}{site.foot()}</body></html>"


def _interview(seed: int) -> str:
    draw = Random(f"interview {seed}")
    site = Site(seed, "interviews", seed % 7)
    told = section(draw, "interviews", seed)
    rows = "".join(
        f"<p><b>{('记者', '某老师')[i % 2]}：</b>{x}</p>" for i, x in enumerate(told.paragraphs)
    )
    return (
        f"<html>{site.head(site.tail(told.title))}<body>{site.nav()}<h1>{told.title}</h1><div>{moment(draw):%Y-%m-%d %H:%M}"
        f"</div>{rows}{site.related(draw)}{site.foot()}</body></html>"
    )


def _diary(seed: int) -> str:
    """A chronicle: each paragraph under a date."""
    draw = Random(f"diary {seed}")
    site = Site(seed, "diaries", seed % 7)
    told = story(draw, draw.choice(TOPICS), least=5)
    rows = "".join(
        f"<div><h4>{moment(draw):%Y年%m月%d日}</h4><p>{x}</p></div>" for x in told.paragraphs
    )
    return f"<html>{site.head(site.tail(told.title))}<body>{site.nav()}<h1>{told.title}</h1>{rows}{site.foot()}</body></html>"


def _frequent(seed: int) -> str:
    """A page of frequent questions of a help center."""
    draw = Random(f"frequent {seed}")
    site = Site(seed, "helps", seed % 7)
    rows = ""
    for _ in range(draw.randint(2, 6)):
        told = section(draw, "questions", draw.randrange(50))
        rows += f"<h3>{told.title}</h3><p>{told.paragraphs[-1]}</p>"
    return (
        f"<html>{site.head('常见问题_' + site.name)}<body>{site.nav()}<h1>常见问题</h1><div>更新时间：{moment(draw):%Y-%m-%d}</div>"
        f"<div{site.css('body')}>{rows}</div><p>这篇文章有用吗？ 有用 没用</p><p>没有找到答案？我要提问</p>{site.foot()}</body></html>"
    )


def _asking(seed: int) -> str:
    """An article whose title asks, with the site's questions beside it."""
    draw = Random(f"asking {seed}")
    site = Site(seed, "askings", seed % 7)
    _, inner = _article(site, draw)
    title = section(draw, "questions", draw.randrange(50)).title
    rows = "".join(
        f"<li><a href=/q/{i}>{section(draw, 'questions', i).title}</a> {draw.randrange(9)}个回答</li>"
        for i in range(5)
    )
    return (
        f"<html>{site.head(site.tail(title))}<body>{site.nav()}<h1>{title}</h1>{inner}<div>相关问答</div><ul>{rows}</ul>"
        f"<div>我要提问 专家解答 最佳答案</div>{site.side(draw)}{site.foot()}</body></html>"
    )


#: Pages that are no threads, by half.
LOOKALIKES: tuple[dict[str, Callable[[int], str]], ...] = (
    {
        "floors": _commented(lambda i, n, d, x: f"<li><b>{n}</b> {i + 1}楼 {d}<p>{x}</p><a>回复</a> <a>顶</a></li>", "网友评论"),
        "wordpress": _commented(
            lambda i, n, d, x: f'<li class="comment" id="comment-{i}"><div><cite>{n}</cite> 说道：</div><div>{d}</div><p>{x}</p><a>回复</a></li>',
            "评论", "ol",
        ),
        "interview": _interview,
        "english": _english_comments,
        "feed": _feed,
        "frequent": _frequent,
    },
    {
        "board": _commented(lambda i, n, d, x: f"<div class=c><div><a>{n}</a> 发表于 {d}</div><div>{x}</div></div>", "全部留言", "div"),
        "lines": _commented(lambda i, n, d, x: f"#{i + 1} {n}：{x}（{d}）<br>", "读者评论", "div"),
        "table": _commented(lambda i, n, d, x: f"<tr><td>{n}</td><td>{d}<br>{x}</td></tr>", "跟帖", "table"),
        "diary": _diary,
        "asking": _asking,
    },
)  # fmt: skip
