"""Lines broken at a width: which are joined, and which stay."""

from __future__ import annotations

import textwrap
import time

import pytest

from topiccrawl.page.hard_lines import unwrapped
from topiccrawl.page.page import Page

STORY = (
    "天色已经黑了下来，镇子里的灯一盏一盏地亮了。老韩坐在门槛上，手里捏着一根没有点着的烟，眼睛望着街的那一头。"
    "那一头是码头，每天最后一班船总在这个时候靠岸，船上下来的人提着竹篮和布包，说说笑笑地走过他的门口。",
    "“你等的人不会来了。”她在屋里说，声音不高，可是老韩听得清清楚楚。",
    "第二天一早，码头上的人说，昨天夜里江上起了大雾，最后一班船在对岸停了一夜。老韩听了，什么也没有说，只是把门口的石墩擦了又擦。",
)
MAIL = (
    "I have been looking at the way the scheduler treats idle workers, and I think that the current behavior is not"
    " what the manual describes. When a worker has been idle for more than thirty seconds it is removed from the pool.",
    "The attached patch changes that. It keeps a list of the idle workers, ordered by the time of their last job, and"
    " removes them only if the pool is larger than its lower bound.",
)


def wrapped(text: str, width: int) -> list[str]:
    return [text[i : i + width] for i in range(0, len(text), width)]


def body_of(content: str) -> list[str]:
    html = f"<html><head><title>渡口</title></head><body><h1>渡口</h1>{content}</body></html>"
    return Page("http://example.com/1.html", html.encode()).body.split("\n")


def test_pre_with_indented_paragraphs():
    lines = [line for text in STORY for line in wrapped("　　" + text, 34)]
    assert body_of(f"<pre>\n{chr(10).join(lines)}\n</pre>") == list(STORY)


def test_pre_with_empty_lines_between_paragraphs():
    text = "\n\n".join(textwrap.fill(part, 70) for part in MAIL)
    page = Page("http://example.com/1.html", f"<h1>Idle workers</h1><pre>{text}</pre>".encode())
    assert page.body.split("\n") == list(MAIL)
    assert page.markdown.split("\n\n") == list(MAIL)


@pytest.mark.parametrize("indent", ["　　", "&nbsp;&nbsp;&nbsp;&nbsp;"])
@pytest.mark.parametrize("line_end", ["<br>", "<BR/>\n", " <br />\n      "])
def test_lines_ended_by_br(indent, line_end):
    lines = [line for text in STORY for line in wrapped(text, 36)]
    starts = {text[:36] for text in STORY}
    content = line_end.join((indent if line in starts else "") + line for line in lines)
    assert body_of(f"<td>{content}</td>") == list(STORY)


def test_lines_without_indents_end_where_the_next_word_would_have_fitted():
    lines = [line for text in MAIL for line in textwrap.wrap(text, 66)]
    assert unwrapped(f"<div>{'<br>'.join(lines)}</div>") == f"<div>{'<br>'.join(MAIL)}</div>"


def test_quotations_lose_the_marks_inside():
    quoted = "\n".join(f"&gt; {line}" for line in textwrap.wrap(f"{MAIL[0]} A &lt;b&gt; c.", 66))
    joined = unwrapped(f"<pre>{quoted}\n\n{textwrap.fill(MAIL[1], 66)}</pre>")
    assert joined == f"<div>&gt; {MAIL[0]} A &lt;b&gt; c.<br><br>{MAIL[1]}</div>"


def test_links_in_a_line_stay():
    text = textwrap.fill(f"{MAIL[0]} See LINK for more. {MAIL[1]}", 70)
    link = '<a href="http://example.com/2">this note</a>'
    joined = unwrapped(f"<pre>{text.replace('LINK', link)}</pre>")
    assert joined == f"<div>{MAIL[0]} See {link} for more. {MAIL[1]}</div>"


@pytest.mark.parametrize(
    "html",
    [
        "<p>国破山河在，城春草木深。<br>感时花溅泪，恨别鸟惊心。<br>烽火连三月，家书抵万金。<br>白头搔更短，浑欲不胜簪。</p>",
        "<p>" + "<br>".join(STORY * 2) + "</p>",
        "<p>" + "<br>".join([f"第{i}章　{'山水风物志' * 4}" for i in range(9)]) + "</p>",
        "<pre><code>" + "\n".join(textwrap.wrap(MAIL[0] * 3, 70)) + "</code></pre>",
        "<pre>\n" + "for (int i = 0; i &lt; n; i++) { total += values[i] * weights[i]; }\n" * 9 + "</pre>",
        "<br>".join(f'<a href="/{i}">{"今日要闻一览" * 5}。</a>' for i in range(9)),
        "<pre>",
        "<br>" * 20,
    ],
    ids=["verse", "paragraphs", "list", "code", "program", "links", "unclosed", "empty"],
)  # fmt: skip
def test_others_stay_as_they_are(html):
    assert unwrapped(html) == html


def test_plain_chinese_lines_in_pre_are_lines():
    """What is shown as lines is read as lines."""
    lines = ["发信人: 杨柳", "标题: 论文要不要拆成两章，请大家说说", "昨天和导师谈了一次。"]
    assert unwrapped(f"<pre>{chr(10).join(lines)}</pre>") == f"<div>{'<br>'.join(lines)}</div>"


@pytest.mark.parametrize("piece", ["<pre>", "<br>", "<br>一", "<pre>一\n</pre>", "<", "<br><", "<a <br>"])  # fmt: skip
def test_time_is_linear(piece):
    times = []
    for size in (20_000, 80_000):
        page, rounds = piece * size, []
        for _ in range(3):  # the fastest: a collection of garbage may fall into one
            begin = time.process_time()
            unwrapped(page)
            rounds.append(time.process_time() - begin)
        times.append(min(rounds))
    assert times[1] < 12 * times[0] + 0.1
