"""A site of 100 pages of which 20 show their content in a browser only, built in five ways."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field

from tests.support.loopback_sites import Answer

#: Words that make texts different, so that no page is taken for a copy of another.
_PLACES = [
    "温州", "青田", "文成", "瑞安", "福清", "长乐", "晋江", "石狮", "南安", "安溪", "永春", "台山", "开平", "恩平",
    "新会", "梅县", "大埔", "潮州", "揭阳", "汕头", "海口", "文昌", "琼海", "容县", "北流", "防城港", "腾冲", "瑞丽",
    "盈江", "荣成", "文登", "莱阳", "日照", "诸城", "高密", "潍坊", "平度", "胶州", "即墨", "莱西",
]  # fmt: skip
_PEOPLE = "陈林黄张李王吴刘蔡杨许郑谢郭洪曾邱廖赖徐周叶苏庄江吕何罗高萧潘朱"
_DEEDS = (
    "捐建图书馆", "回乡祭祖", "举办联谊会", "开设华文学校", "修缮宗祠", "成立同乡会", "投资建厂", "编写族谱",
    "设立奖学金", "赠送医疗设备", "组织夏令营", "参加恳亲大会", "主办书画展", "签订合作协议",
)  # fmt: skip


def title(n: int) -> str:
    """The title of article *n*."""
    return f"{_PEOPLE[n % 32]}氏侨胞在{_PLACES[n % 40]}{_DEEDS[n % 14]}第{n}号"


def text(n: int) -> str:
    """The text of article *n*: on the topic, and unlike the others."""
    parts = []
    for step in range(6):
        place, deed = _PLACES[(n * 7 + step * 11) % 40], _DEEDS[(n * 5 + step * 3) % 14]
        other = _PLACES[(n * 13 + step * 17 + 5) % 40]
        who = _PEOPLE[(n * 3 + step * 5) % 32]
        parts.append(
            f"{who}姓华侨{(n * 37 + step * 101) % 900 + 100}人来到{place}{deed}，"
            f"{other}侨联与归侨侨眷{(n * 53 + step * 29) % 80 + 10}户座谈，了解海外侨胞的需要。"
        )
    return "".join(parts)


def _page(name: str, body: str, head: str = "") -> Answer:
    start = f"<!doctype html><html><head><meta charset=utf-8><title>{name}</title>{head}</head>"
    return Answer(f"{start}<body>{body}</body></html>".encode())


def _links(numbers: list[int], address: str) -> str:
    return "".join(f'<li><a href="{address.format(n)}">{title(n)}</a></li>' for n in numbers)


_NAV = (
    '<div class="nav"><a href="/">首页</a><a href="/list.html">侨界动态</a><a href="/about.html">关于侨联</a>'
    '<a href="/contact.html">联系我们</a><a href="/map.html">网站地图</a><a href="/law.html">侨务法规</a></div>'
)


@dataclass
class ScriptWeb:
    """Answers by path; counts what was asked."""

    plain: range = range(80)
    needing: range = range(80, 100)
    asked: Counter[str] = field(default_factory=Counter)

    def __call__(self, path: str) -> Answer:
        """Return the answer for *path*."""
        self.asked[path] += 1
        bare = path.partition("?")[0]
        if bare == "/":
            plain = _links(list(self.plain), "/plain/{}.html")
            return _page(
                "侨界网", f"{_NAV}<ul>{plain}{self._entries()}</ul><script src=/count.js></script>"
            )
        if bare == "/count.js":
            return Answer(b"window.counted = 1;", headers={"Content-Type": "text/javascript"})
        folder, _, name = bare.strip("/").partition("/")
        number = int("".join(filter(str.isdigit, name)) or -1)
        make = getattr(self, f"_{folder}", None)
        return (
            Answer(status=404)
            if make is None or (number < 0 and folder != "hash")
            else make(number)
        )

    def _entries(self) -> str:
        n = list(self.needing)
        return (
            _links(n[0:4], "/react/{}")
            + _links(n[4:8], "/news/{}.html")
            + _links(n[8:12], "/written/{}.html")
            + _links(n[12:16], "/asks/{}.html")
            + _links(n[16:20], "/hash/#/article/{}")
        )

    def _plain(self, n: int) -> Answer:
        body = f"{_NAV}<h1>{title(n)}</h1><div class=text><p>{text(n)}</p></div><script src=/count.js></script>"
        return _page(title(n), body)

    def _react(self, n: int) -> Answer:
        return _page(
            "侨界网", '<div id="root"></div><script type="module" src="/static/react.js"></script>'
        )

    def _news(self, n: int) -> Answer:
        script = (
            "fetch('/api/' + location.pathname.match(/\\d+/)[0]).then(r => r.json()).then(a => {"
            "document.querySelector('#content').innerHTML = '<h1>' + a.title + '</h1><p>' + a.text + '</p>'})"
        )
        return _page("新闻", f'{_NAV}<div id="content">加载中…</div><script>{script}</script>')

    def _written(self, n: int) -> Answer:
        data = json.dumps(f"<h1>{title(n)}</h1><p>{text(n)}</p>")
        return _page("文章", f"<script>document.write({data})</script>")

    def _asks(self, n: int) -> Answer:
        return _page(
            "应用",
            "<noscript>您需要启用 JavaScript 才能运行此应用。</noscript><app-main></app-main>"
            '<script src="/static/asks.js"></script>',
        )

    def _hash(self, n: int) -> Answer:
        return _page("路由", '<div id="app"></div><script src="/static/hash.js"></script>')

    def _api(self, n: int) -> Answer:
        data = json.dumps({"title": title(n), "text": text(n)}, ensure_ascii=False)
        return Answer(data.encode(), headers={"Content-Type": "application/json"})

    def _static(self, n: int) -> Answer:
        return Answer(status=404)


#: Scripts by path.
SCRIPTS = {
    "/static/react.js": (
        "const n = location.pathname.match(/\\d+/)[0];"
        "const r = await fetch('/api/' + n); const a = await r.json();"
        "document.title = a.title; const h = document.createElement('h1'); h.textContent = a.title;"
        "const p = document.createElement('p'); p.textContent = a.text;"
        "document.getElementById('root').append(h, p);"
    ),
    "/static/asks.js": (
        "setTimeout(() => { const x = new XMLHttpRequest();"
        "x.open('GET', '/api/' + location.pathname.match(/\\d+/)[0]);"
        "x.onload = () => { const a = JSON.parse(x.responseText); document.title = a.title;"
        "document.querySelector('app-main').innerHTML = '<h1>' + a.title + '</h1><p>' + a.text + '</p>'; };"
        "x.send(); }, 300);"
    ),
    "/static/hash.js": (
        "const show = () => { const m = location.hash.match(/\\d+/);"
        "if (!m) { document.getElementById('app').innerHTML = '<p>首页</p>'; return; }"
        "fetch('/api/' + m[0]).then(r => r.json()).then(a => { document.title = a.title;"
        "document.getElementById('app').innerHTML = '<h1>' + a.title + '</h1><p>' + a.text + '</p>'; }); };"
        "addEventListener('hashchange', show); show();"
    ),
}


def served(web: ScriptWeb, path: str) -> Answer:
    """Return the answer of the site, its scripts included."""
    if path in SCRIPTS:
        web.asked[path] += 1
        return Answer(
            SCRIPTS[path].encode(), headers={"Content-Type": "text/javascript; charset=utf-8"}
        )
    return web(path)
