"""Searches of all lines at once find what one search of each line finds."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.page.body.joined_lines import JoinedLines
from topiccrawl.page.words_only import words_only

LINES = st.lists(st.text("侨批ab1 -:", max_size=8), max_size=6)


@given(LINES, st.text("侨批ab1 ", min_size=1, max_size=3))
def test_the_lines_that_contain_a_text(lines: list[str], term: str) -> None:
    joined = JoinedLines(lines)
    assert joined.containing(term) == [i for i, line in enumerate(lines) if term in line]
    assert len(joined) == len(lines)


@given(LINES, st.lists(st.text("侨批ab1 ", min_size=1, max_size=3), max_size=3))
def test_the_lines_that_contain_any_of_several_texts(lines: list[str], words: list[str]) -> None:
    found = JoinedLines(lines).containing_any(words)
    assert found == {i for i, line in enumerate(lines) if any(word in line for word in words)}


@pytest.mark.parametrize("pattern", [r"\d\s*:\d", r"\bab\b", r"a(?<!\wa)b", "侨.?批", r"\w{0,3}1"])
@given(lines=LINES)
def test_the_lines_in_which_a_pattern_is_found(pattern: str, lines: list[str]) -> None:
    compiled = re.compile(pattern.replace(".", r"[^\0]"))
    found = JoinedLines(lines).matching(compiled).tolist()
    assert found == [compiled.search(line) is not None for line in lines]


@given(st.text() | st.text("侨批_ \n\t，。𠮷😀a1"))
def test_the_words_of_a_text_are_those_of_the_pattern(text: str) -> None:
    assert words_only(text) == re.sub(r"[^\w\n]+", "", text)
