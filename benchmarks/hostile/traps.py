"""Sites without end."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from benchmarks.hostile.answers import http, in_page, on_topic
from benchmarks.hostile.behavior import Asked, page, raw

Links = Iterable[tuple[str, str]]


def trap(name: str, about: str) -> Callable[[Callable[[Asked], Links]], Callable[[Asked], Links]]:
    """Declare a site by the links of each of its pages; each page has a text of its own."""

    def declare(make: Callable[[Asked], Links]) -> Callable[[Asked], Links]:
        page(name, about)(lambda asked: on_topic(f"{name} {asked.name}{asked.path}", make(asked)))
        return make

    return declare


def _number(asked: Asked) -> int:
    digits = "".join(c for c in asked.path if c.isdigit())
    return int(digits[-9:] or 0)


@trap("calendar-future", "a calendar by month into the future")
def _future(asked: Asked) -> Links:
    month = _number(asked) or 12 * 2026
    return [(f"/calendar?y={(month + 1) // 12}&m={(month + 1) % 12 + 1}&n={month + 1}", "下月侨务")]


@trap("calendar-past", "a calendar by day into the past")
def _past(asked: Asked) -> Links:
    day = _number(asked) or 20261122
    year, month, date = day // 10_000, day // 100 % 100, day % 100
    if date > 1:
        date -= 1
    elif month > 1:
        month, date = month - 1, 28
    else:
        year, month, date = year - 1, 12, 28
    return [(f"/events/{year:04d}{month:02d}{date:02d}", "前一天侨务")]


@trap("growing-path", "relative links that make the path longer")
def _growing_path(asked: Asked) -> Links:
    return [(f"{asked.path}{name}/", "侨务") for name in ("news", "qiao", "a")]


@trap("growing-query", "links that make the query longer")
def _growing_query(asked: Asked) -> Links:
    mark = "&" if "?" in asked.path else "?"
    return [(f"{asked.path}{mark}{name}={asked.number}", "侨务") for name in "abc"]


@trap("session-in-path", "a new session id in each link's path")
def _session_path(asked: Asked) -> Links:
    return [
        (f"/s{asked.number:08x}{i}/news/{i}.html;jsessionid={asked.number}", "侨务")
        for i in range(10)
    ]


@trap("session-in-query", "a new session id in each link's query")
def _session_query(asked: Asked) -> Links:
    return [(f"/news/{i}.html?sid={asked.number:032x}", "侨务") for i in range(10)]


@page("duplicates", "five texts under endless addresses")
def _duplicates(asked: Asked) -> str:
    links = [(f"/{asked.number * 10 + i}.html", f"侨务{i}") for i in range(10)]
    return on_topic(f"第{asked.number % 5}期", links)


@page("near-duplicates", "texts that differ in a number")
def _near(asked: Asked) -> str:
    links = [(f"/{asked.number * 10 + i}.html", f"侨务{i}") for i in range(10)]
    return on_topic(f"第{asked.number}期", links, key="same")


@page("titles-of-their-own", "one text with endless titles")
def _titles(asked: Asked) -> str:
    links = [(f"/a{asked.number * 10 + i}", f"侨务{i}") for i in range(10)]
    return on_topic(
        f"{chr(0x4E00 + asked.number * 7 % 20_000) * 6}{asked.number}", links, key="same"
    )


@trap("spam-without-end", "unique pages on the topic without end")
def _spam(asked: Asked) -> Links:
    return [(f"/spam/{asked.number}/{i}.html", f"侨务侨领第{asked.number}{i}期") for i in range(20)]


@trap("link-farm", "100,000 links in a page")
def _farm(asked: Asked) -> Links:
    return [(f"/farm/{_number(asked)}/{i}.html", f"侨务{i}") for i in range(100_000)]


@trap("host-farm", "100,000 links to as many names that all exist")
def _host_farm(asked: Asked) -> Links:
    return [(asked.url("/", f"h{i}.host-farm.example"), f"侨务{i}") for i in range(100_000)]


@trap("wildcard-hosts", "each page links to fifty new names on the same address")
def _wildcard(asked: Asked) -> Links:
    return [
        (asked.url("/", f"w{asked.number}-{i}.wildcard-hosts.example"), "侨务") for i in range(50)
    ]


@trap("deep-hosts", "names that grow")
def _deep_hosts(asked: Asked) -> Links:
    return [(asked.url("/", f"{label}.{asked.name}"), "侨务") for label in ("a", "www")]


@trap("ports", "links to all ports of the host")
def _ports(asked: Asked) -> Links:
    return [(f"http://{asked.name}:{port}/", "侨务") for port in range(asked.port, asked.port + 50)]


@trap("spellings", "the same page under many spellings of its address")
def _spellings(asked: Asked) -> Links:
    n = asked.number
    return [
        (f"/News/{n}", "侨务"), (f"/news/{n}", "侨务"), (f"/NEWS/{n}/", "侨务"), (f"//news//{n}", "侨务"),
        (f"/./news/../news/{n}", "侨务"), (f"/news/%{ord('a') + n % 26:x}{n}", "侨务"),
        (f"/news/{n}?", "侨务"), (f"/news/{n}?a=&b={n}", "侨务"), (f"/news/{n}#{n}", "侨务"),
        (asked.url(f"/news/{n}", f"{asked.name}."), "侨务"), (f"/news/{n}%20", "侨务"),
        (asked.url(f"/news/{n}", asked.name.upper()), "侨务"),
    ]  # fmt: skip


@trap("facets", "filters in every order")
def _facets(asked: Asked) -> Links:
    sizes = ("red", "blue", "big", "small", "new", "old", "侨务")
    return [(f"{asked.path.rstrip('/')}/{size}", "侨务") for size in sizes]


@trap("pagination", "pages of a list without end")
def _pagination(asked: Asked) -> Links:
    return [(f"/list?page={_number(asked) + 1}", "下一页"), (f"/list/{_number(asked) + 2}", "侨务")]


@trap("relative-growth", "relative links without slash behind a directory")
def _relative(asked: Asked) -> Links:
    return [("x/index.html/../y/", "侨务"), ("侨务/", "侨务"), ("./侨/./", "侨务")]


@trap("long-addresses", "addresses of 100 KB")
def _long(asked: Asked) -> Links:
    return [(f"/{chr(97 + i) * 100_000}", "侨务") for i in range(20)]


@trap("random-names", "addresses without any pattern")
def _random(asked: Asked) -> Links:
    return [(f"/{hash((asked.number, i)) & 0xFFFFFFFFFFFF:x}", "侨务") for i in range(10)]


@raw("soft-404", "every address exists and says that it does not")
def _soft(asked: Asked) -> bytes:
    links = "".join(f"<a href='/x{asked.number}-{i}'>侨务</a>" for i in range(10))
    return http(in_page(links, title="404 页面不存在"))
