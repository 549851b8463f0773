"""Logins to servers that really check them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.logging_in import assert_wrong_password_is_refused, try_login
from tests.support.login_server import LoginSite, serving
from tests.support.login_styles import SIX, TEXTS, CookiesOnly
from topiccrawl.access.verdicts import judge_json


@pytest.mark.parametrize("style", [it for it in SIX if it is not CookiesOnly])
def test_a_login_opens_a_session(style: type[LoginSite], tmp_path: Path) -> None:
    with serving(style()) as site:
        access, verdict = try_login(tmp_path, TEXTS[style].format(url=site.url))
        assert verdict.open, verdict
        assert access.jar.header(site.url) or access.headers or access.authorization


@pytest.mark.parametrize("style", [it for it in SIX if it is not CookiesOnly])
def test_a_wrong_password_is_refused(style: type[LoginSite], tmp_path: Path) -> None:
    assert_wrong_password_is_refused(style(), TEXTS[style], tmp_path)


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
