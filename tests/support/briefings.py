"""Stories and pages for tests of briefings, harmless and hostile ones."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.support.reporting_store import make_page
from topiccrawl.briefing.model import Briefing
from topiccrawl.briefing.proposal import Candidate, propose
from topiccrawl.store.records import PageRecord

NOW = datetime(2024, 5, 8, 2, tzinfo=UTC)

#: Texts with which strangers attack files and those who open them.
ATTACKS = (
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "</title><svg onload=alert(1)>",
    "=cmd|' /C calc'!A0",
    "=HYPERLINK(\"http://evil.example/\",\"x\")",
    "+SUM(1+1)*cmd|' /C calc'!A0",
    "＝WEBSERVICE(\"http://evil.example\")",
    "\x1b[2J\x1b]0;owned\x07\x9b31m",
    "\u202egpj.exe\u2066 \u200f",
    "{{7*7}} {% raw %} ${7*7} <%= 7 %>",
    "[x](javascript:alert(1)) ![](http://evil.example/a.png)",
    "www.evil.example https://evil.example <https://evil.example>",
    "| a | b |\n|---|---|\n# heading\n> quote\n```\ncode",
    "]]><![CDATA[ &xxe; <!ENTITY a SYSTEM 'file:///etc/passwd'>",
    "\x00\x01\x0b\ufffe\ud800 lone",
    "DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe \"/k calc\" INCLUDETEXT",
    "𠮷😀" * 50,
    "e\u0301" + "\u0301" * 200,
    "長" * 5_000,
    "",
)  # fmt: skip

#: Addresses that must not become links, and some that may.
ADDRESSES = (
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "\\\\evil.example\\share\\a.dotm",
    "http://user:secret@evil.example/",
    "http://evil.example/\"onmouseover=alert(1)",
    "http://evil.example/a) [x](javascript:alert(1)",
    "http://evil.example/<b>|`*_",
    "http://evil.example/%0d%0aX: y",
    "http://evil.example/\u202egpj",
    "http://ev il.example/",
    "http://例子.测试/新闻?编号=1#部分",
    "http://[::1]:8080/x",
    "http://evil.example:99999/",
    "https://evil.example/" + "a" * 5_000,
    "vbscript:msgbox(1)",
)  # fmt: skip


def candidate(number: int = 1, **changes: object) -> Candidate:
    """A story of this number, published so many hours before NOW."""
    values: dict[str, object] = {
        "story": f"story-{number}",
        "url": f"http://www.example.cn/{number}.html",
        "title": f"第{number}条：海外华侨返乡投资",
        "summary": "侨胞返乡投资建厂。当地政府表示欢迎！",
        "at": NOW - timedelta(hours=number),
        "published_at": NOW - timedelta(hours=number),
        "outlet": "侨乡日报",
        "probability": 0.9,
    }
    return Candidate(**{**values, **changes})  # type: ignore[arg-type]


def briefing(candidates: list[Candidate], **changes: object) -> Briefing:
    """A briefing of these stories, each an event of its own."""
    values: dict[str, object] = {
        "id": "20240508-100000-abc123",
        "topic": "侨情",
        "created_at": NOW,
        "since": NOW - timedelta(days=7),
        "sections": propose(candidates, with_events=False),
        "stories": len(candidates),
    }
    return Briefing(**{**values, **changes})  # type: ignore[arg-type]


def hostile_pages() -> list[PageRecord]:
    """Pages of an attacker: each attack in every text field, with each address."""
    pages = []
    for number, attack in enumerate(ATTACKS):
        for place, address in enumerate(
            ADDRESSES if number < 2 else ADDRESSES[number % 7 : number % 7 + 2]
        ):
            url = address if address.startswith("http") else f"http://evil.example/{number}/{place}"
            pages.append(
                make_page(
                    f"{url}#{number}-{place}",
                    title=attack,
                    body=attack * 3,
                    summary=f"{attack}。{attack}！",
                    author=attack,
                    source=attack,
                    source_url=address,
                    editor=attack,
                    site_name=attack,
                    comments=attack,
                    keywords=(attack, "华侨"),
                    main_terms=((attack, 0.5),),
                    site=attack or "evil.example",
                    found_by=attack,
                    fetched_at=NOW - timedelta(hours=number),
                    published_at=NOW - timedelta(hours=number),
                )
            )
    return pages
