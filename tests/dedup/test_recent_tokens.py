"""Pages that are not in the store yet are found by their tokens, and the best candidates come first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.dedup.candidates import by_body, by_title
from topiccrawl.dedup.recent import RecentTokens

#: Tokens by their last bits: of the whole text, of a shingle, of a title.
BODY, SHINGLE, OTHER_SHINGLE, TITLE, OTHER_TITLE = 0, 1, 5, 2, 6


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdef"), st.none() | st.lists(st.integers(0, 5), max_size=4))
    )
)
def test_the_last_pages_that_were_added_are_found(
    steps: list[tuple[str, list[int] | None]],
) -> None:
    recent, expected = RecentTokens(3), dict[str, list[int]]()
    for url, tokens in steps:
        expected.pop(url, None)
        if tokens is None:
            recent.remove(url)
        else:
            recent.add(url, tokens)
            expected[url] = tokens
            expected = dict(list(expected.items())[-3:])
    assert len(recent) == len(expected)
    assert recent.sharing(range(7)) == {
        token: urls
        for token in range(7)
        if (urls := [url for url, tokens in expected.items() if token in tokens])
    }


def test_a_window_without_pages_is_refused() -> None:
    with pytest.raises(ValueError, match="most must be at least 1, got 0"):
        RecentTokens(0)


def test_tokens_that_few_pages_have_count_more() -> None:
    crowd = [f"crowd{i:02}" for i in range(60)]
    shared = {BODY: [*crowd, "copy"], SHINGLE: [*crowd, "copy"], OTHER_SHINGLE: ["copy", "other"]}
    assert by_body(shared, 3) == ["copy", "other", "crowd00"]


def test_titles_are_candidates_of_their_own() -> None:
    shared = {SHINGLE: ["body"], TITLE: ["common", "rare"], OTHER_TITLE: ["rare"]}
    assert by_body(shared, 3) == ["body"]
    assert by_title(shared, 9) == ["rare", "common"]
    assert by_title(shared, 1) == ["rare"]
