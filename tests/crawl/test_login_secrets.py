"""Passwords, tokens and cookies of logins belong to one run: no file of it keeps them."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from tests.crawl.test_secrets_stay_out_of_files import files_with
from tests.support.crawl_runs import PATIENCE_SECONDS
from tests.support.forked import ForkedCommand
from tests.support.logging_in import SECRETS, logins_file
from tests.support.login_server import PASSWORD, USER, Asked, LoginSite, Reply, serving
from tests.support.login_styles import Basic, DiscuzLike, FormWithToken, JsonBearer
from tests.support.login_styles_later import JsonCookies, Salted
from tests.support.loopback_sites import crawl_words_for

pytestmark = pytest.mark.slow


class FormInTheAddress(FormWithToken):
    """A form that is sent by GET: the password is in the URL."""

    def login(self, asked: Asked) -> Reply:
        if asked.query.keys() >= {"username", "password"}:
            asked = replace(asked, method="POST", body=urlencode(asked.query).encode())
        reply = super().login(asked)
        if isinstance(reply.body, str):
            reply.body = reply.body.replace("method=post", "method=get")
        return reply


TEXTS = {
    FormInTheAddress: 'url = "{url}/login"\nSECRETS',
    FormWithToken: 'url = "{url}/login"\nSECRETS',
    DiscuzLike: 'url = "{url}/member.php?mod=logging&action=login"\ntransform = "md5"\nSECRETS',
    JsonBearer: 'kind = "json"\nurl = "{url}/api/v1/login"\nSECRETS',
    JsonCookies: 'kind = "json"\nurl = "{url}/api/auth/login"\nuser_field = "account.phone"\n'
    'password_field = "account.password"\nSECRETS',
    Salted: 'url = "{url}/index.asp"\ntransform = ["md5", "+sjs", "md5"]\nSECRETS',
    Basic: 'kind = "basic"\nurl = "{url}/p/1.html"\nSECRETS',
}
#: What must be in no file, beside what the server has given out.
WORDS = (
    PASSWORD,
    quote(PASSWORD, safe=""),
    hashlib.md5(PASSWORD.encode()).hexdigest(),
    base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode(),
)


def unsteady(style: type[LoginSite]) -> LoginSite:
    """A site of *style* with many pages, each of which fails at the first attempt."""

    class Unsteady(style):  # type: ignore[valid-type, misc]
        pages = 200
        lasting = 15

        def __init__(self) -> None:
            super().__init__()
            self.failed: set[str] = set()

        def article(self, asked: Asked) -> Reply:
            if asked.path not in self.failed:
                self.failed.add(asked.path)
                return Reply("busy", 503)
            reply: Reply = super().article(asked)
            return reply

    return Unsteady()


@pytest.mark.parametrize("style", TEXTS)
def test_no_file_of_a_killed_crawl_holds_a_secret(style: type[LoginSite], tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    folder.mkdir()
    with serving(unsteady(style)) as site:
        file = logins_file(tmp_path, TEXTS[style].replace("{url}", site.url))
        words, variables = crawl_words_for(
            folder,
            [f"{site.url}/"],
            arguments=("-a", "record=web.sqlite"),
            environment=SECRETS,
            TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED="127.0.0.0/8",
            TOPICCRAWL_LOGINS=file,
            TOPICCRAWL_LOGIN_PAUSE_SECONDS=0.2,
            TOPICCRAWL_RETRY_MAX_ATTEMPTS=5,
            TOPICCRAWL_BACKOFF_SECONDS=0,
            LOG_LEVEL="DEBUG",
            LOG_FILE="crawl.log",
            COOKIES_ENABLED=True,
            COOKIES_DEBUG=True,
            HTTPCACHE_ENABLED=True,
            HTTPCACHE_DIR="cache",
        )
        process = ForkedCommand(words, variables, cwd=folder)
        try:
            seen = site.asked
            process.wait_until(lambda: sum("/p/" in it.path for it in seen) >= 60, PATIENCE_SECONDS)
        finally:
            process.kill()
            done = process.result(PATIENCE_SECONDS)
        assert site.logins >= 1, (folder / "crawl.log").read_text()[-3000:]
        secrets = [*WORDS, *site.sessions]
    assert (folder / "crawl.log").stat().st_size > 5_000
    assert files_with(folder, *secrets) == []
    assert not any(word in done.stderr + done.stdout for word in secrets)
