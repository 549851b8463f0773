"""Readers' comments as records."""

from __future__ import annotations

from datetime import datetime

import pytest

from topiccrawl.page.comments import Comment
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.page.page import Page

NOW = datetime(2023, 4, 2, 12, 0, tzinfo=CHINA_TIME)
TEXT = "修缮后的老街昨日重新开放，居民们陆续搬回。这条街有三百年的历史，经过了两年的修缮，街口的石牌坊也拆去了脚手架。"
EXPECTED = [
    Comment("山那边", "2023-04-01T10:05:00", "老人家的话最实在，希望多一些这样的新闻。"),
    Comment(
        "lulu88", "2023-04-01T11:30:00", "楼上的，官网上有，周一休息。\n我已经去过了，停车不方便。"
    ),
    Comment("石头记", "2023-04-02T08:00:00", "有没有人知道开放时间？"),
]


def comments(form: str, paragraph: str = "<p>{}</p>") -> list[Comment]:
    items = "".join(
        form.format(
            author=comment.author,
            time=comment.time.replace("T", " ")[:16],
            text="".join(map(paragraph.format, comment.text.split("\n"))),
        )
        for comment in EXPECTED
    )
    html = (
        f"<html><body><h1>老街重新开放</h1><div class=content>{f'<p>{TEXT}</p>' * 4}</div>"
        f"<div class=comments><h3>网友评论(3)</h3>{items}</div></body></html>"
    )
    return Page("http://news.example/a/1.html", html.encode(), "utf-8", now=NOW).comment_records


FORMS = {
    "name, time, text": "<div class=item><b>{author}</b> <span>{time}</span>{text}<a>回复</a> <a>赞(3)</a></div>",
    "name and time on lines": "<li><div>{author}</div><div>{time}</div><div>{text}</div><div>回复 赞 5 举报</div></li>",
    "time, name in a sentence": "<div class=item><p>网友 {author} 发表于 {time}</p><div>{text}</div></div>",
    "name that says, time, text": "<li><div class=vcard><cite>{author}</cite> <i>说道：</i></div><div>{time}</div>"
    "{text}<div><a>回复</a></div></li>",
    "name that says, text, time": "<li><p><span>{author}</span> 说：</p><div>{text}</div>"
    "<p>{time} | <a>档案</a> | <a>引用</a></p></li>",
    "name that says in English": "<li><p><b>{author}</b> says:</p><p>{time}</p>{text}<a>Reply</a></li>",
    "name, text, time": "<li><div class=user>{author}</div><div>{text}</div><div>{time} <a>回复</a></div></li>",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_comments_have_author_time_and_text(form: str) -> None:
    assert comments(form) == EXPECTED


def test_a_name_before_a_colon_is_the_author() -> None:
    found = comments("<li>{author}：{text}</li>", "{} ")
    assert [comment.author for comment in found] == ["山那边", "lulu88", "石头记"]
    assert found[2] == Comment("石头记", "", EXPECTED[2].text)


def test_a_notice_that_there_are_none_is_no_comment() -> None:
    html = f"<body><p>{TEXT}</p><p>{TEXT}</p><div class=comments>还没有评论，快来抢沙发吧！</div></body>"
    assert Page("http://news.example/1.html", html.encode(), "utf-8", now=NOW).comment_records == []


SHORT = [
    Comment("山那边", "2023-04-01T10:05:00", "请问周一开门吗"),
    Comment("lulu88", "2023-04-01T11:30:00", "停车不方便，建议坐公交车过去。"),
    Comment("石头记", "2023-04-02T08:00:00", "这个好"),
]
#: Comments in boxes of their own, as software writes them.
PLACES = {
    "text in a box": "<li class=item><b>{author}</b><div>{time}</div><div class=text>{text}</div><a>回复</a></li>",
    "text in a paragraph": "<li class=item><div class=vcard><cite>{author}</cite> 说道：</div><div>{time}</div>"
    "<div class=text><p>{text}</p></div></li>",
    "boxes without names": "<li class=item><div>{author}</div><div>{time}</div><div>{text}</div></li>",
    "time below": "<div class=item><a href=/u/1>{author}</a><div class=text>{text}</div>"
    "<div>{time}<a>举报</a></div></div>",
    "rank behind the name": "<li class=item><div>{author}<em>Lv.3</em></div><div>{time}</div>"
    "<div class=text>{text}</div></li>",
    "button before the name": "<li class=item><div><a>引用</a> {author} {time}</div><div class=text>{text}</div></li>",
    "name, time, verb": "<li class=item><div>{author} 在 {time} 说道：</div><div class=text>{text}</div></li>",
    "time above and below": "<li class=item><b>{author}</b><div>{time}</div><div class=text>{text}</div>"
    "<div>0 举报 {time}</div></li>",
}
HEADINGS = ("已有 3 条评论", "3条评论|12人参与网友评论", "“老街重新开放”上有3条评论")
NOTICES = (
    "<p>电子邮件地址不会被公开。 必填项已用 * 标注</p><p>您可以使用这些 HTML 标签和属性： b, i, em, code</p>"
    "<p>文明上网，理性发言，请遵守评论服务协议</p><p>登录后发表评论，验证码：</p>"
)


def short_comments(form: str) -> str:
    """Return the HTML of the short comments, each in *form*."""
    return "".join(
        form.format(author=it.author, time=it.time.replace("T", " ")[:16], text=it.text)
        for it in SHORT
    )


def below_an_article(inside: str) -> Page:
    html = (
        f"<body><h1>老街重新开放</h1><div class=content>{f'<p>{TEXT}</p>' * 4}</div>"
        f"<div class=comments>{inside}</div></body>"
    )
    return Page("http://news.example/a/1.html", html.encode(), "utf-8", now=NOW)


@pytest.mark.parametrize("form", PLACES.values(), ids=PLACES.keys())
def test_short_comments_are_found_where_longer_ones_stand(form: str) -> None:
    page = below_an_article(f"<h3>网友评论</h3>{short_comments(form)}")
    assert page.comment_records == SHORT
    assert page.comments.split("\n") == [it.text for it in SHORT]


def test_short_replies_to_comments_are_found() -> None:
    form = "<b>{}</b><div>{}</div><div class=text>{}</div>"
    first, second = (
        form.format(it.author, it.time.replace("T", " ")[:16], it.text) for it in SHORT[1:]
    )
    page = below_an_article(
        f"<ol><li class=item>{first}<ul class=below><li class=item>{second}</li></ul></li></ol>"
    )
    assert page.comment_records == SHORT[1:]


@pytest.mark.parametrize("heading", HEADINGS)
def test_headings_and_notices_are_no_comments(heading: str) -> None:
    form = PLACES["text in a box"]
    page = below_an_article(f"<h3>{heading}</h3>{short_comments(form)}<form>{NOTICES}</form>")
    assert page.comment_records == SHORT
    assert page.comments.split("\n") == [it.text for it in SHORT]
    assert below_an_article(NOTICES).comments == ""


def test_a_text_that_mentions_a_moment_is_no_time() -> None:
    form = "<li class=item><b>{}</b><div>{}</div><div class=text>{}</div></li>"
    page = below_an_article(
        form.format("山那边", "04/01 10:05", "刚刚入住的邻居，都说环境很好")
        + form.format("lulu88", "04/01 11:30", "好，明天去看看")
    )
    assert page.comment_records == [
        Comment("山那边", "2023-04-01T10:05:00", "刚刚入住的邻居，都说环境很好"),
        Comment("lulu88", "2023-04-01T11:30:00", "好，明天去看看"),
    ]
