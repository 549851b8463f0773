"""Snapshots of stored pages: what they keep, and what they never contain."""

from __future__ import annotations

import re
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.console.reading.snapshots import SNAPSHOT_POLICY, safe_document, unpacked

#: Each is something that acts, loads or leaves the document in some browser.
ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<a href='javascript:alert(1)' onclick=alert(1)>x</a>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "<form action=//evil><input name=a autofocus onfocus=alert(1)><button>x</button></form>",
    "<meta http-equiv=refresh content='0;url=//evil'>",
    "<base href='//evil/'>",
    "<link rel=stylesheet href=//evil/x.css>",
    "<style>@import '//evil'</style><p style='background:url(//evil)'>x</p>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<template><script>alert(1)</script></template>",
    "<object data=//evil></object><embed src=//evil><video src=//evil autoplay></video>",
    "<p title='\"><script>alert(1)</script>'>x",
    "<a href='x\"><script>alert(1)</script>'>x</a>",
    "</body></html><script>alert(1)</script>",
    "<plaintext><script>alert(1)</script>",
    "<xmp><script>alert(1)</script></xmp>",
    "<img alt='<script>alert(1)</script>'>",
]
#: What a snapshot consists of.
ELEMENT = re.compile(
    r'<(?:!DOCTYPE html|html lang="zh"|meta charset="utf-8"|/?(?:html|head|body|title|style)|'
    r'span class="(?:link" title="[^"<>]*|picture)"|/span|/?[a-z]+[1-6]?(?: (?:col|row)span="\d{1,2}")*)>'
)


def assert_harmless(document: str) -> None:
    for tag in re.findall(r"<[^>]*>?", document):
        assert ELEMENT.fullmatch(tag), tag
    names = set(re.findall(r"</?([a-z]+)", document.partition("</head>")[2]))
    assert names.isdisjoint(
        {"script", "iframe", "img", "svg", "form", "input", "a", "link", "object"}
    )


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_that_acts_is_kept(attack: str) -> None:
    document = safe_document(f"<html><body>前{attack}后</body></html>".encode(), "utf-8", attack)
    assert_harmless(document)


@given(
    st.lists(
        st.sampled_from([*ATTACKS, "<p>", "</p>", "<td colspan=9>", "文", "&lt;", '"', "<"]),
        max_size=12,
    )
)
def test_no_mixture_of_attacks_gets_through(parts: list[str]) -> None:
    assert_harmless(safe_document("".join(parts).encode(), "utf-8", ""))


@given(
    st.text(max_size=80),
    st.sampled_from(["utf-8", "gb18030", "utf-7", "no-such-charset", "hex", "undefined"]),
)
def test_any_text_gives_a_document(text: str, charset: str) -> None:
    assert_harmless(safe_document(text.encode("utf-8", "replace"), charset, text))


def test_structure_words_and_addresses_are_kept() -> None:
    page = '<h1>标题</h1><table><tr><td colspan="2">一</td></tr></table><a href="http://a.cn/x">链接</a>'
    document = safe_document(page.encode("gb18030"), "gb18030", "标题")
    assert "<h1>标题</h1>" in document
    assert '<td colspan="2">一</td>' in document
    assert '<span class="link" title="http://a.cn/x">链接</span>' in document


def test_a_page_of_many_levels_is_cut_and_closed() -> None:
    document = safe_document(b"<div>" * 5_000 + "深".encode() + b"</div>" * 5_000, "utf-8", "")
    assert document.count("<div>") == document.count("</div>") <= 100


def test_a_bomb_is_unpacked_only_in_part_and_damage_is_empty() -> None:
    assert len(unpacked(zlib.compress(b"a" * 50_000_000))) <= 8_000_000
    assert unpacked(b"no zlib") == b""


def test_the_policy_forbids_everything() -> None:
    assert SNAPSHOT_POLICY.startswith("sandbox; default-src 'none'")
    assert "script" not in SNAPSHOT_POLICY
