"""Queue records that anyone may have written: no hang, no traceback, nothing imported or called.

The number of cases comes from TOPICCRAWL_FUZZ_CASES.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, Spider

from tests.support.damaged_queues import fill, work
from tests.support.redis_support import needs_redis, running
from topiccrawl.frontier.contract import Lease, QueuedLink
from topiccrawl.frontier.redis.frontier import RedisFrontier
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.scheduling.requests import from_lease
from topiccrawl.scheduling.rules import RecordRules
from topiccrawl.scoring.evidence import LinkEvidence

CASES = int(os.environ.get("TOPICCRAWL_FUZZ_CASES", "0"))
#: Values that a record may hold in place of sound ones.
ODD: tuple[Any, ...] = (
    *(None, True, -1, 2**70, 1e308, float("inf"), "", "x" * 5_000, "\ud800", "\0", "侨情"),
    *("file:///etc/passwd", "ftp://a.cn/", "javascript:x", "http://[", "http://a:99999/", "//a"),
    *("parse", "close", "__class__", "from_crawler", "crawler.engine.stop", "os.system"),
    *("trap_of_the_fuzzer.Trap", "subprocess.Popen", "zlib", "hex", "GET\r\nX: y"),
    *(
        [],
        {},
        [[]] * 3,
        {"a": {"b": [1]}},
        {"proxy": 5},
        {"depth": "x"},
        ["a", 5],
        {"X": ["\r\nY: z"]},
    ),
)
KEYS = (
    *(
        "url",
        "method",
        "body",
        "body_base64",
        "headers",
        "encoding",
        "dont_filter",
        "flags",
        "cookies",
    ),
    *("cb_kwargs", "callback", "errback", "meta", "_class", "attempt", "priority", "unknown"),
)


class FuzzedSpider(Spider):
    name = "fuzzed"
    queued_callbacks = ("parse", "failed")

    def parse(self, response):
        raise AssertionError("nothing is fetched here")

    def failed(self, failure):
        raise AssertionError("nothing is fetched here")


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A module that a record names; importing it would show."""
    text = "from scrapy import Request\nclass Trap(Request): pass\n"
    (tmp_path / "trap_of_the_fuzzer.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    assert "trap_of_the_fuzzer" not in sys.modules


def test_whatever_a_record_says_the_request_is_a_plain_one_or_none(trap: None) -> None:
    draw = random.Random(12)
    spider = FuzzedSpider()
    rules = RecordRules.of(spider)
    before = set(sys.modules)
    sound = 0
    for _ in range(CASES or 3_000):
        record = {key: draw.choice(ODD) for key in draw.sample(KEYS, draw.randrange(1, 4))}
        url = draw.choice(("http://a.cn/1", *(it for it in ODD if isinstance(it, str))))
        evidence = LinkEvidence(draw.choice((0.5, -3.0, 1e300)), depth=draw.choice((0, 3, 2**70)))
        lease = Lease(1, QueuedLink(url, "a.cn", evidence, record), draw.randrange(1, 4), 0.0)
        try:
            request = from_lease(lease, rules=rules)
        except Exception:
            continue  # the scheduler gives it up
        sound += 1
        assert type(request).__module__.startswith("scrapy.")
        assert isinstance(request, Request)
        assert request.url.startswith(("http://", "https://"))
        assert request.callback in (None, spider.parse, spider.failed)
        assert request.errback in (None, spider.parse, spider.failed)
        assert not any(b"\n" in value for value in request.headers.to_string().split(b"\r\n"))
    assert sound > 0
    assert set(sys.modules) == before


@pytest.fixture(scope="module")
def sound_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("queue") / "sound"
    frontier = SQLiteFrontier(path, exact_links=30)
    fill(frontier, 120)
    frontier.close()
    return path


def odd_value(draw: random.Random, old: Any) -> Any:
    """Return something in place of a value of a row or of a server's key."""
    if isinstance(old, bytes) and old and draw.random() < 0.5:
        data = bytearray(old)
        for _ in range(draw.choice((1, 3, 20))):
            data[draw.randrange(len(data))] = draw.randrange(256)
        return bytes(data[: draw.randrange(len(data) + 1)] if draw.random() < 0.3 else data)
    if isinstance(old, bytes):
        record: Any = draw.choice(ODD)
        if draw.random() < 0.5:
            record = [record, draw.choice(ODD), draw.choice(ODD)]
        return json.dumps(record).encode("utf-8", "surrogatepass")
    return draw.choice((0, -1, 2**62, -(2**62), 1e308, -1e308, 1e12, "text", b"bytes", 3))


def test_whatever_the_rows_of_a_file_say_the_crawl_ends_in_order(
    sound_file: Path, tmp_path: Path
) -> None:
    ends = set()
    for seed in range(max(CASES // 20, 40)):
        draw = random.Random(seed)
        path = tmp_path / f"{seed}.frontier"
        shutil.copy(sound_file, path)
        connection = sqlite3.connect(path)
        for _ in range(draw.choice((1, 3, 10))):
            table = draw.choice(
                ("links", "waiting", "hosts", "counts", "workers", "journal", "filters", "leases")
            )
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            column = draw.choice(columns)
            rows = connection.execute(f"SELECT {column} FROM {table}").fetchall()
            if rows:
                old = draw.choice(rows)[0]
                new = odd_value(draw, old)
                with connection:
                    sql = f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {column} = ?"
                    try:
                        connection.execute(sql, (new, old))
                    except (sqlite3.Error, OverflowError):
                        continue  # the table's own rules forbid it
        connection.close()
        try:
            end, reported = work(lambda path=path: SQLiteFrontier(path, exact_links=30), steps=20)
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise
        ends.add(end)
        assert len(reported) == (end != "sound")
        for name in tmp_path.glob(f"{seed}.frontier*"):
            name.unlink()
    assert {"sound", "lost"} <= ends


@needs_redis
def test_whatever_the_keys_of_a_server_say_the_crawl_ends_in_order(tmp_path: Path) -> None:
    ends = set()
    with running(tmp_path) as server:
        client = server.client()
        for seed in range(max(CASES // 20, 40)):
            client.flushall()
            frontier = RedisFrontier(server.client(), "侨情", exact_links=30)
            fill(frontier, 60)
            frontier.close()
            poison(client, random.Random(seed))
            try:
                end, reported = work(
                    lambda: RedisFrontier(server.client(), "侨情", exact_links=30), steps=20
                )
            except BaseException as error:
                error.add_note(f"seed {seed}")
                raise
            ends.add(end)
            assert len(reported) == (end != "sound"), (seed, reported)
    assert {"sound", "lost"} <= ends


def poison(client: Any, draw: random.Random) -> None:
    """Write odd values into some of the server's keys, or give them another type."""
    for _ in range(draw.choice((1, 1, 3))):
        key = draw.choice(sorted(client.keys("*")))
        kind = client.type(key)
        if draw.random() < 0.15:
            client.delete(key)
            draw.choice((client.set, client.sadd))(key, "x")
        elif kind == b"hash":
            field, value = draw.choice(sorted(client.hgetall(key).items()))
            client.hset(key, field, odd_bytes(draw, value))
        elif kind == b"zset":
            member = draw.choice(client.zrange(key, 0, -1))
            if draw.random() < 0.5:
                client.zadd(key, {member: draw.choice((0, -1, 1e308, 1e12, float("inf")))})
            else:
                client.zadd(key, {odd_bytes(draw, member): draw.random()})
        elif kind == b"list":
            client.rpush(key, odd_bytes(draw, b"12345678"))
        elif kind == b"set":
            client.sadd(key, odd_bytes(draw, b"12345678"))
        elif kind == b"stream":
            client.xadd(key, {b"w": b"99", b"d": odd_bytes(draw, b'T["a","b","c"]')})


def odd_bytes(draw: random.Random, old: bytes) -> bytes:
    value = odd_value(draw, old)
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
