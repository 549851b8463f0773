"""Damaged topic files, judgments and stored webs: a ConfigurationError of one line, or they are read.

``TOPICCRAWL_FUZZ_CASES=10000`` runs more cases; each depends on its number alone.
"""

from __future__ import annotations

import gzip
import json
import signal
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

import pytest

from tests.support.mutations import CASES, mutated
from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.topics.check import check_folder
from topiccrawl.topics.folder import load_definition
from topiccrawl.topics.judgments import load_judgments, save_judgments
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.rules import GLOBAL_FILE, HOSTS_FILE, UrlRules

#: No file here takes a hundredth of it.
SECONDS = 30

TOPIC = """\
name = "小题"
aliases = ["xiaoti"]
language = "zh"
classification = ["D6"]
queries = ["{keyword} site:{site}"]
allow = ["a.cn", "re:^b[.]cn/"]
deny = ["/video/", "*.c.cn/x?*=1$"]
[keywords.core]
"华侨" = 1.0
"侨务 工作" = 0.8
[keywords.near]
"海外" = 0.4
[negative]
"华侨城" = 0.1
[url_tokens]
qiao = 0.5
[[seeds]]
name = "甲"
url = "http://a.cn/"
[[seeds]]
url = "https://b.cn:8080/x?y=1"
[thresholds]
relevance = 0.3
link = 0.5
[limits]
max_pages = 10
max_depth = 3
"""
JUDGMENTS = (
    "# comment\nhttp://a.cn/1\tyes\t2026-11-01T10:00:00+08:00\tnote\n"
    "http://a.cn/2\tno\nhttp://b.cn/x?y=2\tYES\t2026-11-02\n"
)
PAGE = "<html><head><title>华侨</title></head><body><a href='/2'>二</a>侨务</body></html>".encode()
TOPICS = {
    "language": "zh",
    "topics": [
        {
            "name": "小题",
            "keywords": ["华侨"],
            "seeds_near": ["http://a.cn/1"],
            "examples": ["http://a.cn/2"],
            "relevant_file": "relevant/t.txt",
        }
    ],
}


@contextmanager
def one_line_error(case: object) -> Iterator[None]:
    """The work ends in time, without an error or with a ConfigurationError whose message is short."""

    def hangs(*_: object) -> None:
        raise AssertionError(f"{case}: still at work after {SECONDS} s")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(SECONDS)
    try:
        yield
    except ConfigurationError as error:
        message = str(error)
        assert message.isprintable() or "\n" in message, f"{case}: {message!r}"
        assert len(message) < 3_000, f"{case}: {message[:200]}"
        message.encode()
    except Exception as error:
        raise AssertionError(f"{case}: {type(error).__name__}: {error}") from error
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def each(original: bytes, path: Path, work: Callable[[], object]) -> int:
    """Do *work* with each damaged form of the file; return how many were read all the same."""
    read = 0
    for seed in range(CASES):
        path.write_bytes(mutated(original, seed))
        with one_line_error(f"{path.name}, seed {seed}"):
            work()
            read += 1
    path.write_bytes(original)
    return read


def test_topic_files(tmp_path: Path) -> None:
    folder = tmp_path / "小题"
    (folder / "samples").mkdir(parents=True)
    sample = folder / "samples" / "1.txt"
    sample.write_text("海外侨胞回到侨乡。" * 5, "utf-8")
    read = each(TOPIC.encode(), folder / "topic.toml", lambda: Topic.learn(load_definition(folder)))
    assert 0 < read < CASES
    each(TOPIC.encode(), folder / "topic.toml", lambda: check_folder(folder))
    each(sample.read_bytes(), sample, lambda: Topic.learn(load_definition(folder)))


def test_judgments(tmp_path: Path) -> None:
    path = tmp_path / "judgments.tsv"

    def work() -> None:
        save_judgments(path, load_judgments(path))

    assert 0 < each(JUDGMENTS.encode(), path, work) < CASES


@pytest.mark.parametrize("name", [GLOBAL_FILE, HOSTS_FILE])
def test_files_of_url_rules(name: str) -> None:
    data = resources.files("topiccrawl.urls").joinpath("data")
    texts = {it: data.joinpath(it).read_text("utf-8") for it in (GLOBAL_FILE, HOSTS_FILE)}
    original, read = texts[name].encode(), 0
    for seed in range(CASES):
        texts[name] = mutated(original, seed).decode("utf-8", "replace")
        with one_line_error(f"{name}, seed {seed}"):
            rules = UrlRules(texts[GLOBAL_FILE], texts[HOSTS_FILE])
            for host in ("bbs.a.example", "mp.weixin.qq.com", ""):
                rules.of(host).parameters.ignores("sid", "0" * 32)
            rules.path_segment.search("/s(0123456789abcdefghijklmn)/a")
            read += 1
    assert 0 < read < CASES


def read_all(path: Path) -> None:
    """Open a stored web, read every page and its topics."""
    web = open_web(str(path))
    try:
        for url in web.urls():
            web.get(url)
        len(web.topics)
    finally:
        web.close()


def sqlite_web(folder: Path) -> Path:
    path = folder / "web.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE pages (url TEXT PRIMARY KEY, body BLOB, content_type TEXT)")
        rows = [(f"http://a.cn/{i}", PAGE * i, "text/html") for i in range(1, 30)]
        database.executemany("INSERT INTO pages VALUES (?, ?, ?)", rows)
    database.close()
    (folder / "topics.json").write_text(json.dumps(TOPICS), "utf-8")
    (folder / "relevant").mkdir()
    (folder / "relevant" / "t.txt").write_text("http://a.cn/1\nhttp://a.cn/2\n", "utf-8")
    return path


def test_stored_webs_in_sqlite(tmp_path: Path) -> None:
    path = sqlite_web(tmp_path)
    read_all(path)
    assert 0 < each(path.read_bytes(), path, lambda: read_all(path)) <= CASES


def test_odd_cells_of_stored_webs(tmp_path: Path) -> None:
    path = sqlite_web(tmp_path)
    bomb = zlib.compress(bytes(40_000_000), 9)
    with sqlite3.connect(path) as database:
        database.execute("ALTER TABLE pages ADD COLUMN status")
        for number, (status, body) in enumerate(
            [("x", b"a"), (float("inf"), "a"), (b"\xff", None), ("404", bomb), (None, 5)], 1
        ):
            database.execute(
                "UPDATE pages SET status = ?, body = ? WHERE url = ?",
                (status, body, f"http://a.cn/{number}"),
            )
    database.close()
    web = open_web(str(path))
    answers = [web.get(f"http://a.cn/{number}") for number in range(1, 6)]
    web.close()
    assert [it.status for it in answers if it] == [200, 200, 200, 404, 200]
    assert [len(it.body) for it in answers if it] == [1, 1, 0, 16 * 2**20, 0]


@pytest.mark.parametrize("name", ["topics.json", "relevant/t.txt"])
def test_topics_of_stored_webs(tmp_path: Path, name: str) -> None:
    path = sqlite_web(tmp_path)
    file = tmp_path / name
    assert 0 < each(file.read_bytes(), file, lambda: read_all(path)) <= CASES


def warc() -> bytes:
    records = [b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"]
    for i in range(4):
        body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(
            PAGE
        )
        body += PAGE
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.cn/{i}\r\n"
            "WARC-Date: 2026-11-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        records.append(head.encode() + body + b"\r\n\r\n")
    return b"\0".join(records)


@pytest.mark.parametrize("name", ["web.warc", "web.warc.gz"])
def test_warc_files(tmp_path: Path, name: str) -> None:
    pytest.importorskip("warcio")
    path = tmp_path / name
    records = warc().split(b"\0")
    pack = gzip.compress if name.endswith("gz") else bytes
    original = b"".join(map(pack, records))
    path.write_bytes(original)
    (tmp_path / "topics.json").write_text(json.dumps(TOPICS), "utf-8")
    (tmp_path / "relevant").mkdir()
    (tmp_path / "relevant" / "t.txt").write_text("http://a.cn/1\n", "utf-8")
    read_all(path)
    assert 0 < each(original, path, lambda: read_all(path)) <= CASES
