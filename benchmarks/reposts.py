"""Plant reposts: sites that take texts from each other, edit them, and say so in different ways.

Every draw depends on the seed alone.  The pages are HTML, so that finding the source lines is a part of
what is measured.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from html import escape
from pathlib import Path

from topiccrawl.demo.text import compose
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.text.pinyin import syllables

_PLACES = (
    "桂林", "南宁", "泉州", "温州", "江门", "梅州", "汕头", "厦门", "福清", "青田",
    "昆明", "海口", "潮州", "中山", "佛山", "珠海", "湛江", "玉林", "揭阳", "莆田",
    "漳州", "宁德", "丽水", "台山", "开平", "恩平", "文昌", "腾冲", "瑞丽", "东兴",
)  # fmt: skip
_KINDS = "日报 晚报 新闻网 在线 侨报 电视台 都市报 发布 时报 信息港 广播网".split()  # noqa: SIM905
_NATIONAL = (
    ("新华网", "www.news.cn", "新华社"),
    ("人民网", "www.people.com.cn", "人民日报"),
    ("中国新闻网", "www.chinanews.com.cn", "中新社"),
    ("中国侨网", "www.chinaqw.com", "中国侨网"),
    ("央视网", "news.cctv.com", "央视新闻"),
    ("光明网", "news.gmw.cn", "光明日报"),
)
_NOTES = (
    "编者按：本文反映的情况值得关注，现予刊发，供读者参考。",
    "核心提示：以下是详细内容。",
    "【导读】本网编辑整理了这篇报道的主要内容，请看详情。",
    "延伸阅读：更多相关内容请关注本站后续报道。",
    "（声明：本文仅代表作者观点，不代表本站立场。）",
)
_STATED_NAMES = ("og", "title", "copyright", "logo", "none")


@dataclass(frozen=True)
class Site:
    """A site, and how its pages state its name."""

    name: str
    host: str
    named_by: str
    template: int
    medium: str = ""
    """The name under which others cite it."""


@dataclass
class Repost:
    """One planted page."""

    url: str
    site: Site
    story: int
    title: str
    paragraphs: list[str]
    at: datetime
    """When it really was published."""
    parent: Repost | None = None
    named: Site | None = None
    """The site that it names as its origin."""
    stated: str = ""
    """How it does."""
    shown_at: datetime | None = None
    """The publish time that it shows."""
    day_only: bool = False
    fetched_at: datetime = field(default_factory=lambda: datetime.now(CHINA_TIME))
    collected: bool = True
    html: bytes = b""


def texts(
    seed: int, count: int, data: Path, half: int | None = None
) -> list[tuple[str, list[str]]]:
    """Return titles and paragraphs: of the real pages in *data* first, then of the demonstration web.

    *half* (0 or 1) takes every second of the real pages.
    """
    found = []
    for path in sorted(data.glob("*.json")) if data.is_dir() else []:
        page = json.loads(path.read_text("utf-8"))
        lines = [line for line in page["body"].split("\n") if line.strip()]
        title = page["title"][0] if isinstance(page["title"], list) else page["title"]
        if len(page["body"]) >= 300 and title:
            # A dateline of its own would contradict what is planted.
            lines[0] = re.sub(r"^.{0,20}(?:电|讯|消息)[\s：（(]", "", lines[0])
            found.append((str(title), lines))
    found = found if half is None else found[half::2]
    random.Random(seed).shuffle(found)
    for number in range(len(found), count):
        story = compose(seed, "qiaoqing", f"planted-{number}")
        found.append((story.title, list(story.paragraphs)))
    return found[:count]


def make_sites(draw: random.Random, count: int) -> list[Site]:
    """Return national media and *count* invented local sites."""
    sites = [
        Site(name, host, draw.choice(_STATED_NAMES), draw.randrange(4), medium)
        for name, host, medium in _NATIONAL
    ]
    names = [place + kind for place in _PLACES for kind in _KINDS]
    for number, name in enumerate(draw.sample(names, count)):
        parts = syllables(name)
        label = draw.choice(
            ["".join(parts), "".join(part[0] for part in parts), f"site{number}", f"n{number}"]
        )
        # A host that is not spelled like the name: then the pages say what it is.
        ways = _STATED_NAMES if label[:4] not in {"site", f"n{number}"} else _STATED_NAMES[:4]
        sites.append(Site(name, f"www.{label}.cn", draw.choice(ways), draw.randrange(4), name))
    return sites


def plant(seed: int, stories: int, *, data: Path, largest: int = 40) -> list[Repost]:
    """Return the pages of *stories* planted stories, and as many single pages beside them."""
    draw = random.Random(seed)
    sites = make_sites(draw, 60)
    start = datetime(2026, 3, 2, 8, tzinfo=CHINA_TIME)
    pages: list[Repost] = []
    for number, (title, paragraphs) in enumerate(texts(seed, 2 * stories, data)):
        size = min(largest, 2 + int(draw.expovariate(1 / 8))) if number < stories else 1
        cluster: list[Repost] = []
        for site in draw.sample(sites, size):
            at = start + timedelta(minutes=draw.randrange(60 * 24 * 30))
            parent = None
            text, head = list(paragraphs), title
            if cluster:
                parent = cluster[0] if draw.random() < 0.55 else draw.choice(cluster)
                at = parent.at + timedelta(minutes=5 + int(draw.lognormvariate(5, 1.2)))
                text, head = _edited(draw, parent.paragraphs), _retitled(draw, parent.title)
            page = Repost(
                _url(draw, site, len(pages) + len(cluster), at),
                site,
                number,
                head,
                text,
                at,
                parent,
            )
            _state(draw, page, cluster)
            cluster.append(page)
        if size > 3 and draw.random() < 0.1:
            cluster[0].collected = False
        pages.extend(cluster)
    fetched = start + timedelta(days=60)
    for page in pages:
        page.fetched_at = fetched + timedelta(minutes=draw.randrange(10_000))
        _date(draw, page)
        page.html = render(page).encode()
    return pages


def _url(draw: random.Random, site: Site, number: int, at: datetime) -> str:
    forms = (
        f"/{at:%Y-%m/%d}/content_{number}.htm",
        f"/a/{number}.html",
        f"/news/show.php?id={number}",
    )
    return f"http://{site.host}{forms[site.template % 3]}"


def _edited(draw: random.Random, paragraphs: Sequence[str]) -> list[str]:
    text = list(paragraphs)
    if draw.random() < 0.5:
        return text
    for _ in range(draw.randint(1, 2)):
        kind = draw.randrange(5)
        at = draw.randrange(len(text))
        if kind == 0 and len(text) > 4:
            del text[at]
        elif kind == 1:
            text.insert(0, draw.choice(_NOTES[:3]))
        elif kind == 2:
            text.append(draw.choice(_NOTES[3:]))
        elif kind == 3:
            sentences = text[at].split("。")
            if len(sentences) > 3:
                del sentences[draw.randrange(len(sentences) - 1)]
                text[at] = "。".join(sentences)
        else:
            text[at] = text[at].replace("，", "、", 1).replace("的", "之", 1).replace("了", "", 1)
    return text


def _retitled(draw: random.Random, title: str) -> str:
    form = draw.choice(["{}"] * 6 + ["快讯：{}", "{}（图）", "【关注】{}"])
    return form.format(title)


def _state(draw: random.Random, page: Repost, cluster: Sequence[Repost]) -> None:
    """Let *page* say where it has the text from, or that it is its own."""
    if page.parent is None:
        page.stated = draw.choice(["", "", "own", "self", "dateline", "reporter"])
        return
    chance = draw.random()
    if chance < 0.3:
        return
    page.named = (page.parent if chance < 0.8 else cluster[0]).site
    page.stated = draw.choice(
        ["line", "line", "line", "line-link", "line-home", "line-compound", "wechat", "domain", "tail",
         "tail-quoted", "head", "report", "manuscript", "excerpted", "original-link", "traditional"]
    )  # fmt: skip


def _date(draw: random.Random, page: Repost) -> None:
    page.day_only = draw.random() < 0.35
    chance = draw.random()
    if chance < 0.1:
        return
    page.shown_at = page.at
    if chance < 0.15:
        wrong = draw.choice(
            [timedelta(days=-400), timedelta(days=-3), timedelta(hours=-8), timedelta(days=5)]
        )
        page.shown_at = page.at + wrong


def render(page: Repost) -> str:
    """Return the HTML of *page* in the template of its site."""
    site = page.site
    line, before, after = _statement(page)
    body = [*before, *page.paragraphs, *after]
    if page.parent is None and page.stated == "dateline":
        place = "北京" if site.name[:2] not in _PLACES else ""
        body[0] = f"{site.medium}{place}{page.at.month}月{page.at.day}日电 {body[0]}"
    elif page.parent is None and page.stated == "reporter":
        body[-1] += f"（{site.medium}记者 王小明）"
    when = ""
    if page.shown_at:
        form = (
            "%Y-%m-%d" if page.day_only else "%Y-%m-%d %H:%M",
            "%Y年%m月%d日" if page.day_only else "%Y年%m月%d日 %H:%M",
        )
        when = page.shown_at.strftime(form[site.template % 2])
    meta = f'<meta property="og:site_name" content="{site.name}">' if site.named_by == "og" else ""
    tail = ("_" if site.template % 2 else " - ") + site.name if site.named_by == "title" else ""
    logo = (
        f'<a href="/"><img src="/logo.png" alt="{site.name}"></a>'
        if site.named_by == "logo"
        else '<a href="/">首页</a>'
    )
    owner = f"版权所有：{site.name}" if site.named_by == "copyright" else "网站地图"
    text = "\n".join(
        f"<p>　　{paragraph if paragraph.startswith('<') else escape(paragraph)}</p>"
        for paragraph in body
    )
    others = "".join(
        f'<li><a href="/a/{n}.html">其他新闻标题之{n}：各地开展活动</a></li>' for n in range(8)
    )
    byline = (
        f"<span>{when}</span> <span>{line}</span>",
        f"{when}　{line}　责任编辑：李四",
        f"<em>{line}</em><em>{when}</em>",
        f"发布时间：{when} {line} 浏览次数：123",
    )[site.template]
    return f"""<html><head><title>{escape(page.title)}{tail}</title>{meta}</head><body>
<div class="nav">{logo}<a href="/news/">新闻</a><a href="/qw/">侨务</a></div>
<div class="main"><h1>{escape(page.title)}</h1><div class="info">{byline}</div>
<div class="content">{text}</div></div>
<div class="related"><h3>相关新闻</h3><ul>{others}</ul></div>
<div class="footer">{owner} 地址：某市某路1号</div></body></html>"""


def _statement(page: Repost) -> tuple[str, list[str], list[str]]:
    """Return the source in the by-line, and lines before and after the text."""
    if page.named is None:
        return {"own": "来源：本站", "self": f"来源：{page.site.name}"}.get(page.stated, ""), [], []
    name, host = page.named.medium, page.named.host
    source = page.parent if page.parent and page.parent.site is page.named else None
    url = source.url if source else f"http://{host}/"
    lines = {
        "line": f"来源：{name}",
        "line-link": f'来源：<a href="{url}">{name}</a>',
        "line-home": f'来源：<a href="http://{host}/">{name}</a>',
        "line-compound": f"来源：{page.named.name}-{name}"
        if name != page.named.name
        else f"文章来源：{name}",
        "wechat": f"来源：“{name}”微信公众号",
        "domain": f"来源：{host}",
        "manuscript": f"稿源：{name}",
        "traditional": f"來源：{name}",
    }
    if page.stated in lines:
        return lines[page.stated], [], []
    if page.stated == "head":
        return "", [f"本文转自：{name}"], []
    if page.stated == "report":
        return "", [f"据{name}{page.at.month}月{page.at.day}日报道，以下为全文。"], []
    after = {
        "tail": f"（来源：{name}）",
        "tail-quoted": f"本文转载自《{name}》",
        "excerpted": f"（摘自《{name}》）",
        "original-link": f'<a href="{url}">原文链接</a>（转自{name}）',
    }
    return "", [], [after[page.stated]]
