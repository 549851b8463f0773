"""What servers that ask for a login can send: challenges, addresses, pages."""

from __future__ import annotations

import time

import pytest

from topiccrawl.access.challenges import best_challenge
from topiccrawl.access.document import Document
from topiccrawl.access.words import LOGIN_PATH

#: Bytes of all headers that a crawl reads.
MOST = 256 * 1024


def test_parameters_may_be_quoted_and_need_no_space_between_them() -> None:
    header = (
        'Basic realm="x", Digest realm="a\\"b, c",nonce = n1, qop="auth,auth-int", algorithm=MD5'
    )
    challenge = best_challenge([header])
    assert challenge is not None
    assert challenge.scheme == "digest"
    assert challenge.parameters == {
        "realm": 'a"b, c',
        "nonce": "n1",
        "qop": "auth,auth-int",
        "algorithm": "MD5",
    }


@pytest.mark.parametrize("unit", ["-", "a", "a ", "a=", 'a="', '\\"', "Digest,", ", "])
def test_the_longest_header_is_read_at_once(unit: str) -> None:
    header = f"Digest nonce=n1, {unit * (MOST // len(unit))}"
    begun = time.process_time()
    assert best_challenge([header]) is not None
    assert time.process_time() - begun < 2.0


def test_addresses_of_logins_are_recognized_at_once() -> None:
    for path in ("/login.php", "/user_login_index.jsp", "/a/sign-in;x", "/my_sso.html"):
        assert LOGIN_PATH.search(path) is not None
    begun = time.process_time()
    assert LOGIN_PATH.search(f"/signin{'_' * 2_000}!") is None
    assert time.process_time() - begun < 0.5


def test_style_sheets_of_a_login_page_are_read_at_once() -> None:
    sheet = f"<style>{'侨' * 100_000}</style><style>.a{{display:none}}</style>"
    page = Document("http://a.example.cn/", f"{sheet}<input class=a><input class=b>")
    begun = time.process_time()
    hidden = [page.hides(it) for it in page.root.iter("input")]
    assert time.process_time() - begun < 2.0
    assert hidden == [True, False]
