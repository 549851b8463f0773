"""Stories are grouped into events, and names are found in them."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.stories.events import EventStory, by_size, cluster_events
from topiccrawl.stories.names import Names, find_names, merged

START = datetime(2026, 3, 2, 9, tzinfo=CHINA_TIME)
EARTHQUAKE = (
    "四川泸定发生6.8级地震",
    "泸定地震救援进行中 已转移群众两万人",
    "国务院工作组抵达泸定地震灾区",
    "泸定地震震中道路抢通",
)
CONGRESS = (
    "世界华商大会在吉隆坡开幕",
    "吉隆坡世界华商大会签署合作协议",
    "马来西亚总理出席吉隆坡世界华商大会",
)


def story(title: str, hours: float, id_: str = "") -> EventStory:
    return EventStory(
        id=id_ or title,
        title=title,
        body=f"{title}，记者昨日从现场了解到。",
        at=START + timedelta(hours=hours),
    )


def stream() -> list[EventStory]:
    return [story(t, 5 * n) for n, t in enumerate(EARTHQUAKE)] + [
        story(t, 7 * n + 1) for n, t in enumerate(CONGRESS)
    ]


def test_stories_of_one_event_are_together_and_those_of_others_apart() -> None:
    events = cluster_events(stream())
    assert sorted(sorted(event.stories) for event in events) == sorted(
        [sorted(EARTHQUAKE), sorted(CONGRESS)]
    )


def test_events_do_not_depend_on_the_order_of_the_stories() -> None:
    stories = stream()
    wanted = cluster_events(stories)
    for seed in range(5):
        random.Random(seed).shuffle(stories)
        assert cluster_events(stories) == wanted


def test_the_same_words_a_year_later_are_another_event() -> None:
    again = [story(t, 24 * 365 + n, f"later-{n}") for n, t in enumerate(EARTHQUAKE)]
    events = cluster_events([*stream(), *again])
    assert [sorted(e.stories) for e in events if "later-0" in e.stories] == [
        [f"later-{n}" for n in range(len(EARTHQUAKE))]
    ]


def test_an_event_has_number_name_time_and_places() -> None:
    first = cluster_events(stream())[0]
    assert first.number == 1
    assert first.name in EARTHQUAKE
    assert first.when is not None
    assert first.when.days_text.startswith("2026-03-0")
    assert (first.first, first.last) == (START, START + timedelta(hours=15))


def test_the_largest_events_come_first_and_of_equal_ones_the_most_copied() -> None:
    copied = replace(story("河北小麦开镰收割", 4), copies=7)
    events = by_size(cluster_events([*stream(), story("南极科考船启航", 3), copied]))
    assert [len(event.stories) for event in events] == [4, 3, 1, 1]
    assert [event.copies for event in events[2:]] == [7, 0]


@pytest.mark.parametrize(("shared", "events"), [("我们 问题", 2), ("黑颈鹤 孵化", 1)])
def test_a_rare_word_binds_stories_more_than_one_that_every_text_has(
    shared: str, events: int
) -> None:
    texts = [f"{shared} {own}" for own in ("芯片 光刻 投产 工艺", "列车 试跑 轨道 平稳")]
    stories = [EventStory(id=text, title=text, body=text, at=START) for text in texts]
    assert len(cluster_events(stories)) == events


def test_a_long_event_keeps_all_its_stories() -> None:
    stories = [story(EARTHQUAKE[n % 4], n / 4, f"{n:03}") for n in range(120)]
    (event,) = cluster_events(stories)
    assert event.stories == tuple(it.id for it in stories)


def test_stories_with_the_same_names_are_one_event_and_with_other_names_several() -> None:
    def report(person: str, club: str, hours: float) -> EventStory:
        body = f"会长{person}昨日主持{club}大会，通过了章程，选出了新一届领导。"
        return EventStory(id=f"{person}{hours}", title="换届选举", body=body, at=at(hours))

    def at(hours: float) -> datetime:
        return START + timedelta(hours=hours)

    stories = [
        report("陈志强", "泰国潮州会馆商会", 0),
        report("李明华", "巴西广东同乡会", 1),
        report("陈志强", "泰国潮州会馆商会", 2),
        report("李明华", "巴西广东同乡会", 3),
    ]
    assert [event.stories for event in cluster_events(stories)] == [
        ("陈志强0", "陈志强2"),
        ("李明华1", "李明华3"),
    ]


def test_an_event_without_a_place_has_the_names_of_its_stories() -> None:
    stories = [
        replace(story("王建国教授谈呼吸疾病防治", hours, str(hours)), body=f"{first}发言。")
        for hours, first in enumerate(("陈志强", "李明华", "李明华"))
    ]
    (event,) = cluster_events(stories)
    assert (event.place, event.region) == ("", "")
    assert event.names.persons[:2] == ("王建国", "李明华")


def test_names_of_most_texts_come_first() -> None:
    found = merged([Names(persons=("王毅",)), Names(("桂林",), ("普京", "王毅")), Names()])
    assert found == Names(("桂林",), ("王毅", "普京"))


def test_all_names_are_each_there_once_and_in_an_order_that_no_hash_decides() -> None:
    names = Names(("桂林", "南宁"), ("普京", "王毅"), ("外交部", "桂林", "侨联", "侨办"))
    assert list(names.all) == ["桂林", "南宁", "普京", "王毅", "外交部", "侨联", "侨办"]


def test_no_stories_have_no_events() -> None:
    assert cluster_events([]) == []


#: Leads with the names that a reader marks in them, written for this test.
LABELED = {
    "国务院侨务办公室主任许又声昨日在桂林会见了旧金山华侨华人联合会会长李明华。": Names(
        ("桂林", "旧金山"), ("许又声", "李明华"), ("国务院侨务办公室", "华侨华人联合会")
    ),
    "俄罗斯总统普京2日在莫斯科会见外交部长王毅。": Names(
        ("俄罗斯", "莫斯科"), ("普京", "王毅"), ("外交部",)
    ),
    "桂林电子科技大学校长赵明在南宁市出席论坛。": Names(
        ("南宁市",), ("赵明",), ("桂林电子科技大学",)
    ),
    "中国驻纽约总领事黄屏拜访美国华人商会。": Names(("中国", "纽约"), ("黄屏",), ("美国华人商会",)),
    "浙江省侨联主席陈国强赴温州调研，青田县县长李华陪同。": Names(
        ("温州", "青田县"), ("陈国强", "李华"), ("浙江省侨联",)
    ),
    "记者从广东省公安厅获悉，广州市中级人民法院作出判决。": Names(
        (), (), ("广东省公安厅", "广州市中级人民法院")
    ),
}


def test_most_names_of_labeled_leads_are_found() -> None:
    right = wanted = found = 0
    for text, labels in LABELED.items():
        names = find_names("", text)
        for kind in ("places", "persons", "organizations"):
            marked, got = set(getattr(labels, kind)), set(getattr(names, kind))
            right += sum(any(a in b or b in a for b in got) for a in marked)
            wanted += len(marked)
            found += len(got)
    assert right / wanted >= 0.85, (right, wanted)
    assert right / found >= 0.75, (right, found)


def test_institutions_and_places_that_begin_with_a_surname_are_no_persons() -> None:
    text = "宗亲会举办夏令营，高新区关帝庙开放。陈志强昨日发言。"
    assert find_names("", text).persons == ("陈志强",)


def test_a_verb_does_not_begin_the_name_of_an_organization() -> None:
    names = find_names("", "市侨联会同有关部门逐户登记。")
    assert not any("会同" in name for name in names.organizations)


def test_fields_and_things_are_no_organizations() -> None:
    names = find_names(
        "代表看好中医药",
        "民族学论坛在航空展举行，讨论国际化与公共场所。北京中医药大学举办中医药讲座。",
    )
    assert names.organizations == ("北京中医药大学",)
    assert find_names("", "国家中医药管理局主办").organizations == ("国家中医药管理局",)


@pytest.mark.parametrize(
    ("text", "persons", "organizations"),
    [
        ("陈嘉庚基金会昨日成立。", (), ("陈嘉庚基金会",)),
        ("陈志强广州医科大学讲座", ("陈志强",), ("广州医科大学",)),
        ("讲话的是发言人陈志强", ("陈志强",), ()),
        # The agency reports; the authority, which has a site too, acts.
        ("新华社电，国务院侨务办公室公布名单。", (), ("国务院侨务办公室",)),
        ("记者陈志强、李明华报道，王建国发言。", ("王建国",), ()),
        ("记者陈志强 李明华报道，王建国发言。", ("王建国",), ()),
    ],
)
def test_persons_and_organizations_side_by_side_are_told_apart(
    text: str, persons: tuple[str, ...], organizations: tuple[str, ...]
) -> None:
    names = find_names("", text)
    assert (names.persons, names.organizations) == (persons, organizations)
