"""Crawls of sites that show their pages only to a session."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.logging_in import SECRETS, logins_file
from tests.support.login_server import PASSWORD, Asked, LoginSite, Reply, redirect, serving
from tests.support.login_styles import (
    SIX,
    TEXTS,
    CookiesOnly,
    DiscuzLike,
    FormWithToken,
    JsonBearer,
    TwoSteps,
)
from tests.support.login_styles_later import TEXTS as LATER
from tests.support.login_styles_later import (
    Captcha,
    CasService,
    Digest,
    DjangoLike,
    JsonCookies,
    MetaToken,
    Salted,
    ScriptToken,
    SelfSubmitting,
)
from tests.support.loopback_sites import Crawl, crawl

pytestmark = pytest.mark.slow

ALL_TEXTS = TEXTS | LATER


def run(folder: Path, site: LoginSite, text: str, **settings: object) -> Crawl:
    """Crawl *site* with the login *text*."""
    file = logins_file(folder, text.replace("{url}", site.url))
    settings = {
        "TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED": "127.0.0.0/8",
        "TOPICCRAWL_LOGINS": file,
        "TOPICCRAWL_LOGIN_PAUSE_SECONDS": 0.2,
        "TOPICCRAWL_PAGE_CLASSIFIER": False,
        **settings,
    }
    return crawl(folder / "crawl", [f"{site.url}/"], environment=SECRETS, **settings)


def articles(done: Crawl) -> set[str]:
    return {title for title in done.titles if title.startswith("侨情报道")}


@pytest.mark.parametrize("style", SIX)
def test_pages_behind_a_login_are_collected(style: type[LoginSite], tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()
    if style is CookiesOnly:
        cookie = {"name": "sid", "value": "from-the-browser-0123456789", "domain": "127.0.0.1"}
        file = tmp_path / "cookies.json"
        file.write_text(json.dumps([cookie]))
        file.chmod(0o600)
    with serving(style()) as site:
        done = run(tmp_path, site, ALL_TEXTS[style])
    assert done.code == 0, done.log
    assert len(articles(done)) == site.pages, done.log[-3000:]
    assert PASSWORD not in done.log


LATER = (MetaToken, DjangoLike, ScriptToken, JsonCookies, SelfSubmitting, Salted, Digest)


@pytest.mark.parametrize("style", [*LATER, FormWithToken, DiscuzLike, JsonBearer, TwoSteps])
def test_a_session_that_ends_after_two_pages_is_renewed(
    style: type[LoginSite], tmp_path: Path
) -> None:
    (tmp_path / "crawl").mkdir()
    site = style()
    site.lasting = 2
    with serving(site):
        done = run(tmp_path, site, ALL_TEXTS[style])
    assert len(articles(done)) == site.pages, done.log[-3000:]
    assert site.refused == 0
    if style is not Digest:
        assert 3 <= site.logins <= 5


def test_a_login_on_another_host_sends_the_session_to_its_sites_only(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()
    with serving(CasService()) as site, serving(site.cas, "127.0.0.2"):
        text = 'url = "{url}/user/login"\nthrough = ["127.0.0.2"]\nSECRETS'
        done = run(tmp_path, site, text)
    assert len(articles(done)) == site.pages, done.log[-3000:]
    assert site.logins == 1


def test_requests_to_other_hosts_carry_nothing_of_a_session(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()

    class Linking(JsonBearer):
        def article(self, asked: Asked) -> Reply:
            if asked.path == "/p/0.html":
                return Reply("", 302, [("Location", f"{other.url}/moved")])
            reply = super().article(asked)
            reply.cookie("seen=1234567890; Path=/")
            reply.body = f"{reply.body}<a href={other.url}/p/9.html>华侨</a>"
            return reply

    class Other(LoginSite):
        def may_see(self, asked: Asked) -> bool:
            return True

    other = Other()
    with serving(Linking()) as site, serving(other, "127.0.0.3"):
        done = run(tmp_path, site, TEXTS[JsonBearer])
    assert {asked.path for asked in other.asked} >= {"/moved", "/p/9.html"}, done.log[-2000:]
    assert not any(asked.cookies or "authorization" in asked.headers for asked in other.asked)
    robots = [asked for asked in site.asked if asked.path == "/robots.txt"]
    assert robots
    assert not any("authorization" in asked.headers for asked in robots)


def test_a_captcha_ends_the_login_and_not_the_crawl(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()
    with serving(Captcha()) as site:
        done = run(tmp_path, site, 'url = "{url}/login"\nSECRETS')
    assert done.code == 0
    (line,) = done.lines("only a person can answer")
    assert "export its cookies" in line
    assert not articles(done)
    assert {it.reason for url, it in done.outcomes.items() if "/p/" in url} == {"login-needed"}
    assert not any(asked.method == "POST" for asked in site.asked)


def test_a_wrong_password_is_sent_once(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()

    class Strict(FormWithToken):
        def accepts(self, user: str | None, password: str | None) -> bool:
            self.refused += 1
            return False

    with serving(Strict()) as site:
        done = run(tmp_path, site, 'url = "{url}/login"\nSECRETS')
    assert site.refused == 1
    assert len(done.lines("check the name and the password")) == 1
    assert {it.reason for url, it in done.outcomes.items() if "/p/" in url} == {"login-needed"}


def test_pages_that_stay_behind_the_login_are_dropped_without_a_loop(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()

    class Vip(FormWithToken):
        pages = 12

        def may_see(self, asked: Asked) -> bool:
            number = int(asked.path[3:].removesuffix(".html"))
            return super().may_see(asked) and number % 2 == 0

    with serving(Vip()) as site:
        done = run(tmp_path, site, 'url = "{url}/login"\nSECRETS')
    assert len(articles(done)) == 6, done.log[-3000:]
    assert {it.reason for url, it in done.outcomes.items() if it.verdict == "failed"} == {
        "login-needed"
    }
    assert site.logins <= 8


def test_links_that_end_the_session_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()

    class WithLogout(FormWithToken):
        def article(self, asked: Asked) -> Reply:
            reply = super().article(asked)
            reply.body = f"<a href=/bye/now>退出</a><a href=/login>登录</a>{reply.body}"
            return reply

        def login(self, asked: Asked) -> Reply:
            if asked.path == "/bye/now":
                self.sessions.clear()
            return super().login(asked)

    with serving(WithLogout()) as site:
        done = run(tmp_path, site, 'url = "{url}/login"\nSECRETS', CONCURRENT_REQUESTS=1)
    assert len(articles(done)) == site.pages
    assert site.logins == 1
    assert "/bye/now" not in {asked.path for asked in site.asked}
    assert {it.reason for url, it in done.outcomes.items() if it.verdict == "failed"} == {
        "login-address"
    }


def test_a_page_that_reaches_the_login_over_another_address_is_not_lost(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()

    class Roundabout(FormWithToken):
        def wall(self, asked: Asked) -> Reply:
            return redirect(f"/check?to={asked.path}")

        def login(self, asked: Asked) -> Reply:
            if asked.path == "/check":
                session = self.session(asked)
                inside = session is not None and "user" in session
                return redirect(asked.query["to"] if inside else "/login")
            return super().login(asked)

    site = Roundabout()
    site.lasting = 2
    with serving(site):
        done = run(tmp_path, site, 'url = "{url}/login"\nSECRETS')
    assert len(articles(done)) == site.pages, done.log[-3000:]
    assert site.logins <= 5


def test_a_page_with_a_meta_refresh_to_the_login_is_behind_the_wall(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()

    class Refreshing(FormWithToken):
        def wall(self, asked: Asked) -> Reply:
            return Reply('<meta http-equiv="refresh" content="0; url=/login"><p>...</p>')

    site = Refreshing()
    site.lasting = 2
    with serving(site):
        done = run(tmp_path, site, 'url = "{url}/login"\nSECRETS')
    assert len(articles(done)) == site.pages, done.log[-3000:]
    assert site.logins <= 5


def test_a_redirect_to_the_front_page_is_checked_by_one_renewal(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()

    class Homeward(FormWithToken):
        pages = 9

        def wall(self, asked: Asked) -> Reply:
            return redirect("/")

    site = Homeward()
    site.lasting = 3
    with serving(site):
        done = run(tmp_path, site, 'url = "{url}/login"\nSECRETS')
    assert len(articles(done)) == site.pages, done.log[-3000:]
    assert site.logins <= 6


def test_words_that_all_pages_of_a_site_have_are_no_wall(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()

    class Talkative(FormWithToken):
        def article(self, asked: Asked) -> Reply:
            reply = super().article(asked)
            reply.body = f"{reply.body}<p>{'侨乡的报道。' * 150}</p><p>请登录后发表评论</p>"
            return reply

    with serving(Talkative()) as site:
        done = run(tmp_path, site, 'url = "{url}/login"\nSECRETS')
    assert len(articles(done)) == site.pages, done.log[-3000:]
    assert site.logins <= 2


def test_cookies_that_are_not_accepted_any_more_are_not_tried_twice(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()
    file = tmp_path / "cookies.txt"
    file.write_text("127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\tfrom-the-browser-0123456789\n")
    file.chmod(0o600)

    class Short(CookiesOnly):
        lasting = 2

    with serving(Short()) as site:
        text = TEXTS[CookiesOnly].replace("cookies.json", "cookies.txt")
        done = run(tmp_path, site, text)
    assert len(articles(done)) == 2, done.log[-3000:]
    (line,) = done.lines("are not accepted")
    assert str(file) in line
    reasons = [it.reason for it in done.outcomes.values() if it.verdict == "failed"]
    assert reasons == ["login-needed"] * 4


@pytest.mark.parametrize("style", [DiscuzLike, FormWithToken])
def test_pages_that_an_earlier_run_found_behind_a_login_are_fetched_once_there_is_one(
    style: type[LoginSite], tmp_path: Path
) -> None:
    (tmp_path / "crawl").mkdir()
    with serving(style()) as site:
        without = crawl(
            tmp_path / "crawl",
            [f"{site.url}/"],
            TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED="127.0.0.0/8",
            TOPICCRAWL_PAGE_CLASSIFIER=False,
        )
        assert articles(without) == set()
        done = run(tmp_path, site, ALL_TEXTS[style])
    assert "queued again: there is a login now" in done.log
    assert len(articles(done)) == site.pages, done.log[-3000:]
