"""``logins.toml``: what is wrong is named, and no message shows a secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.logging_in import SECRETS, logins_file
from topiccrawl.access.login import Secret
from topiccrawl.access.passwords import transformed
from topiccrawl.access.reader import read_logins
from topiccrawl.errors import ConfigurationError

URL = 'url = "https://bbs.example.cn/login"\n'
HIDDEN = "Zq8-open-sesame"


def test_sites_are_those_of_the_login_by_default(tmp_path: Path) -> None:
    (login,) = read_logins(logins_file(tmp_path, f"{URL}SECRETS"), SECRETS)
    assert login.sites.match("http://bbs.example.cn/a")
    assert not login.sites.match("https://example.cn/")
    assert not login.sites.match("https://evil-bbs.example.cn/")
    assert login.name == "bbs.example.cn"


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("example.cn", "http://www.example.cn/", "http://a.example.cn/"),
        ("*.example.cn", "http://a.b.example.cn:81/", "http://notexample.cn/"),
        ("example.cn:8080", "http://example.cn:8080/", "http://example.cn/"),
        ("example.cn:443", "https://example.cn/", "http://example.cn/"),
        ("example.cn:80", "http://example.cn/", "https://example.cn/"),
        ("127.0.0.1", "http://127.0.0.1:5000/", "http://127.0.0.11/"),
        ("[::1]", "http://[::1]:80/", "http://[::2]/"),
    ],
)
def test_a_pattern_names_hosts(pattern: str, inside: str, outside: str, tmp_path: Path) -> None:
    text = f'{URL}sites = ["{pattern}"]\nSECRETS'
    (login,) = read_logins(logins_file(tmp_path, text), SECRETS)
    assert login.sites.match(inside)
    assert not login.sites.match(outside)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f'{URL}user = "lin"\npassword = "{HIDDEN}"', "must not be in the file"),
        (f'{URL}user = "lin"\npassword_env = "{HIDDEN}"', "name of an environment variable"),
        (f'{URL}user = "lin"\npassword_env = 77001122', "name of an environment variable"),
        (f'{URL}user = "lin"\npassword_env = "NOT_SET"', "NOT_SET, which is not set"),
        (f'{URL}user = "lin"', "password_env or password_file is missing"),
        (f"{URL}SECRETS\nfields = {{ a = ['{HIDDEN}'] }}", "must be a table of strings"),
        ("SECRETS", "url is missing"),
        (f'{URL}SECRETS\nkind = "magic"', "must be one of form, json"),
        (f'{URL}SECRETS\ntransform = "rot13"', "must be one of md5"),
        (f'{URL}SECRETS\nsites = ["http://a.cn/"]', "must be hosts"),
        (f'{URL}SECRETS\ncsrf_pattern = "abc"', "must have one group"),
        (f'{URL}SECRETS\npaswordfield = "p"', "did you mean 'password_field'"),
        (f'{URL}kind = "cookies"\ncookies_file = "missing.txt"', "cannot be read"),
    ],
)
def test_a_mistake_is_named_without_its_secret(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as error:
        read_logins(logins_file(tmp_path, text), SECRETS)
    assert words in str(error.value)
    assert "logins" in str(error.value) or "missing.txt" in str(error.value)
    assert HIDDEN not in str(error.value)
    assert "77001122" not in str(error.value)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620])
def test_a_file_that_others_may_read_is_refused(mode: int, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text(HIDDEN)
    file.chmod(mode)
    text = f'{URL}user = "lin"\npassword_file = "secret"'
    with pytest.raises(ConfigurationError) as error:
        read_logins(logins_file(tmp_path, text), {})
    assert f"{file}: must have mode 600" in str(error.value)
    assert f"got {mode:03o}" in str(error.value)
    assert HIDDEN not in str(error.value)


def test_a_private_file_holds_a_password_and_nothing_shows_it(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text(f"{HIDDEN}\n")
    file.chmod(0o600)
    text = f'{URL}user = "lin"\npassword_file = "secret"'
    (login,) = read_logins(logins_file(tmp_path, text), {})
    assert login.password.value == HIDDEN
    assert HIDDEN not in f"{login!r} {login.password} {Secret(HIDDEN)!r}"


def test_fields_of_the_form_are_put_before_and_behind_the_password() -> None:
    fields = {"salt": "-x", "seed": "y-"}
    assert transformed("ab", ("^seed", "+salt", "upper"), fields) == "Y-AB-X"
    assert transformed("ab", ("^absent", "+absent"), fields) == "ab"
