"""Sites that generate pages without end, one kind of trap on each host, beside a good site."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.http import Response

from tests.support.small_web import ON_TOPIC, SmallWeb, link, page, response

HUB = "http://www.mulu.example/"
GOOD = "http://www.qiao.example/"
GOOD_PAGES = 60
#: Links on each page of a trap.
_LINKS = 8
_TEXT = (
    "侨务 侨联 归侨 侨眷 华侨 华人 侨乡 侨胞 社团 华校 华文 侨资 侨捐 侨批 侨史 "
    "海外 学校 会长 座谈 走访 村镇 老人 青年 项目 资金 博物馆 图书 音乐 舞蹈 端午"
    " 中秋 春节 农历 港口 轮船 橡胶 锡矿 家书 祠堂 骑楼 教师 学生 课堂 比赛 奖学"
    "金 医院 医生 义诊 法律 权益 条例 会议 报告 记者 摄影 展览 档案 研究 学者 大"
    "学"
)
_WORDS = _TEXT.split()


def article(number: int) -> str:
    """About 300 characters that no other number has, on the topic."""
    drawn = random.Random(number)
    sentences = ["".join(drawn.choices(_WORDS, k=8)) + "。" for _ in range(16)]
    return f"{ON_TOPIC}{''.join(sentences)}"


def _html(title: str, body: str, urls: list[str], anchor: str) -> bytes:
    menu = "".join(f"<li>{name}</li>" for name in ("首页", "侨务要闻", "华文教育", "联系我们"))
    links = "".join(link(url, f"{anchor}{i}") for i, url in enumerate(urls))
    return page(title, body, f"<ul>{menu}</ul>{links}<p>版权所有 归国华侨联合会</p>")


def _number(url: str) -> int:
    digits = "".join(c for c in urlsplit(url).path if c.isdigit())
    return int(digits or 0) % 10**9


def duplicates(url: str) -> bytes:
    """Five articles on the topic under any number."""
    n = _number(url)
    urls = [f"/d/{n * _LINKS + i + 1}.html" for i in range(_LINKS)]
    return _html(f"侨务要闻之{'甲乙丙丁戊'[n % 5]}篇", article(n % 5), urls, "侨务要闻")


def empty_calendar(url: str) -> bytes:
    """Months of the past and of the future without an event."""
    parts = urlsplit(url).path.strip("/").split("/")
    year, month = (int(parts[1]), int(parts[2])) if len(parts) > 2 else (2026, 11)
    at = year * 12 + month - 1
    urls = [f"/rl/{(at + d) // 12}/{(at + d) % 12 + 1}/" for d in (-60, -12, -2, -1, 1, 2, 12, 60)]
    return _html("侨务活动日历", f"{year}年{month}月没有侨务活动。", urls, "侨务活动")


def query_calendar(url: str) -> bytes:
    """The same with the day as a number that no rule knows."""
    day = int(urlsplit(url).query.partition("=")[2] or 20_000)
    urls = [f"/huodong?d={day + step}" for step in (-365, -31, -7, -1, 1, 7, 31, 365)]
    return _html("侨务活动", f"第{day}天，今日没有侨务活动，请选择其他日期。", urls, "侨务活动")


def growing_path(url: str) -> bytes:
    """Relative links that make each path longer, in changing order."""
    path = urlsplit(url).path.rstrip("/")
    urls = [f"{path}/{name}/" for name in ("qiao", "xinwen", "hr", "lianxi")]
    return _html("侨务栏目", "侨务栏目正在建设中，欢迎侨胞来稿。", urls, "侨务")


def more_parameters(url: str) -> bytes:
    """Each link adds a parameter."""
    query = urlsplit(url).query
    urls = [f"/list.php?{query}&f{query.count('=')}{c}=1" for c in "abcdefgh"]
    return _html("侨务列表", "侨务列表：侨联座谈会，华校毕业礼，侨捐项目表。", urls, "侨务列表")


def sessions(url: str) -> bytes:
    """Twenty articles under a new session id in each link."""
    parts = urlsplit(url).path.strip("/").split("/")
    n = _number(parts[-1])
    ids = [hashlib.md5(f"{url}{i}".encode()).hexdigest()[:12] for i in range(_LINKS)]
    urls = [f"/s/{session}/n{(n + i) % 20}.html" for i, session in enumerate(ids)]
    return _html(f"侨讯第{n % 20}号", article(100 + n % 20), urls, "侨讯")


def facets(url: str) -> bytes:
    """Ten items in any order and selection."""
    at = random.Random(url)
    names = ("sort", "view", "color", "from", "size")
    urls = [
        "/shop?" + "&".join(f"{name}={at.randrange(50)}" for name in names[: at.randrange(1, 6)])
        for _ in range(_LINKS)
    ]
    items = [f"侨乡特产{c}" for c in "甲乙丙丁戊己庚辛壬癸"]
    at.shuffle(items)
    return page("侨乡特产", "", "".join(f"<p>{it}，侨胞喜爱的家乡味道，产地直送。</p>" for it in items)
                + "".join(link(it, "侨乡特产") for it in urls))  # fmt: skip


def login(url: str) -> bytes:
    """Every address asks to log in."""
    n = int(hashlib.md5(url.encode()).hexdigest()[:6], 16)
    urls = [f"/bbs/{'abcdefgh'[i]}{n + i}" for i in range(_LINKS)]
    return _html("侨胞论坛", "侨胞论坛：请先登录，再浏览华侨华人的讨论。", urls, "华侨讨论")


def echo(url: str) -> bytes:
    """A page that says its own address, with a random name in each link."""
    path = urlsplit(url).path
    names = [hashlib.md5(f"{url}{i}".encode()).hexdigest()[:6] for i in range(_LINKS)]
    names = ["".join("abcdefghij"[int(c, 16) % 10] for c in name) for name in names]
    text = f"侨务网找不到您要的网页 {path} 。请从首页重新查找侨务信息，或与侨联联系。"
    return _html("侨务网", text, [f"/p/{name}/" for name in names], "侨务")


def mirrors(url: str) -> bytes:
    """The same thirty articles in any folder."""
    parts = urlsplit(url).path.strip("/").split("/")
    n = _number(parts[-1]) % 30
    folder = hashlib.md5(url.encode()).hexdigest()[:4]
    folder = "".join("klmnopqrst"[int(c, 16) % 10] for c in folder)
    urls = [f"/{folder}/a{(n + i) % 30}.html" for i in range(_LINKS)]
    return _html(f"华校故事之{n}", article(200 + n), urls, "华校故事")


#: What a host answers, by the name of the trap.
TRAPS: dict[str, Callable[[str], bytes]] = {
    f.__name__.replace("_", "-"): f
    for f in (
        duplicates, empty_calendar, query_calendar, growing_path, more_parameters, sessions, facets,
        login, echo, mirrors,
    )
}  # fmt: skip


def good(url: str) -> bytes:
    """A site of 60 different articles: an archive by month, ten articles each."""
    parts = urlsplit(url).path.strip("/").split("/")
    if len(parts) < 2:
        months = [f"/{2010 + m // 12}/{m % 12 + 1:02}/" for m in range(GOOD_PAGES // 10)]
        return _html("侨务网", "侨务网，海外侨胞之家。", months, "侨务月报")
    number = (int(parts[0]) - 2010) * 120 + (int(parts[1]) - 1) * 10
    if len(parts) == 2:
        urls = [f"{url}{number + i}.html" for i in range(10)]
        titles = "，".join(article(1_000 + number + i)[60:75] for i in range(10))
        return _html(f"侨务月报{number}", titles, urls, "侨务")
    number = _number(parts[-1])
    return _html(f"{article(1_000 + number)[60:75]}", article(1_000 + number), [], "")


class TrapWeb(SmallWeb):
    """The hub links to the good site and to each trap; a host answers to every address."""

    def __init__(self, names: list[str]) -> None:
        super().__init__({})
        self.names = names

    def answer(self, request: Request) -> Response:
        if request.url.endswith("/robots.txt"):
            return response(request.url, b"", content_type="text/plain")
        self.asked.append(request.url)
        host = urlsplit(request.url).hostname or ""
        name = host.removeprefix("www.").removesuffix(".example")
        if request.url == HUB:
            sites = [GOOD, *(f"http://www.{name}.example/" for name in self.names)]
            return response(HUB, _html("侨务目录", ON_TOPIC, sites, "侨务网站"))
        return response(
            request.url, good(request.url) if name == "qiao" else TRAPS[name](request.url)
        )

    def fetched(self, name: str) -> int:
        """Return how many requests the host of a trap got."""
        return sum(url.startswith(f"http://www.{name}.example/") for url in self.asked)
