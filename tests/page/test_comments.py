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
