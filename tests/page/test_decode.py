"""Decoding when header, meta and bytes disagree."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.page.decoding import Decoded, decode
from topiccrawl.page.decoding.encodings import decode_as, encoding_of_label
from topiccrawl.page.decoding.plausibility import weigh_characters

SIMPLIFIED = [
    "本网讯：来自四十多个国家的侨商代表昨日抵达江门，参加为期三天的交流会。",
    "市侨联负责人介绍说，去年全市接待归国寻根的海外乡亲2,300余人次，增长了18.6%。",
    "“老屋修好了，家就还在。”八十三岁的归侨陈伯一边倒茶一边笑着说……",
    "首页 | 要闻 | 侨界 | 图片 | 视频 | 关于我们",
    "这家图书馆收藏了早期侨批三万多封，最早的写于一八八六年。",
]
TRADITIONAL = [
    "本報訊：來自四十多個國家的僑商代表昨日抵達臺北，參加為期三天的交流會。",
    "僑務委員會表示，去年接待回國尋根的海外鄉親二千三百餘人次，較前年增加。",
    "「老屋修好了，家就還在。」八十三歲的陳伯一邊倒茶一邊笑著說。",
    "首頁 | 要聞 | 僑界 | 圖片 | 影音 | 關於我們",
]
FOUR_BYTES = "㐂𠀀"  # characters that only GB18030's four-byte sequences have
FALSE_LABELS = ["utf-8", "gbk", "gb2312", "big5", "iso-8859-1", "windows-1251", "euc-kr", "x-no"]
CONDITIONS = ["header", "meta", "none", "false header", "false meta", "both false", "cut", "mark"]


def page(paragraphs: list[str], charset: str | None) -> str:
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">'
    body = "\n".join(
        f'<p class="c"><a href="/a/{i}.html">{p}</a></p>' for i, p in enumerate(paragraphs)
    )
    return f"<html><head>{meta if charset else ''}<title>{paragraphs[0][:9]}</title></head><body>{body}</body></html>"


def cases(encoding: str, condition: str) -> list[tuple[bytes, str | None, str]]:
    """Bodies of 1 to 12 paragraphs with the header's charset and the true text."""
    chance = random.Random(f"{encoding} {condition}")
    out = []
    for count in (1, 1, 2, 5, 12) * 4:
        source = TRADITIONAL if encoding in {"big5", "cp950", "big5hkscs"} else SIMPLIFIED
        if encoding.startswith(("utf", "gb")) and chance.random() < 0.3:
            source = TRADITIONAL if encoding != "gb2312" else SIMPLIFIED
        paragraphs = [chance.choice(source) for _ in range(count)]
        if encoding == "gb18030":
            paragraphs = [p + FOUR_BYTES for p in paragraphs]
        wrong = [
            label
            for label in FALSE_LABELS
            if encoding_of_label(label) != encoding_of_label(encoding)
        ]
        header = encoding if condition == "header" else None
        meta = encoding if condition == "meta" else None
        if condition in {"false header", "both false"}:
            header = chance.choice(wrong)
        if condition in {"false meta", "both false"}:
            meta = chance.choice(wrong)
        text = page(paragraphs, meta)
        body = text.encode(encoding)
        if condition == "cut":
            body = body[: chance.randrange(len(body) // 2, len(body))]
            text = body.decode(encoding, "ignore")
            header = chance.choice([encoding, None])
        elif condition == "mark":
            body = "\ufeff".encode(encoding) + body
        out.append((body, header, text))
    return out


ENCODINGS = [
    "utf-8", "gb2312", "gbk", "gb18030", "big5", "cp950", "big5hkscs", "utf-16-le", "utf-16-be",
]  # fmt: skip
#: The older Chinese encodings have no byte order mark.
MARKED = {"utf-8", "gb18030", "utf-16-le", "utf-16-be"}


@pytest.mark.parametrize(
    ("encoding", "condition"),
    [(e, c) for e in ENCODINGS for c in CONDITIONS if c != "mark" or e in MARKED],
)
def test_the_text_is_exact_whatever_is_declared(encoding: str, condition: str) -> None:
    for body, header, text in cases(encoding, condition):
        assert decode(body, header).text == text


@pytest.mark.parametrize(
    ("body", "declared", "text", "encoding", "why"),
    [
        (b"", "gbk", "", "utf-8", "empty body"),
        ("朱镕基".encode("gb18030"), "gb2312", "朱镕基", "gb18030", "镕 is not in GB2312"),
        (
            "<b>联通</b>".encode("gbk"),
            "utf-8",
            "<b>联通</b>",
            "gb18030",
            "fits UTF-8's two-byte form",
        ),
        (
            "价格".encode("gbk") + b"\x80" + "一百".encode("gbk"),
            "gbk",
            "价格€一百",
            "gb18030",
            "0x80",
        ),
        (
            "商品～１００".encode("cp950"),
            "big5",
            "商品～１００",
            "big5hkscs",
            "Windows' full-width tilde",
        ),
        (
            "這件商品售價".encode("cp950") + b"\xa3\xe1",
            "big5",
            "這件商品售價€",
            "big5hkscs",
            "euro sign of cp950",
        ),
        (
            "佢哋喺香港".encode("big5hkscs"),
            "big5",
            "佢哋喺香港",
            "big5hkscs",
            "Hong Kong characters",
        ),
        ("中文网页".encode() * 9, "gbk", "中文网页" * 9, "utf-8", "false header over UTF-8"),
        (b"plain", "gb2312", "plain", "gb18030", "ASCII keeps its declaration for URLs"),
        (b"plain", "base64", "plain", "utf-8", "a Python codec that is no encoding of pages"),
        (b"~{VPND~}", "hz-gb-2312", "中文", "hz", "seven-bit encodings need their declaration"),
        (
            "Les élèves ont été reçus".encode("cp1252"),
            None,
            "Les élèves ont été reçus",
            "cp1252",
            "French",
        ),
        (
            "Größe über alles".encode("latin-1"),
            "iso-8859-1",
            "Größe über alles",
            "cp1252",
            "German",
        ),
        (
            "Новости этого дня в нашем городе".encode("cp1251"),
            "windows-1251",
            "Новости этого дня в нашем городе",
            "cp1251",
            "Russian",
        ),
        (
            "今日のニュースをお知らせします。".encode("euc-jp"),
            "euc-jp",
            "今日のニュースをお知らせします。",
            "euc_jp",
            "Japanese shares rows with GBK",
        ),
        (
            "오늘의 새로운 소식을 알려드립니다".encode("euc-kr"),
            "euc-kr",
            "오늘의 새로운 소식을 알려드립니다",
            "cp949",
            "Korean shares rows with GBK",
        ),
        (
            "这是一段没有任何拉丁字母的中文文字".encode("utf-16-be"),
            None,
            "这是一段没有任何拉丁字母的中文文字",
            "utf-16-be",
            "UTF-16 without mark or ASCII",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) > 30 else None,
)
def test_special_bytes(
    body: bytes, declared: str | None, text: str, encoding: str, why: str
) -> None:
    found = decode(body, declared)
    assert (found.text, found.encoding) == (text, encoding), why


def test_a_false_mark_does_not_hide_the_encoding() -> None:
    body = b"\xef\xbb\xbf" + page(SIMPLIFIED, None).encode("gbk")
    assert decode(body).text == page(SIMPLIFIED, None)


@pytest.mark.parametrize(
    ("body", "declared", "source"),
    [
        (b"\xef\xbb\xbf" + "中文".encode(), "gbk", "bom"),
        (page(SIMPLIFIED, None).encode(), "utf-8", "header"),
        (page(SIMPLIFIED, None).encode("gbk"), "gbk", "header"),
        (page(SIMPLIFIED, "gb2312").encode("gbk"), None, "meta"),
        (page(SIMPLIFIED, "gb2312").encode("gbk"), "utf-8", "meta"),
        (page(SIMPLIFIED, None).encode("gbk"), "utf-8", "bytes"),
        ("今日のニュースをお知らせします。".encode("shift_jis"), None, "detector"),
        (b"plain", None, "default"),
    ],
)
def test_the_source_names_what_determined_the_encoding(
    body: bytes, declared: str | None, source: str
) -> None:
    assert decode(body, declared).source == source


@pytest.mark.parametrize("encoding", ["gbk", "big5", "utf-8"])
@pytest.mark.parametrize("declared", [True, False])
def test_a_few_bad_bytes_do_not_change_the_encoding(encoding: str, declared: bool) -> None:
    paragraphs = TRADITIONAL if encoding == "big5" else SIMPLIFIED
    body = page(paragraphs, None).encode(encoding).replace(b"</a>", b"\xff</a>")
    text = decode(body, encoding if declared else None).text
    assert text == page(paragraphs, None).replace("</a>", "\ufffd</a>")


@pytest.mark.parametrize("label", [None, "gbk", "utf-8"])
@pytest.mark.parametrize(("outer", "inner"), [("gbk", "utf-8"), ("utf-8", "gbk")])
@pytest.mark.parametrize("share", [1, 3, 8])
def test_an_insert_in_another_encoding_is_decoded_in_that_one(
    outer: str, inner: str, label: str | None, share: int
) -> None:
    frame = "".join(f"<p>{p}</p>\n" for p in SIMPLIFIED * 2)
    insert = "<div>最新评论：写得真好</div><b>首页</b>\n" * share
    assert decode(frame.encode(outer) + insert.encode(inner), label).text == frame + insert


@pytest.mark.parametrize("encoding", ["utf-8", "gbk", "big5"])
def test_zero_characters_are_left_out(encoding: str) -> None:
    paragraphs = TRADITIONAL if encoding == "big5" else SIMPLIFIED
    body = page(paragraphs, encoding).encode(encoding).replace(b"</a>", b"\0</a>")
    assert decode(body).text == page(paragraphs, encoding)


@pytest.mark.parametrize("label", [None, "big5", "utf-8"])
def test_a_page_that_is_half_big5_and_half_utf8_is_decoded_in_both(label: str | None) -> None:
    frame = "".join(f"<p>{p}</p>\n" for p in TRADITIONAL[:2])
    insert = "".join(f"<div>{p}</div>\n" for p in TRADITIONAL)
    assert decode(frame.encode("big5") + insert.encode(), label).text == frame + insert


def test_gbk_text_is_not_taken_for_utf8_inserts() -> None:
    text = "<p>" + "</p><p>".join(SIMPLIFIED * 20) + "</p>"
    assert decode(text.encode("gbk"), "gbk").text == text


@given(
    st.binary(max_size=300),
    st.one_of(st.none(), st.text(max_size=12), st.sampled_from(FALSE_LABELS)),
)
def test_no_bytes_and_no_label_raise(body: bytes, declared: str | None) -> None:
    found = decode(body, declared)
    assert isinstance(found, Decoded)
    assert "x".encode(found.encoding)


@given(st.text(max_size=200).filter(lambda t: not t.startswith("\ufeff") and "\0" not in t))
def test_valid_utf8_with_its_header_is_exact(text: str) -> None:
    try:
        body = text.encode()
    except UnicodeEncodeError:
        return  # lone surrogates
    if not body.startswith((b"\xff\xfe", b"\x84\x31")):
        assert decode(body, "utf-8").text == text


@given(st.sampled_from(SIMPLIFIED), st.sampled_from(["big5hkscs", "cp1252", "cp949", "utf-8"]))
def test_text_in_the_wrong_encoding_is_less_plausible(text: str, wrong: str) -> None:
    def plausibility(decoded: str) -> float:
        total, count = weigh_characters(decoded)
        return total / count if count else 0.0

    assert plausibility(decode_as(text.encode("gbk"), wrong)) < 0.6 < plausibility(text)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("GB2312", "gb18030"),
        (" 'gbk' ", "gb18030"),
        ("x-gbk", "gb18030"),
        ("Big5-HKSCS", "big5hkscs"),
        ("cp950", "big5hkscs"),
        ("ISO-8859-1", "cp1252"),
        ("UTF8", "utf-8"),
        ("utf-7", None),
        ("unicode_escape", None),
        ("zlib", None),
        ("中文", None),
        ("", None),
    ],
)
def test_labels_mean_the_same_as_in_browsers(label: str, name: str | None) -> None:
    assert encoding_of_label(label) == name
