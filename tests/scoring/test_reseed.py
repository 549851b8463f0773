"""New seeds are the folders above relevant pages, best first, each once, from bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from topiccrawl.scoring import reseed
from topiccrawl.scoring.reseed import MOST_LEVELS, FolderState, SeedProposals, ancestors, shape


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


UNKNOWN, WAITING, ANSWERED, FAILED, BARRED = FolderState


def all_wait(folders: Sequence[str]) -> list[FolderState]:
    return [WAITING] * len(folders)


def states(
    known: dict[str, FolderState], asked: list[str] | None = None
) -> Callable[[Sequence[str]], list[FolderState]]:
    """States of folders by URL, ``UNKNOWN`` for others; what is asked for is added to *asked*."""

    def look_up(folders: Sequence[str]) -> list[FolderState]:
        if asked is not None:
            asked.extend(folders)
        return [known.get(folder, UNKNOWN) for folder in folders]

    return look_up


def proposals_for(*urls: str) -> SeedProposals:
    proposals = SeedProposals()
    for url in urls:
        proposals.add(url)
    return proposals


def test_a_page_that_left_the_collection_counts_no_longer() -> None:
    proposals = proposals_for("http://h/a/1", "http://h/a/2", "http://h/b/1")
    for gone in ("http://h/a/1", "http://h/a/2", "http://unknown/a/2"):
        proposals.remove(gone)
    assert len(proposals) == 2
    assert proposals.propose(9, all_wait) == ["http://h/b/", "http://h/"]


def test_folders_with_more_relevant_pages_come_first_and_deeper_ones_among_equals() -> None:
    proposals = proposals_for("http://b/y/1", "http://a/x/1", "http://a/x/2", "http://a/z/1")
    assert proposals.propose(9, all_wait) == [
        "http://a/",
        "http://a/x/",
        "http://a/z/",
        "http://b/y/",
        "http://b/",
    ]


def test_the_order_is_that_of_the_pages_whichever_came_first() -> None:
    urls = [f"http://h{i % 7}/{i % 5}/{i % 3}/{i}" for i in range(60)]
    forth, back = proposals_for(*urls), proposals_for(*reversed(urls))
    assert forth.propose(40, all_wait) == back.propose(40, all_wait)


def test_nothing_is_proposed_twice_even_if_more_pages_are_found_below() -> None:
    proposals = proposals_for("http://h/a/1")
    assert proposals.propose(1, all_wait) == ["http://h/a/"]
    proposals.add("http://h/a/2")
    assert proposals.propose(9, all_wait) == ["http://h/"]
    assert proposals.propose(9, all_wait) == []


def test_of_folders_that_no_page_links_to_only_the_root_is_proposed() -> None:
    proposals = proposals_for("http://h/wp/a/1.htm", "http://h/wp/b/2.htm", "http://g/x/1.htm")
    assert proposals.propose(9, states({})) == ["http://h/", "http://g/"]


def test_a_folder_that_becomes_linked_is_proposed_then() -> None:
    proposals = proposals_for("http://h/a/b/1")
    assert proposals.propose(9, states({"http://h/": ANSWERED})) == []
    assert proposals.propose(9, states({"http://h/a/": WAITING})) == ["http://h/a/"]


@pytest.mark.parametrize("state", [ANSWERED, FAILED, BARRED])
def test_what_was_fetched_or_must_not_be_is_neither_proposed_nor_checked_again(
    state: FolderState,
) -> None:
    asked: list[str] = []
    proposals = proposals_for("http://h/a/1")
    known = states({"http://h/a/": state, "http://h/": WAITING}, asked)
    assert proposals.propose(1, known) == ["http://h/"]
    assert proposals.propose(1, known) == []
    assert asked == ["http://h/a/", "http://h/", "http://h/"]


def test_a_folder_is_guessed_for_each_that_answered_on_the_host_with_the_same_shape() -> None:
    pages = [f"http://h/{name}/1" for name in ("a", "b", "c", "d", "e", "f", "2024")]
    known = {"http://h/": ANSWERED, "http://h/a/": ANSWERED, "http://h/b/": ANSWERED}
    proposals = proposals_for(*pages, "http://g/x/1", "http://g/x/2")
    assert proposals.propose(9, states(known)) == ["http://g/", "http://h/c/", "http://h/d/"]


def test_guesses_that_failed_end_the_guessing_and_those_that_answered_carry_it_on() -> None:
    pages = [f"http://h/{name}/1" for name in "abcdefg"]
    known = {"http://h/": ANSWERED, "http://h/a/": ANSWERED}
    lucky, unlucky = proposals_for(*pages), proposals_for(*pages)
    assert lucky.propose(9, states(known)) == unlucky.propose(9, states(known)) == ["http://h/b/"]
    answered = states({**known, "http://h/b/": ANSWERED})
    assert lucky.propose(9, answered) == ["http://h/c/", "http://h/d/"]
    failed = states({**known, "http://h/b/": FAILED})
    assert unlucky.propose(9, failed) == []


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("http://h/", "http://h/"),
        ("http://www.h1.cn/News/", "http://www.h1.cn/a/"),
        ("https://h:80/2024-05/c_1234/", "https://h:80/0-0/a_0/"),
        ("http://h/侨务/zh-CN/", "http://h/a/a-a/"),
    ],
)
def test_the_shape_of_a_folder_keeps_its_host_and_its_kinds_of_characters(
    folder: str, expected: str
) -> None:
    assert shape(folder) == expected


def test_more_folders_than_are_looked_at_in_one_call_are_reached_by_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reseed, "MOST_CANDIDATES", 3)
    proposals = proposals_for(*(f"http://h{i}/1" for i in range(5)))
    known = {f"http://h{i}/": FAILED for i in range(4)}
    found = [proposals.propose(9, states(known)) for _ in range(3)]
    assert found == [[], ["http://h4/"], []]


def test_folders_that_no_page_links_to_do_not_keep_others_from_being_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reseed, "MOST_CANDIDATES", 3)
    proposals = proposals_for(*(f"http://h/a/b/c/{i}" for i in range(5)), "http://poor/1")
    known = states({"http://h/": ANSWERED})
    assert proposals.propose(9, known) == []
    assert proposals.propose(9, known) == ["http://poor/"]


def test_memory_is_bounded_and_the_richest_folders_are_kept() -> None:
    proposals = SeedProposals(most_folders=20)
    for i in range(500):
        proposals.add(f"http://rich/list/{i}")
        proposals.add(f"http://poor{i}/page")
        assert len(proposals) <= 20
    assert proposals.propose(2, all_wait) == ["http://rich/list/", "http://rich/"]


def test_a_folder_that_was_proposed_and_forgotten_is_not_proposed_again() -> None:
    proposals = SeedProposals(most_folders=4)
    proposals.add("http://old/1")
    assert proposals.propose(9, all_wait) == ["http://old/"]
    for i in range(20):
        for page in range(3):
            proposals.add(f"http://h{i}/{page}")
    proposals.add("http://old/2")
    assert "http://old/" not in proposals.propose(99, all_wait)


def test_numbers_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="most_folders"):
        SeedProposals(1)
    with pytest.raises(ValueError, match="most must"):
        SeedProposals().propose(-1, all_wait)
