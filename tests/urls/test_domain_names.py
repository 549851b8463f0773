"""Host names of one registered domain: a domain that answers under any name is left in time."""

from __future__ import annotations

import pytest

from topiccrawl.errors import ConfigurationError
from topiccrawl.urls import domains
from topiccrawl.urls.domains import PAGES_PER_NAME, NameBudget, NewDomains, registered_domain
from topiccrawl.urls.traps import HOST_NAME, TrapRules, trap

NOW = 1_764_000_000.0


def contacted(names: int, pages_each: int = 0, domain: str = "a.com.cn", first: int = 10) -> int:
    """How many of *names* names of a domain are contacted, each with so many new pages on topic."""
    budget = NameBudget(names=first)
    count = 0
    for i in range(names):
        host = f"w{i}.{domain}"
        if not budget.exhausted(host):
            count += 1
            budget.contact(host)
            for _ in range(pages_each):
                budget.earn(host)
    return count


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.gqb.gov.cn", "gqb.gov.cn"),
        ("a.b.news.example.com", "example.com"),
        ("name.github.io", "name.github.io"),
        ("www.xn--fiq228c5hs.xn--fiqs8s", "xn--fiq228c5hs.xn--fiqs8s"),
        ("a.b.example", "b.example"),
        ("www.a.cn.", "a.cn"),
        ("gov.cn", "gov.cn"),
        ("localhost", "localhost"),
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"),
        ("", ""),
        ("..", ".."),
    ],
)
def test_the_registered_domain_is_one_label_below_the_public_suffix(host: str, domain: str) -> None:
    assert registered_domain(host) == domain


def test_names_that_bring_nothing_end_at_the_budget() -> None:
    assert contacted(100) == 10


def test_endless_names_of_one_page_each_end_at_twice_the_budget() -> None:
    assert contacted(1_000, pages_each=1) == pytest.approx(20, abs=1)


def test_names_with_several_pages_on_the_topic_go_on() -> None:
    assert contacted(1_000, pages_each=PAGES_PER_NAME) == 1_000


def test_customers_of_a_provider_are_domains_of_their_own() -> None:
    assert contacted(1_000, domain="github.io") == 1_000


def test_a_name_that_was_contacted_stays_allowed_and_other_domains_are_not_affected() -> None:
    budget = NameBudget(names=2)
    for name in ("a.x.cn", "b.x.cn"):
        budget.contact(name)
    assert [budget.exhausted(it) for it in ("a.x.cn", "b.x.cn", "c.x.cn", "c.y.cn")] == [
        False, False, True, False,
    ]  # fmt: skip


def test_memory_is_bounded_and_the_domain_in_use_stays() -> None:
    budget = NameBudget(names=2, most=20)
    for i in range(1_000):
        for name in ("a", "b"):
            budget.contact(f"{name}.used.cn")
        budget.contact(f"www.d{i}.cn")
    assert budget.exhausted("c.used.cn")
    assert not budget.exhausted("www.d0.cn")


@pytest.mark.parametrize("wrong", [{"names": 0}, {"most": 0}])
def test_a_budget_below_one_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(wrong))):
        NameBudget(**wrong)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://a.a.a.www.b.example/", HOST_NAME),
        ("http://a.www.a.www.a.b.example", HOST_NAME),
        ("http://1.2.3.4.5.6.7.b.example/", HOST_NAME),
        ("http://www.scs.gd.chinanews.com.cn:8080/", None),
        ("http://www.com.cn.com.cn/", None),
        ("http://1.1.1.1/", None),
        ("http://[::ffff:1.1.1.1]/", None),
        ("http://user.user.user@a.example/", None),
    ],
)
def test_names_that_grow_without_end_are_traps(url: str, reason: str | None) -> None:
    assert trap(url, NOW) == reason
    assert trap(url, NOW, TrapRules(max_host_labels=0, repeated_labels=0)) is None


def test_of_more_domains_than_are_remembered_one_in_use_is_contacted_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(domains, "_KNOWN_DOMAINS", 3)
    new = NewDomains(first=5)
    for host in ("a.cn", "b.cn", "c.cn", *["www.d.cn"] * 10):
        new.contact(host)
    assert not new.is_new("d.cn")
    assert not new.too_many(0)
