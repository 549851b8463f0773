"""The text-density method of document 001."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.page.body.density import (
    GAP_LINES,
    density,
    extract_by_density,
    gbk_width,
    lines_of,
    select,
    text_of_line,
)

SENTENCE = "来自各地的侨商代表昨日抵达江门，参加为期三天的交流会，并参观了新落成的侨史馆。"
MENU = '<li class="item"><a href="/channel/index.html" target="_blank" title="要闻">要闻</a></li>'


@pytest.mark.parametrize("text", ["abc 123", "侨乡新闻", "GBK编码，全角！", "", "繁體字與简体"])
def test_widths_are_the_bytes_of_gbk(text: str) -> None:
    assert gbk_width(text) == len(text.encode("gbk"))


def test_density_is_the_share_of_text_bytes() -> None:
    assert density("<p>中文</p>") == 4 / 11
    assert density("纯文本") == 1.0
    assert density("<br>") == 0.0
    assert density("") == 0.0


def test_text_of_a_line_keeps_paragraphs_and_resolves_references() -> None:
    assert text_of_line("<p>一&nbsp;&lt;二&gt;</p><P class=x>三<b>四</b></P>") == "一 <二>\n三四"


def rows(pattern: str) -> tuple[list[str], list[float]]:
    """Lines from a drawing: D dense and long, d dense and short, . low density with text."""
    texts = [{"D": "长" * 60, "d": "短", ".": "低"}[c] + str(i) for i, c in enumerate(pattern)]
    return texts, [0.2 if c == "." else 0.9 for c in pattern]


@pytest.mark.parametrize(
    ("pattern", "kept", "why"),
    [
        ("..DDD..", "2 3 4", "what is before and after is left out"),
        ("DD.D", "0 1 2 3", "a sparse line between dense ones belongs to the body"),
        ("DD" + "." * GAP_LINES + "D", "0 1 " + " ".join(str(i) for i in range(2, GAP_LINES + 3)),
         "a gap of 20 is bridged"),
        ("DD" + "." * (GAP_LINES + 1) + "D", "0 1", "after a gap of 21 the body has ended"),
        ("d" + "." * (GAP_LINES + 1) + "DD", f"0 {GAP_LINES + 2} {GAP_LINES + 3}",
         "a body too short does not end the search; it is kept, the gap is dropped"),
        ("d" + "." * (GAP_LINES + 5), "0", "nothing comes after the short part"),
        ("....", "", "no dense line, no body"),
        ("", "", "no lines"),
    ],
)  # fmt: skip
def test_the_two_corrections(pattern: str, kept: str, why: str) -> None:
    texts, densities = rows(pattern)
    assert select(texts, densities, 0.5) == [texts[int(i)] for i in kept.split()], why


def test_200_bytes_are_enough_to_end_a_body() -> None:
    gap = [""] * (GAP_LINES + 1)
    low = [0.0] * (GAP_LINES + 1)
    for width, parts in ((100, 1), (99, 2)):  # Chinese characters, so 200 and 198 bytes
        texts = ["字" * width, *gap, "后"]
        assert len(select(texts, [0.9, *low, 0.9], 0.5)) == parts


def test_a_page_with_a_line_per_paragraph() -> None:
    html = "\n".join([MENU] * 30 + [f"<p>{SENTENCE}</p>"] * 6 + [MENU] * 30)
    assert extract_by_density(html) == "\n".join([SENTENCE] * 6)


def test_a_page_of_one_line_is_split_at_blocks() -> None:
    html = MENU * 30 + f"<p>{SENTENCE}</p>" * 6 + MENU * 30
    assert extract_by_density(html) == "\n".join([SENTENCE] * 6)
    assert len(lines_of(html)) > 60


@pytest.mark.parametrize(
    "junk",
    [
        f"<script>\nvar t = '{SENTENCE}';\n</script>",
        f"<STYLE>\n/* {SENTENCE} */\n</STYLE>",
        f"<!-- \n{SENTENCE}\n -->",
        f"<noscript>\n{SENTENCE}\n</noscript>",
        f"<title>\n{SENTENCE}\n</title>",
    ],
)
def test_invisible_text_is_not_in_the_body(junk: str) -> None:
    assert extract_by_density(f"{junk}\n<p>{SENTENCE}</p>") == SENTENCE


def test_a_tag_over_several_lines_is_not_text() -> None:
    html = f'<p>{SENTENCE}</p>\n<img alt="一"\nsrc="/very/long/name/of/a/picture.jpg">\n<p>{SENTENCE}</p>'
    assert extract_by_density(html) == f"{SENTENCE}\n{SENTENCE}"


def test_the_threshold_follows_the_mean_of_a_dense_page() -> None:
    html = "\n".join([f"<p>{SENTENCE}</p>"] * 9 + ["<p>短一点</p>"])  # density 6 / 13 < 0.5 < mean
    assert "短一点" not in extract_by_density(html)
    html = "\n".join([SENTENCE] * 9 + ["<i>六个汉字的行</i>"])  # density 12 / 19 > 0.5, < mean
    assert "六个汉字的行" not in extract_by_density(html)


@given(st.text(alphabet="<>/!-abp \n\"'=&;文字script", max_size=200))
def test_no_text_raises(html: str) -> None:
    assert isinstance(extract_by_density(html), str)


@given(
    st.lists(st.tuples(st.text("字a ", max_size=9).map(str.strip), st.floats(0, 1)), max_size=60)
)
def test_the_body_is_a_part_of_the_lines_in_their_order(lines: list[tuple[str, float]]) -> None:
    texts = [f"{i}{text}" for i, (text, _) in enumerate(lines)]
    kept = select(texts, [value for _, value in lines], 0.5)
    numbers = [texts.index(text) for text in kept]
    assert numbers == sorted(numbers)
    assert not kept or (lines[numbers[0]][1] >= 0.5 and lines[numbers[-1]][1] >= 0.5)
