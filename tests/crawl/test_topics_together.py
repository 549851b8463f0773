"""Three topics at once on one Redis and one MongoDB: each finds what it finds alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from benchmarks.known_web import QIAOQING, KnownWeb
from benchmarks.worker_processes import crawl_words, stored_pages
from tests.support import mongo_server, redis_server
from tests.support.forked import ForkedCommand, start_logged
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

pytestmark = pytest.mark.slow

LIBRARIES = (
    "图书馆编目部门采用新的分类法整理馆藏文献。",
    "公共图书馆延长开放时间，读者服务和参考咨询更加方便。",
    "图书馆学研究者讨论信息组织、主题标引和文献检索。",
    "数字图书馆建设包括古籍数字化和机构知识库。",
    "高校图书馆举办信息素养讲座，介绍数据库检索方法。",
)
ENERGY = (
    "The wind farm delivers renewable energy to the grid at low cost. ",
    "Solar panels and photovoltaic plants grew faster than any other source of electricity. ",
    "Offshore wind turbines and solar power need storage such as batteries and pumped hydro. ",
    "A renewable energy policy sets feed-in tariffs for solar, wind and biomass. ",
    "Geothermal and hydroelectric power complete the renewable mix of the region. ",
)
TOPICS = ("侨情", "图书馆学", "renewable-energy")
PATIENCE_SECONDS = 120.0


@pytest.fixture
def services(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A Redis and a MongoDB server of one's own: their addresses."""
    if redis_server.executable() is None:
        pytest.skip(redis_server.HOW_TO_GET_ONE)
    executable = mongo_server.given_executable()
    if executable is None:
        pytest.skip(mongo_server.HOW_TO_GET_A_KILLABLE_ONE)
    for name in ("redis", "mongo"):
        (tmp_path / name).mkdir()
    redis = redis_server.RedisServer(tmp_path / "redis", append_only=True)
    mongo = mongo_server.MongoServer(executable, tmp_path / "mongo")
    redis.start()
    mongo.start()
    yield redis.url, mongo.uri
    redis.kill()
    mongo.kill()


def start(
    topic: str, proxy: str, folder: Path, services: tuple[str, str], place: str
) -> ForkedCommand:
    """One worker on *topic*; *place* names the database and the first part of the keys."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = {
        "TOPICCRAWL_FRONTIER_BACKEND": "redis",
        "REDIS_URL": services[0],
        "TOPICCRAWL_FRONTIER_PREFIX": place,
        "TOPICCRAWL_STORE_URI": f"{services[1]}/{place}",
        "TOPICCRAWL_STORE_SPOOL_DIR": folder / "spool",
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": 0,
        "CONCURRENT_REQUESTS": 4,
        # What the classifier learns depends on the order of fetches, which four requests at once vary.
        "TOPICCRAWL_PAGE_CLASSIFIER": 0,
    }
    words = crawl_words(topic, (SEED,), settings)
    return start_logged(words, environment(proxy), folder / "crawl.log")


SEED = KnownWeb(60, 4).seeds[0]


def finished(processes: Sequence[ForkedCommand]) -> list[int]:
    return [process.wait(PATIENCE_SECONDS) for process in processes]


def test_each_topic_stores_the_same_pages_alone_and_beside_the_others(
    tmp_path: Path, services: tuple[str, str]
) -> None:
    web = KnownWeb(60, 4, subjects=(QIAOQING, LIBRARIES, ENERGY))
    with WebServer(web) as server:
        together = [
            start(topic, server.url, tmp_path / f"together-{i}", services, "together")
            for i, topic in enumerate(TOPICS)
        ]
        assert finished(together) == [0, 0, 0]
        for i, topic in enumerate(TOPICS):
            alone = start(topic, server.url, tmp_path / f"alone-{i}", services, f"alone{i}")
            assert finished([alone]) == [0]
    for i, topic in enumerate(TOPICS):
        found = set(stored_pages(f"{services[1]}/together", topic))
        assert found == set(stored_pages(f"{services[1]}/alone{i}", topic))
        # Each crawled the whole web and kept what is its own.
        assert found == {url for k, url in enumerate(web.urls) if k % 3 == i}
