"""Fusion of engines, and trust in them."""

from __future__ import annotations

from tests.support.search_answers import TEA, asked, names, pool
from topiccrawl.sources.engine import Question
from topiccrawl.sources.fusion import TRUSTED, UNTRUSTED


def test_pages_that_several_engines_rank_high_come_first() -> None:
    found = pool()
    found.add(asked("one", ["a", "b", "c"]))
    found.add(asked("two", ["c", "a", "d"]))
    best = found.sources()
    assert [source.url for source in best] == [f"http://{x}/" for x in "acbd"]
    assert best[0].found == (("茶文化", "one", 1), ("茶文化", "two", 2))


def test_an_engine_that_agrees_with_no_other_is_not_trusted() -> None:
    found = pool()
    found.add(asked("one", names("a")))
    found.add(asked("two", names("a")))
    found.add(asked("bad", names("x")))
    assert found.trust("one") > 0.9
    assert found.trust("bad") < TRUSTED
    assert not [it for it in found.sources() if it.url.startswith("http://x")]
    found.add(asked("bad", names("y"), page=0, question=TEA))
    assert found.trust("bad") < UNTRUSTED
    assert [it.url for it in found.probes(2)] == ["http://x0/", "http://y0/"]


def test_pages_that_the_crawl_kept_restore_the_trust_in_an_engine() -> None:
    found = pool()
    for engine, prefix in (("one", "a"), ("two", "a"), ("own", "x")):
        found.add(asked(engine, names(prefix)))
    before = found.trust("own")
    for i in range(3):
        found.judge(f"http://x{i}/", True)
        found.judge(f"http://a{i}/", True)
    restored = found.trust("own")
    assert restored > max(before, TRUSTED)
    for i in range(3, 9):
        found.judge(f"http://x{i}/", False)
        found.judge(f"http://a{i}/", True)
    assert found.trust("own") < min(restored, TRUSTED)


def test_results_that_could_not_be_shared_say_nothing_of_trust() -> None:
    found = pool()
    found.add(asked("one", names("a")))
    found.add(asked("two", names("a")))
    for i in range(4):
        found.add(asked("two", names(f"b{i}"), Question(f"茶 {i}")))
    assert found.trust("two") > 0.9


def test_irrelevant_titles_lower_the_trust() -> None:
    found = pool()
    found.add(asked("one", names("a")))
    found.add(asked("ads", names("a"), title="广告"))
    found.add(asked("ads", names("z", 30), Question("茶"), title="广告"))
    assert found.trust("ads") < found.trust("one")


def test_engines_behind_a_metasearch_engine_are_told_apart() -> None:
    found = pool()
    found.add(asked("searxng", names("a"), engines=("bing", "baidu")))
    found.add(asked("searxng", names("x", 20), engines=("bad",)))
    assert found.trust("searxng") > 0.9, "its best engine counts"
    assert not [it for it in found.sources() if it.url.startswith("http://x")]
    assert found.sources()[0].found[0][1] == "searxng / baidu"


def test_pages_that_are_gone_are_no_sources() -> None:
    found = pool()
    found.add(asked("one", ["a", "b"]))
    found.lose("http://a/")
    assert [it.url for it in found.sources()] == ["http://b/"]


def test_few_results_in_common_do_not_make_engines_the_same() -> None:
    found = pool()
    found.add(asked("one", ["a", "b"]))
    found.add(asked("two", ["a", "b"]))
    assert 0.5 < found.agreement("two") < 0.7
    for engine in ("one", "two"):
        found.add(asked(engine, names("c", 40), Question("茶")))
    assert found.agreement("two") > 0.9
