"""Answers of engines: results, redirects, blocks, garbled ones."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.sources.answers import Received, read_answer
from topiccrawl.sources.blocks import is_captcha_address
from topiccrawl.sources.descriptions import load_engines, read_engine
from topiccrawl.sources.engine import Engine, Question
from topiccrawl.sources.redirects import redirect_target, unwrapped
from topiccrawl.sources.results import Answer, Verdict

ASKED = Question("茶文化")
(SEARXNG, BAIDU, SOGOU, SO360, BING) = load_engines(
    ["searxng", "baidu", "sogou", "so360", "bing"], [], "http://127.0.0.1:8888/"
)


def answer(engine: Engine, body: str | bytes, *, status: int = 200, **more: str) -> Answer:
    data = body.encode() if isinstance(body, str) else body
    url = engine.request(ASKED, 0).url
    return read_answer(engine, ASKED, Received(url, status, data, **more))


def html(*results: str, title: str = "茶文化_百度搜索") -> str:
    return f"<html><head><title>{title}</title></head><body>{''.join(results)}</body></html>"


def test_searxng_lists_addresses_titles_and_engines() -> None:
    line = {"url": "http://tea.cn/", "title": "茶 文化", "content": "历史", "engines": ["bing"]}
    found = answer(SEARXNG, json.dumps({"results": [line, {"title": "no address"}]}))
    assert found.verdict is Verdict.GOOD
    (result,) = found.results
    assert (result.url, result.title, result.engines) == ("http://tea.cn/", "茶 文化", ("bing",))


def test_searxng_without_results_says_which_engines_did_not_answer() -> None:
    body = {"results": [], "unresponsive_engines": [["baidu", "CAPTCHA"]]}
    found = answer(SEARXNG, json.dumps(body))
    assert (found.verdict, found.detail) == (Verdict.EMPTY, "baidu: CAPTCHA")


def test_baidu_states_the_true_address_beside_its_redirect() -> None:
    results = (
        '<div class="result c-container" mu="http://tea.cn/a"><h3><a href='
        '"http://www.baidu.com/link?url=xyz">茶<em>文化</em></a></h3></div>'
    )
    found = answer(BAIDU, html(f'<div id="content_left">{results}</div>'))
    assert [(it.url, it.title) for it in found.results] == [("http://tea.cn/a", "茶文化")]


def test_bing_360_and_sogou_are_unwrapped() -> None:
    bing = (
        '<ol id="b_results"><li class="b_algo"><h2><a href="https://cn.bing.com/ck/a?u='
        'a1aHR0cDovL3RlYS5jbi8&p=1">茶</a></h2><p>绿茶</p></li></ol>'
    )
    assert [it.url for it in answer(BING, html(bing)).results] == ["http://tea.cn/"]
    so = (
        '<ul class="result"><li class="res-list"><h3><a href="https://www.so.com/link?m=abc"'
        ' data-mdurl="http://tea.cn/b">茶</a></h3></li></ul>'
    )
    assert [it.url for it in answer(SO360, html(so)).results] == ["http://tea.cn/b"]
    sogou = '<div class="results"><div class="vrwrap"><h3><a href="/link?url=secret">茶</a></h3></div></div>'
    assert [it.url for it in answer(SOGOU, html(sogou)).results] == [
        "https://www.sogou.com/link?url=secret"
    ]


def test_pages_that_only_lead_on_are_read() -> None:
    base = "https://www.sogou.com/link?url=secret"
    script = '<script>window.location.replace("http://tea.cn/?a=1&amp;b=2")</script>'
    assert redirect_target(script, base) == "http://tea.cn/?a=1&b=2"
    refresh = '<meta http-equiv="refresh" content="0;URL=\'http://tea.cn/\'">'
    assert redirect_target(refresh, base) == "http://tea.cn/"
    assert redirect_target("<p>text</p>", base) is None


@pytest.mark.parametrize(
    "link", ["javascript:void(0)", "mailto:a@b.cn", "http://[::1", "http://a:99999/"]
)
def test_what_is_no_address_of_the_web_is_no_result(link: str) -> None:
    assert unwrapped(link, "http://s.example/", ["url"]) is None


CAPTCHA = html(
    '<div id="content_left"><div class="result"><h3><a href="http://x.cn/">1</a></h3></div></div>',
    title="百度安全验证",
)


@pytest.mark.parametrize(
    ("body", "more", "verdict"),
    [
        (CAPTCHA, {}, Verdict.BLOCKED),
        (html("<p>请输入验证码</p>", title="搜索"), {}, Verdict.BLOCKED),
        (
            html('<form action="/captcha"><input name="vcode"></form>', title=""),
            {},
            Verdict.BLOCKED,
        ),
        (html("<p>Our systems have detected unusual traffic</p>"), {}, Verdict.BLOCKED),
        ("", {"location": "https://wappass.baidu.com/static/captcha/?x"}, Verdict.BLOCKED),
        ("", {"location": "https://www.baidu.com/other"}, Verdict.FAILED),
        ("no", {"status": 429}, Verdict.BLOCKED),
        ("no", {"status": 403}, Verdict.BLOCKED),
        ("no", {"status": 503}, Verdict.BLOCKED),
        ("no", {"status": 500}, Verdict.FAILED),
        ("  \n", {}, Verdict.EMPTY),
        (html('<div id="content_left"></div>'), {}, Verdict.EMPTY),
        (html("<p>很抱歉，没有找到与“茶文化”相关的网页</p>"), {}, Verdict.NONE),
        (bytes(b ^ 0x5A for b in html("茶文化").encode()), {}, Verdict.GARBLED),
    ],
)
def test_refusals_are_recognized(
    body: str | bytes, more: dict[str, str | int], verdict: Verdict
) -> None:
    found = answer(BAIDU, body, **more)  # type: ignore[arg-type]
    assert found.verdict is verdict
    assert not found.results


def test_a_query_for_captchas_is_no_captcha() -> None:
    asked = Question("安全验证")
    result = (
        '<div id="content_left"><div class="result" mu="http://a.cn/"><h3>安全验证</h3>'
        '<p class="c-abstract">请输入验证码</p></div></div>'
    )
    page = html(result, title="安全验证_百度搜索").encode()
    assert read_answer(BAIDU, asked, Received(BAIDU.url, 200, page)).verdict is Verdict.GOOD


@pytest.mark.parametrize("body", ["{", '{"results": 3}', '{"other": []}', "[" * 100_000, CAPTCHA])
def test_json_that_is_none_is_garbled_or_a_block(body: str) -> None:
    found = answer(SEARXNG, body)
    assert found.verdict is (Verdict.BLOCKED if body is CAPTCHA else Verdict.GARBLED)


def test_titles_in_a_wrong_encoding_are_garbled() -> None:
    title = "茶文化的历史与传播".encode().decode("latin-1")
    lines = [{"url": f"http://tea.cn/{i}", "title": title, "content": ""} for i in range(5)]
    assert answer(SEARXNG, json.dumps({"results": lines})).verdict is Verdict.GARBLED


def test_feeds_are_read_and_entities_are_not_expanded() -> None:
    rss = read_engine(
        "rss",
        tomllib.loads('[request]\nurl = "http://s.example/?q={query}"\n[answer]\nformat = "rss"'),
        where="rss.toml",
    )
    item = "<item><title>茶&amp;道</title><link>http://tea.cn/</link><description>"
    item += "a &lt;b&gt;b&lt;/b&gt;</description></item>"
    feed = f'<?xml version="1.0"?><rss version="2.0"><channel>{item}</channel></rss>'
    (result,) = answer(rss, feed).results
    assert (result.url, result.title, result.snippet) == ("http://tea.cn/", "茶&道", "a b")
    assert answer(rss, "<html><body>no feed").verdict in (Verdict.GARBLED, Verdict.EMPTY)


def test_captcha_pages_are_known_by_their_address() -> None:
    for url in (
        "https://wappass.baidu.com/static/captcha/tuxing.html?x=1",
        "https://www.sogou.com/antispider/?from=x",
        "https://qcaptcha.so.com/?ret=x",
    ):
        assert is_captcha_address(url)
    assert not is_captcha_address("https://zh.wikipedia.org/wiki/CAPTCHA")
    assert not is_captcha_address("http://tea.cn/article?about=captcha")
    assert not is_captcha_address("http://tea.cn/history.html")


@given(st.binary(max_size=300), st.sampled_from([SEARXNG, BAIDU]))
def test_any_bytes_give_a_verdict(body: bytes, engine: Engine) -> None:
    assert answer(engine, body).verdict in Verdict
