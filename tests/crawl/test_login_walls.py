"""Answers by which sites say that a session has ended: noticed within one page, whatever they look like."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crawl.test_logins import articles, run
from tests.support.login_server import Asked, Reply, redirect, serving
from tests.support.login_styles import FormWithToken

pytestmark = pytest.mark.slow

#: A site's navigation, some 900 characters.
NAV = "".join(f"<a href='#c{i}'>华侨频道{i}</a> " for i in range(110))
FOOT = "<p>版权所有 侨务办公室 京ICP备00000000号 联系我们 关于我们 网站地图</p>"
FORM = """<form action=/login method=post><input name=username placeholder=用户名>
<input type=password name=password><button>登录</button></form>"""
TEASER = "海外侨胞回到侨乡寻根谒祖，参观华文学校，与侨联座谈。" * 6
WALLS = {
    "notice in a page with navigation": f"{NAV}<div class=box>您还没有登录，请先登录</div>{FOOT}",
    "teaser": f"{NAV}<h1>报道</h1><p>{TEASER}……</p><p>登录后阅读全文</p><a href=/login>登录</a>",
    "login form in place of the page": f"<title>用户登录</title>{NAV}{FORM}{FOOT}",
    "expired session": "<html><body>会话已过期，请重新登录。</body></html>",
    "script to the login page": "<script>window.location.replace('/login?from=x')</script>",
    "message box": "<script>alert('请登录！');history.back();</script>",
    "english": f"<title>Members only</title><p>Please log in to continue.</p>{FOOT}",
    "window over the page": f"{NAV}<p>{TEASER}</p><div class=modal>{FORM}</div>{FOOT}",
    "link only": f"{NAV}<h1>报道</h1><p>{TEASER * 3}</p><a href=/login>登录</a> <a href=/reg>注册</a>",
}


@pytest.mark.parametrize(
    ("name", "logout"),
    [*((name, True) for name in WALLS), *((name, False) for name in list(WALLS)[:8])],
)
def test_a_lost_session_is_noticed(name: str, logout: bool, tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()

    class Walled(FormWithToken):
        def wall(self, asked: Asked) -> Reply:
            return Reply(WALLS[name])

        def article(self, asked: Asked) -> Reply:
            reply = super().article(asked)
            link = "<a href=/bye>退出</a>" if logout else ""
            reply.body = f"{NAV}{link}{reply.body}{FOOT}"
            return reply

    site = Walled()
    site.lasting = 2
    with serving(site):
        done = run(tmp_path, site, 'url = "{url}/login"\nSECRETS')
    assert len(articles(done)) == site.pages, done.log[-3000:]
    assert 3 <= site.logins <= 5
    assert len([url for url in done.outcomes if "/p/" in url]) == site.pages


@pytest.mark.parametrize("status", [401, 403, 419])
def test_a_status_shows_a_lost_session(status: int, tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()

    class Walled(FormWithToken):
        def wall(self, asked: Asked) -> Reply:
            return Reply("<p>403</p>", status)

    site = Walled()
    site.lasting = 2
    with serving(site):
        done = run(tmp_path, site, 'url = "{url}/login"\nSECRETS')
    assert len(articles(done)) == site.pages, done.log[-3000:]
    assert 3 <= site.logins <= 5


def test_a_login_on_the_front_page_is_a_login_page_too(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()

    class AtFront(FormWithToken):
        def wall(self, asked: Asked) -> Reply:
            return redirect("/")

        def front(self, asked: Asked) -> Reply:
            session = self.session(asked)
            if session is not None and "user" in session:
                return super().front(asked)
            return self.login(asked)

    with serving(AtFront()) as site:
        done = run(tmp_path, site, 'url = "{url}/"\nSECRETS')
    assert len(articles(done)) == site.pages, done.log[-3000:]
