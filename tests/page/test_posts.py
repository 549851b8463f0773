"""Posts of a thread that are improbable by themselves."""

from __future__ import annotations

import numpy as np
import pytest

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


def test_replies_that_are_shorter_than_the_first_post_are_posts() -> None:
    replies = "".join(
        f'<div class="cell"><b>{name}</b> <span>{name} 小时前</span><div class="reply_content">{text}</div></div>'
        for name, text in (
            ("2", REPLY),
            ("1", "换线吧，面板以后随时能换，墙里的线只有这一次机会。"),
        )
    )
    head = '<a href="/member/nightowl">nightowl</a> · <span>3 小时 2 分钟前</span> · 87 次点击'
    found = Page(
        "https://www.example.com/t/1028831",
        f"<title>八千块预算怎么花</title><body><h1>八千块预算怎么花</h1><small>{head}</small>"
        f'<div class="topic_content">{f"<p>{POST}</p>" * 5}</div>{replies}'.encode(),
        "utf-8",
    )
    assert found.body.endswith("墙里的线只有这一次机会。")
    assert found.byline.author == "nightowl"


MAIL = (
    "发信人: qingcai (青菜), 信区: Life",
    "标  题: 植物园见闻",
    "发信站: 某某社区 (Mon Apr  1 08:14:55 2024), 站内",
    "",
    POST,
    "【 在 lotus 的大作中提到: 】",
    ": 请问海棠开了吗？",
    "--",
    "签名一行",
    "※ 来源:·某某社区 bbs.example.net·[FROM: 114.246.*.*]",
)


@pytest.mark.parametrize(("joint", "tag"), [("<br>", "p"), ("\n", "pre")])
def test_heads_and_feet_of_mails_are_no_text(joint: str, tag: str) -> None:
    post = f"<div class='post'><{tag}>{joint.join(MAIL)}</{tag}></div>"
    url = "https://bbs.example.net/article/Life/1763"
    found = Page(url, f"<title>植物园见闻</title><body>{post}".encode(), "utf-8")
    assert found.body == POST
    assert found.byline.author == "qingcai"


def test_a_label_of_the_sender_with_text_behind_it_is_text() -> None:
    line = f"发信人: qingcai (青菜), 信区: Life 标题: 植物园 {POST}"
    found = Page(URL, f"<title>植物园</title><body><p>{line}</p>".encode(), "utf-8")
    assert POST in found.body


def board(post: str, notice: str = "") -> Page:
    """Return a thread of an old board: a table for each post, its author in the cell beside it."""
    posts = "".join(
        f"<table><tr><td class='postauthor'><a href='space.php?uid={n}'>{name}</a></td><td class='postcontent'>"
        f"<div class='postinfo'>{n}楼 发表于 2009-05-1{n} 08:3{n} <a href='#'>只看该作者</a></div>"
        f"<div class='t_msgfont'>{text}</div></td></tr>"
        "<tr><td class='postauthor'></td><td class='postcontent'><a href='#'>引用</a> <a href='#'>回复</a></td></tr>"
        "</table>"
        for n, (name, text) in enumerate(
            (
                ("槐树下", post),
                ("青石", "谢谢分享，正好用得上。"),
                ("渡口", "收下了，楼主辛苦。"),
                ("小满", "已经装好。"),
            ),
            1,
        )
    )
    title = "自己整理的方言词典，电脑版和手机版"
    return Page(
        URL,
        f"<title>{title} - 方言论坛 - Powered by Discuz!</title><body>{notice}<div class='viewthread'><h1>{title}</h1>"
        f"{posts}</div>".encode(),
        "utf-8",
    )


@pytest.mark.parametrize(
    "banner",
    [
        "",
        "<div class='top'><b>本站将于2010年10月12日关闭维护，请各位网友及时备份自己的文章。</b></div>",
        "<div class='top'>现在是 2010年10月12日 星期二</div>",
    ],
)
def test_the_notice_of_a_board_above_the_heading_of_a_thread_is_no_post(banner: str) -> None:
    menu = "".join(f"<li><a href='/f{n}'>板块{n}</a>" for n in range(6))
    notice = (
        f"{banner}<ul>{menu}</ul>"
        "<div class='ad_text'><table><tr><td>欢迎发布有阅读价值的话题；不欢迎嘲弄他人的籍贯、口音和信仰。<br>"
        "本站推崇理性的讨论：就事论事，不做人身攻击；保持主题；引用要有出处；尽量理解对方的意思。<br>"
        "编辑会合并重复的话题；用户可以删除自己的发言，编辑不会改动用户的原文。</td></tr></table></div>"
    )
    found = board(POST, notice).body
    assert found == board(POST).body
    assert found.startswith("自己整理的方言词典")
    assert POST in found


def test_lines_of_a_post_that_show_an_address_are_text() -> None:
    lines = (
        "电脑版：<a href='http://a.example.com'>http://a.example.com</a>",
        "<a href='/thread-9-1-1.html'>上一次的整理和说明</a>",
        POST,
    )
    page = board("<br>".join(lines))
    features = features_of(page.outline, page.blocks, page.title, URL)
    texts = page.blocks.texts
    p = np.asarray([0.9 if text == POST else 0.05 for text in texts])
    found = [texts[i] for i in np.flatnonzero(select_body(p, page.blocks, features))]
    assert "电脑版：http://a.example.com" in found
    assert "上一次的整理和说明" not in found


def test_the_last_line_of_posts_on_boards_names_no_news_source() -> None:
    tail = "\n--\n※ 来源:·某某社区 bbs.example.edu.cn·[FROM: 10.1.2.*]"
    head = (
        "发信人: qingcai{} (青菜), 信区: Life\n标  题: 植物园见闻\n"
        "发信站: 某某社区 (Mon Apr  1 08:14:5{} 2024), 站内\n\n"
    )
    texts = (POST, REPLY, POST[::-1])
    posts = "".join(
        f'<div class="m"><pre>{head.format(n, n)}{text}{tail}</pre></div>'
        for n, text in enumerate(texts)
    )
    found = Page(
        "http://www.example.com/a/8123.html",
        f"<title>植物园见闻</title><body>{posts}".encode(),
        "utf-8",
    )
    assert found.kind == "thread"
    assert found.body.split("\n") == list(texts)


@pytest.mark.parametrize("heading", ["1个回答", "全部回复（1）", "1条回复"])
def test_the_heading_of_the_replies_is_not_the_title_of_a_second_article(heading: str) -> None:
    title = "端到端加密的聊天工具怎么选"
    boxes = "".join(
        f'<div class="blk"><{tag}>{head}</{tag}><b>{name}</b> <span>2023-07-06 23:1{n}</span><div>{text}</div></div>'
        for n, (tag, head, name, text) in enumerate(
            (("h1", title, "北野", POST), ("h2", heading, "山前", REPLY))
        )
    )
    found = Page(
        "http://www.example.com/a/8123.html",
        f"<title>{title}_南城</title><body>{boxes}".encode(),
        "utf-8",
    )
    assert found.kind == "thread"
    assert found.body.split("\n")[-2:] == [POST, REPLY]
