"""New seeds are the folders above relevant pages, best first, each once, from bounded memory."""

from __future__ import annotations

import pytest

from topiccrawl.scoring import reseed
from topiccrawl.scoring.reseed import MOST_LEVELS, SeedProposals, ancestors


@pytest.mark.parametrize(
    ("url", "folders"),
    [
        ("http://h/a/b/c.html", ["/", "/a/", "/a/b/"]),
        ("http://h/a/b/", ["/", "/a/"]),
        ("http://h/a/b/?p=2", ["/", "/a/", "/a/b/"]),
        ("http://h/a?from=/x/y/z", ["/"]),
        ("http://h/a#/x/y", ["/"]),
        ("http://h/?p=2", ["/"]),
        ("http://h/", []),
        ("http://h", []),
    ],
)
def test_a_page_lies_in_the_folders_of_its_path_and_in_no_other(
    url: str, folders: list[str]
) -> None:
    assert list(ancestors(url)) == [f"http://h{folder}" for folder in folders]


def test_scheme_and_port_are_kept() -> None:
    assert list(ancestors("https://h:8443/a/b")) == ["https://h:8443/", "https://h:8443/a/"]


@pytest.mark.parametrize("url", ["", "/a/b", "mailto:x@h/a/", "ftp://h/a/b", "http:///a/b"])
def test_what_is_no_web_address_has_no_folders(url: str) -> None:
    assert list(ancestors(url)) == []


def test_paths_without_an_end_cost_no_more_than_deep_ones() -> None:
    found = list(ancestors("http://h/" + "a/" * 1_000))
    assert len(found) == MOST_LEVELS
    assert found[-1] == "http://h/" + "a/" * (MOST_LEVELS - 1)


def test_folders_with_more_relevant_pages_come_first_and_deeper_ones_among_equals() -> None:
    proposals = SeedProposals()
    for url in ("http://b/y/1", "http://a/x/1", "http://a/x/2", "http://a/z/1"):
        proposals.add(url)
    assert proposals.propose(9) == [
        "http://a/",
        "http://a/x/",
        "http://a/z/",
        "http://b/y/",
        "http://b/",
    ]


def test_the_order_is_that_of_the_pages_whichever_came_first() -> None:
    urls = [f"http://h{i % 7}/{i % 5}/{i % 3}/{i}" for i in range(60)]
    forth, back = SeedProposals(), SeedProposals()
    for url in urls:
        forth.add(url)
    for url in reversed(urls):
        back.add(url)
    assert forth.propose(40) == back.propose(40)


def test_nothing_is_proposed_twice_even_if_more_pages_are_found_below() -> None:
    proposals = SeedProposals()
    proposals.add("http://h/a/1")
    assert proposals.propose(1) == ["http://h/a/"]
    proposals.add("http://h/a/2")
    assert proposals.propose(9) == ["http://h/"]
    assert proposals.propose(9) == []


def test_useless_addresses_take_no_place_and_are_not_checked_again() -> None:
    asked: list[str] = []

    def usable(urls: object) -> list[bool]:
        assert isinstance(urls, list)
        asked.extend(urls)
        return [not url.endswith("/a/") for url in urls]

    proposals = SeedProposals()
    proposals.add("http://h/a/1")
    assert proposals.propose(1, usable) == ["http://h/"]
    assert proposals.propose(1, usable) == []
    assert asked == ["http://h/a/", "http://h/"]


def test_more_folders_than_are_looked_at_in_one_call_are_reached_by_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reseed, "MOST_CANDIDATES", 3)
    proposals = SeedProposals()
    for i in range(5):
        proposals.add(f"http://h{i}/1")
    found = [proposals.propose(9, lambda urls: ["h4" in u for u in urls]) for _ in range(3)]
    assert found == [[], ["http://h4/"], []]


def test_memory_is_bounded_and_the_richest_folders_are_kept() -> None:
    proposals = SeedProposals(most_folders=20)
    for i in range(500):
        proposals.add(f"http://rich/list/{i}")
        proposals.add(f"http://poor{i}/page")
        assert len(proposals) <= 20
    assert proposals.propose(2) == ["http://rich/list/", "http://rich/"]


def test_a_folder_that_was_proposed_and_forgotten_is_not_proposed_again() -> None:
    proposals = SeedProposals(most_folders=4)
    proposals.add("http://old/1")
    assert proposals.propose(9) == ["http://old/"]
    for i in range(20):
        for page in range(3):
            proposals.add(f"http://h{i}/{page}")
    proposals.add("http://old/2")
    assert "http://old/" not in proposals.propose(99)


def test_numbers_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="most_folders"):
        SeedProposals(1)
    with pytest.raises(ValueError, match="most must"):
        SeedProposals().propose(-1)
