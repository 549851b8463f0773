"""Pages of questions and short threads: what belongs to their body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from topiccrawl.page.body.features import features_of
from topiccrawl.page.body.selection import select_body
from topiccrawl.page.page import Page

QUESTION = "宝宝晚上睡觉老是出汗是缺钙吗"
STATED = "我家宝宝十个月了，最近晚上出汗老是很多，枕头都湿了，请问要不要去查微量元素？"
TIME = "2014-08-21 22:05:13"
ANSWER = "入睡后头部多汗不一定是缺钙，室温高、盖得厚也会这样，建议先减少衣被。"


@pytest.mark.parametrize(
    ("before", "replies"), [("", [False] * 3), (f"<p>{QUESTION}</p>", [False] + [True] * 3)]
)
def test_a_box_around_the_title_is_no_reply_whatever_its_name(
    before: str, replies: list[bool]
) -> None:
    html = f"{before}<div class=reply-xq><h3>{QUESTION}</h3><p>{TIME}</p><p>{STATED}</p></div>"
    page = Page("", html.encode())
    assert features_of(page.outline, page.blocks, QUESTION, "").replies.tolist() == replies


def selected(lines: list[tuple[str, str, float]]) -> list[bool]:
    """Return which lines of a thread are body; each is its box, text and probability."""
    html = "".join(f"<div class={box}>{text}</div>" for box, text, _ in lines)
    page = Page("", html.encode())
    features = replace(features_of(page.outline, page.blocks, QUESTION, ""), thread=True)
    body = select_body(np.asarray([p for _, _, p in lines]), page.blocks, features)
    return [bool(it) for it in body]


@pytest.mark.parametrize(("p", "kept"), [(0.04, True), (0.02, False)])
def test_the_question_above_the_answers_belongs_to_the_body(p: float, kept: bool) -> None:
    lines = [("a", QUESTION, 0.1), ("b", STATED, p), ("c", TIME, 0.0), ("d", ANSWER, 0.9)]
    assert selected(lines) == [True, kept, False, True]


@pytest.mark.parametrize(("p", "count", "kept"), [(0.2, 2, True), (0.1, 2, False), (0.2, 1, False)])
def test_replies_behind_the_last_post_are_several_and_not_too_improbable(
    p: float, count: int, kept: bool
) -> None:
    replies = [("c", TIME, 0.0), ("d", ANSWER, p)] * count
    lines = [("a", QUESTION, 0.1), ("c", TIME, 0.0), ("b", STATED, 0.9), *replies]
    assert selected(lines) == [True, False, True, *[False, kept] * count]
