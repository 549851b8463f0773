"""Briefings in the console: proposal, editing, files, and what strangers' pages can do there."""

from __future__ import annotations

import io
import re
from argparse import Namespace
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import docx
import pytest

from tests.support.briefings import NOW, hostile_pages
from tests.support.console_server import Answer, RunningConsole, console, fill
from tests.support.html_trees import html_tree
from tests.support.reporting_store import make_page
from tests.support.stored import from_store
from topiccrawl.commandline import export_log
from topiccrawl.commandline.store import opened_store
from topiccrawl.console.paths import topic_path
from topiccrawl.export.log import Export, logged_exports
from topiccrawl.store.contract import Store

TITLES = (
    "泉州侨批档案馆开馆",
    "纽约华埠举行春节巡游",
    "留学回国人员创业园扩建",
    "印尼华校师资培训结束",
)
PATH = topic_path("侨情", "briefing")
PHONE = "13912345678"


def stored(path: Path) -> str:
    pages = []
    for number, title in enumerate(TITLES):
        at = NOW - timedelta(hours=5 + number)
        common = {"title": title, "fetched_at": at, "published_at": at, "story": f"s{number}"}
        summary = f"{title}的消息。联系电话{PHONE}。"
        url = f"http://a.example.cn/{number}"
        pages.append(make_page(url, site="a.example.cn", summary=summary, **common))
        pages += [
            make_page(
                f"http://www.b{copy}.cn/{number}", site=f"www.b{copy}.cn",
                copy_of=url, relation="copy", **common,
            )
            for copy in range(number)
        ]  # fmt: skip
    return fill(path / "pages.sqlite", lambda store: store.write(pages))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[RunningConsole]:
    with console(stored(tmp_path), write=True, clock=lambda: NOW) as running:
        yield running


def exports(tmp_path: Path) -> list[Export]:
    async def read(store: Store) -> list[Export]:
        return [it async for it in logged_exports(store, "侨情")]

    return from_store(f"sqlite:///{tmp_path / 'pages.sqlite'}", read)


def titles(page: str) -> list[str]:
    tree = html_tree(page)
    return [it.value for it in tree.xpath("//input[starts-with(@name, 'title-')]")]


def fields(page: str) -> dict[str, str]:
    """The texts of the form, as a browser sends them; of repeated names, see `sent`."""
    tree = html_tree(page)
    form = tree.xpath("//form[contains(@class, 'briefing-form')]")[0]
    return {
        it.name: it.value or ""
        for it in form.inputs
        if it.name and it.name not in ("do", "story", "csrf")
    }


def sent(desk: RunningConsole, page: str, do: str, **changes: str) -> str:
    """Send the form at *page* with a button; return the address that it leads to."""
    answer = submitted(desk, page, desk.get(page).text, do, **changes)
    assert answer.status == 303, answer.text
    return answer.headers["location"].partition("#")[0]


def submitted(desk: RunningConsole, page: str, text: str, do: str, **changes: str) -> Answer:
    """Send the form of *text*, which was shown at *page*, with a button."""
    tree = html_tree(text)
    stories = [it.value for it in tree.xpath("//input[@name='story']")]
    values = [
        *({**fields(text), **changes}).items(),
        *(("story", it) for it in stories),
        ("do", do),
    ]
    token = tree.xpath("//form[contains(@class, 'briefing-form')]//input[@name='csrf']")[0].value
    from urllib.parse import urlencode

    body = urlencode([("csrf", token), *values])
    return desk._ask(
        "POST",
        page.partition("?")[0] + "/change",
        body.encode(),
        {"content_type": "application/x-www-form-urlencoded", "origin": desk.url},
    )


def kept(desk: RunningConsole) -> str:
    answer = desk.submit(PATH, f"{PATH}/keep", {"since": "7d", "until": ""})
    assert answer.status == 303
    return answer.headers["location"]


def test_the_proposal_has_the_story_of_most_sites_first(desk: RunningConsole) -> None:
    tree = html_tree(desk.get(PATH, accept_language="zh").text)
    found = [it.text_content().strip() for it in tree.xpath("//ol//h3")]
    assert found == list(reversed(TITLES))
    links = [it.get("href") for it in tree.xpath("//a[@class='sentence']")]
    assert len(links) == 2 * len(TITLES)
    assert all(link.startswith(topic_path("侨情", "page")) for link in links)


@pytest.mark.parametrize(
    ("since", "title"), [("24h", "侨情日报"), ("7d", "侨情周报"), ("30d", "侨情简报")]
)
def test_the_title_names_the_chosen_period_at_any_minute_of_the_hour(
    tmp_path: Path, since: str, title: str
) -> None:
    with console(stored(tmp_path), clock=lambda: NOW + timedelta(minutes=59)) as running:
        page = running.get(f"{PATH}?since={since}", accept_language="zh").text
        assert title in page
        file = running.get(f"{PATH}/file?since={since}&format=md", accept_language="zh").text
        assert file.startswith(f"# {title}\n")


def test_a_kept_proposal_is_edited_ordered_and_written_to_files(
    desk: RunningConsole, tmp_path: Path
) -> None:
    page = kept(desk)
    assert titles(desk.get(page).text) == list(reversed(TITLES))
    page = sent(desk, page, "down:s3")
    assert titles(desk.get(page).text)[:2] == [TITLES[2], TITLES[3]]
    page = sent(desk, page, "remove:s0", **{"title-1": "改过的标题", "title": "侨情专报"})
    page = sent(
        desk,
        page,
        "save",
        **{"summary-1": "留学回国人员创业园扩建的消息。\n我的一句话，与众不同。"},
    )
    shown = desk.get(page).text
    assert titles(shown) == ["改过的标题", TITLES[3], TITLES[1]]
    document = docx.Document(
        io.BytesIO(desk.get(f"{PATH}/file?id={page.rpartition('/')[2]}&format=docx").body)
    )
    lines = [it.text for it in document.paragraphs]
    assert lines[0] == "侨情专报"
    assert "1. 改过的标题" in lines
    assert "留学回国人员创业园扩建的消息。 我的一句话，与众不同。" in lines


def test_what_two_users_change_in_different_entries_is_kept(desk: RunningConsole) -> None:
    page = kept(desk)
    shown = desk.get(page).text
    for changes in ({"title-1": "甲的标题"}, {"summary-2": "乙的摘要。", "organization": "乙"}):
        assert submitted(desk, page, shown, "save", **changes).status == 303
    assert submitted(desk, page, shown, "down:s0").status == 303
    found = fields(desk.get(page).text)
    assert found["title-1"] == "甲的标题"
    assert (found["summary-2"], found["organization"]) == ("乙的摘要。", "乙")


def test_the_same_text_of_two_users_is_not_overwritten_unseen(desk: RunningConsole) -> None:
    page = kept(desk)
    shown = desk.get(page).text
    submitted(desk, page, shown, "save", **{"title-1": "甲的标题", "title-2": "甲的另一标题"})
    answer = submitted(desk, page, shown, "remove:s0", **{"title-1": "乙的标题"})
    assert answer.status == 409
    assert titles(desk.get(page).text)[:2] == ["甲的标题", "甲的另一标题"]
    assert titles(answer.text)[:2] == ["乙的标题", "甲的另一标题"]
    assert submitted(desk, page, answer.text, "save").status == 303
    assert titles(desk.get(page).text)[:2] == ["乙的标题", "甲的另一标题"]


@pytest.mark.parametrize("period", ["since=x", "since=2024-05-01&until=2024-04-01"])
def test_a_wrong_period_is_named_as_the_form_names_it(desk: RunningConsole, period: str) -> None:
    answer = desk.get(f"{PATH}?{period}")
    assert answer.status == 400
    assert "the beginning must" in answer.text
    assert "--since" not in answer.text


def test_an_empty_period_leads_to_the_last_one_with_pages(tmp_path: Path) -> None:
    later = NOW + timedelta(days=300)
    with console(stored(tmp_path), clock=lambda: later) as running:
        page = running.get(PATH).text
        assert TITLES[0] not in page
        link = re.search(r'href="([^"]*briefing\?since=[^"]*until=[^"]*)"', page)
        assert link is not None
        found = running.get(link[1].replace("&amp;", "&")).text
        assert TITLES[0] in found
        assert "The newest page is of" not in found


def test_a_removed_story_can_be_added_again(desk: RunningConsole) -> None:
    page = sent(desk, kept(desk), "remove:s0")
    assert TITLES[0] not in titles(desk.get(page).text)
    assert 'value="add:http://a.example.cn/0"' in desk.get(page).text
    page = sent(desk, page, "add:http://a.example.cn/0")
    assert titles(desk.get(page).text)[-1] == TITLES[0]


def test_stories_to_add_are_found_by_search(desk: RunningConsole) -> None:
    page = sent(desk, kept(desk), "remove:s0")
    page = sent(desk, page, "find", q="侨批")
    offered = re.findall(r'value="add:([^"]+)"', desk.get(page).text)
    assert offered == ["http://a.example.cn/0"]


def test_files_are_masked_and_logged(desk: RunningConsole, tmp_path: Path) -> None:
    for format_ in ("md", "html"):
        text = desk.get(f"{PATH}/file?since=7d&format={format_}").text.replace("\\", "")
        assert PHONE not in text
        assert "139****5678" in text
    assert PHONE in desk.get(f"{PATH}/file?since=7d&format=md&unmasked=1").text
    found = exports(tmp_path)
    assert sorted((it.format, it.unmasked) for it in found) == [
        ("html", False),
        ("md", False),
        ("md", True),
    ]
    assert all("127.0.0.1" in it.who and it.count == len(TITLES) for it in found)


@pytest.mark.parametrize(
    ("site", "status"), [("cross-site", 403), ("same-site", 403), ("none", 200)]
)
def test_a_file_that_another_site_asks_for_is_neither_sent_nor_logged(
    desk: RunningConsole, tmp_path: Path, site: str, status: int
) -> None:
    answer = desk.get(f"{PATH}/file?since=7d&format=md&unmasked=1", sec_fetch_site=site)
    assert answer.status == status
    assert (PHONE in answer.text) is (status == 200)
    assert len(exports(tmp_path)) == (status == 200)


def test_a_file_that_cannot_be_noted_names_what_gave_the_store(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.sqlite"
    other.write_bytes(b"no database " * 100)
    monkeypatch.setattr(
        export_log, "opened_store", lambda uri, **how: opened_store(f"sqlite:///{other}", **how)
    )
    uri = stored(tmp_path)
    for given, name in ((None, "TOPICCRAWL_STORE_URI"), (uri, "--store")):
        with console(uri, clock=lambda: NOW, options=Namespace(store=given)) as desk:
            assert TITLES[0] in desk.get(f"{PATH}/file?since=7d&format=html").text
        start = f"topiccrawl: the export was not noted in the store: {name} names the SQLite file "
        assert capsys.readouterr().err.startswith(start)


def test_a_console_that_may_not_write_shows_and_sends_but_keeps_nothing(tmp_path: Path) -> None:
    with console(stored(tmp_path), clock=lambda: NOW) as desk:
        shown = desk.get(PATH)
        assert shown.status == 200
        assert '<form method="post"' not in shown.text
        assert desk.post(f"{PATH}/keep", {"since": "7d"}).status == 403
        assert desk.get(f"{PATH}/file?since=7d&format=docx").status == 200


def test_a_form_of_another_site_changes_nothing(desk: RunningConsole) -> None:
    page = kept(desk)
    answer = desk.post(f"{page}/change", {"do": "delete"}, origin="http://evil.example")
    assert answer.status == 403
    assert desk.get(page).status == 200


def test_a_briefing_can_be_deleted(desk: RunningConsole) -> None:
    page = kept(desk)
    assert sent(desk, page, "delete") == PATH
    assert desk.get(page).status == 404


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/../../etc", 404), ("/%00", 404), ("/file?format=exe", 404), ("/file?id=none", 404),
        ("?since=nonsense", 400), ("?since=9999999d", 400), ("/file?since=<script>", 400),
    ],
)  # fmt: skip
def test_wrong_addresses_are_refused(desk: RunningConsole, path: str, status: int) -> None:
    assert desk.get(PATH + path).status == status


def test_pages_of_an_attacker_are_text_in_views_and_forms(tmp_path: Path) -> None:
    uri = fill(tmp_path / "pages.sqlite", lambda store: store.write(hostile_pages()))
    with console(uri, write=True, clock=lambda: NOW) as desk:
        page = kept(desk)
        for path in (PATH, page, f"{page}?q=script"):
            answer = desk.get(path)
            assert answer.status == 200
            tree = html_tree(answer.text)
            assert not tree.xpath("//script[not(@src)] | //img | //iframe | //object | //style")
            assert not [name for it in tree.iter() for name in it.attrib if name.startswith("on")]
            for link in tree.xpath("//a/@href | //form/@action"):
                assert link.startswith(("/", "#", "http://", "https://")) or link == ""
            assert not re.search("[\x00-\x08\x0b\x0e-\x1f\u202a-\u202e\u2066-\u2069]", answer.text)
        for format_ in ("docx", "html", "md"):
            answer = desk.get(f"{PATH}/file?since=7d&format={format_}")
            assert answer.status == 200
            assert answer.headers["content-disposition"].startswith("attachment; filename=")
            assert "\n" not in answer.headers["content-disposition"]
