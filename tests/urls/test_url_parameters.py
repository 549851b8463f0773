"""A parameter is ignored once pages prove that it changes nothing, until one contradicts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.parameters import ParameterLearner

A = "http://a.example"


def after_visits(
    learner: ParameterLearner, pages: int = 20, host: str = "a.example"
) -> ParameterLearner:
    """A learner that has seen *pages* articles of *host* under two sessions each."""
    for i in range(pages):
        for visit in (i, i + 1):
            learner.observe(f"http://{host}/show?id={i}&ss={visit}", f"article {i}")
    return learner


def test_equal_pages_under_different_values_teach_a_rule_for_their_host_only() -> None:
    learner = after_visits(ParameterLearner())
    assert learner.ignored("a.example") == {"ss"}
    assert learner.ignored("b.example") == frozenset()


def test_fewer_pairs_than_required_teach_nothing() -> None:
    assert after_visits(ParameterLearner(), 19).ignored("a.example") == frozenset()


def test_observe_returns_whether_a_rule_was_learned_or_unlearned() -> None:
    learner = after_visits(ParameterLearner(), 19)
    assert not learner.observe(f"{A}/show?id=19&ss=1", "article 19")
    assert learner.observe(f"{A}/show?id=19&ss=2", "article 19")
    assert not learner.observe(f"{A}/show?id=30&ss=2", "article 30")
    assert learner.observe(f"{A}/show?id=30&ss=3", "something else")
    assert learner.ignored("a.example") == frozenset()


def test_one_contradiction_is_final() -> None:
    learner = ParameterLearner()
    learner.observe(f"{A}/show?id=x&ss=1", "one")
    learner.observe(f"{A}/show?id=x&ss=2", "two")
    assert after_visits(learner, 100).ignored("a.example") == frozenset()


def test_a_contradicted_parameter_is_not_learned_from_pages_seen_before() -> None:
    learner = ParameterLearner(pairs=1, values=1)
    learner.observe(f"{A}/1?x=1", "one")
    learner.observe(f"{A}/2?x=1", "two")
    learner.observe(f"{A}/2?x=2", "three")
    learner.observe(f"{A}/1", "one")
    assert learner.ignored("a.example") == frozenset()


def test_a_page_without_the_parameter_unlearns_when_it_is_another() -> None:
    learner = after_visits(ParameterLearner())
    assert learner.observe(f"{A}/show?id=5", "error: no session")
    assert learner.ignored("a.example") == frozenset()


def test_a_page_without_the_parameter_confirms_when_it_is_the_same() -> None:
    learner = ParameterLearner()
    for i in range(20):
        learner.observe(f"{A}/{i}?from={i % 3}", f"article {i}")
        learner.observe(f"{A}/{i}", f"article {i}")
    assert learner.ignored("a.example") == {"from"}


def test_the_page_without_the_parameter_may_be_fetched_first() -> None:
    learner = ParameterLearner(pairs=2, values=2)
    learner.observe(f"{A}/start?x=1", "start")
    for i in range(2):
        learner.observe(f"{A}/{i}", f"article {i}")
        learner.observe(f"{A}/{i}?from={i}", f"article {i}")
    assert learner.ignored("a.example") == {"from"}


def test_the_same_content_everywhere_proves_nothing() -> None:
    learner = ParameterLearner()
    for i in range(200):
        learner.observe(f"{A}/{i % 20}?id={i}", "please log in")
    assert learner.ignored("a.example") == frozenset()


def test_the_first_page_of_every_list_does_not_make_page_numbers_noise() -> None:
    learner = ParameterLearner()
    for i in range(50):
        learner.observe(f"{A}/list?cat={i}", f"list {i}")
        learner.observe(f"{A}/list?cat={i}&page=1", f"list {i}")
    assert learner.ignored("a.example") == frozenset()


def test_a_page_that_changed_between_two_visits_is_no_contradiction() -> None:
    learner = after_visits(ParameterLearner())
    learner.observe(f"{A}/show?id=40&ss=1", "yesterday")
    learner.observe(f"{A}/show?id=40&ss=1", "today")
    learner.observe(f"{A}/show?id=40&ss=2", "today")
    assert learner.ignored("a.example") == {"ss"}


def test_a_parameter_that_occurs_twice_is_removed_as_a_whole() -> None:
    learner = ParameterLearner(pairs=2, values=2)
    for i in range(2):
        learner.observe(f"{A}/{i}?x=1&x=2", f"article {i}")
        learner.observe(f"{A}/{i}?x=1&x=3", f"article {i}")
    assert learner.clean(f"{A}/9?x=1&x=7&y=2") == f"{A}/9?y=2"


@pytest.mark.parametrize(
    ("url", "expected", "why"),
    [
        (f"{A}/show?id=7&ss=9", f"{A}/show?id=7", "learned"),
        (f"{A}/show?ss=9", f"{A}/show", "nothing left of the query"),
        (f"{A}/show?ss=9#top", f"{A}/show#top", "the URL as written keeps its fragment"),
        (f"{A}/show?class=9", f"{A}/show?class=9", "another name that ends so"),
        (f"{A}/show?q=%C7%C8&ss", f"{A}/show?q=%C7%C8", "bytes stay; a name without value"),
        (f"{A}/ss=9", f"{A}/ss=9", "no query"),
        ("http://b.example/show?ss=9", "http://b.example/show?ss=9", "another host"),
        ("http://[bad?ss=9", "http://[bad?ss=9", "no URL"),
    ],
)
def test_clean_removes_what_was_learned(url: str, expected: str, why: str) -> None:
    assert after_visits(ParameterLearner()).clean(url) == expected, why


@given(st.text(alphabet="sx=&?#%3/.;a", max_size=25))
def test_the_key_of_a_cleaned_url_is_clean(tail: str) -> None:
    learner = after_visits(ParameterLearner(pairs=1, values=2), 1)
    key = canonical_url(learner.clean(f"{A}/{tail}"))
    assert learner.clean(key) == key


def test_memory_is_bounded_in_pages_hosts_and_names() -> None:
    learner = ParameterLearner(max_pages=50, max_hosts=5)
    for i in range(300):
        learner.observe(f"http://h{i % 20}.example/{i}?n{i}={i}&b={i}", f"article {i}")
    for i in range(300):
        learner.observe(f"{A}/{i}?n{i}=1", "")
    assert len(learner._pages) <= 50
    assert len(learner._hosts) <= 5
    assert max(len(names) for names in learner._hosts.values()) <= 64


def test_the_variants_seen_longest_ago_are_forgotten() -> None:
    learner = ParameterLearner(pairs=2, values=1, max_pages=4)
    learner.observe(f"{A}/1?x=1", "one")  # two places: with the parameter and without
    learner.observe(f"{A}/2?x=1", "two")
    learner.observe(f"{A}/1?x=2", "one")  # the first pair; /1 is seen later than /2 now
    learner.observe(f"{A}/3?x=1", "three")
    learner.observe(f"{A}/2?x=2", "two")
    assert learner.ignored("a.example") == frozenset(), "no second pair: /2 was forgotten"


def test_a_forgotten_host_has_no_rules() -> None:
    learner = after_visits(ParameterLearner(max_hosts=1))
    learner.observe("http://b.example/?x=1", "")
    assert learner.clean(f"{A}/show?ss=9") == f"{A}/show?ss=9"


def test_nothing_is_kept_for_hosts_without_queries() -> None:
    learner = ParameterLearner()
    learner.observe(f"{A}/t20200113_5.html", "article")
    assert (len(learner._hosts), len(learner._pages)) == (0, 0)


@pytest.mark.parametrize("name", ["pairs", "values", "max_pages", "max_hosts"])
def test_limits_must_be_positive(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be >= 1, got 0"):
        ParameterLearner(**{name: 0})
