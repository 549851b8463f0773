"""Addresses of proxies, files of them, and the answers of pools."""

from __future__ import annotations

import pytest

from topiccrawl.proxies.address import ProxyAddress, parse_proxy
from topiccrawl.proxies.lists import delete_url, parse_answer, parse_list, pool_urls


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("10.0.0.5:8080", "10.0.0.5:8080"),
        ("http://10.0.0.5:8080/", "10.0.0.5:8080"),
        ("HTTP://Proxy.Corp.cn:80", "proxy.corp.cn:80"),
        ("[2001:db8::1]:3128", "[2001:db8::1]:3128"),
        ("http://user:p%40ss@10.0.0.5:8080", "10.0.0.5:8080"),
    ],
)
def test_a_proxy_is_written_with_or_without_scheme_and_credentials(text: str, name: str) -> None:
    assert parse_proxy(text).name == name


@pytest.mark.parametrize(
    "text",
    ["", "proxy.corp.cn", "http://www.example.cn/",
     "socks4://10.0.0.5:1080", "https://10.0.0.5:443", "10.0.0.5:0", "10.0.0.5:x", "a b:80",
     "http://u:secret@:80", "http://u:secret@10.0.0.5:99999", "http://10.0.0.5:80/path",
     "10.0.0.5:8080:u:secret", "10.0.0.5:8080 u secret", "10.0.0.5,8080,u,secret", "u:secret:10.0.0.5:8080",
     "u:secret://10.0.0.5:8080"],
)  # fmt: skip
def test_what_is_no_http_proxy_is_refused_without_showing_its_password(text: str) -> None:
    with pytest.raises(ValueError, match="prox") as caught:
        parse_proxy(text)
    assert "secret" not in str(caught.value)


def test_the_address_of_what_is_refused_is_shown() -> None:
    for text in ("10.0.0.5:8080:u:secret", "http://10.0.0.5:8080/path", "u:secret@10.0.0.5:8080x"):
        with pytest.raises(ValueError, match=r"got '10\.0\.0\.5:8080"):
            parse_proxy(text)


def test_a_socks_proxy_resolves_names_whichever_of_its_schemes_is_written() -> None:
    proxy = parse_proxy("socks5h://user:secret@10.0.0.5:1080")
    assert proxy.url == parse_proxy("socks5://10.0.0.5:1080").url == "socks5://10.0.0.5:1080"
    assert proxy != parse_proxy("http://user:secret@10.0.0.5:1080")


def test_credentials_are_in_the_header_and_nowhere_else() -> None:
    proxy = parse_proxy("http://user:p%40ss@10.0.0.5:8080")
    assert proxy.authorization == b"Basic dXNlcjpwQHNz"
    assert "p@ss" not in f"{proxy!r} {proxy.url} {proxy.name}"
    assert parse_proxy("10.0.0.5:8080").authorization is None


def test_a_file_has_a_proxy_in_each_line_and_comments() -> None:
    text = "# ours\n10.0.0.5:8080\n\n10.0.0.6:8080 # the other\n10.0.0.5:8080\n"
    assert [proxy.name for proxy in parse_list(text)] == ["10.0.0.5:8080", "10.0.0.6:8080"]
    with pytest.raises(ValueError, match="line 2"):
        parse_list("10.0.0.5:8080\nsocks4://10.0.0.6:1")


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ('{"proxy": "10.0.0.5:8080", "https": false, "fail_count": 0}', ["10.0.0.5:8080"]),
        (
            '[{"proxy": "10.0.0.5:8080"}, {"proxy": "10.0.0.6:80"}]',
            ["10.0.0.5:8080", "10.0.0.6:80"],
        ),
        ('{"code": 0, "data": [{"ip": "10.0.0.5", "port": 8080}]}', ["10.0.0.5:8080"]),
        ('["10.0.0.5:8080"]', ["10.0.0.5:8080"]),
        ('"10.0.0.5:8080"', ["10.0.0.5:8080"]),
        ("10.0.0.5:8080\r\n10.0.0.6:80\n", ["10.0.0.5:8080", "10.0.0.6:80"]),
        ('{"code": 0, "src": "no proxy"}', []),
        ("no proxy!", []),
        ("<html>404 Not Found</html>", []),
        ("", []),
        ("[" * 100_000, []),
        ('{"proxy": "socks5://10.0.0.5:1080"}', ["10.0.0.5:1080"]),
        ('{"proxy": "socks4://10.0.0.5:1080"}', []),
    ],
)
def test_the_answer_of_a_pool_is_json_or_text(answer: str, names: list[str]) -> None:
    assert [proxy.name for proxy in parse_answer(answer)] == names


def test_a_pool_says_which_proxies_open_tunnels() -> None:
    assert not parse_answer('{"proxy": "10.0.0.5:8080", "https": false}')[0].https
    assert parse_answer('{"proxy": "10.0.0.5:8080", "https": true}')[0].https


@pytest.mark.parametrize(
    ("url", "one", "every"),
    [
        ("http://127.0.0.1:5010", "http://127.0.0.1:5010/get/", "http://127.0.0.1:5010/all/"),
        ("http://h/p/get", "http://h/p/get", "http://h/p/all"),
        ("http://h/get/?type=https", "http://h/get/?type=https", "http://h/all/?type=https"),
    ],
)
def test_a_pool_is_named_by_its_address_or_that_of_one_proxy(
    url: str, one: str, every: str
) -> None:
    assert pool_urls(url) == (one, every)
    deleted = delete_url(url, ProxyAddress("10.0.0.5", 80))
    assert deleted.endswith("/delete/?proxy=10.0.0.5:80")
