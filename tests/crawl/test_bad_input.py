"""Bad input and the message it gets: one line that names what is wrong, and exit code 1.

Most cases run the crawl in this process up to the error; a few run the real command, to see that
nothing but the message reaches the terminal.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from scrapy.crawler import AsyncCrawlerRunner

from tests.support.crawl_runs import scrapy
from tests.support.small_web import project_settings
from topiccrawl.crawl.session.current import session_of
from topiccrawl.endings import CANNOT_START
from topiccrawl.errors import ConfigurationError
from topiccrawl.spiders.topic import TopicSpider

SEED = "http://127.0.0.1:9/"
GOOD = '[keywords.core]\n"华侨" = 1.0\n[[seeds]]\nurl = "http://a.example/"\n'


def crawl_error(arguments: Mapping[str, str], **settings: Any) -> str:
    """The message of a crawl that cannot start: raised before the engine, or noted by the run."""

    async def run() -> str:
        # Input that is wrongly accepted must not send this test out into the network.
        nowhere = {"DOWNLOAD_HANDLERS": {"http": None, "https": None}, "ROBOTSTXT_OBEY": False}
        runner = AsyncCrawlerRunner(project_settings(**nowhere, **settings))
        crawler = runner.create_crawler(TopicSpider)
        try:
            await runner.crawl(crawler, **arguments)
        except ConfigurationError as error:
            return str(error)
        assert crawler.stats.get_value("finish_reason") == CANNOT_START, "the input was accepted"
        assert "downloader/request_count" not in crawler.stats.get_stats()
        return str(session_of(crawler).control.start_error)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"topic": "没有这个"}, "topic '没有这个' is not known; known: "),
        ({"topic": "侨情"[::-1]}, "near: 侨情"),
        ({}, "-a topic=… is missing"),
        ({"topic": "侨情", "seed": SEED}, "unknown spider argument -a seed=…"),
        ({"topic": "侨情", "seeds": "a.example"}, "must be an http or https URL"),
        ({"topic": "侨情", "seeds": "ftp://a.example/"}, "must be an http or https URL"),
        ({"topic": "./没有"}, "there is no "),
        ({"topic": "/dev/null"}, "there is no /dev/null/topic.toml"),
        ({"topic": "侨情", "topik": "侨情"}, "unknown spider argument -a topik=…; known: topic, "),
        ({"topic": "侨情", "whole": "http://a.example/"}, "-a whole must be 1 or 0, got 'http://"),
        ({"topic": "侨情", "search": "bing"}, "-a search must be 1 or 0, got 'bing'"),
    ],
)
def test_wrong_arguments(arguments: Mapping[str, str], message: str) -> None:
    assert message in crawl_error(arguments)


@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        ("DOWNLOAD_DELAY", "1s", "must be a number"),
        ("DOWNLOAD_DELAY", "-1", "must be >= 0"),
        ("CONCURRENT_REQUESTS", "0", "must be >= 1"),
        ("CONCURRENT_REQUESTS_PER_DOMAIN", "two", "must be an integer"),
        ("CLOSESPIDER_PAGECOUNT", "many", "must be an integer"),
        ("HTTPCACHE_ENABLED", "maybe", "must be True or False"),
    ],
)
def test_wrong_settings_of_scrapy_are_named(name: str, value: str, rule: str) -> None:
    assert crawl_error({"topic": "侨情"}, **{name: value}) == f"{name} {rule}, got {value!r}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "topic.toml"),
        (GOOD.replace("1.0", '"high"'), "keywords.core.华侨"),
        (GOOD.replace("1.0", "7"), "keywords.core.华侨"),
        ('aliases = "侨"\n' + GOOD, "aliases"),
        (GOOD + "[thresholds]\nrelevance = 1.5\n", "thresholds.relevance"),
        (GOOD + "[thresholds]\nlink = -0.1\n", "thresholds.link"),
        (GOOD + '[thresholds]\nrelevance = "hoch"\n', "thresholds.relevance"),
        (GOOD + "[limits]\nmax_pages = -1\n", "limits.max_pages"),
        (GOOD.replace("http://a.example/", "a.example"), "seeds"),
        ("color = 1\n" + GOOD, "color"),
        ('[keywords.core]\n"华侨" = 1.0\n', "has no seeds"),
    ],
    ids=[
        "broken TOML", "text for a number", "value out of range", "text for a list",
        "threshold over 1", "threshold under 0", "threshold of text", "negative limit",
        "seed without scheme", "unknown key", "no seeds",
    ],
)  # fmt: skip
def test_a_wrong_topic_folder_names_file_and_key(tmp_path: Path, text: str, message: str) -> None:
    folder = tmp_path / "小题"
    folder.mkdir()
    if text != "name = ":
        text = f'name = "小题"\n{text}'
    (folder / "topic.toml").write_text(text, encoding="utf-8")
    said = crawl_error({"topic": str(folder)})
    assert message in said
    assert "小题" in said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("[[seeds]\n", "is not valid TOML: .* line 2, column 8"),
        ('name = "再来"\n', "is not valid TOML: .* line 2, "),
        ("aliases = [\n", "is not valid TOML: "),
        ("#\n侨".encode("gb18030"), "must be UTF-8 text; line 3 holds the byte 0xc7"),
        (
            GOOD + "[limits]\nmax_pages = 1.5\n",
            r"limits\.max_pages must be a whole number >= 0, got 1\.5",
        ),
        (GOOD + "[thresholds]\nlink = nan\n", r"thresholds\.link must be .* got nan"),
        (GOOD + "[thresholds]\nrelevance = true\n", r"thresholds\.relevance must be .* got True"),
    ],
    ids=["bracket", "key twice", "cut off", "GB18030", "half a page", "nan", "true"],
)
def test_a_wrong_topic_file_is_named_with_the_line_or_the_rule(
    tmp_path: Path, text: str | bytes, rule: str
) -> None:
    file = tmp_path / "小题" / "topic.toml"
    file.parent.mkdir()
    rest = text if isinstance(text, bytes) else text.encode()
    file.write_bytes('name = "小题"\n'.encode() + rest)
    assert re.match(f"{re.escape(str(file))}: {rule}", crawl_error({"topic": str(file.parent)}))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("STRATEGY", "best", "TOPICCRAWL_STRATEGY: strategy must be one of breadth-first, "),
        ("BODY_EXTRACTOR", "magic", "TOPICCRAWL_BODY_EXTRACTOR: body extractor must be one of "),
        ("FRONTIER_BACKEND", "redis2", "TOPICCRAWL_FRONTIER_BACKEND must be one of "),
        ("RELEVANCE_THRESHOLD", "1.2", "TOPICCRAWL_RELEVANCE_THRESHOLD must be <= 1, got '1.2'"),
        ("TITLE_DEDUP_THRESHOLD", "-1", "TOPICCRAWL_TITLE_DEDUP_THRESHOLD must be >= 0.01"),
        ("SEED", "seven", "TOPICCRAWL_SEED must be an integer, got 'seven'"),
        ("IPAGERANK_EVERY_PAGES", "0", "TOPICCRAWL_IPAGERANK_EVERY_PAGES must be >= 1, got '0'"),
        ("IPAGERANK_EVERY_PAGES", float("inf"), "EVERY_PAGES must be an integer, got inf"),
        ("IPAGERANK_DAMPING", "1", "TOPICCRAWL_IPAGERANK_DAMPING must be <= 0.999, got '1'"),
        (
            "RETRY_DELAY_SECONDS",
            "1e400",
            "RETRY_DELAY_SECONDS must be a finite number, got '1e400'",
        ),
        ("FRONTIER_LEASE_SECONDS", "inf", "FRONTIER_LEASE_SECONDS must be a finite number"),
        ("STORE_HTML", "maybe", "TOPICCRAWL_STORE_HTML must be True or False, got 'maybe'"),
        ("STORE_URI", "redis://x/", "TOPICCRAWL_STORE_URI must be one of sqlite:///"),
        ("STORE_URI", "sqlite://x.sqlite", "TOPICCRAWL_STORE_URI"),
        ("STORE_URI", "mongodb:///x", "TOPICCRAWL_STORE_URI"),
    ],
)
def test_a_wrong_setting_names_itself_and_the_rule(
    name: str, value: str | float, message: str
) -> None:
    assert message in crawl_error({"topic": "侨情"}, **{f"TOPICCRAWL_{name}": value})


def test_a_folder_given_as_the_sqlite_file(tmp_path: Path) -> None:
    said = crawl_error({"topic": "侨情"}, TOPICCRAWL_STORE_URI=f"sqlite:///{tmp_path}")
    assert f"the SQLite file {tmp_path}" in said


def test_a_sqlite_file_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    uri = f"sqlite:///{tmp_path}/file/x.sqlite"
    assert "its folder cannot be created" in crawl_error(
        {"topic": "侨情"}, TOPICCRAWL_STORE_URI=uri
    )


def test_a_medium_that_cannot_be_written() -> None:
    """/proc refuses new files even to root, as a read-only file system does."""
    said = crawl_error({"topic": "侨情"}, TOPICCRAWL_STORE_URI="sqlite:////proc/x/y.sqlite")
    assert "TOPICCRAWL_STORE_URI names the SQLite file /proc/x/y.sqlite: its folder" in said


def test_a_device_in_place_of_the_store() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    said = crawl_error({"topic": "侨情"}, TOPICCRAWL_STORE_URI="sqlite:////dev/full")
    assert "it is a device or a pipe, not a file" in said


def test_a_file_that_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "x.sqlite").write_text("这不是数据库" * 200, encoding="utf-8")
    said = crawl_error({"topic": "侨情"}, TOPICCRAWL_STORE_URI=f"sqlite:///{tmp_path / 'x.sqlite'}")
    assert "x.sqlite" in said


def test_a_spool_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    said = crawl_error(
        {"topic": "侨情"},
        TOPICCRAWL_STORE_URI=f"sqlite:///{tmp_path / 'x.sqlite'}",
        TOPICCRAWL_STORE_SPOOL_DIR=str(tmp_path / "file" / "spool"),
    )
    assert str(tmp_path / "file") in said


def closed_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    return port


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["crawl", "topic", "-a", "topic=没有这个"], 1, "topic '没有这个' is not known"),
        (["crawl", "topik"], 1, "there is no spider 'topik'; known: topic"),
        (["crawl", "topic", "-a", "topic=侨情", "-a", "foo=1"], 1, "argument -a foo=…"),
        (["crawl", "topic", "-a", "topic=侨情", "-s", "TOPICCRAWL_SEED=x"], 1, "TOPICCRAWL_SEED"),
        (
            ["crawl", "topic", "-a", "topic=侨情", "-s", "TOPICCRAWL_STORE_URI=sqlite:////proc"],
            1,
            "TOPICCRAWL_STORE_URI names the SQLite file /proc",
        ),
        (
            ["crawl", "topic", "-a", "topic=侨情", "-s", "TOPICCRAWL_STORE_URI=mongodb://{closed}/x?serverSelectionTimeoutMS=200"],
            1,
            "no MongoDB server answers there",
        ),
    ],
)  # fmt: skip
def test_the_command_prints_one_line_and_no_traceback(
    tmp_path: Path, words: list[str], code: int, message: str
) -> None:
    words = [word.replace("{closed}", f"127.0.0.1:{closed_port()}") for word in words]
    spool = f"TOPICCRAWL_STORE_SPOOL_DIR={tmp_path / 'spool'}"
    done = scrapy([*words, "-s", "LOG_LEVEL=CRITICAL", "-s", spool])
    assert done.returncode == code
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("topiccrawl: ")
    assert message in lines[0]
    assert done.stdout == ""


@pytest.mark.slow
def test_not_even_the_log_holds_a_traceback_of_an_unusable_store() -> None:
    done = scrapy(
        ["crawl", "topic", "-a", "topic=侨情", "-s", "TOPICCRAWL_STORE_URI=sqlite:////proc"]
    )
    assert done.returncode == 1
    assert "Spider closed (cannot_start)" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_crawl_without_a_spider_name_shows_how_to_call_it() -> None:
    done = scrapy(["crawl"])
    assert done.returncode == 2
    assert "scrapy crawl topic -a topic=侨情" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_seeds_that_give_no_page_are_exit_code_1(tmp_path: Path) -> None:
    done = scrapy(
        ["crawl", "topic", "-a", "topic=侨情", "-a", f"seeds=http://127.0.0.1:{closed_port()}/"]
        + [word for name in ("RETRY_ENABLED=0", "TOPICCRAWL_RETRY_MAX_ATTEMPTS=1",
                             "ROBOTSTXT_OBEY=0", "TOPICCRAWL_STORE_URI=", "LOG_LEVEL=CRITICAL")
           for word in ("-s", name)]
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == (
        "topiccrawl: no page was fetched: no seed gave a page (see the log of the run)\n"
    )


def test_a_level_that_the_log_does_not_have_is_one_line() -> None:
    done = scrapy(["crawl", "topic", "-a", "topic=侨情", "-L", "info"])
    assert done.returncode == 2
    assert "LOG_LEVEL must be one of CRITICAL, " in done.stderr
    assert "Traceback" not in done.stderr
