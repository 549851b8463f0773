"""``scrapy import``: pages enter the collection as those of a crawl do, and nothing is fetched."""

from __future__ import annotations

import base64
import gzip
import os
import signal
import time
import zipfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
import xlsxwriter

from tests.support.forked import ForkedCommand
from tests.support.project import QUICK, make_project, scrapy, site
from tests.support.stored import from_store
from topiccrawl.errors import ConfigurationError
from topiccrawl.imports.folder import file_url
from topiccrawl.store.contract import OutcomeRecord, PageRecord, Store
from topiccrawl.webserver.environment import environment

TOPIC = "侨情"
#: A sentence on the topic, and one that is not.
ON = "归侨侨眷是侨务工作的重要对象，侨联组织为侨服务，海外侨胞回乡投资兴业，第{n}段说明侨乡文化。"
OFF = "昨晚的足球比赛十分精彩，双方球员全力拼搏，最终主队以二比一战胜客队，这是第{n}场。"

#: A record of a WARC file.
RECORD = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example.cn/\r\n"
    b"WARC-Date: 2026-11-21T02:00:00Z\r\nContent-Type: application/http\r\nContent-Length: 22\r\n\r\n"
    b"HTTP/1.1 200 OK\r\n\r\n<p>\r\n\r\n"
)


def page(title: str, sentence: str = ON, *, first: int = 0, head: str = "", end: str = "") -> bytes:
    text = "".join(f"<p>{sentence.format(n=n)}</p>" for n in range(first, first + 6))
    return (
        f"<html><head><meta charset=utf-8><title>{title}</title>{head}</head>"
        f"<body><h1>{title}</h1>{text}{end}</body></html>"
    ).encode()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return make_project(folder, TOPIC)


def records(project: Path) -> tuple[dict[str, PageRecord], dict[str, OutcomeRecord]]:
    """The kept pages, copies included, and the outcomes, by URL."""

    async def read(store: Store) -> tuple[list[PageRecord], list[OutcomeRecord]]:
        pages = [it async for it in store.pages(TOPIC, copies=True)]
        return pages, [it async for it in store.outcomes(TOPIC)]

    pages, outcomes = from_store(f"sqlite:///{project}/data/topiccrawl.sqlite", read)
    return {it.url: it for it in pages}, {it.url: it for it in outcomes}


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for name, body in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(body)
    return folder


def test_pages_of_a_folder_are_judged_compared_and_stored_with_their_urls(project: Path) -> None:
    url = "http://www.example.cn/qiao/1.html"
    canonical = f"<link rel=canonical href={url}>"
    files = {
        "1.html": page("侨联为侨服务", head=canonical),
        "copy.html": page("侨联为侨服务", head=canonical),
        "侨.html": page("侨乡投资", first=20, head="<meta name=robots content=noindex>"),
        "ball.html": page("足球比赛", OFF),
        "style.css": b"p {}",
    }
    folder = write(project / "pages", files)
    local = {name: file_url(folder / name) for name in files}
    code, __, text = scrapy(project, "import", "pages", TOPIC)
    assert code == 0
    assert "4 pages and documents were read" in text
    assert "2 were stored, and 1 more as copies; 2 in the collection" in text
    assert "1  pictures, scripts, style sheets and the like" in text
    assert "1  off topic" in text
    pages, outcomes = records(project)
    assert set(pages) == {url, local["copy.html"], local["侨.html"]}
    assert pages[url].found_by == f"imported from {local['1.html']}"
    assert {it.copy_of for it in pages.values()} == {"", url}
    assert outcomes[local["ball.html"]].reason == "off-topic"
    # The same again does nothing; a file that has changed is imported again.
    (folder / "侨.html").write_bytes(page("侨乡投资", first=50))
    code, __, text = scrapy(project, "import", "pages")
    assert code == 0
    assert "1 page or document was read" in text
    assert "3  imported before" in text
    assert "第50段" in records(project)[0][local["侨.html"]].body
    code, out, __ = scrapy(project, "explain", f"file://{folder}/侨.html")
    assert code == 0
    assert f"found by: imported from {local['侨.html']}" in out


def test_an_import_into_a_new_topic_of_a_wrong_name_says_so(project: Path) -> None:
    write(project / "pages", {"1.html": page("侨联为侨服务")})
    new = "侨清 is a new topic: there is no folder of this name"
    code, __, text = scrapy(project, "import", "pages", "侨清")
    assert code == 0
    assert text.count(new) == 2  # in the log at the start, and at the end
    assert f"near: {TOPIC}" in text
    assert new not in scrapy(project, "import", "pages", "侨清", "--again")[2]
    assert "is a new topic" not in scrapy(project, "import", "pages", TOPIC)[2]


def test_an_imported_record_of_a_crawl_gives_the_same_collection(
    project: Path, tmp_path: Path
) -> None:
    links = "".join(f"<a href=/{n}.html>侨务新闻{n}</a>" for n in range(1, 6))
    pages = {
        "/": f"<html><title>侨务</title><body>{links}".encode(),
        "/1.html": page("侨联为侨服务"),
        "/2.html": page("侨联为侨服务"),
        "/3.html": page("侨乡投资", first=30),
        "/4.html": page("足球比赛", OFF),
        "/5.html": page("侨批展览", first=60, end="<p>发布时间：2026-03-05</p>"),
    }
    record = tmp_path / "web.warc"
    with site(pages) as address:
        crawl = ("crawl", "topic", "-a", f"topic={TOPIC}", "-a", f"seeds={address}/")
        scrapy(project, *crawl, "-a", f"record={record}", settings=QUICK)
    crawled, __ = records(project)
    assert len(crawled) == 4
    other = tmp_path / "other"
    other.mkdir()
    make_project(other, TOPIC)
    code, __, text = scrapy(other, "import", str(record), TOPIC)
    assert code == 0, text
    imported, __ = records(other)
    assert set(imported) == set(crawled)
    for url, mine in imported.items():
        its = crawled[url]
        assert (mine.title, mine.body, mine.published_at) == (
            its.title,
            its.body,
            its.published_at,
        )
        assert mine.relevance == pytest.approx(its.relevance)
        assert mine.copy_of == its.copy_of
    assert {bool(it.copy_of) for it in imported.values()} == {True, False}
    times = {it.fetched_at for it in imported.values()}
    assert all(it < datetime.now(UTC) for it in times)


def test_saved_pages_and_articles_have_the_urls_and_times_of_the_web(project: Path) -> None:
    article = page(
        "",
        first=200,
        head="<meta property=og:title content=侨乡的老屋>"
        "<meta property=og:url content='http://mp.weixin.qq.com/s?__biz=MzA&amp;mid=2&amp;idx=1&amp;sn=a#rd'>",
        end="<script>var ct = '1764000000'; var nickname = htmlDecode('侨乡文化');</script>",
    ).replace(b"<body>", b"<body><div id=js_content style='visibility: hidden; opacity: 0;'>")
    single = (
        b"<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: https://s.example.cn/1 \n"
    )
    single += " saved date: Sat Mar 07 2026 10:00:00 GMT+0800 (中国标准时间)\n-->".encode()
    picture = b"<img src=data:image/png;base64," + b"A" * 3_000_000 + b">"
    body = base64.encodebytes(page("侨联换届", first=400)).decode()
    mhtml = (
        "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://m.example.cn/1\r\n"
        "Date: Sat, 7 Mar 2026 02:00:00 -0000\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/related; boundary="B"\r\n\r\n--B\r\nContent-Type: text/html\r\n'
        "Content-Transfer-Encoding: base64\r\nContent-Location: https://m.example.cn/1\r\n\r\n"
        f"{body}\r\n--B--\r\n"
    )
    saved = b"<!-- saved from url=(0022)http://c.example.cn/1 -->" + page("侨批展览", first=500)
    files = {
        "公众号/2025-11-25 侨乡的老屋/index.html": article,
        "公众号/2025-11-25 侨乡的老屋/assets/1.jpg": b"\xff\xd8\xff",
        "single.html": single + page("侨乡投资", first=300, end="<p>昨天 09:00").replace(
            b"</h1>", b"</h1>" + picture
        ),
        "page.mhtml": mhtml.encode(),
        "侨批.html": saved,
        "侨批_files/frame.html": page("广告", first=500),
    }  # fmt: skip
    code, __, text = scrapy(project, "import", str(write(project / "saved", files)), TOPIC)
    assert code == 0, text
    pages, __ = records(project)
    wechat = "http://mp.weixin.qq.com/s?__biz=MzA&idx=1&mid=2&sn=a"
    single_url = "https://s.example.cn/1"
    urls = {wechat, single_url, "https://m.example.cn/1", "http://c.example.cn/1"}
    assert set(pages) == urls, text
    assert pages[wechat].title == "侨乡的老屋"
    assert pages[wechat].published_at == datetime.fromtimestamp(1764000000, UTC)
    assert pages[wechat].source == "侨乡文化"
    saved_at = datetime(2026, 3, 7, 2, tzinfo=UTC)
    assert pages[single_url].fetched_at == saved_at
    assert pages["https://m.example.cn/1"].fetched_at == saved_at


def test_an_import_fetches_nothing_and_its_links_wait_for_a_crawl(project: Path) -> None:
    asked: list[str] = []
    with site({"/2.html": page("侨乡", first=9)}, asked.append) as address:
        ends = f"<p><a href={address}/2.html>第2页</a> <a href={address}/2.html>下一页</a></p>"
        head = (
            f"<link rel=canonical href={address}/1.html>"
            f"<meta http-equiv=refresh content='0;{address}/2.html'>"
        )
        write(project / "pages", {"1.html": page("侨批的侨批", head=head, end=ends)})
        code, __, __ = scrapy(project, "import", "pages", "侨批", "--queue-links")
        assert code == 0
        assert asked == []
        scrapy(project, "crawl", "topic", "-a", "topic=侨批", settings=QUICK)
        assert asked[0] == "/2.html"


def test_an_import_that_is_killed_goes_on_where_it_was(project: Path) -> None:
    count = 60
    with zipfile.ZipFile(project / "pages.zip", "w") as archive:
        for n in range(count):
            archive.writestr(f"{n}.html", page(f"侨乡{n}", first=100 * n).decode())
    running = ForkedCommand(
        ["import", "pages.zip", TOPIC, "-s", "TOPICCRAWL_STORE_BATCH_PAGES=2"],
        environment("http://127.0.0.1:9"),
        cwd=project,
    )
    deadline = time.monotonic() + 60
    first = 0
    while first < 5 and time.monotonic() < deadline:
        time.sleep(0.02)
        with suppress(ConfigurationError):  # not made yet
            first = len(records(project)[1])
    os.kill(running.pid, signal.SIGKILL)
    running.result(60)
    first = len(records(project)[1])
    assert 5 <= first < count
    code, __, text = scrapy(project, "import", "pages.zip", TOPIC)
    assert code == 0
    outcomes = records(project)[1]
    assert len(outcomes) == count
    again = int(text.split(" pages and documents were read")[0].split()[-1])
    # What was in the store and not yet in the journal is imported once more.
    assert count - first <= again < count


def test_a_list_of_urls_becomes_the_queue_of_the_next_crawl(project: Path) -> None:
    with site({"/1.html": page("侨乡文化")}) as address:
        lines = [f"{address}/1.html", "ftp://a.example.cn/", f"{address}/1.html"] * 2
        (project / "urls.txt").write_text("# mine\n" + "\n".join(lines))
        # Two of six lines are no URLs that can be fetched.
        code, __, text = scrapy(project, "import", "urls.txt", "侨批")
        assert code == 0
        assert "1 of 4 URLs is new in the queue" in text
        assert "urls.txt:3: ftp://a.example.cn/" in text
        code, __, text = scrapy(project, "crawl", "topic", "-a", "topic=侨批", settings=QUICK)
        assert code == 0, text
        code, out, __ = scrapy(project, "explain", f"{address}/1.html")
    assert f"line 2 of the list {file_url(project / 'urls.txt')}" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no-such", TOPIC], "no such file or folder"),
        (["empty", TOPIC], "nothing in empty can be imported"),
        (["empty"], "into which topic?"),
        (["empty", TOPIC, "-s", "TOPICCRAWL_STORE_URI=nowhere"], "TOPICCRAWL_STORE_URI"),
        (["urls.txt", TOPIC, "-s", "TOPICCRAWL_FRONTIER_BACKEND=memory"], "kept in memory only"),
        (["packed.warc.gz", TOPIC], "recompress"),
    ],
)
def test_what_cannot_be_imported_is_one_line_and_exit_code_1(
    project: Path, words: list[str], message: str
) -> None:
    (project / "empty").mkdir()
    (project / "urls.txt").write_text("http://a.example.cn/\n")
    (project / "packed.warc.gz").write_bytes(gzip.compress(2 * RECORD))
    code, __, text = scrapy(project, "import", *words, "-L", "CRITICAL")
    last = text.strip().splitlines()[-1]
    assert (code, message in last) == (1, True), text
    assert "Traceback" not in text


@pytest.mark.parametrize("name", ["sites.xlsx", "sites.csv", "sites.txt"])
def test_urls_of_a_table_are_queued(project: Path, name: str) -> None:
    rows = [("名称", "网址"), ("侨网", "http://a.example.cn/"), ("侨联", "www.b.example.cn")]
    if name.endswith(".xlsx"):
        with xlsxwriter.Workbook(project / name) as book:
            sheet = book.add_worksheet()
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    else:
        separator, encoding = (",", "gbk") if name.endswith(".csv") else ("\t", "utf-16")
        text = "".join(separator.join(row) + "\r\n" for row in rows)
        (project / name).write_bytes(text.encode(encoding))
    code, __, text = scrapy(project, "import", name, TOPIC, "--store", "data/other.sqlite")
    assert (code, "2 of 2 URLs are new in the queue" in text) == (0, True), text
    assert (project / "data/other.sqlite").is_file()
    proposed = text.partition("Next:\n")[2]
    assert f"crawl topic -a topic={TOPIC} --store data/other.sqlite" in proposed
    assert len(proposed.splitlines()) == 1  # nothing can be judged, reported or exported


def test_the_title_of_a_markdown_file_is_its_heading_without_the_mark(project: Path) -> None:
    text = "\n\n".join(ON.format(n=n) for n in range(6))
    write(project / "notes", {"a.md": f"# 侨联新址启用\n\n{text}\n".encode()})
    assert scrapy(project, "import", "notes", TOPIC)[0] == 0
    (kept,) = records(project)[0].values()
    assert kept.title == "侨联新址启用"


def test_the_end_of_an_import_proposes_only_what_is_of_use(project: Path) -> None:
    (project / "empty").mkdir()
    code, __, text = scrapy(project, "import", "empty", TOPIC)
    assert (code, "Next:" in text) == (1, False), text
    write(project / "off", {"ball.html": page("足球比赛", OFF)})
    code, __, text = scrapy(project, "import", "off", TOPIC)
    assert (code, "report: " in text, "scrapy export" in text) == (0, True, False)
    write(project / "on", {"a.html": page("侨联为侨服务")})
    assert f" export {TOPIC} --out" in scrapy(project, "import", "on", TOPIC)[2]


def test_ftp_seeds_are_refused_with_what_to_do_instead(project: Path) -> None:
    code, __, text = scrapy(
        project, "crawl", "topic", "-a", f"topic={TOPIC}", "-a", "seeds=ftp://a.example.cn/"
    )
    assert code == 1
    assert "scrapy import FOLDER" in text


def test_a_changed_file_is_judged_anew_and_its_former_page_leaves(project: Path) -> None:
    files = {
        "a.html": page("足球比赛", OFF),
        "b.html": page("侨联为侨服务"),
        "c.html": page("侨乡投资", first=20),
    }
    folder = write(project / "pages", files)
    a, b, c = (file_url(folder / name) for name in files)
    scrapy(project, "import", "pages", TOPIC)
    assert set(records(project)[0]) == {b, c}
    write(folder, {"a.html": page("侨联新址", first=40), "b.html": page("足球比赛", OFF, first=60)})
    code, __, text = scrapy(project, "import", "pages", TOPIC)
    assert code == 0
    pages, outcomes = records(project)
    assert set(pages) == {a, c}, text
    assert "第40段" in pages[a].body
    assert outcomes[a].verdict == "stored"
    assert (outcomes[b].verdict, outcomes[b].reason) == ("dropped", "off-topic")
    # A later run reads both versions in the journal, and the later one counts.
    write(folder, {"d.html": page("侨批展览", first=80)})
    scrapy(project, "import", "pages", TOPIC)
    assert set(records(project)[0]) == {a, c, file_url(folder / "d.html")}


def test_an_import_into_a_topic_whose_queue_is_lost_does_not_begin_at_the_seeds(
    project: Path,
) -> None:
    folder = write(project / "pages", {"b.html": page("侨联为侨服务")})
    scrapy(project, "import", "pages", TOPIC)
    for queue in (project / "data").glob("*.frontier*"):
        queue.unlink()
    write(folder, {"c.html": page("侨乡投资", first=20)})
    code, __, text = scrapy(project, "import", "pages", TOPIC, settings=("LOG_LEVEL=INFO",))
    assert code == 0
    assert "Spider opened" in text
    assert "begins at the seeds" not in text
    assert set(records(project)[0]) == {file_url(folder / name) for name in ("b.html", "c.html")}


def test_a_deleted_page_is_imported_again_once_that_is_allowed(project: Path) -> None:
    folder = write(project / "pages", {"a.html": page("侨联"), "b.html": page("侨乡", first=20)})
    deleted = file_url(folder / "a.html")
    scrapy(project, "import", "pages", TOPIC)
    scrapy(project, "forget", TOPIC, "--url", deleted, "--yes")
    scrapy(project, "import", "pages", TOPIC)
    assert deleted not in records(project)[0]
    scrapy(project, "forget", TOPIC, "--allow-again", deleted)
    code, __, text = scrapy(project, "import", "pages", TOPIC)
    assert code == 0
    assert set(records(project)[0]) == {deleted, file_url(folder / "b.html")}, text


def test_parts_of_an_article_are_joined_whatever_their_order(project: Path) -> None:
    web, names = "http://www.example.cn/2026/", ("n54.html", "n54_2.html", "n54_3.html")

    def part(number: int) -> bytes:
        pager = "".join(f"<a href={it}>{n}</a>" for n, it in enumerate(names, 1) if n != number)
        saved = f"<!-- saved from url=(0028){web}{names[number - 1]} -->"
        body = page("侨乡百年", first=10 * number, end=f"<div>{pager}</div>").decode()
        return f"{saved}{body}".encode()

    # Read in the order of their names: the second part comes before the first one.
    files = {"c.html": part(1), "a.html": part(2), "b.html": part(3), "d.html": page("侨乡投资")}
    folder = write(project / "pages", files)
    code, __, text = scrapy(project, "import", "pages", TOPIC)
    assert code == 0, text
    assert "4 pages and documents were read" in text
    pages, outcomes = records(project)
    first = f"{web}{names[0]}"
    assert set(pages) == {first, file_url(folder / "d.html")}, text
    assert pages[first].parts == 3
    body = pages[first].body
    assert body.index("第10段") < body.index("第20段") < body.index("第30段")
    assert [outcomes[f"{web}{it}"].reason for it in names[1:]] == ["part"] * 2
    code, __, text = scrapy(project, "import", "pages", TOPIC)
    assert "4  imported before" in text
    assert records(project)[0][first].parts == 3
