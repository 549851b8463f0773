"""Which stories a proposal of a briefing has, and in which order."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.briefings import NOW, briefing, candidate
from tests.support.reporting_store import make_page
from topiccrawl.briefing.choosing import choice_of
from topiccrawl.briefing.codec import from_json, to_json
from topiccrawl.briefing.proposal import Limits, propose
from topiccrawl.briefing.reading import Period, candidates_of, headline_of
from topiccrawl.errors import ConfigurationError
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.stories.listing import story_list

DIFFERENT = (
    "泉州侨批档案馆开馆", "纽约华埠举行春节巡游", "留学回国人员创业园扩建", "印尼华校师资培训结束",
    "侨务法律服务团走进乡镇", "世界华商大会筹备会召开", "潮汕侨屋列入保护名录", "海外侨胞捐建乡村医院",
    "华裔青年寻根夏令营开营", "归侨合作社茶叶丰收",
)  # fmt: skip


def stories(**changes: object) -> list:
    return [
        candidate(n, title=title, summary=f"{title}。", **changes)
        for n, title in enumerate(DIFFERENT)
    ]


def test_the_story_that_most_sites_have_is_the_most_important() -> None:
    found = stories()
    found[7] = replace(found[7], sites=20)
    found[4] = replace(found[4], sites=5)
    first, *_ = propose(found, Limits(important=3))
    assert first.kind == "important"
    assert [it.title for it in first.entries][:2] == [DIFFERENT[7], DIFFERENT[4]]
    assert first.entries[0].evidence["sites"] > first.entries[1].evidence["sites"]


def test_no_story_is_in_two_sections_and_the_newest_come_newest_first() -> None:
    found = [replace(it, category="教育" if n % 2 else "经济") for n, it in enumerate(stories())]
    sections = propose(found, Limits(important=2, newest=3, category=2))
    shown = [entry.story for section in sections for entry in section.entries]
    assert len(shown) == len(set(shown))
    times = [entry.published_at for entry in sections[1].entries]
    assert times == sorted(times, reverse=True)
    assert {section.heading for section in sections[2:]} == {"教育", "经济"}
    assert all(len(section.entries) <= 2 for section in sections[2:])


def test_stories_of_one_event_are_one_entry_that_names_the_others() -> None:
    title = "第八届世界华侨华人社团联谊大会在北京开幕"
    found = [
        *stories(),
        candidate(20, title=title, sites=6, summary="大会在北京开幕。"),
        candidate(21, title=f"快讯：{title}", summary="大会在北京开幕。"),
    ]
    entries = [entry for section in propose(found) for entry in section.entries]
    lead = next(entry for entry in entries if entry.story == "story-20")
    assert [it.title for it in lead.also] == [f"快讯：{title}"]
    assert "story-21" not in {entry.story for entry in entries}


def test_the_proposal_does_not_depend_on_the_order_of_the_stories() -> None:
    found = stories()
    expected = propose(found)
    for seed in range(3):
        random.Random(seed).shuffle(found)
        assert propose(found) == expected


def test_every_sentence_has_the_page_that_it_comes_from() -> None:
    [section] = propose([candidate(3)])
    [entry] = section.entries
    assert [it.text for it in entry.sentences] == ["侨胞返乡投资建厂。", "当地政府表示欢迎！"]
    assert {it.url for it in entry.sentences} == {"http://www.example.cn/3.html"}


def test_only_stories_published_in_the_period_are_candidates() -> None:
    period = Period(NOW - timedelta(days=7), NOW)
    pages = [
        make_page("http://a.cn/new", published_at=NOW - timedelta(days=1), fetched_at=NOW),
        make_page("http://a.cn/old", published_at=NOW - timedelta(days=30), fetched_at=NOW),
        make_page("http://a.cn/undated", published_at=None, fetched_at=NOW - timedelta(days=2)),
        make_page("http://a.cn/future", published_at=NOW + timedelta(days=99), fetched_at=NOW),
        make_page("http://a.cn/list", kind="list", fetched_at=NOW, published_at=None),
    ]
    found = candidates_of(pages, period)
    assert {it.url[12:] for it in found} == {"new", "undated", "future"}


def test_copies_count_as_sites_and_are_no_candidates() -> None:
    pages = [
        make_page("http://a.cn/1", site="a.cn", story="s", fetched_at=NOW),
        make_page("http://b.cn/1", site="b.cn", story="s", copy_of="http://a.cn/1", fetched_at=NOW),
        make_page("http://b.cn/2", site="b.cn", story="s", copy_of="http://a.cn/1", fetched_at=NOW),
    ]
    [found] = candidates_of(pages, Period())
    assert (found.url, found.sites) == ("http://a.cn/1", 2)


def test_hosts_of_one_domain_are_one_site_of_a_story() -> None:
    """An owner may have any number of names: ten copies there do not make a story important."""
    pages = [
        make_page(
            f"http://h{n}.evil.cn/1",
            site=f"h{n}.evil.cn",
            story="s",
            copy_of="http://h0.evil.cn/1" if n else "",
            fetched_at=NOW,
        )
        for n in range(10)
    ]
    [found] = candidates_of(pages, Period())
    assert found.sites == 1
    overview = Overview.of([headline_of(page) for page in pages])
    [chosen] = choice_of(overview, "侨情", Period()).candidates
    assert chosen.sites == 1
    assert story_list(overview).sites.tolist() == [1]


def test_many_stories_of_one_site_do_not_make_an_event_important() -> None:
    title = "第八届世界华侨华人社团联谊大会在北京开幕"

    def event(outlets: list[str]) -> float:
        found = [
            candidate(20 + n, title=f"{title}{n}", summary="大会在北京开幕。", outlet=outlet)
            for n, outlet in enumerate(outlets)
        ]
        [[entry]] = [section.entries for section in propose(found)]
        return entry.evidence["stories"]

    assert event([f"h{n}.evil.cn" for n in range(8)]) == 0
    assert event([f"www.paper{n}.cn" for n in range(8)]) == 3


def test_a_briefing_survives_its_json() -> None:
    made = briefing(stories(), title="侨情周报", organization="侨办")
    again = from_json(json.loads(json.dumps(to_json(made))))
    assert to_json(again) == to_json(made)
    assert [it.title for it in again.entries()] == [it.title for it in made.entries()]


@pytest.mark.parametrize(
    "change",
    [{"sections": [{"kind": "x", "entries": []}]}, {"sections": None}, {"created_at": "soon"}],
)
def test_a_damaged_briefing_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError, match="briefing"):
        from_json({**to_json(briefing([candidate()])), **change})
