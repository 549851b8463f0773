"""Lines that a host repeats: which ones are learned, and which ones a body loses."""

from __future__ import annotations

import random
import struct

import pytest

from topiccrawl.page.body import Extraction
from topiccrawl.page.body.host_learning import (
    LEAST_PAGES,
    BodyEdges,
    HostLines,
    pack_edges,
    unpack_edges,
)
from topiccrawl.page.body.host_lines import EDGE, edge_lines, line_hash, without_lines
from topiccrawl.page.page import Page

HOST = "http://www.qiao.example"
NOTICE = (
    "本网愿与海内外侨胞一道，记录侨乡的每一天，讲好每一个侨乡故事，也请各地读者继续关心侨乡的变化。"
)
EDITOR = "责任编辑：王小明"
TEMPLATE = frozenset(map(line_hash, (NOTICE, EDITOR)))


def body(number: int, *tail: str, paragraphs: int = 3) -> Extraction:
    """An article with texts of its own."""
    texts = [f"第{number}次座谈会的第{i}段，与会者介绍侨乡的情况。" for i in range(paragraphs)]
    lines = [*texts, *tail]
    offsets = tuple(10 * i for i in range(len(lines)))
    return Extraction("\n".join(lines), kind="article", body_offsets=offsets)


def learn(lines: HostLines, number: int, found: Extraction, host: str = HOST) -> BodyEdges | None:
    url = f"{host}/{number}.html"
    return lines.learn(url, url, edge_lines(found))


# -- learning ------------------------------------------------------------------------------------


def test_a_line_on_enough_pages_of_a_host_is_its_template() -> None:
    lines = HostLines()
    for number in range(LEAST_PAGES):
        assert lines.of(f"{HOST}/") == frozenset()
        assert learn(lines, number, body(number, NOTICE, EDITOR)) is not None
    assert lines.of(f"{HOST}/other/page.html") == TEMPLATE
    assert lines.of("http://other.example/") == frozenset()


def test_pages_of_several_hosts_do_not_add_up() -> None:
    lines = HostLines()
    for number in range(9):
        learn(lines, number, body(number, NOTICE), f"http://h{number % 5}.example")
    assert all(not lines.of(f"http://h{i}.example/") for i in range(5))


def test_a_line_on_a_small_share_of_the_pages_is_none() -> None:
    lines = HostLines()
    for number in range(30):
        learn(lines, number, body(number, *([NOTICE] if number % 10 == 0 else [])))
    assert not lines.of(HOST)


def test_a_page_counts_once() -> None:
    lines = HostLines()
    for _ in range(9):
        learn(lines, 1, body(1, NOTICE))
    assert not lines.of(HOST)


def test_equal_bodies_and_nearly_equal_ones_count_once() -> None:
    lines = HostLines()
    assert learn(lines, 0, body(0, NOTICE)) is not None
    for number in range(1, 9):
        assert learn(lines, number, body(0, NOTICE)) is None
    assert learn(lines, 10, body(7, NOTICE, paragraphs=12)) is not None
    assert learn(lines, 11, body(7, NOTICE, f"共{11}人", paragraphs=12)) is None
    assert not lines.of(HOST)


def test_a_page_without_lines_is_no_page_of_the_host() -> None:
    lines = HostLines()
    assert lines.learn(HOST, HOST, ()) is None
    assert len(lines) == 0


def test_memory_is_bounded_and_the_newest_hosts_and_pages_stay() -> None:
    lines = HostLines(hosts=3, pages=4)
    for host in ("a", "b", "c"):
        for number in range(4):
            learn(lines, number, body(number, NOTICE), f"http://{host}.example")
    lines.of("http://a.example/")  # a question keeps nothing
    learn(lines, 9, body(9, NOTICE), "http://b.example")
    learn(lines, 0, body(0, NOTICE), "http://d.example")
    assert len(lines) == 3
    assert not lines.of("http://a.example/")
    assert lines.of("http://b.example/")
    for number in range(20, 24):
        learn(lines, number, body(number, EDITOR), "http://b.example")
    assert lines.of("http://b.example/") == {line_hash(EDITOR)}


def test_whoever_receives_the_entries_knows_the_same() -> None:
    draw = random.Random(1)
    here, there = HostLines(hosts=5, pages=8), HostLines(hosts=5, pages=8)
    entries = []
    for _ in range(400):
        tail = [NOTICE] * draw.randrange(2) + [EDITOR] * draw.randrange(2)
        url = f"http://h{draw.randrange(9)}.example/{draw.randrange(200)}.html"
        found = here.learn(url, url, edge_lines(body(draw.randrange(50), *tail)))
        if found is not None:
            entries.append(pack_edges(found))
    for entry in entries:
        there.receive(unpack_edges(entry))
    hosts = [f"http://h{i}.example/" for i in range(9)]
    assert [there.of(host) for host in hosts] == [here.of(host) for host in hosts]
    assert any(here.of(host) for host in hosts)
    assert len(entries) < 400


def test_hashes_do_not_depend_on_the_process_or_on_white_space() -> None:
    assert line_hash("责任编辑： 王小明") == line_hash("  责任编辑：\u3000王小明 ") == 0xF5A63AB1
    assert line_hash("\ud800") >= 0


def test_an_entry_is_small_and_damaged_ones_are_refused() -> None:
    edges = BodyEdges(-5, 1 << 62, tuple(range(2 * EDGE)))
    packed = pack_edges(edges)
    assert len(packed) == 16 + 8 * EDGE
    assert unpack_edges(packed) == edges
    for damaged in (packed[:-1], packed + bytes(4), b"", packed[:10]):
        with pytest.raises((ValueError, struct.error)):
            unpack_edges(damaged)


# -- the ends of a body --------------------------------------------------------------------------


def test_only_the_ends_of_a_body_are_learned_from() -> None:
    found = edge_lines(body(1, NOTICE, paragraphs=100))
    assert len(found) == 2 * EDGE
    assert line_hash(NOTICE) in found
    assert line_hash("第1次座谈会的第50段，与会者介绍侨乡的情况。") not in found


def test_short_lines_origins_and_threads_are_not_learned_from() -> None:
    short = body(1, "语法：", "【 】", "1 2 3", "来源：新华社", "（本报记者 王小明）", paragraphs=0)
    assert edge_lines(short) == ()
    assert edge_lines(body(1, "转载请注明来源：侨网，违者必究", paragraphs=0))
    assert edge_lines(Extraction(NOTICE, kind="thread")) == ()
    assert edge_lines(Extraction()) == ()


# -- leaving out ---------------------------------------------------------------------------------


def test_lines_of_the_template_leave_the_body_with_their_offsets() -> None:
    found = without_lines(body(1, NOTICE, "下一篇：别的文章", EDITOR), TEMPLATE)
    assert found.body.split("\n")[3:] == ["下一篇：别的文章"]
    assert found.body_offsets == (0, 10, 20, 40)
    above = Extraction(f"{NOTICE}\n{body(1).body}", kind="article")
    assert without_lines(above, TEMPLATE) == Extraction(body(1).body, kind="article")


def test_a_repeated_line_in_the_middle_stays() -> None:
    text = f"{body(1).body}\n{NOTICE}\n{body(2).body}"
    whole = Extraction(text, kind="article")
    assert without_lines(whole, TEMPLATE) is whole


def test_a_heading_stays_and_the_last_line_is_none() -> None:
    heading = frozenset([line_hash("参考文献目录")])
    above = Extraction(f"参考文献目录\n{body(1).body}", kind="article")
    assert without_lines(above, heading) is above
    below = body(1, "参考文献目录", "侨乡百年史")
    assert without_lines(below, heading) is below
    assert without_lines(body(1, "参考文献目录"), heading) == body(1)


def test_a_body_that_is_the_template_stays_whole() -> None:
    for whole in (
        body(1, NOTICE, EDITOR, paragraphs=0),
        Extraction(f"简讯一则。\n{NOTICE}", kind="article"),
    ):
        assert without_lines(whole, TEMPLATE) is whole


def test_a_thread_stays_whole_and_so_does_a_body_without_such_lines() -> None:
    thread = Extraction(body(1, NOTICE).body, kind="thread")
    assert without_lines(thread, TEMPLATE) is thread
    plain = body(1)
    assert without_lines(plain, TEMPLATE) is plain
    assert without_lines(body(1, NOTICE), frozenset()) == body(1, NOTICE)
    assert without_lines(Extraction(), TEMPLATE) == Extraction()


def test_offsets_that_do_not_fit_the_body_are_given_up() -> None:
    whole = Extraction(body(1, NOTICE).body, kind="article", body_offsets=(0, 1))
    assert without_lines(whole, TEMPLATE).body_offsets is None


# -- the page ------------------------------------------------------------------------------------

TEXT = "侨务部门走访归侨侨眷，了解华侨华人社团的需要。海外侨胞回到侨乡寻根谒祖，参观华文学校。"
HTML = (
    f"<title>侨联座谈会</title><h1>侨联座谈会</h1><p>{TEXT}</p><p>{TEXT * 2}</p>"
    f"<p>{NOTICE}</p><p>{EDITOR}</p>"
).encode()


@pytest.mark.parametrize("extractor", ["blocks", "text-density"])
def test_a_page_leaves_out_what_its_host_repeats(extractor: str) -> None:
    before = Page(f"{HOST}/1.html", HTML, extractor=extractor)
    page = Page(f"{HOST}/1.html", HTML, extractor=extractor, host_lines=TEMPLATE)
    assert NOTICE in before.body
    assert (before.lines_left_out, before.extraction) == (0, before.whole_extraction)
    lines = before.body.split("\n")
    assert page.body.split("\n") == [line for line in lines if line not in (NOTICE, EDITOR)]
    assert page.lines_left_out == len(lines) - len(page.body.split("\n"))
    assert page.whole_extraction.body == before.body
    assert page.edge_lines == before.edge_lines
    assert line_hash(NOTICE) in page.edge_lines
    assert page.kind == before.kind == "article"
    assert NOTICE in before.markdown
    assert TEXT in page.markdown
    assert NOTICE not in page.markdown
    for offset, line in zip(
        page.extraction.body_offsets or (), page.body.split("\n"), strict=False
    ):
        assert page.outline.text[offset:].lstrip().startswith(line)
