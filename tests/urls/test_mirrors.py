"""Origins are mirrors when many different pages are equal; few differences end it, and nothing is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.urls.content import GONE, PageContent, page_content
from topiccrawl.urls.elsewhere import Elsewhere
from topiccrawl.urls.lessons import Lesson, pack_lesson, unpack_lesson
from topiccrawl.urls.mirrors import AUDIT, MirrorLearner
from topiccrawl.urls.novelty import page_text
from topiccrawl.urls.scope import Scope

WWW, BARE, SAFE = "http://www.a.cn", "http://a.cn", "https://www.a.cn"
PHONE, CHANNEL, STRANGER = "http://m.a.cn", "http://news.a.cn", "http://www.b.cn"
FIRST = 20200000


def text(number: int, *, body: bool = True) -> PageContent:
    return PageContent(number + 1, number + 1, body)


def show(
    learner: MirrorLearner, origins: tuple[str, ...], numbers: range, path: str = "/n/{}.html"
) -> None:
    """Fetch equal pages of *origins*."""
    for number in numbers:
        for origin in origins:
            learner.observe(f"{origin}{path.format(FIRST + number)}", text(number))


def moved(learner: MirrorLearner, origin: str, path: str = "/n/{}.html") -> set[str]:
    """Origins that links to *origin* lead to, except for those that are left as they are."""
    urls = [f"{origin}{path.format(FIRST + 9_000 + i)}" for i in range(40)]
    found = [learner.preferred(url) for url in urls]
    changed = {url.partition("/n/")[0] for url, old in zip(found, urls, strict=True) if url != old}
    assert len(changed) <= 1
    return changed


@pytest.mark.parametrize(
    ("origins", "pages", "preferred"),
    [((WWW, BARE), 3, WWW), ((WWW, SAFE), 3, SAFE), ((f"{WWW}:8080", WWW), 3, WWW),
     ((PHONE, WWW), 7, WWW), ((CHANNEL, WWW), 7, WWW), ((STRANGER, WWW), 12, STRANGER)],
)  # fmt: skip
def test_less_likely_mirrors_need_more_equal_pages(
    origins: tuple[str, str], pages: int, preferred: str
) -> None:
    learner = MirrorLearner()
    learner.observe(f"{preferred}/", text(5_000), named=True)
    other = next(it for it in origins if it != preferred)
    show(learner, origins, range(pages - 1))
    assert moved(learner, other) == set()
    show(learner, origins, range(pages))
    assert moved(learner, other) == {preferred}
    assert moved(learner, preferred) == set()


def test_one_text_at_many_addresses_counts_once() -> None:
    learner = MirrorLearner()
    for number in range(50):
        for origin in (WWW, BARE):
            learner.observe(f"{origin}/n/{FIRST + number}.html", text(1))
    assert not learner.learned


def test_error_pages_that_repeat_the_address_are_one_text() -> None:
    learner = MirrorLearner()
    for number in range(50):
        path = f"/n/{FIRST + number}.html"
        sorry = (
            f"您访问的页面{path}不存在或者已经被删除，请返回首页继续浏览，或者联系网站的管理员。\n"
        )
        for origin in (WWW, STRANGER):
            found = page_content(sorry * 3, page_text(sorry * 3, origin + path))
            assert found is not None
            assert found.has_body
            learner.observe(origin + path, found)
    assert not learner.learned


def test_hosts_with_some_equal_pages_are_no_mirrors() -> None:
    learner = MirrorLearner()
    for number in range(100):
        for origin in (CHANNEL, WWW):
            own = number if number % 3 else number + 1000 * (origin == WWW)
            learner.observe(f"{origin}/n/{FIRST + number}.html", text(own))
    assert not learner.learned


def test_equal_articles_say_nothing_of_fronts_and_lists() -> None:
    learner = MirrorLearner()
    show(learner, (CHANNEL, WWW), range(20))
    for path in ("/", "/hr/", "/list_2.html"):
        assert learner.preferred(f"{CHANNEL}{path}") == f"{CHANNEL}{path}"
    assert moved(learner, CHANNEL) == {WWW}


def test_two_differences_end_it_and_many_equal_pages_begin_it_again() -> None:
    learner = MirrorLearner()
    show(learner, (BARE, WWW), range(60))
    changes = []
    for number in (100, 101):
        for origin in (BARE, WWW):
            other = text(number + 500 * (origin == BARE))
            changes += learner.observe(f"{origin}/n/{FIRST + number}.html", other)
    assert changes == [(BARE, WWW, False)]
    assert moved(learner, BARE) == set()
    show(learner, (BARE, WWW), range(200, 220))
    assert moved(learner, BARE) == {WWW}


def test_a_page_that_the_preferred_host_does_not_have_is_a_difference() -> None:
    learner = MirrorLearner()
    show(learner, (BARE, WWW), range(3))
    learner.observe(f"{WWW}/n/{FIRST + 70}.html", GONE)
    learner.observe(f"{BARE}/n/{FIRST + 70}.html", text(70))
    assert moved(learner, BARE) == set()


def test_some_links_to_a_mirror_are_left_to_see_whether_it_still_is_one() -> None:
    learner = MirrorLearner()
    show(learner, (BARE, WWW), range(3))
    urls = [f"{BARE}/n/{FIRST + i}.html" for i in range(3_200)]
    left = sum(learner.preferred(url) == url for url in urls)
    assert 0.5 * 3_200 / AUDIT < left < 1.5 * 3_200 / AUDIT


def test_what_a_mirror_has_answered_is_known_unless_it_is_fetched_again_on_purpose() -> None:
    learner = MirrorLearner()
    show(learner, (BARE, WWW), range(3))
    show(learner, (BARE,), range(100, 200))
    elsewhere = [learner.fetched(f"{WWW}/n/{FIRST + i}.html") for i in range(100, 200)]
    known = [url for url in elsewhere if url]
    assert len(known) > 90
    assert all(url.startswith(f"{BARE}/") for url in known)
    assert learner.fetched(f"{WWW}/n/{FIRST + 999}.html") is None


def test_a_copy_on_another_domain_does_not_replace_what_the_user_has_named() -> None:
    learner = MirrorLearner()
    learner.observe(f"{WWW}/", text(5_000), named=True)
    show(learner, (STRANGER, WWW), range(12))
    assert moved(learner, STRANGER) == {WWW}
    assert moved(learner, WWW) == set()


def test_a_copy_on_another_domain_that_was_seen_first_replaces_nothing() -> None:
    """Which links are compared anyhow can be computed: a stranger may change all other pages."""
    learner = MirrorLearner()
    show(learner, (STRANGER, WWW), range(40))
    assert moved(learner, WWW) == moved(learner, STRANGER) == set()
    learner.observe(f"{STRANGER}/n/{FIRST + 999}.html", text(999))
    assert learner.fetched(f"{WWW}/n/{FIRST + 999}.html") is None


def test_an_origin_that_redirects_is_never_preferred() -> None:
    learner = MirrorLearner()
    learner.observe(f"{SAFE}/", text(5_000), named=True)
    for number in range(3):
        learner.observe(f"{SAFE}/n/{FIRST + number}.html", text(number), redirects=True)
        learner.observe(f"{BARE}/n/{FIRST + number}.html", text(number))
    assert moved(learner, SAFE) == {BARE}
    assert moved(learner, BARE) == set()


def test_mirrors_of_mirrors_lead_to_one_host() -> None:
    learner = MirrorLearner()
    show(learner, (PHONE, BARE, WWW, SAFE), range(9))
    assert moved(learner, PHONE) == moved(learner, BARE) == moved(learner, WWW) == {SAFE}


def test_memory_is_bounded_and_mirrors_are_kept_longest() -> None:
    learner = MirrorLearner()
    show(learner, (BARE, WWW), range(3))
    for number in range(6_000):
        for host in (f"http://h{number}.cn", f"http://h{number}.net"):
            learner.observe(f"{host}/x", text(number))
    assert len(learner._pairs) <= 5_000
    assert moved(learner, BARE) == {WWW}


def test_hosts_of_a_path_that_many_have_are_compared_however_late_they_come() -> None:
    learner = MirrorLearner()
    for number in range(40):
        for host in (*(f"http://h{i}.cn" for i in range(8)), WWW, BARE):
            own = number if host in (WWW, BARE) else int(host[8]) * 1_000 + number + 1_000
            learner.observe(f"{host}/n/{FIRST + number}.html", text(own))
    assert moved(learner, BARE) == {WWW}


def test_equal_articles_and_equal_fronts_are_one_line_of_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    elsewhere = Elsewhere(Scope(), lambda name: None)

    def fetch(number: int, origin: str, path: str, content: int) -> None:
        url = f"{origin}{path.format(number)}"
        lesson = Lesson(url, "", new=True, counted=True, content=text(content))
        elsewhere.learn(lesson)

    for number in range(20):
        for origin in (WWW, BARE):
            fetch(FIRST + number, origin, "/n/{}.html", number)
            fetch(number, origin, "/channel{}/", 100 + number)
    same = f"{BARE} and {WWW} have the same pages: each is fetched once"
    assert caplog.messages == [same]
    for number in range(20, 24):
        for origin in (WWW, BARE):
            fetch(FIRST + number, origin, "/n/{}.html", number + 1_000 * (origin == WWW))
    assert caplog.messages == [same, f"{BARE} and {WWW} do not have the same pages any longer"]


@given(st.permutations([(o, n) for o in (PHONE, WWW, SAFE) for n in range(8)]))
def test_the_order_of_pages_makes_no_difference(pages: list[tuple[str, int]]) -> None:
    learner = MirrorLearner()
    for origin, number in pages:
        learner.observe(f"{origin}/n/{FIRST + number}.html", text(number))
    assert moved(learner, PHONE) == moved(learner, WWW) == {SAFE}


def test_what_is_learned_of_a_page_is_read_back_and_so_are_entries_of_older_versions() -> None:
    lesson = Lesson(
        f"{WWW}/n/1.html",
        "ab",
        new=True,
        counted=True,
        lines=(1, 2),
        content=text(7),
        named=True,
        canonical=f"{SAFE}/n/1.html",
        redirected=f"{BARE}/n/1.html",
        versions=(f"{PHONE}/n/1.html",),
    )
    assert unpack_lesson(pack_lesson(lesson)) == lesson
    assert unpack_lesson(pack_lesson(replace(lesson, content=GONE))).content == GONE
    old = b'["http://a.cn/", "ab", true, true, false]\0'
    assert unpack_lesson(old) == Lesson("http://a.cn/", "ab", new=True, counted=True)
    for wrong in (
        b'[1, "b"]',
        b'["u", "h", true, true, false, 1]',
        b'["u", "h", true, true, false, "1", 2, true, true, "", ""]',
    ):
        with pytest.raises(ValueError, match="a lesson has"):
            unpack_lesson(wrong + b"\0")
