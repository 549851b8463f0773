"""Logins to servers that really check them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.logging_in import assert_wrong_password_is_refused, try_login
from tests.support.login_server import LoginSite, serving
from tests.support.login_styles import (
    SIX,
    Basic,
    CookiesOnly,
    DiscuzLike,
    FormWithToken,
    JsonBearer,
    TwoSteps,
)

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = {
    FormWithToken: 'url = "{url}/login"\nSECRETS',
    DiscuzLike: 'url = "{url}/member.php?mod=logging&action=login"\ntransform = "md5"\nSECRETS',
    JsonBearer: 'kind = "json"\nurl = "{url}/api/v1/login"\nSECRETS',
    Basic: 'kind = "basic"\nurl = "{url}/p/1.html"\nSECRETS',
    TwoSteps: 'url = "{url}/login"\nSECRETS',
}


@pytest.mark.parametrize("style", [it for it in SIX if it is not CookiesOnly])
def test_a_login_opens_a_session(style: type[LoginSite], tmp_path: Path) -> None:
    with serving(style()) as site:
        access, verdict = try_login(tmp_path, TEXTS[style].format(url=site.url))
        assert verdict.open, verdict
        assert access.jar.header(site.url) or access.headers or access.authorization


@pytest.mark.parametrize("style", [it for it in SIX if it is not CookiesOnly])
def test_a_wrong_password_is_refused(style: type[LoginSite], tmp_path: Path) -> None:
    assert_wrong_password_is_refused(style(), TEXTS[style], tmp_path)
