"""Login styles that were written after the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.logging_in import SECRETS, assert_wrong_password_is_refused, try_login
from tests.support.login_server import LoginSite, serving
from tests.support.login_styles_later import TEXTS, Captcha, CasService, Slider
from topiccrawl.access.verdicts import Outcome


@pytest.mark.parametrize("style", TEXTS)
def test_a_login_opens_a_session(style: type[LoginSite], tmp_path: Path) -> None:
    with serving(style()) as site:
        _, verdict = try_login(tmp_path, TEXTS[style].format(url=site.url))
        assert verdict.open, verdict
        assert site.logins == 1


@pytest.mark.parametrize("style", TEXTS)
def test_a_wrong_password_is_refused(style: type[LoginSite], tmp_path: Path) -> None:
    assert_wrong_password_is_refused(style(), TEXTS[style], tmp_path)


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
