"""Blocks of a page and their counts."""

from __future__ import annotations

import numpy as np
import pytest

from topiccrawl.page.body.blocks import LATIN_SHARE, Blocks, blocks_of
from topiccrawl.page.walk import walk


def blocks(html: str) -> Blocks:
    return blocks_of(walk(html))


def test_a_block_is_the_text_between_two_borders() -> None:
    found = blocks("<div>一<br>二<p>三<b>四</b> 五</p><table><tr><td>六<td>七</table></div>")
    assert found.texts == ["一", "二", "三四 五", "六", "七"]


def test_counts_are_those_of_the_text() -> None:
    found = blocks("<p>侨联，召开了！座谈会 2026</p><p>plain words.</p>")
    assert found.punctuation.tolist() == [2, 1 - 1]
    assert found.sentences.tolist() == [1, 0]
    assert found.han[0] == pytest.approx(8 / 14)
    assert found.digits[0] == pytest.approx(4 / 14)
    assert found.size[0] == pytest.approx(8 + 6 * LATIN_SHARE)
    assert found.size[1] == pytest.approx(11 * LATIN_SHARE)


def test_full_width_marks_are_marks_and_rare_characters_are_han() -> None:
    found = blocks("<p>１２：“𠀀”</p>")
    assert found.digits[0] == pytest.approx(2 / 6)
    assert found.punctuation.tolist() == [3]
    assert found.han[0] == pytest.approx(1 / 6)


def test_the_share_of_links_counts_anchors_with_and_without_a_target() -> None:
    found = blocks("<p>文<a href=/a>链接</a>字</p><p><a name=x>锚点</a></p><p>无</p>")
    assert found.link.tolist() == [0.5, 1.0, 0.0]


def test_hidden_blocks_are_left_out_unless_a_page_hides_everything() -> None:
    assert blocks("<p>可见的文字</p><p hidden>隐</p>").texts == ["可见的文字"]
    assert blocks("<div style='display:none'><p>一段正文</p><p>二段</p></div>").texts == [
        "一段正文",
        "二段",
    ]


def test_the_blocks_of_a_box_are_those_between_its_first_and_last() -> None:
    outline = walk("<div id=a><p>一</p><p>二</p></div><div id=b>三<ul><li>四</ul></div>")
    found = blocks_of(outline)
    spans = {
        outline.boxes.names[i].strip(): found.texts[found.first[i] : found.last[i]]
        for i in range(len(outline.boxes))
        if outline.boxes.names[i]
    }
    assert spans == {"a": ["一", "二"], "b": ["三", "四"]}
    tags = [outline.boxes.tags[box] for box in found.boxes]
    assert tags == ["p", "p", "div", "li"]


def test_a_page_without_text_has_no_blocks() -> None:
    found = blocks("<div><p> </p><img src=x></div>")
    assert len(found) == 0
    assert not np.isnan(found.size).any()
