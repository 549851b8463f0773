"""Challenges of servers that ask for a password."""

from __future__ import annotations

import time

import pytest

from topiccrawl.access.challenges import best_challenge

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
