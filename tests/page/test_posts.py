"""Posts of a thread that are improbable by themselves."""

from __future__ import annotations

import numpy as np

from topiccrawl.page.body.features import features_of
from topiccrawl.page.body.selection import select_body
from topiccrawl.page.page import Page

URL = "https://bbs.example.com/thread-20373-1-1.html"
POST = "发展大了的电报毕竟也要受监管，凡是中心化的东西都逃不脱要被控制的命运。"
REPLY = "个人观点，端密聊天本身就是小众的所需，小众虽小，却有很强的关注度。"
RULE = "任何言论纯属作者个人观点，与本站无关，请文明发言，谢谢配合；"
BUTTON = "引用这一楼"


def selected(inside: str, probability: float) -> list[str]:
    """Return the lines that are selected if posts are sure and all others have one probability."""
    posts = "".join(
        f'<div class="c"><div class="c-user">北野</div><div class="c-text">{POST}</div>'
        f'<div class="c-when">2023-07-06 23:1{n}</div>{inside * (n == 0)}</div>'
        for n in range(2)
    )
    title = "端到端加密的聊天工具"
    page = Page(URL, f"<title>{title}</title><body><h4>{title}</h4>{posts}".encode(), "utf-8")
    features = features_of(page.outline, page.blocks, title, URL)
    texts = page.blocks.texts
    p = np.asarray([0.9 if text == POST else probability for text in texts])
    return [texts[i] for i in np.flatnonzero(select_body(p, page.blocks, features))]


def test_running_text_between_posts_and_close_to_a_date_is_a_post() -> None:
    reply = f'<div class="r-text">{REPLY}</div><div class="r-when">2023-07-07 03:56</div>'
    assert REPLY in selected(reply, 0.06)
    assert REPLY not in selected(reply, 0.04)


def test_text_far_from_dates_and_short_lines_are_no_posts() -> None:
    rules = f'<ul class="rules">{f"<li>{RULE}</li>" * 24}</ul>'
    assert RULE not in selected(rules, 0.06)
    assert BUTTON not in selected(f'<div class="r-tool">{BUTTON}</div>', 0.06)
