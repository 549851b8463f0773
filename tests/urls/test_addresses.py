"""Which addresses are public, in which spellings, and which exceptions hold."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.urls.addresses import AddressRules, is_public, literal_address


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0X7F.0.0.1", "0177.0.0.1",
        "017700000001", "127.0.0.1.", "127.0.0.1..", "１２７．０．０．１", "127。0。0。1", "127｡0｡0｡1",
        "①②⑦.0.0.①", "%31%32%37.0.0.1", "[::ffff:127.0.0.1]", "::ffff:7f00:1", "64:ff9b::7f00:1",
        "64:ff9b:1::7f00:1", "2002:7f00:1::", "::7f00:1", "2001:0:1::1", "2606:4700::5efe:7f00:1",
        "0", "0.0.0.0", "::", "[::1]", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
        "169.254.169.254", "100.64.0.1", "100.100.100.200", "192.0.0.192", "192.0.2.1",
        "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
        "168.63.129.16", "192.88.99.1", "fe80::1", "fe80::1%eth0", "fd00:ec2::254", "fc00::1",
        "fec0::1", "ff02::1", "2001:db8::1", "100::1", "::ffff:169.254.169.254",
        "2002:a9fe:a9fe::",
    ],
)  # fmt: skip
def test_addresses_outside_the_public_internet_are_refused_in_every_spelling(host: str) -> None:
    address = literal_address(host)
    assert address is not None
    assert not is_public(address)
    assert not AddressRules().allows(host, address)
    assert AddressRules(["all"]).allows(host, address)


@pytest.mark.parametrize(
    "host",
    ["8.8.8.8", "114.114.114.114", "172.32.0.1", "100.128.0.1", "192.0.1.1", "2400:3200::1",
     "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1", "134744072", "0x8.8.8.8"],
)  # fmt: skip
def test_public_addresses_are_allowed(host: str) -> None:
    address = literal_address(host)
    assert address is not None
    assert AddressRules().allows(host, address)


@pytest.mark.parametrize(
    "host",
    ["", "example.cn", "1.2.3.4.cn", "1.2.3.4.5", "256.1.1.1", "0x", "08.8.8.8", "a" * 10_000, ":::",
     "127.0.0.1\x00", "xn--0", "12345678901"],
)  # fmt: skip
def test_names_are_no_addresses(host: str) -> None:
    assert literal_address(host) is None


@given(st.integers(0, 2**32 - 1))
def test_an_ipv4_address_within_ipv6_is_as_public_as_itself(number: int) -> None:
    inner = IPv4Address(number)
    for outer in (
        IPv6Address(f"::ffff:{inner}"),
        IPv6Address(f"64:ff9b::{inner}"),
        IPv6Address((0x2002 << 112) | (number << 80)),
    ):
        assert is_public(outer) == is_public(inner), (outer, inner)


@given(st.text(max_size=40))
def test_any_host_is_read_without_an_error(host: str) -> None:
    address = literal_address(host)
    assert address is None or isinstance(is_public(address), bool)


@pytest.mark.parametrize(
    ("exception", "host", "address", "allowed"),
    [
        ("10.0.0.0/8", "10.1.2.3", "10.1.2.3", True),
        ("10.0.0.0/8", "192.168.1.1", "192.168.1.1", False),
        ("10.0.0.0/8", "[::ffff:10.1.1.1]", "::ffff:10.1.1.1", True),
        ("10.0.0.7/8", "10.1.2.3", "10.1.2.3", True),
        ("127.0.0.1", "127.0.0.2", "127.0.0.2", False),
        ("fd00::/8", "fd12::1", "fd12::1", True),
        ("wiki.corp.cn", "WIKI.corp.cn.", "10.0.0.1", True),
        ("wiki.corp.cn", "www.wiki.corp.cn", "10.0.0.1", False),
        ("*.corp.cn", "a.b.corp.cn", "10.0.0.1", True),
        ("*.corp.cn", "corp.cn", "10.0.0.1", False),
        ("*.corp.cn", "corp.cn.evil.cn", "10.0.0.1", False),
        ("*.内网.cn", "甲.内网.cn", "10.0.0.1", True),
        ("wiki", "wiki", "10.0.0.1", True),
    ],
)
def test_exceptions(exception: str, host: str, address: str, allowed: bool) -> None:
    assert AddressRules([exception]).allows(host, ip_address(address)) is allowed


@pytest.mark.parametrize("exception", ["http://a.cn/", "10.0.0.0/33", "a b", "*", "", "2130706433"])
def test_what_is_no_exception_is_named(exception: str) -> None:
    with pytest.raises(ValueError, match="must hold networks"):
        AddressRules([exception])
