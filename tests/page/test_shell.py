"""Pages whose content scripts put in are suspected, others are not."""

from __future__ import annotations

import time

import pytest

from topiccrawl.page.page import Page
from topiccrawl.page.shell import Content, content_of, may_be_shell, template_of

SCRIPT = '<script src="/assets/main.js"></script>'
NAV = "".join(f'<a href="/c{i}.html">栏目{i}</a>' for i in range(12))
FOOT = (
    "<p>主办单位：某某市归国华侨联合会 地址：人民路一号 邮编：325000 电话：0577-88888888</p>"
    "<p>版权所有 未经许可不得转载 浙ICP备12345678号-1 网站标识码3303000001 建议使用1024×768分辨率</p>"
)
TEXT = "昨日，某市侨联举行座谈会，来自各地的归侨侨眷代表参加会议，就如何发挥侨界作用展开讨论。"

SHELLS = {
    "react": f'<div id="root"></div>{SCRIPT}',
    "angular": f"<app-root></app-root>{SCRIPT}",
    "loading": f'<div id="__nuxt"><div class="spinner"><span>Loading...</span></div></div>{SCRIPT}',
    "written": '<script>document.write(decodeURIComponent(escape(atob("PGgxPg=="))))</script>',
    "navigation and foot": f'{NAV}<div class="TRS_Editor"></div>{FOOT}{SCRIPT}',
    "jquery": f'{NAV}<div class="zw">数据加载中，请稍候</div>{FOOT}<script>$(".zw").load("/1")</script>',
    "template": f'{NAV}<h1>{{{{ article.title }}}}</h1><div v-html="article.content"></div>{SCRIPT}',
    "table": f"{NAV}<table><tbody id=rows></tbody></table>{FOOT}{SCRIPT}",
    "asks for scripts": f"<noscript>请启用JavaScript</noscript>{NAV}<b></b>{SCRIPT}",
    "pinyin": f'{NAV}<h1 id="bt"></h1><div id="nr"></div>{FOOT}{SCRIPT}',
}
PAGES = {
    "article": f"{NAV}<h1>座谈会</h1><p>{TEXT * 4}</p><div id=comments></div>{FOOT}{SCRIPT}",
    "bulletin": f"{NAV}<h1>通知</h1><p>{TEXT}</p>{FOOT}{SCRIPT}",
    "list": f'{NAV}<ul><li><a href="/a.html">消息</a></li></ul><div class="page"></div>{FOOT}{SCRIPT}',
    "without scripts": "<h1>短</h1><p>短文</p><div id=root></div>",
    "with data": f'<h1>短</h1><p>{TEXT}</p><script type="application/ld+json">{{}}</script>',
}


def page_of(body: str, url: str = "http://a.cn/1.html") -> Page:
    markup = f"<html><head><meta charset=utf-8><title>侨网</title></head><body>{body}</body></html>"
    return Page(url, markup.encode(), content_type="text/html")


@pytest.mark.parametrize("name", SHELLS)
def test_a_page_that_scripts_fill_is_suspected(name: str) -> None:
    page = page_of(SHELLS[name])
    assert may_be_shell(page, content_of(page))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_with_content_is_not_suspected(name: str) -> None:
    page = page_of(PAGES[name])
    assert not may_be_shell(page, content_of(page))


def test_pages_of_one_application_have_one_template() -> None:
    body = '<div id="root" data-page="{}"></div><script src="/app.3fa8c21b9d.js"></script>'
    one, two = page_of(body.format(1)), page_of(body.format(2), "http://a.cn/x/2")
    assert template_of(one) == template_of(two)
    assert template_of(one) != template_of(page_of(SHELLS["jquery"]))


def test_a_browser_gains_by_text_or_by_links_and_not_by_a_greeting() -> None:
    assert Content(0, 0).gains(Content(60, 0))
    assert not Content(0, 0).gains(Content(12, 1))
    assert Content(5, 12).gains(Content(5, 40))
    assert not Content(200, 12).gains(Content(240, 14))


@pytest.mark.parametrize(
    "piece",
    [
        "<div>", "<div id=a>" + " " * 500, "<div><!--", "<p>loading", "<div ", ">{{", 'class="',
        "<div>" + "<!---->" * 30, "<div>" + "加载数据" * 30, "<a" + "-a" * 500,
    ],
)  # fmt: skip
def test_the_time_for_a_hostile_page_is_bounded(piece: str) -> None:
    page = page_of((piece * 200_000)[:200_000] + SCRIPT)
    content = content_of(page)
    began = time.process_time()
    may_be_shell(page, content)
    template_of(page)
    assert time.process_time() - began < 3
