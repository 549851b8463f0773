"""Logins to servers that really check them.

The rules were written for the first six styles, and judged by the later and the third ones.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support import login_styles, login_styles_later
from tests.support.logging_in import SECRETS, try_login
from tests.support.login_server import Asked, LoginSite, Reply, serving
from tests.support.login_styles import CookiesOnly
from tests.support.login_styles_later import Captcha, CasService, Slider
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
from topiccrawl.access.verdicts import Outcome, judge_json

TEXTS = {
    **{it: text for it, text in login_styles.TEXTS.items() if it is not CookiesOnly},
    **login_styles_later.TEXTS,
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
        assert access.jar.header(site.url) or access.headers or access.authorization
        assert site.logins == 1
        if style is TokenCookie:
            assert "Admin-Token" in access.jar.named(site.url)


@pytest.mark.parametrize("style", TEXTS)
def test_a_wrong_password_is_refused(style: type[LoginSite], tmp_path: Path) -> None:
    with serving(style()) as site:
        wrong = {**SECRETS, "TEST_PASSWORD": "wrong-password"}
        _, verdict = try_login(tmp_path, TEXTS[style].format(url=site.url), wrong)
    assert verdict.outcome is Outcome.REFUSED
    assert (site.logins, site.refused) == (0, 1)


def test_a_login_on_another_host_needs_that_hosts_name(tmp_path: Path) -> None:
    with serving(CasService()) as site, serving(site.cas, "127.0.0.2"):
        text = f'url = "{site.url}/user/login"\nSECRETS\n'
        _, verdict = try_login(tmp_path, text)
        assert verdict.outcome is Outcome.OTHER_HOST
        assert verdict.detail == "127.0.0.2"
        assert not any(asked.body for asked in site.cas.asked)
        access, verdict = try_login(tmp_path, text + 'through = ["127.0.0.2"]')
        assert verdict.open
        assert site.logins == 1
        assert access.jar.named(site.url).keys() == {"APPSESSION"}
        _, verdict = try_login(
            tmp_path, text + 'through = ["127.0.0.2"]', {**SECRETS, "TEST_PASSWORD": "wrong"}
        )
        assert verdict.outcome is Outcome.REFUSED


@pytest.mark.parametrize("style", [Captcha, Slider])
def test_a_captcha_is_left_to_a_person(style: type[LoginSite], tmp_path: Path) -> None:
    with serving(style()) as site:
        _, verdict = try_login(tmp_path, f'url = "{site.url}/login"\nSECRETS')
        assert verdict.outcome is Outcome.CAPTCHA
        assert site.refused == 0, "nothing was sent"


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


@pytest.mark.parametrize(
    ("answer", "is_open"),
    [
        ("{}", True),
        ('{"error": false}', True),
        ('{"error": true}', False),
        ('{"error": 0}', True),
        ('{"error": "E17"}', False),
        ('{"success": true, "code": 17}', True),
        ('{"Success": false, "code": 0}', False),
        ('{"ok": false}', False),
        ('{"code": 0, "status": 17}', False),
        ('{"code": 200, "result": {"id": 5}}', True),
        ('{"code": 0, "msg": "密码错误"}', False),
    ],
)
def test_an_answer_in_json_states_whether_a_session_is_open(answer: str, is_open: bool) -> None:
    got: Any = SimpleNamespace(status=200, body=answer.encode())
    assert judge_json(got, cookies=True).open is is_open
    assert not judge_json(got, cookies=False).open
