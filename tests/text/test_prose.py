"""Running text has function words where sentences have them; lists of words do not."""

from __future__ import annotations

from random import Random

import pytest

from topiccrawl.text.prose import function_share, misplaced

CHINESE = (
    "侨务部门走访了归侨侨眷，了解他们的需要，并就华文教育与侨联座谈。海外侨胞回到家乡，参观学校，为孩子们"
    "带来了书和画。座谈会上，大家对政策的变化很关心，也提出了自己的建议。"
)
TRADITIONAL = "僑務部門走訪了歸僑僑眷，瞭解海外僑胞的需要，並就華文教育與僑聯座談。這些建議受到歡迎，將寫進報告。"
ENGLISH = (
    "The library of the university is open to the public. It has a collection of maps, and the staff are "
    "glad to help those who look for a book that is not on the shelves."
)


@pytest.mark.parametrize("text", [CHINESE, TRADITIONAL, ENGLISH, f"{CHINESE}\n{ENGLISH}"])
def test_running_text_has_function_words(text: str) -> None:
    assert 0.6 < function_share(text) < 2
    assert misplaced(text)[0] == 0


@pytest.mark.parametrize("text", ["华侨 侨务 侨联 归侨", "solar energy wind turbine panel"])
def test_a_list_of_words_has_none(text: str) -> None:
    assert function_share(text) == 0


@pytest.mark.parametrize(
    "text", ["", "12 3", "図書館のサービスについて、利用者の皆様へ", "библиотека книга"]
)
def test_function_words_are_not_missed_where_none_are_known(text: str) -> None:
    assert function_share(text) == 1


@pytest.mark.parametrize("words", [list(CHINESE), ENGLISH.split()])
def test_shuffled_words_stand_where_no_sentence_has_them(words: list[str]) -> None:
    separator = " " if words[0] == "The" else ""
    many = words * 8
    Random(1).shuffle(many)
    wrong, found = misplaced(separator.join(many))
    assert wrong >= 0.05 * found > 1


def test_names_with_a_letter_are_no_misplaced_article() -> None:
    assert misplaced("Vitamin A is a vitamin. Vitamin A, with vitamin D.")[0] == 0
