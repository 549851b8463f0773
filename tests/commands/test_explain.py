"""``scrapy explain`` shows the reasons, from the verdict to the seed."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.support.command_line import run_command, sqlite_store
from tests.support.planted_copies import sentences
from tests.support.reporting_store import START, make_outcome, make_page, make_run
from topiccrawl.commands.explain import Command
from topiccrawl.dedup.signing import Signer
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.compared import compared_page
from topiccrawl.store.contract import OutcomeRecord
from topiccrawl.store.headlines import deletion_outcome
from topiccrawl.store.near_misses import pack_near_miss

SEED = "http://qw.example.cn/"
HUB = "http://qw.example.cn/list"
PAGE = "http://qw.example.cn/n/1.html?a=1&b=2"
DUPLICATE = "http://copy.example.cn/9.html"
OFF_TOPIC = "http://qw.example.cn/stocks.html"

PARTS = {"rw": 0.4, "rwb": 0.6, "parents": 0.5, "neu": 0.25}


def outcomes() -> list[OutcomeRecord]:
    return [
        make_outcome(SEED, title="侨网首页", link=LinkEvidence()),
        make_outcome(HUB, title="侨务列表", link=LinkEvidence(1, {}, SEED, "侨务", 1)),
        make_outcome(PAGE, link=LinkEvidence(0.61, PARTS, HUB, "华侨\x1b[31m捐资", 2)),
        make_outcome(
            DUPLICATE,
            verdict="duplicate",
            reason="edited",
            detail=f"edited of {PAGE}",
        ),
        make_outcome(
            OFF_TOPIC,
            verdict="dropped",
            reason="off-topic",
            detail="relevance 0.091 < threshold 0.220",
            relevance=0.091,
        ),
        make_outcome("http://loop.cn/a", link=LinkEvidence(1, {}, "http://loop.cn/b", "", 2)),
        make_outcome("http://loop.cn/b", link=LinkEvidence(1, {}, "http://loop.cn/a", "", 2)),
    ]


@pytest.fixture(name="store")
def store_uri(tmp_path: Path) -> str:
    story = make_page(PAGE).id
    copy = make_page(
        DUPLICATE,
        story=story,
        copy_of=PAGE,
        relation="edited",
        relation_detail=("the titles are 0.95 similar",),
    )
    pages = [make_page(PAGE, story=story), make_page(SEED), make_page(HUB), copy]
    return sqlite_store(tmp_path, pages, outcomes())


def explained(store: str, capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = run_command(Command(), list(argv), store)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_page_that_is_not_content_is_not_compared_with_the_topic(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wall = make_outcome(PAGE, verdict="dropped", reason="login", relevance=0.0)
    store = sqlite_store(tmp_path, [make_page(SEED)], [wall])
    out = explained(store, capsys, PAGE)[1]
    assert "This URL was fetched and not kept: a login is needed." in out


def test_the_verdict_is_one_sentence_in_the_users_language(
    store: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = explained(store, capsys, OFF_TOPIC)
    assert (code, err) == (0, "")
    assert (
        "This URL was fetched and not kept: off topic, relevance and threshold 0.091 < 0.220."
        in out
    )
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    _, out, _ = explained(store, capsys, OFF_TOPIC)
    assert "该网址已抓取但未入库：与主题无关，相关度与阈值 0.091 < 0.220。" in out
    assert "This URL" not in out
    _, out, _ = explained(store, capsys, PAGE)
    assert "语言：zh" in out
    assert re.search(r"时间：.{16}（UTC\+8）", out)
    assert not re.search(r"[\u4e00-\u9fff][,;]|[\u4e00-\u9fff] \(", out)


LEARNED = "http://qw.example.cn/learned.html"


@pytest.mark.parametrize(
    ("verdict", "reason", "probability", "expected"),
    [
        ("stored", "admitted", 0.75, "probability and threshold 0.750 >= 0.410."),
        ("dropped", "off-topic", 0.3, "probability and threshold 0.300 < 0.410."),
    ],
)
def test_the_verdict_shows_the_probability_that_the_classifier_judged_by(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    verdict: str,
    reason: str,
    probability: float,
    expected: str,
) -> None:
    outcome = make_outcome(
        LEARNED,
        verdict=verdict,
        reason=reason,
        detail="probability 0.222 < threshold 0.333",
        relevance=0.091,
        threshold=0.22,
        probability=probability,
        probability_threshold=0.41,
        judgment_parts={"constant": -2.0, "text": 1.5, "links": -0.25, "words": 0.4, "new": 1.0},
    )
    _, out, _ = explained(sqlite_store(tmp_path, [make_page(SEED)], [outcome]), capsys, LEARNED)
    assert expected in out
    assert "0.222" not in out, "numbers of an earlier judgment"
    rows = [line.split() for line in out.splitlines() if line.strip()]
    names = ["words", "text", "links", "constant", "new"]
    shown = [(row[-1], row[-2]) for row in rows if row[-1] in names]
    assert shown == list(zip(names, ["0.4", "+1.50", "-0.25", "-2.00", "+1.00"], strict=True))
    assert f"Parts of the probability {probability:.3f}" in out
    assert "relevance 0.091 (threshold 0.220)" in out


@pytest.mark.parametrize(("verdict", "kept"), [("stored", "stored"), ("dropped", "not kept")])
def test_a_verdict_of_the_user_shows_no_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], verdict: str, kept: str
) -> None:
    outcome = make_outcome(
        LEARNED, verdict=verdict, reason="judged", relevance=0.091, threshold=0.22
    )
    _, out, _ = explained(sqlite_store(tmp_path, [make_page(SEED)], [outcome]), capsys, LEARNED)
    assert f"{kept}: judged by the user." in out


def test_a_page_kept_against_its_probability_shows_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = make_outcome(
        LEARNED,
        detail="probability 0.700, but the words are sure",
        probability=0.7,
        probability_threshold=0.8,
    )
    _, out, _ = explained(sqlite_store(tmp_path, [make_page(SEED)], [outcome]), capsys, LEARNED)
    assert "probability and threshold 0.700 < 0.800." in out
    assert "but the words are sure" in out


def test_a_near_miss_is_shown_as_stored_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = make_outcome(LEARNED, verdict="dropped", reason="off-topic")
    near = pack_near_miss(make_page(LEARNED), 0.3)
    store = sqlite_store(tmp_path, [make_page(SEED)], [outcome], near_misses=[near])
    assert "near miss: " in explained(store, capsys, LEARNED)[1]


def test_terms_and_parts_of_the_score_are_shown_in_words(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = explained(store, capsys, PAGE)
    assert re.search(r"^华侨 .*48.8%", out, re.MULTILINE)  # 0.2 of 0.41
    rows = {line.split()[-1]: line for line in out.splitlines() if line.strip()}
    assert rows["rw"].startswith("relevance of the link by its own words, 0 below the threshold")
    assert rows["rw"].split()[-2] == "0.4"
    assert "compared with the best pages" in rows["parents"]
    assert rows["neu"].split() == ["neu", "0.25", "neu"]  # of a strategy elsewhere


def test_the_way_back_to_the_seed_is_shown(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = explained(store, capsys, PAGE)
    assert out.index(f"1 ← {HUB} 侨务列表") < out.index(f"2 ← {SEED} 侨网首页")
    assert "    seed" in out


def test_a_seed_is_shown_as_a_seed(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "This URL is a seed." in explained(store, capsys, SEED)[1]


def test_of_a_deleted_page_no_link_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = "http://a.example.cn/deleted"
    uri = sqlite_store(tmp_path, [make_page(SEED)], [deletion_outcome("侨情", url)])
    code, out, _err = explained(uri, capsys, url)
    assert code == 0
    assert "deleted, not fetched again" in out
    assert "seed" not in out
    assert "Link score" not in out


def test_a_circle_of_parents_ends(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = explained(store, capsys, "http://loop.cn/a")
    assert code == 0
    assert "1 ← http://loop.cn/b" in out
    assert "2 ←" not in out
    assert "back to a page passed before" in out


def test_copies_are_shown_from_both_sides_with_their_reasons(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert DUPLICATE in explained(store, capsys, PAGE)[1]
    out = explained(store, capsys, DUPLICATE)[1]
    assert "stored as a copy of another page: edited copy" in out
    assert "edited copy; the titles are 0.95 similar" in out
    assert "Copy of" in out
    assert f"  {PAGE} " in out


def test_parts_and_wholes_of_other_stories_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    signer = Signer()
    texts = ["\n".join(sentences(number)) for number in range(3)]
    urls = [f"http://n.example.cn/{number}" for number in range(3)]
    digest = make_page("http://n.example.cn/digest", title="早报", body="\n".join(texts))
    pages = [
        make_page(url, title=text[:12], body=text) for url, text in zip(urls, texts, strict=True)
    ]
    pages = [
        replace(page, tokens=signer.sign(compared_page(page)).tokens) for page in [*pages, digest]
    ]
    store = sqlite_store(tmp_path, pages, [make_outcome(page.url) for page in pages])
    assert f"\nGathers the texts of {', '.join(urls)}\n" in explained(store, capsys, digest.url)[1]
    assert f"\nAn excerpt of {digest.url}\n" in explained(store, capsys, urls[0])[1]
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    assert f"\n节选自：{digest.url}\n" in explained(store, capsys, urls[0])[1]


@pytest.mark.parametrize(
    "spelling",
    [
        "http://QW.example.cn:80/n/1.html?b=2&a=1#top",
        "https://qw.example.cn/n/1.html?a=1&b=2",
        "qw.example.cn/n/1.html?a=1&b=2",
        f" {PAGE} ",
    ],
    ids=["host, port, order, fragment", "other scheme", "no scheme", "blanks"],
)
def test_other_spellings_find_the_same_page(
    store: str, capsys: pytest.CaptureFixture[str], spelling: str
) -> None:
    code, out, _ = explained(store, capsys, spelling)
    assert code == 0
    assert out.startswith(PAGE)


def test_an_unknown_url_lists_the_nearest_known_ones_and_fails(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = explained(store, capsys, "http://qw.example.cn/n/2.html?a=1&b=2")
    assert (code, out) == (1, "")
    assert "The store does not contain" in err
    known = [line.split()[0] for line in err.splitlines() if line.startswith("  ")]
    assert known[0] == PAGE
    assert set(known) == {SEED, HUB, PAGE, OFF_TOPIC}  # of this host only


def test_a_url_outside_the_scope_of_the_last_run_is_explained_by_its_pattern(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stats = {"topiccrawl/scope/deny": "copy.example.cn w3.example/TR/"}
    later = START + timedelta(hours=1)
    runs = [make_run("run-1"), make_run("run-2", started_at=later, stats=stats)]
    store = sqlite_store(tmp_path, [make_page(PAGE)], outcomes(), runs)
    code, _, err = explained(store, capsys, "https://www.w3.example/TR/html")
    assert code == 1
    assert "侨情: https://www.w3.example/TR/html is excluded by deny=w3.example/TR/" in err
    _, _, err = explained(store, capsys, "https://www.w3.example/")
    assert "is excluded" not in err


def test_an_unknown_host_has_no_neighbors(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = explained(store, capsys, "http://nobody.example/")
    assert code == 1
    assert err.count("\n") == 1


@pytest.mark.parametrize("url", ["http://[", "", "http://", "侨情"])
def test_no_address_is_no_traceback(
    store: str, capsys: pytest.CaptureFixture[str], url: str
) -> None:
    code, _, err = explained(store, capsys, url)
    assert code == 1
    assert "Traceback" not in err


def test_control_characters_of_pages_do_not_reach_the_terminal(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = explained(store, capsys, PAGE)[1]
    assert "\x1b" not in out
    assert "华侨[31m捐资" in out


def test_a_url_known_in_two_topics_is_explained_for_both_unless_one_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [make_page(PAGE), make_page(PAGE, topic="茶文化")]
    both = [make_outcome(PAGE), make_outcome(PAGE, topic="茶文化")]
    store = sqlite_store(tmp_path, pages, both)
    out = explained(store, capsys, PAGE)[1]
    assert out.count("topic:") == 2
    out = explained(store, capsys, PAGE, "--topic", "茶文化")[1]
    assert out.count("topic:") == 1
    assert "topic: 茶文化" in out


def test_without_a_url_it_is_a_usage_error(store: str) -> None:
    assert run_command(Command(), [], store) == 2


def test_a_stored_pages_byline_kind_summary_and_keywords_are_shown(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = explained(store, capsys, PAGE)[1]
    for line in (
        "author: 方敏",
        "source: 侨乡日报",
        "editor: 李小明",
        "kind: article",
        "keywords: 华侨 捐资助学",
        "summary: 海外华侨捐资建学校。",
    ):
        assert line in out.splitlines()


def test_what_a_page_does_not_state_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = make_page(PAGE, author="", source="", editor="", kind="", summary="", keywords=())
    out = explained(sqlite_store(tmp_path, [bare], outcomes()), capsys, PAGE)[1]
    for word in ("author", "source", "editor", "kind", "keywords", "summary"):
        assert f"{word}:" not in out


def test_a_link_that_waits_for_the_window_of_its_host_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = "http://qw.example.cn/late"
    uri = sqlite_store(
        tmp_path, [], [make_outcome(url, verdict="queued", reason="queued")], [make_run()]
    )
    soon = (datetime.now(CHINA_TIME) + timedelta(hours=2)).replace(minute=0)
    windows = f'{{"*.example.cn": "{soon:%H:%M}-{soon:%H}:59"}}'
    assert run_command(Command(), [url, "-s", f"TOPICCRAWL_HOST_WINDOWS={windows}"], uri) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "qw.example.cn is outside its time window until " in shown
    assert run_command(Command(), [url], uri) == 0
    assert "time window" not in capsys.readouterr().out


def test_a_url_of_a_host_whose_budget_is_used_up_says_so(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["http://qw.example.cn/unknown", "-s", "TOPICCRAWL_HOST_BUDGET_GROWTH=0"]
    assert run_command(Command(), [*words, "-s", "TOPICCRAWL_HOST_BUDGET_PAGES=4"], store) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert "Its host has reached its budget: 4 links were tried" in said
    assert run_command(Command(), [*words, "-s", "TOPICCRAWL_HOST_BUDGET_PAGES=5"], store) == 1
    assert "budget" not in capsys.readouterr().err


def test_the_budget_of_a_host_is_that_of_one_topic_and_may_be_smaller_than_its_kept_pages_make_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lists and copies are kept and extend nothing; two topics have a budget each."""
    kept = [make_outcome(f"http://qw.example.cn/{n}", sequence=n) for n in range(1, 5)]
    other = [replace(it, topic="茶文化") for it in kept[:3]]
    run = make_run(stats={"topiccrawl/frontier/over_budget": 7})
    uri = sqlite_store(tmp_path, [], [*kept, *other], [run])
    words = ["http://qw.example.cn/unknown", "-s", "TOPICCRAWL_HOST_BUDGET_GROWTH=20"]
    assert run_command(Command(), [*words, "-s", "TOPICCRAWL_HOST_BUDGET_PAGES=4"], uri) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert "侨情: Its host may have reached its budget" in said
    assert "4 links were tried, and the budget is 4 to 84" in said
    assert "茶文化: Its host" not in said
    assert run_command(Command(), [*words, "-s", "TOPICCRAWL_HOST_BUDGET_PAGES=5"], uri) == 1
    assert "budget" not in capsys.readouterr().err
