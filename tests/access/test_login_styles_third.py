"""A third set of login styles."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.logging_in import SECRETS, assert_wrong_password_is_refused, try_login
from tests.support.login_server import Asked, LoginSite, Reply, serving
from tests.support.login_styles_third import (
    CaptchaAfterFailure,
    ChineseNames,
    HeaderToken,
    OpenIdSite,
    PersonOnly,
    SpringLike,
    Tabs,
    TokenCookie,
    WebForms,
    WordPressLike,
)
from topiccrawl.access.verdicts import Outcome

TEXTS = {
    WordPressLike: 'url = "{url}/wp-login.php"\nSECRETS',
    SpringLike: 'url = "{url}/login"\nSECRETS',
    WebForms: 'url = "{url}/Account/Login.aspx"\nSECRETS',
    Tabs: 'url = "{url}/account"\nSECRETS',
    ChineseNames: 'url = "{url}/oa"\nSECRETS',
    HeaderToken: 'kind = "json"\nurl = "{url}/api/login"\nuser_field = "loginName"\n'
    'password_field = "pwd"\ntoken_header = "X-Token"\nSECRETS',
    TokenCookie: 'kind = "json"\nurl = "{url}/api/login"\ntoken_cookie = "Admin-Token"\n'
    'fields = {{ type = "account" }}\nSECRETS',
}


@pytest.mark.parametrize("style", TEXTS)
def test_a_login_opens_a_session(style: type[LoginSite], tmp_path: Path) -> None:
    with serving(style()) as site:
        access, verdict = try_login(tmp_path, TEXTS[style].format(url=site.url))
        assert verdict.open, verdict
        assert site.logins == 1
        if style is TokenCookie:
            assert "Admin-Token" in access.jar.named(site.url)


@pytest.mark.parametrize("style", TEXTS)
def test_a_wrong_password_is_refused(style: type[LoginSite], tmp_path: Path) -> None:
    assert_wrong_password_is_refused(style(), TEXTS[style], tmp_path)


@pytest.mark.parametrize("way", PersonOnly.WAYS)
def test_what_only_a_person_can_answer_is_not_tried(way: str, tmp_path: Path) -> None:
    with serving(PersonOnly(way)) as site:
        _, verdict = try_login(tmp_path, f'url = "{site.url}/login"\nSECRETS')
        assert verdict.outcome is Outcome.CAPTCHA
        assert site.refused == 0


def test_a_captcha_that_appears_after_a_failure_is_left_to_a_person(tmp_path: Path) -> None:
    with serving(CaptchaAfterFailure()) as site:
        _, verdict = try_login(tmp_path, f'url = "{site.url}/login"\nSECRETS')
        assert verdict.outcome is Outcome.CAPTCHA
        assert site.refused == 1


@pytest.mark.parametrize("password", [SECRETS["TEST_PASSWORD"], "wrong-password"])
def test_an_authorization_code_comes_over_another_host(password: str, tmp_path: Path) -> None:
    with serving(OpenIdSite()) as site, serving(site.provider, "127.0.0.2"):
        text = f'url = "{site.url}/oauth2/start"\nthrough = ["127.0.0.2"]\nSECRETS'
        _, verdict = try_login(tmp_path, text, {**SECRETS, "TEST_PASSWORD": password})
        good = password == SECRETS["TEST_PASSWORD"]
        assert verdict.outcome is (Outcome.OPEN if good else Outcome.REFUSED)
        assert site.provider.refused == (not good)


def test_a_token_of_an_address_of_its_own_is_sent_as_a_field(tmp_path: Path) -> None:
    class Split(HeaderToken):
        def login(self, asked: Asked) -> Reply:
            if asked.path == "/api/csrf":
                return Reply('{"csrfToken": "tok-123456"}', kind="application/json")
            if asked.json().get("_csrf") != "tok-123456":
                return Reply("{}", 403, kind="application/json")
            return super().login(asked)

    with serving(Split()) as site:
        text = TEXTS[HeaderToken].format(url=site.url)
        text += f'\npage = "{site.url}/api/csrf"\ncsrf_field = "_csrf"'
        access, verdict = try_login(tmp_path, text)
        assert verdict.open
        assert access.headers["X-Token"] in site.sessions
