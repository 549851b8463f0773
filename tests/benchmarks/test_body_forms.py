"""Labels of blocks, and pages with another text in place of their own."""

from __future__ import annotations

from random import Random

from benchmarks.body_forms import rewritten
from benchmarks.body_labels import labels

PARAGRAPHS = [
    f"第{i}年的桂花开得早，街上的人都说，今年的秋天比往年来得快一些。他们坐在桥边，慢慢地喝茶，谁也不急。"
    for i in "一二三四"
]
PAGE = (
    "<html><body><div id=nav><a href=/>首页</a><a href=/a>旧闻</a></div><h1>桂花</h1><div class=text>"
    + "".join(f"<p>{it}</p>" for it in PARAGRAPHS)
    + "</div><div id=foot>关于我们</div></body></html>"
).encode()


def test_short_lines_that_follow_each_other_in_the_body_are_found() -> None:
    verse = [
        "船灯一盏",
        "照着半尺的水",
        "和水里",
        "半尺的黑",
        "舵手不说话",
        "他听",
        "桨声落下去又浮起来",
        "岸在很远的地方",
    ]
    found = labels("\n".join(verse), ["首页", "和水里", "", "分类", "更多", "登录", *verse, "更多"])
    assert found == [0] * 6 + [1] * 8 + [0]


def test_a_short_line_alone_is_found_near_a_long_one_only() -> None:
    long = PARAGRAPHS[0]
    assert labels(f"小引\n{long}", ["小引", long, "小引", "更多"])[:2] == [0, 1]
    assert labels(f"小引\n{long}\n完\n{long}", [long, "完", long]) == [1, 1, 1]


def test_a_page_is_rewritten_as_verse_or_as_one_sentence() -> None:
    for seed in range(6):
        verse = rewritten(PAGE, "\n".join(PARAGRAPHS), Random(seed), verse=True)
        assert verse is not None
        lines = verse.body.split("\n")
        assert len(lines) >= 6
        assert max(map(len, lines)) <= 16
        html = verse.data.decode()
        assert all(line in html for line in lines)
        assert PARAGRAPHS[0] not in html
    sentence = rewritten(PAGE, "\n".join(PARAGRAPHS), Random(1), verse=False)
    assert sentence is not None
    assert sentence.body == PARAGRAPHS[0].partition("。")[0] + "。"
    assert sentence.data.decode().count("<p>") == 1


def test_a_page_whose_text_is_not_found_is_left_alone() -> None:
    assert (
        rewritten(b"<html><body><p>else</p></body></html>", PARAGRAPHS[0], Random(1), verse=True)
        is None
    )
