"""Who published first, and who took a text from whom."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from tests.support.story_pages import NOON, TEXT, member
from topiccrawl.stories.members import StoryPage
from topiccrawl.stories.outlets import holders, name_of
from topiccrawl.stories.representative import Traces, first_publisher, representative
from topiccrawl.stories.spread import Spread, spread


def url(name: str) -> str:
    return f"http://{name}.example/1.html"


def test_the_earliest_page_is_the_first_publisher_when_nothing_else_is_said() -> None:
    members = [member("c", 3), member("a", 1), member("b", 2)]
    assert representative(members) == url("a")


def test_a_page_that_names_its_source_is_not_first_whatever_its_clock_says() -> None:
    assert representative([member("a", 1), member("b", -50, "a日报")]) == url("a")


def test_the_outlet_that_others_name_is_first_without_a_date() -> None:
    members = [member("a", None), member("b", 1), member("c", 2, "a日报"), member("d", 3, "a日报")]
    assert representative(members) == url("a")


def test_a_page_that_calls_itself_a_national_medium_is_not_one() -> None:
    agency = member("x", 0, "新华社", site="www.xinhuanet.com", site_name="新华网")
    copies = [member(name, 2, "新华社") for name in "abc"]
    false = member("evil", -100, "新华社", site_name="新华社")
    assert representative([agency, *copies, false]) == agency.url
    found = spread([*copies, false])
    assert found.nodes[false.url].name == "evil.example"
    assert {edge.source for edge in found.edges.values()} == {"outlet:新华社"}


def test_three_pages_of_one_owner_do_not_make_an_early_time_a_fault() -> None:
    early = member("a", -24 * 90)
    hosts = [member(f"h{n}.evil", n + 1) for n in range(3)]
    assert representative([early, *hosts]) == early.url
    others = [member(f"h{n}", n + 1) for n in range(3)]
    assert representative([early, *others]) == others[0].url


def test_a_time_after_the_fetch_is_not_trusted() -> None:
    late = member("b", -1, fetched_at=NOON - timedelta(days=30))
    assert representative([member("a", 1), late]) == url("a")


def test_a_time_before_the_dateline_is_not_trusted() -> None:
    text = "新华社北京3月2日电 " + TEXT
    assert representative([member("a", 1, body=text), member("b", -400, body=text)]) == url("a")


def test_a_page_that_its_site_has_corrected_stays_before_copies_of_its_former_text() -> None:
    corrected = member("b", 1, first_seen=NOON, fetched_at=NOON + timedelta(days=2))
    repost = member(
        "a", 1, first_seen=NOON + timedelta(hours=1), fetched_at=NOON + timedelta(days=1)
    )
    assert representative([repost, corrected]) == url("b")
    assert representative([corrected, repost]) == url("b")


def test_the_date_of_a_template_is_not_trusted() -> None:
    members = [member("a", 1), member("b", 2), member("c", 3), member("d", -10_000)]
    assert representative(members) == url("a")


def test_the_order_of_the_members_makes_no_difference() -> None:
    draw = random.Random(3)
    members = [
        member(
            f"s{n}",
            draw.choice([None, draw.randrange(40)]),
            draw.choice(["", "s0日报", f"s{draw.randrange(12)}日报", "新华社"]),
            body=TEXT[: draw.randrange(300, 400)],
        )
        for n in range(12)
    ]
    wanted = spread(members)
    for _ in range(10):
        draw.shuffle(members)
        assert representative(members) == wanted.first
        assert spread(members).edges == wanted.edges


def test_a_source_line_makes_an_edge() -> None:
    found = spread([member("a", 1), member("b", 2), member("c", 3, "b日报")])
    edge = found.edges[url("c")]
    assert (edge.source, edge.reason) == (url("b"), "source-line")
    assert edge.confidence > 0.8


def test_a_link_is_stronger_than_a_name() -> None:
    found = spread([member("a", 1), member("b", 2), member("c", 3, "a日报", source_url=url("b"))])
    assert found.edges[url("c")].source == url("b")
    assert found.edges[url("c")].reason == "link"


def test_an_outlet_without_a_page_is_a_node_and_the_origin() -> None:
    found = spread([member("a", 1, "新华社"), member("b", 2, "新华社"), member("c", 3, "a日报")])
    node = found.nodes["outlet:新华社"]
    assert node.page is None
    assert found.root == node.id
    assert found.first == url("a")
    assert found.edges[url("b")].source == node.id


def test_a_site_that_names_its_own_medium_took_the_text_from_nobody() -> None:
    own = member("a", 1, "人民网-人民日报", site="world.people.com.cn", site_name="人民网")
    found = spread([own, member("b", 2, "人民日报")])
    assert found.root == url("a")
    assert found.edges[url("b")].source == url("a")


def test_an_edited_copy_of_an_edited_copy_is_found_by_its_edits() -> None:
    once = TEXT[:100] + "本网编辑补充了一段说明文字供读者参考" + TEXT[100:]
    twice = once[:300] + once[330:]
    found = spread([member("a", 1), member("b", 2, body=once), member("c", 3, body=twice)])
    edge = found.edges[url("c")]
    assert (edge.source, edge.reason) == (url("b"), "text")


def test_pages_that_name_each_other_make_no_circle() -> None:
    found = spread([member("a", 2, "b日报"), member("b", 1, "c日报"), member("c", 3, "a日报")])
    assert_tree(found)


@pytest.mark.parametrize("seed", range(20))
def test_every_spread_is_a_tree(seed: int) -> None:
    draw = random.Random(seed)
    members = [
        member(
            f"s{n}",
            draw.choice([None, draw.randrange(-900, 900)]),
            draw.choice(["", f"s{draw.randrange(15)}日报", "新华社", "本站"]),
            body="" if draw.random() < 0.1 else TEXT[draw.randrange(50) :],
            source_url=draw.choice(["", url(f"s{draw.randrange(15)}")]),
        )
        for n in range(draw.randrange(1, 15))
    ]
    found = spread(members)
    assert {node for node, it in found.nodes.items() if it.page} == {it.url for it in members}
    assert_tree(found)


def assert_tree(found: Spread) -> None:
    for node in found.nodes:
        seen = [node]
        while seen[-1] in found.edges:
            seen.append(found.edges[seen[-1]].source)
            assert len(seen) <= len(found.nodes)
        assert seen[-1] == found.root


def at(site: str, name: str = "", url: str = "http://x/") -> StoryPage:
    return member("x", 1, site=site, site_name=name, url=url)


@pytest.mark.parametrize(
    ("named", "page", "probability"),
    [
        ("桂林日报", at("x.cn", "桂林日报"), 0.95),
        ("光明日报", at("www.gmw.cn"), 0.95),
        ("桂林日报网", at("x.cn", "桂林日报"), 0.85),
        ("桂林", at("x.cn", "桂林新闻网"), 0.85),
        ("桂林晚报", at("x.cn", "桂林日报"), None),
        ("桂林日报", at("www.guilinribao.cn"), 0.8),
        ("红辣椒网", at("www.hljw.com"), 0.8),
        ("光明网", at("www.gmw.com"), None),
        ("中国政府网", at("www.gov.cn", "中国政府网"), 0.95),
        ("文汇报", at("www.wenweipo.com", "文汇报"), 0.95),
        ("侨报", at("www.qb.com"), None),
        ("光明网", at("www.sina.com"), None),
        ("x.cn", at("www.x.cn"), 0.98),
        ("x.cn", at("news.x.cn"), 0.9),
        ("news.x.cn", at("www.x.cn"), 0.9),
        ("y.cn", at("www.x.cn"), None),
    ],
)
def test_the_pages_of_an_outlet_are_found_by_its_name_or_host(
    named: str, page: StoryPage, probability: float | None
) -> None:
    found = {} if probability is None else {named: [("http://x/", probability)]}
    assert holders([named], [page]) == found


def test_an_outlet_is_shown_by_its_own_name_a_known_one_or_its_host() -> None:
    assert name_of(at("news.people.com.cn", "人民网观点")) == "人民网观点"
    assert name_of(at("news.people.com.cn")) == "人民网"
    assert name_of(at("nfapp.southcn.com")) == "南方plus"
    assert name_of(at("a.example")) == "a.example"


def test_the_first_publisher_is_the_surer_the_more_others_name_it() -> None:
    def confidence(*members: StoryPage) -> float:
        found = first_publisher(Traces.of(members))
        assert found.page.url == url("a")
        return found.confidence

    nothing = confidence(member("a", None), member("b", None))
    earlier = confidence(member("a", 1), member("b", 2))
    named = confidence(member("a", 1), member("b", 2, "a日报"), member("c", 3, "a日报"))
    assert nothing == 0.5
    assert 0.5 < earlier < named <= 1.0
    assert confidence(member("a", 1)) == 1.0


def test_pages_without_any_time_are_compared_by_what_else_is_known() -> None:
    unknown = {"first_seen": None, "fetched_at": None}
    members = [member("a", None, **unknown), member("b", None, **unknown)]
    assert representative(members) == url("a")
    assert representative([*members, member("c", None, "b日报", **unknown)]) == url("b")


def test_what_the_text_repeats_of_another_outlet_makes_no_source_outside_of_the_story() -> None:
    report = "据新华社报道，" + TEXT
    found = spread([member("a", 1), member("b", 2, body=report)])
    assert found.edges[url("b")].source == url("a")
    assert list(found.nodes) == [url("a"), url("b")]


def test_of_two_pages_of_an_outlet_the_earlier_one_is_the_source() -> None:
    late = member("late", 30, site_name="a日报")
    for order in ([member("a", 1), late], [late, member("a", 1)]):
        found = spread([*order, member("c", 3, "a日报")])
        assert found.edges[url("c")].source == url("a")


def test_a_repost_is_no_origin_because_its_dateline_names_its_own_outlet() -> None:
    found = spread([member("a", 1), member("b", 9, "a日报", body="b日报讯 " + TEXT)])
    assert found.edges[url("b")].source == url("a")
