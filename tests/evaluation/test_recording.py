"""``scrapy crawl topic -a record=FILE``: a crawl becomes a web that it can be repeated on."""

from __future__ import annotations

import asyncio
import errno
import json
import signal
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.crawl_runs import crawl_words, scrapy
from tests.support.forked import ForkedCommand
from topiccrawl.demo import DemoWeb
from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.experiment import Experiment
from topiccrawl.evaluation.replay.crawl import crawl
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.recording import TopicRecord, open_sink
from topiccrawl.evaluation.webs.urls import web_key
from topiccrawl.evaluation.webs.web import StoredPage
from topiccrawl.extensions.recording import CrawlRecorder
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

DEMO = DemoWeb(7, 300, hazards=False)
PAGES = 40


def record(server: WebServer, out: Path, file: Path, pages: int) -> None:
    words = [*crawl_words(out, DEMO.seeds, pages), "-a", f"record={file}"]
    done = scrapy(words, environment(server.url))
    assert done.returncode == 0, done.stderr


def pages_served(server: WebServer) -> list[str]:
    """Keys of the pages that the crawler got, in order."""
    return [
        web_key(request.url) or ""
        for request in server.requests
        if request.status == 200 and not request.url.endswith("/robots.txt")
    ]


@pytest.mark.parametrize("name", ["web.sqlite", "crawl.warc.gz"])
def test_a_real_crawl_of_a_recorded_web_fetches_the_same_pages(tmp_path: Path, name: str) -> None:
    file = tmp_path / "recorded" / name
    with WebServer(DEMO) as server:
        record(server, tmp_path / "out", file, PAGES)
        served = pages_served(server)
    web = open_web(str(file))
    assert {url for url in web.urls() if web.get(url).status == 200} == set(served)  # type: ignore[union-attr]
    for url in served:
        page, answer = web.get(url), DEMO.answer(url, 2)
        assert page is not None
        assert answer is not None
        assert (page.body, page.content_type) == (answer.body, answer.content_type), "uncompressed"
    (topic,) = web.topics
    assert (topic.name, web.language) == ("侨情", "zh")
    assert topic.seeds["recorded"] == DEMO.seeds
    assert "华侨" in topic.keywords
    assert topic.relevant
    assert topic.relevant <= set(served)
    experiment = Experiment("侨情", "recorded", "ipagerank-rwb", 1_000)
    folder = tmp_path / "again"
    folder.mkdir()
    run = crawl(web, topic, experiment, folder=folder)
    assert {fetch.url for fetch in run.fetches} == set(served)
    assert run.note == "nothing left to fetch"


def test_a_record_of_a_resumed_crawl_is_accepted_by_evaluate(tmp_path: Path) -> None:
    file, results = tmp_path / "web.sqlite", tmp_path / "results.json"
    with WebServer(DEMO) as server:
        first = scrapy(crawl_words(tmp_path / "out", DEMO.seeds, 15), environment(server.url))
        assert first.returncode == 0, first.stderr
        record(server, tmp_path / "out", file, 15)
    words = ["evaluate", str(file), "--strategies", "best-first", "--max-pages", "10"]
    done = scrapy([*words, "--jobs", "1", "--json", str(results)])
    assert done.returncode == 0, done.stderr
    with closing(open_web(str(file))) as web:
        seeds = {web_key(seed) for seed in DEMO.seeds}
        assert seeds <= set(web.urls())
    (run,) = json.loads(results.read_text("utf-8"))["runs"]
    assert run["strategy"] == "best-first"


def test_a_record_survives_kill_9_and_the_next_run_goes_on_with_it(tmp_path: Path) -> None:
    file = tmp_path / "web.sqlite"
    with WebServer(DEMO, latency_seconds=0.02) as server:
        words = [*crawl_words(tmp_path / "out", DEMO.seeds, 10_000), "-a", f"record={file}"]
        process = ForkedCommand(words, environment(server.url))
        while len(server.requests) < 40:
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        first = pages_served(server)
        with closing(open_web(str(file))) as web:
            kept, relevant = set(web.urls()), web.topics[0].relevant
        assert kept >= set(first[:-3]), "at most the last pages are lost"
        record(server, tmp_path / "out", file, 20)
        with closing(open_web(str(file))) as web:
            assert set(web.urls()) >= kept | set(pages_served(server)[len(first) :])
            assert web.topics[0].relevant >= relevant
    assert not file.with_name("web.sqlite-wal").exists(), "one plain file at the end"


def add(file: Path, pages: Sequence[StoredPage]) -> None:
    sink = open_sink(file)
    for page in pages:
        sink.add(page)
    sink.close()


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_a_warc_file_that_was_cut_off_is_gone_on_with(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    pages = [StoredPage(f"http://a.example/{i}", b"<p>%d" % i * 100) for i in range(4)]
    add(file, pages[:3])
    file.write_bytes(file.read_bytes()[:-40])
    add(file, pages[3:])
    web = open_web(str(file))
    assert [web.get(url) for url in web.urls()] == [pages[0], pages[1], pages[3]]


def test_a_warc_file_with_a_damaged_record_is_gone_on_with_behind_its_last_one(
    tmp_path: Path,
) -> None:
    file = tmp_path / "a.warc.gz"
    pages = [StoredPage(f"http://a.example/{i}", b"<p>%d" % i * 100) for i in range(5)]
    add(file, pages[:4])
    content = bytearray(file.read_bytes())
    second = content.index(b"\x1f\x8b\x08", 10)
    content[second : second + 12] = bytes(12)
    file.write_bytes(content)
    add(file, pages[4:])
    web = open_web(str(file))
    assert [web.get(url) for url in web.urls()] == [pages[0], *pages[2:]]


def test_topics_of_several_crawls_lie_side_by_side_and_grow(tmp_path: Path) -> None:
    file = tmp_path / "web.sqlite"
    urls = [f"http://a.example/{i}" for i in range(4)]
    add(file, [StoredPage(url, b"<p>") for url in urls])

    def tell(name: str, seed: str, *relevant: str) -> None:
        topic = TopicRecord(tmp_path, name, language="zh", keywords=[name], seeds=[seed])
        for url in relevant:
            topic.add(url)
        topic.close()

    tell("侨情", urls[0], urls[1], "https://a.example/1#x")
    tell("体育", urls[1], urls[3])
    tell("侨情", urls[2], urls[1], urls[2])
    found = {topic.name: topic for topic in open_web(str(file)).topics}
    assert found["侨情"].relevant == {urls[1], urls[2]}
    assert found["侨情"].seeds == {"recorded": (urls[0], urls[2])}
    assert found["体育"].relevant == {urls[3]}
    assert (tmp_path / "relevant" / "侨情.txt").read_text("utf-8").count(urls[1]) == 1


def test_a_record_that_cannot_be_written_stops_the_crawl_before_it_begins(tmp_path: Path) -> None:
    (tmp_path / "topics.json").write_text("[]")
    with WebServer(DEMO) as server:
        for name, said in [
            ("web.html", "must name a file that ends"),
            ("web.sqlite", "topics.json"),
        ]:
            words = crawl_words(tmp_path / "out", DEMO.seeds, 5)
            done = scrapy([*words, "-a", f"record={tmp_path / name}"], environment(server.url))
            assert done.returncode == 1
            assert said in done.stderr
            assert "Traceback" not in done.stderr
        assert not server.requests


def test_the_suffix_chooses_the_format_and_other_files_are_not_overwritten(
    tmp_path: Path,
) -> None:
    for name in ("web.txt", "web", "web.gz"):
        with pytest.raises(ConfigurationError, match="must name a file that ends with"):
            open_sink(tmp_path / name)
    for name in ("a.sqlite", "a.warc"):
        (tmp_path / name).write_bytes(b"something else\n" * 20)
        with pytest.raises(ConfigurationError, match=name):
            open_sink(tmp_path / name)
        assert (tmp_path / name).read_bytes() == b"something else\n" * 20


@pytest.mark.parametrize("name", ["web.sqlite", "web.warc.gz"])
def test_a_recording_that_cannot_be_written_names_the_argument_and_the_file(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match=r"-a record: .*file"):
        open_sink(tmp_path / "file" / name)


def test_a_record_whose_pages_cannot_be_closed_has_its_topic(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    closed = []

    class FullDisk:
        def add(self, page: StoredPage) -> None: ...

        def close(self) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    class Topic(TopicRecord):
        def close(self) -> None:
            super().close()
            closed.append(self)

    topic = Topic(tmp_path, "茶", language="zh", keywords=["茶"], seeds=["http://www.example.com/"])
    unused: Any = None
    asyncio.run(CrawlRecorder(FullDisk(), topic, unused).spider_closed())
    assert closed == [topic]
    assert "its record is not complete" in caplog.text
