"""``scrapy login``: a line about each login."""

from __future__ import annotations

import os
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.support import crawl_runs
from tests.support.logging_in import SECRETS, logins_file
from tests.support.login_server import PASSWORD, LoginSite, serving
from tests.support.login_styles import FormWithToken
from tests.support.login_styles_later import Captcha

pytestmark = pytest.mark.slow


def login(folder: Path, text: str, *words: str, **variables: str) -> CompletedProcess[str]:
    """Run the command for a word, with the login *text*."""
    file = logins_file(folder, text)
    words = ("login", "侨务", *words, "-s", f"TOPICCRAWL_LOGINS={file}", "-s", "DOWNLOAD_DELAY=0")
    words += ("-s", "TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED=all")
    names = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    return crawl_runs.scrapy(words, {**names, **SECRETS, **variables, "TOPICCRAWL_LANG": "en"})


def test_a_login_that_succeeds_is_ok(tmp_path: Path) -> None:
    with serving(FormWithToken()) as site:
        done = login(tmp_path, f'name = "forum"\nurl = "{site.url}/login"\nSECRETS')
    assert done.stdout == "forum: ok\n", done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize("log", ["WARNING", "DEBUG"])
def test_a_wrong_password_is_refused_and_not_shown(tmp_path: Path, log: str) -> None:
    with serving(FormWithToken()) as site:
        text = f'name = "forum"\nurl = "{site.url}/login"\nSECRETS'
        done = login(tmp_path, text, "-L", log, TEST_PASSWORD="open-sesame")
    assert done.stdout.startswith("forum: refused: the server refuses (")
    assert done.returncode == 1
    assert "open-sesame" not in done.stdout + done.stderr


def test_a_captcha_asks_the_person(tmp_path: Path) -> None:
    with serving(Captcha()) as site:
        done = login(tmp_path, f'name = "bbs"\nurl = "{site.url}/login"\nSECRETS')
    assert done.stdout.startswith("bbs: captcha: asks for what only a person can answer (code)")
    assert done.returncode == 1


def test_a_page_without_a_login_names_the_fields_that_were_found(tmp_path: Path) -> None:
    with serving(LoginSite()) as site:
        done = login(tmp_path, f'name = "bbs"\nurl = "{site.url}/"\nSECRETS')
    assert "no form with a password at" in done.stdout
    assert "found: no fields" in done.stdout


def test_what_is_described_is_checked_without_a_request(tmp_path: Path) -> None:
    with serving(FormWithToken()) as site:
        done = login(tmp_path, f'name = "forum"\nurl = "{site.url}/login"\nSECRETS', "--dry")
    assert done.stdout == "forum: described, and its secrets are there\n"
    assert site.asked == []


def test_a_topic_without_logins_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "logins.toml").write_text("")
    words = ("login", "侨务", "-s", f"TOPICCRAWL_LOGINS={tmp_path / 'logins.toml'}")
    done = crawl_runs.scrapy(words, dict(os.environ))
    assert done.returncode == 1
    assert "TOPICCRAWL_LOGINS" in done.stderr
    assert PASSWORD not in done.stderr
