"""Whether an answer is the site's or the proxy's own."""

from __future__ import annotations

import pytest

from topiccrawl.proxies.answers import PROXIES, Answer, AnswerJudge, Fault, same

NAV = '<a href="/list.html">列表</a>'


def page(url: str, text: str, links: str = NAV) -> Answer:
    body = f"<html><head><title>{text}</title></head><body>{links}<p>{text}</p></body></html>"
    return Answer(url, 200, body.encode(), html=True)


def ad(url: str) -> Answer:
    return page(url, f"您访问的 {url} 需要加速", '<a href="http://ads.example/">购买</a>')


@pytest.mark.parametrize(
    ("status", "fault"),
    [
        (200, None), (404, None), (410, None), (304, None),
        (407, Fault.DEAD), (502, Fault.UNREACHED), (503, Fault.UNREACHED), (504, Fault.UNREACHED),
        (403, Fault.REFUSED), (429, Fault.REFUSED),
    ],
)  # fmt: skip
def test_statuses_that_a_proxy_may_have_sent_are_suspected(
    status: int, fault: Fault | None
) -> None:
    answer = Answer("http://a.cn/", status, b"<html><a href=/x>x</a></html>", html=True)
    assert AnswerJudge().fault("p", answer) is fault


def test_pages_of_a_site_are_not_suspected() -> None:
    judge = AnswerJudge()
    for n in range(20):
        answer = page(f"http://a.cn/{n}.html", f"第{'一二三四五六七八九十'[n % 10]}篇" * (n + 1))
        assert judge.fault("p", answer) is None
        judge.accepted("p", answer)


def test_an_advertisement_for_every_address_is_suspected_though_it_names_the_address() -> None:
    judge = AnswerJudge()
    assert judge.fault("p", ad("http://a.cn/1.html")) is Fault.FALSE
    echo = page(
        "http://a.cn/1.html", "请先登录网络 http://a.cn/1.html", '<a href="/login">登录</a>'
    )
    again = page(
        "http://b.cn/22.html", "请先登录网络 http://b.cn/22.html", '<a href="/login">登录</a>'
    )
    assert judge.fault("p", echo) is None
    judge.accepted("p", echo)
    assert judge.fault("p", again) is Fault.FALSE
    assert judge.falsified("p", again) == ["http://a.cn/1.html"]
    assert judge.is_false(echo)
    assert judge.fault("another", echo) is Fault.FALSE


def test_a_page_that_two_proxies_agree_about_is_not_suspected_again() -> None:
    judge = AnswerJudge()
    first, second = (page(f"http://a.cn/{n}", "此页不存在") for n in (1, 2))
    judge.accepted("p", first)
    assert judge.fault("p", second) is Fault.FALSE
    judge.confirmed(second)
    assert judge.fault("p", page("http://a.cn/3", "此页不存在")) is None


def test_a_site_whose_pages_have_no_links_is_known_after_some() -> None:
    judge = AnswerJudge()
    for n in range(3):
        answer = page(f"http://a.cn/{n}", "文" * (n + 1), "")
        assert judge.fault("p", answer) is Fault.FALSE
        judge.confirmed(answer)
        judge.accepted("p", answer)
    assert judge.fault("p", page("http://a.cn/9", "另外一篇", "")) is None


def test_a_redirect_to_another_site_is_suspected_and_one_within_the_site_is_not() -> None:
    judge = AnswerJudge()
    away = Answer("http://a.cn/1", 302, b"", "http://portal.example/?from=1")
    home = Answer("http://a.cn/1", 301, b"", "https://www.a.cn/1")
    assert judge.fault("p", away) is Fault.FALSE
    assert judge.fault("p", home) is None


def test_an_empty_page_is_suspected_until_confirmed() -> None:
    judge = AnswerJudge()
    empty = Answer("http://a.cn/1", 200, b"", html=True)
    assert judge.fault("p", empty) is Fault.FALSE
    judge.confirmed(empty)
    assert judge.fault("p", empty) is None


def test_two_answers_are_the_same_page_though_numbers_and_tokens_differ() -> None:
    text = " ".join(f"w{chr(97 + n)}" for n in range(26))
    one = page("http://a.cn/1", f"{text} 阅读 1024 token=abcdef")
    two = page("http://a.cn/1", f"{text} 阅读 2048 token=ghijkl")
    assert same(one, two)
    assert not same(one, page("http://a.cn/1", "全然不同"))
    assert not same(one, Answer(one.url, 404, one.body))


def test_pages_of_proxies_that_are_long_gone_are_forgotten() -> None:
    judge = AnswerJudge()
    same_page = page("http://a.cn/1.html", "第一篇")
    for n in range(PROXIES + 1):
        judge.accepted(f"p{n}", same_page)
    again = Answer("http://a.cn/2.html", 200, same_page.body, html=True)
    assert judge.fault(f"p{PROXIES}", again) is Fault.FALSE
    assert judge.fault("p1", again) is Fault.FALSE
    assert judge.fault("p0", again) is None
