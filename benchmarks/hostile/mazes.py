"""More sites without end: links that only a server invents, redirects and refreshes among them."""

from __future__ import annotations

import itertools
import random
from urllib.parse import quote

from benchmarks.hostile.answers import http, in_page, on_topic, redirect
from benchmarks.hostile.behavior import Asked, raw
from benchmarks.hostile.traps import Links, trap


def _draw(asked: Asked) -> random.Random:
    return random.Random(f"{asked.path}")


@trap("maze-query-orders", "the same parameters in every order")
def _orders(asked: Asked) -> Links:
    pairs = ("a=1", "b=2", "c=3", "d=4", "e=5")
    orders = itertools.islice(itertools.permutations(pairs), asked.number, asked.number + 20)
    return [(f"/list?{'&'.join(order)}", "侨务") for order in orders]


@trap("maze-empty-parameters", "parameters without a value, one more each time")
def _empty(asked: Asked) -> Links:
    return [(f"/list?{'&'.join(f'x{i}' for i in range(asked.number + n))}", "侨务") for n in (1, 2)]


@trap("maze-matrix", "parameters behind semicolons")
def _matrix(asked: Asked) -> Links:
    return [(f"{asked.path.rstrip('/')};v={asked.number};t={i}", "侨务") for i in range(5)]


@trap("maze-slashes", "one more slash each time")
def _slashes(asked: Asked) -> Links:
    return [(f"{asked.path}/", "侨务"), (f"/{asked.path}", "侨务"), (f"{asked.path}//x", "侨务")]


@trap("maze-escapes", "escapes of escapes")
def _escapes(asked: Asked) -> Links:
    return [(quote(asked.path or "/", safe="/") + "%25", "侨务"), (f"/%2561{asked.number}", "侨务")]


@trap("maze-return", "a login that returns to a login that returns")
def _return(asked: Asked) -> Links:
    return [(f"/login?return={quote(asked.path, safe='')}", "登录侨务")]


@trap("maze-calendar-wide", "calendars of years from -9999 to 10^12")
def _calendar(asked: Asked) -> Links:
    years = (-9999, 0, 1, 1582, 9999, 10**6, 10**12)
    return [(f"/events/{year + asked.number}/{asked.number % 12 + 1}/", "侨务") for year in years]


@trap("maze-dates", "archives by day, hour and minute")
def _dates(asked: Asked) -> Links:
    n = asked.number
    return [
        (f"/{2000 + n % 26}/{n % 12 + 1:02d}/{d:02d}/{n % 24:02d}/{d}/", "侨务")
        for d in range(1, 9)
    ]


@trap("maze-search", "searches for the words of searches")
def _search(asked: Asked) -> Links:
    draw = _draw(asked)
    words = [chr(draw.randrange(0x4E00, 0x9FA5)) * 2 for _ in range(10)]
    return [(f"/search?q={quote(word)}", f"搜索{word}") for word in words]


@trap("maze-tags", "tags of tags under paths of Chinese")
def _tags(asked: Asked) -> Links:
    draw = _draw(asked)
    return [(f"/tag/侨{chr(draw.randrange(0x4E00, 0x9FA5))}/{i}", "侨务") for i in range(10)]


@trap("maze-base", "each page has a base of its own")
def _base(asked: Asked) -> Links:
    return [(f"x{asked.number}/y.html", "侨务"), (f"?n={asked.number}", "侨务")]


@trap("maze-hosts-random", "random names without a pattern, one label deep")
def _hosts(asked: Asked) -> Links:
    names = (f"{_draw(asked).getrandbits(60):x}-{i}.maze-hosts-random.example" for i in range(20))
    return [(asked.url("/", name), "侨务侨领") for name in names]


@raw("maze-redirect-session", "every address without a session leads to one with a new session")
def _session(asked: Asked) -> bytes:
    if "sid=" not in asked.path:
        return redirect(f"{asked.path}?sid={random.Random(asked.number).getrandbits(64):x}")
    links = [(f"/news/{asked.number}-{i}.html", "侨务") for i in range(10)]
    return http(on_topic(f"session {asked.path}", links))


@raw("maze-redirect-hosts", "a redirect loop over a hundred names")
def _round(asked: Asked) -> bytes:
    step = (asked.number + 1) % 100
    return redirect(asked.url("/", f"r{step}.maze-redirect-hosts.example"), "301 Moved")


@raw("maze-refresh", "pages on the topic that refresh to the next one")
def _refresh(asked: Asked) -> bytes:
    body = on_topic(f"refresh {asked.number}")
    head = f'<head><meta http-equiv="refresh" content="0;url=/r{asked.number}">'
    return http(body.replace("<head>", head))


@raw("maze-script", "pages that lead on by script only")
def _script(asked: Asked) -> bytes:
    return http(in_page(f"<script>location.href='/s{asked.number}'</script>"))


@raw("maze-canonical", "each page names another one as its canonical address")
def _canonical(asked: Asked) -> bytes:
    canonical = f'<link rel="canonical" href="/c{asked.number}">'
    links = "".join(f'<a href="/c{asked.number}-{i}">侨务</a>' for i in range(10))
    return http(in_page(links, canonical, f"侨务{asked.number}"))


@raw("maze-next", "rel=next, amphtml, alternate and prev to new addresses")
def _next(asked: Asked) -> bytes:
    rels = ("next", "prev", "alternate", "amphtml", "start", "canonical", "shortlink")
    head = "".join(f'<link rel="{rel}" href="/{rel}/{asked.number}">' for rel in rels)
    return http(
        in_page(f"<a rel=next href='/n{asked.number}'>下一页</a>", head, f"侨{asked.number}")
    )


@raw("maze-soft-redirect", "the same front page for every address")
def _front(asked: Asked) -> bytes:
    return http(
        on_topic("front", [(f"/{i}/{asked.number}", f"侨务{i}") for i in range(10)], "front")
    )
