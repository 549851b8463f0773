"""The URL filter cleans and rejects links by rules and by what it learned, and counts what it does."""

from __future__ import annotations

import struct
from collections import Counter

import pytest

from topiccrawl.urls.domains import PAGES_PER_NAME
from topiccrawl.urls.filter import Stated, UrlFilter
from topiccrawl.urls.lessons import Lesson, pack_lesson, unpack_lesson
from topiccrawl.urls.novelty import page_text
from topiccrawl.urls.scope import Scope
from topiccrawl.urls.traps import TrapRules

A = "http://a.example"
NOW = 1_790_000_000.0  # September 2026


def make_filter(counts: Counter[str], *, learn: bool = True, pages: int = 3) -> UrlFilter:
    """A filter that counts into *counts*; three pages may exhaust a family."""
    return UrlFilter(
        TrapRules(),
        lambda: NOW,
        learn_parameters=learn,
        pattern_pages=pages,
        count=lambda name: counts.update([name]),
    )


def article(number: int) -> str:
    """A text whose lines no other number has."""
    return f"article {number} is about {chr(ord('a') + number) * 9}"


def visit_sessions(url_filter: UrlFilter, articles: int) -> None:
    """Fetch *articles* articles under two session ids each."""
    for i in range(articles):
        for session in (i, i + 1):
            url_filter.learn(f"{A}/show?id={i}&ss={session}", page_text(article(i)))


def test_an_ordinary_link_passes_and_is_not_counted() -> None:
    counts: Counter[str] = Counter()
    url_filter = make_filter(counts)
    assert url_filter.allows(f"{A}/t20200113_5.html")
    assert url_filter.clean(f"{A}/show?id=5") == f"{A}/show?id=5"
    assert not counts


def test_a_trap_is_rejected_and_counted_by_its_reason() -> None:
    counts: Counter[str] = Counter()
    assert not make_filter(counts).allows(f"{A}/calendar/2031/05/")
    assert counts == {"links/trapped/calendar": 1}


@pytest.mark.parametrize(("pages", "allowed"), [(3, False), (0, True)])
def test_links_to_an_exhausted_family_are_rejected_unless_families_are_off(
    pages: int, allowed: bool
) -> None:
    counts: Counter[str] = Counter()
    url_filter = make_filter(counts, pages=pages)
    for i in range(4):
        lesson = url_filter.learn(f"{A}/day/{i}", page_text(f"nothing on day {i}"))
        assert lesson is not None
        assert lesson.new == (i == 0)
    assert url_filter.allows(f"{A}/day/77") == allowed
    assert counts["links/trapped/pattern"] == (not allowed)
    assert counts["patterns/exhausted"] == (not allowed)
    assert counts["pages/nothing_new"] == 3


@pytest.mark.parametrize(("names", "allowed"), [(2, False), (0, True)])
def test_a_third_name_of_a_domain_is_rejected_until_pages_on_the_topic_earn_it(
    names: int, allowed: bool
) -> None:
    counts: Counter[str] = Counter()
    url_filter = UrlFilter(
        TrapRules(), lambda: NOW, domain_names=names, count=lambda name: counts.update([name])
    )
    for name in ("a", "b"):
        assert url_filter.trap(f"http://{name}.x.cn/") is None
        url_filter.contact(f"{name}.x.cn")
    assert url_filter.allows("http://c.x.cn/") == allowed
    assert url_filter.allows("http://a.x.cn/2")
    assert (url_filter.trap("http://c.x.cn/") is None) == allowed
    assert counts["links/trapped/host-names"] == (not allowed)
    assert url_filter.exhausted == (not allowed)
    for number in range(PAGES_PER_NAME):
        url_filter.earn(f"http://a.x.cn/{number}")
    assert url_filter.allows("http://c.x.cn/")


def test_a_learned_parameter_is_removed_until_a_page_contradicts() -> None:
    counts: Counter[str] = Counter()
    url_filter = make_filter(counts)
    visit_sessions(url_filter, 20)
    assert url_filter.clean(f"{A}/show?id=7&ss=9") == f"{A}/show?id=7"
    url_filter.learn(f"{A}/show?id=5", page_text("error: no session"))
    assert url_filter.clean(f"{A}/show?id=7&ss=9") == f"{A}/show?id=7&ss=9"
    learned = {name: n for name, n in counts.items() if name.startswith(("parameters", "links"))}
    assert learned == {"parameters/learned": 1, "links/cleaned": 1, "parameters/unlearned": 1}


def test_nothing_is_learned_from_parameters_when_that_is_off() -> None:
    url_filter = make_filter(Counter(), learn=False)
    visit_sessions(url_filter, 20)
    assert url_filter.clean(f"{A}/show?id=7&ss=9") == f"{A}/show?id=7&ss=9"


def test_links_outside_the_scope_are_rejected_and_counted() -> None:
    counts: Counter[str] = Counter()
    url_filter = UrlFilter(
        TrapRules(),
        lambda: NOW,
        scope=Scope(allow=["a.example"]),
        count=lambda name: counts.update([name]),
    )
    assert url_filter.allows(f"{A}/1")
    assert not url_filter.allows("http://b.example/1")
    assert counts == {"links/out_of_scope": 1}


def test_a_page_without_text_is_new_and_teaches_nothing() -> None:
    counts: Counter[str] = Counter()
    url_filter = make_filter(counts)
    assert all(url_filter.learn(f"{A}/{i}", None) is None for i in range(9))
    assert url_filter.allows(f"{A}/77")
    assert not counts


def test_what_one_filter_has_learned_counts_in_another_that_receives_it() -> None:
    """A worker that joins late, and a run that continues a crawl, begin where the others are."""
    first = make_filter(Counter())
    later = make_filter(Counter())
    texts = [("day", f"nothing on day {i}") for i in range(3)] + [("x", article(i)) for i in (1, 2)]
    for number, (folder, text) in enumerate(texts):
        lesson = first.learn(f"{A}/{folder}/{number}", page_text(text))
        assert lesson is not None
        later.receive(unpack_lesson(pack_lesson(lesson)))
    assert later.allows(f"{A}/day/9")  # two of three pages brought nothing new
    assert later.allows(f"{A}/x/9")
    lesson = later.learn(f"{A}/day/3", page_text("nothing on day 3"))
    assert lesson is not None
    assert not lesson.new, "the text was read by the first filter"
    assert not later.allows(f"{A}/day/9")
    assert later.allows(f"{A}/x/9")


def test_learned_parameters_are_received_too() -> None:
    first, later = make_filter(Counter(), pages=0), make_filter(Counter(), pages=0)
    for i in range(20):
        for session in (i, i + 1):
            lesson = first.learn(f"{A}/show?id={i}&ss={session}", page_text(article(i)))
            assert lesson is not None
            later.receive(lesson)
    assert later.clean(f"{A}/show?id=5&ss=77") == f"{A}/show?id=5"


def test_a_page_that_the_user_named_says_nothing_against_its_family_when_it_has_not_changed() -> (
    None
):
    url_filter = make_filter(Counter())
    for _ in range(9):  # as each run of a crawl that goes on every day
        url_filter.learn(f"{A}/list?page=1", page_text("the list of today"), named=True)
    assert url_filter.allows(f"{A}/list?page=2")


def test_pages_that_are_fetched_again_after_a_kill_say_nothing_against_their_family() -> None:
    """Their lessons are in the journal, and their leases were lost: each run fetches them again."""
    lessons: list[Lesson] = []
    for _ in range(4):
        counts: Counter[str] = Counter()
        url_filter = make_filter(counts)
        for lesson in lessons:
            url_filter.receive(unpack_lesson(pack_lesson(lesson)))
        for i in range(9):
            found = url_filter.learn(f"{A}/news/{i}.html", page_text(article(i)))
            assert found is not None
            lessons.append(found)
        assert url_filter.allows(f"{A}/news/99.html")
        assert not counts


def test_an_address_that_leads_to_a_known_page_is_not_that_page_fetched_again() -> None:
    """Endless addresses, all of which redirect to one page, are a trap as others are."""
    url_filter = make_filter(Counter())
    for i in range(4):
        stated = Stated(redirected=f"{A}/login", asked=f"{A}/go/{i}")
        url_filter.learn(f"{A}/news/1.html", page_text(article(1)), stated=stated)
    assert not url_filter.allows(f"{A}/news/2.html")


def test_reposts_of_other_sites_are_new_to_their_own_site() -> None:
    """A local news site may have nothing but stories that were read elsewhere before."""
    url_filter = make_filter(Counter())
    for site in ("http://www.first.cn", "http://www.local.cn", "http://www.other.cn"):
        for i in range(9):
            lesson = url_filter.learn(f"{site}/news/{i}.html", page_text(article(i)))
            assert lesson is not None
            assert (lesson.new, lesson.copied) == (True, "first" not in site)
        assert url_filter.allows(f"{site}/news/99.html")


def test_reposts_earn_their_own_site_what_a_trap_does_not() -> None:
    """The few texts of a trap are new to its host once, however many addresses it has for them."""
    url_filter = make_filter(Counter(), pages=0)
    for i in range(3):
        url_filter.learn(f"{A}/{i}", page_text(article(i)))
    found = [url_filter.learn(f"http://trap.cn/{i}", page_text(article(i % 3))) for i in range(9)]
    assert [lesson is not None and lesson.new for lesson in found] == [True] * 3 + [False] * 6


def test_a_lesson_that_earned_a_host_name_earns_it_elsewhere() -> None:
    url_filter = UrlFilter(TrapRules(), lambda: NOW, domain_names=2)
    assert url_filter.contact("a.x.cn")
    assert not url_filter.contact("a.x.cn")
    url_filter.contact("b.x.cn")
    assert not url_filter.allows("http://c.x.cn/")
    for number in range(PAGES_PER_NAME):
        url_filter.receive(Lesson(f"http://a.x.cn/{number}", "", True, True, earned=True))
    assert url_filter.allows("http://c.x.cn/")


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"1\0", b'["u", "h", true, true]\0', b'["u", "h", 1, true, true]\0']
    + [b'["u", "h", true, true, true]\0' + bytes(size) for size in (7, 16_008)],
)
def test_damaged_lessons_are_refused(data: bytes) -> None:
    with pytest.raises((ValueError, struct.error)):
        unpack_lesson(data)
