"""Fill templates: names of sites, navigation, lists of hot articles, identifiers."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from topiccrawl.page.notcontent import NotContentKind


@dataclass(frozen=True, slots=True)
class Template:
    """A page without content, with placeholders."""

    name: str
    kind: NotContentKind
    html: str
    status: int = 200
    path: str = "/content/2023/{n}.html"


@dataclass(frozen=True, slots=True)
class Made:
    """A made page."""

    template: str
    kind: NotContentKind
    url: str
    status: int
    body: bytes
    charset: str


_SITES: Final = (
    "华夏侨报", "江海晚报", "云岭教育网", "闽南论坛", "北方财经", "青禾问答", "海丝书院", "东湖社区", "三江新闻网",
    "岭南博客", "中原数据库", "天府文摘", "科普之窗", "木棉文学", "蓝鲸快讯", "Harbor Review", "Techline", "Open Notes",
)  # fmt: skip
#: Names of channels.
CHANNELS: Final = (
    "首页", "新闻", "国内", "国际", "财经", "侨务", "文化", "教育", "科技", "体育", "娱乐", "视频", "图片", "专题",
    "评论", "论坛", "博客", "健康", "旅游", "房产", "汽车", "军事", "历史", "读书", "关于我们", "联系我们",
)  # fmt: skip
#: Headlines of other articles.
HOT: Final = (
    "侨乡古厝修缮工程启动 老华侨捐赠族谱", "今年前三季度外贸进出口稳中有升", "三甲医院专家谈秋冬呼吸道疾病预防",
    "本市地铁五号线年底试运行", "华文教师培训班在泉州开班", "高校毕业生就业服务季启动", "一图读懂新版社保政策",
    "非遗传承人走进校园", "海外侨胞回乡投资座谈会举行", "气象台发布大风蓝色预警", "专家解读个税新规",
    "老街改造后游客增加三成", "农产品直播带货节开幕", "科学家发现新的深海物种", "双创周主会场活动今日开幕",
)  # fmt: skip


def fill(template: Template, rng: Random) -> Made:
    """Return *template* with its placeholders filled."""
    site = rng.choice(_SITES)
    host = f"www.{rng.choice(('qb', 'news', 'bbs', 'data', 'edu'))}{rng.randint(10, 999)}.example"
    number = rng.randint(10_000, 9_999_999)
    values = {
        "site": site,
        "host": host,
        "n": str(number),
        "ip": ".".join(str(rng.randint(1, 250)) for _ in range(4)),
        "id": f"{rng.getrandbits(64):016x}",
        "time": f"2023-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d} {rng.randint(10, 23)}:30:00",
        "s": str(rng.randint(3, 15)),
        "nav": link_items(rng, CHANNELS, rng.randint(4, 20)),
        "hot": link_items(rng, HOT, rng.randint(3, 14)),
        "foot": f"Copyright © 2005-2023 {site} 版权所有 京ICP备{number}号-1",
        "junk": "".join(
            f"var _{rng.getrandbits(32):x}={rng.random()};" for _ in range(rng.randint(2, 40))
        ),
    }
    values["url"] = f"http://{host}{_filled(template.path, values)}"
    charset = rng.choice(("utf-8", "utf-8", "gb18030"))
    html = _filled(template.html, values)
    head = f'<meta charset="{charset}">'
    html = html.replace("<head>", f"<head>{head}", 1) if "<head>" in html else head + html
    body = html.encode(charset, "replace")
    return Made(template.name, template.kind, values["url"], template.status, body, charset)


def link_items(rng: Random, words: tuple[str, ...], most: int) -> str:
    """Return list items with links to at most *most* of *words*."""
    chosen = rng.sample(words, min(most, len(words)))
    return "".join(f'<li><a href="/c/{rng.randint(1, 99999)}.html">{it}</a></li>' for it in chosen)


def _filled(text: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text
