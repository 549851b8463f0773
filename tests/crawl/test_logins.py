"""Crawls of sites that show their pages only to a session."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.logging_in import SECRETS, logins_file
from tests.support.login_server import PASSWORD, LoginSite, serving
from tests.support.login_styles import (
    SIX,
    Basic,
    CookiesOnly,
    DiscuzLike,
    FormWithToken,
    JsonBearer,
    TwoSteps,
)
from tests.support.loopback_sites import Crawl, crawl

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

TEXTS = {
    FormWithToken: 'url = "{url}/login"\nSECRETS',
    DiscuzLike: 'url = "{url}/member.php?mod=logging&action=login"\ntransform = "md5"\nSECRETS',
    JsonBearer: 'kind = "json"\nurl = "{url}/api/v1/login"\nSECRETS',
    Basic: 'kind = "basic"\nurl = "{url}/p/1.html"\nSECRETS',
    TwoSteps: 'url = "{url}/login"\nSECRETS',
    CookiesOnly: 'kind = "cookies"\nurl = "{url}/login"\ncookies_file = "cookies.json"',
}


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
        done = run(tmp_path, site, TEXTS[style])
    assert done.code == 0, done.log
    assert len(articles(done)) == site.pages, done.log[-3000:]
    assert PASSWORD not in done.log
