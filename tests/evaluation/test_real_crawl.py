"""The real crawler on stored webs: pages, their order, and the errors of failed crawls."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.chinese_web import GBK, HOME, MANY, WIDE, leaf, small_pages, small_topics
from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.experiment import Experiment
from topiccrawl.evaluation.replay.crawl import CrawlFailed, crawl
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.web import Web
from topiccrawl.evaluation.webs.writer import write_web

ROOT = Path(__file__).parents[2]


def experiment(pages: int, **changes: object) -> Experiment:
    values: dict[str, object] = {"topic": "侨情", "seeds": "far", "strategy": "breadth-first"}
    return Experiment(**(values | {"max_pages": pages} | changes))  # type: ignore[arg-type]


@pytest.fixture
def web(tmp_path: Path) -> Web:
    return open_web(str(write_web(tmp_path / "web", small_pages(leaves=12), small_topics(12))))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "crawl"
    path.mkdir()
    return path


def test_a_crawl_fetches_the_stored_graph_in_order_with_the_crawlers_relevance(
    web: Web, folder: Path
) -> None:
    fetched: list[int] = []
    run = crawl(web, web.topics[0], experiment(100), folder=folder, tick=fetched.append)
    urls = [fetch.url for fetch in run.fetches]
    assert urls[0] == HOME
    assert set(urls[1:4]) == {GBK, MANY, WIDE}, "breadth first; the redirect is no page"
    # /old leads to a page that is known by then.
    assert sorted(urls[4:]) == sorted(leaf(i) for i in range(12))
    assert run.note == "nothing left to fetch"
    assert run.mode == "crawl"
    assert fetched[-1] == len(urls)
    relevance = {fetch.url: fetch.relevance for fetch in run.fetches}
    assert not any(map(math.isnan, relevance.values()))
    assert relevance[GBK] > relevance[HOME], "undeclared GBK is read"
    assert all(fetch.size > 0 for fetch in run.fetches)
    (end,) = run.checkpoints
    probability = dict(zip(urls, end.judgments.probability, strict=True))
    kept = {url for url, yes in zip(urls, end.judgments.kept, strict=True) if yes}
    assert all(probability[url] >= 0.5 for url in kept), "the judgment by the words, p = e/(1+e)"
    assert probability[HOME] < 0.5
    # All leaves have the text of the first one, with titles that differ in a number.
    assert kept
    assert kept <= {GBK, WIDE, *map(leaf, range(12))}


def test_a_crawl_ends_after_exactly_its_budget_of_pages(web: Web, folder: Path) -> None:
    run = crawl(web, web.topics[0], experiment(6), folder=folder, concurrency=16)
    assert len(run.fetches) == 6
    assert run.note == ""
    assert not any(math.isnan(fetch.relevance) for fetch in run.fetches)


def test_example_pages_can_define_the_topic(web: Web, folder: Path) -> None:
    run = crawl(web, web.topics[0], experiment(3, define="examples"), folder=folder)
    assert len(run.fetches) == 3
    assert "[keywords" not in next(folder.glob("*/topic.toml")).read_text("utf-8")


def test_the_error_of_a_failed_crawl_quotes_the_crawlers_log(web: Web, folder: Path) -> None:
    with pytest.raises(CrawlFailed, match="no-such-order"):
        crawl(web, web.topics[0], experiment(5, strategy="no-such-order"), folder=folder)


def test_a_topic_without_examples_cannot_be_defined_by_examples(
    tmp_path: Path, folder: Path
) -> None:
    web = open_web(str(write_web(tmp_path / "web", small_pages(), small_topics())))
    topic = replace(web.topics[0], examples=())
    with pytest.raises(ConfigurationError, match="examples"):
        crawl(web, topic, experiment(5, define="examples"), folder=folder)


#: Whoever starts the tests in the background of a shell starts them with SIGINT ignored.
SLOW = """
import signal
import sys
from pathlib import Path
from topiccrawl.evaluation.experiment import Experiment
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.replay.crawl import crawl
signal.signal(signal.SIGINT, signal.default_int_handler)
web = open_web(sys.argv[1])
experiment = Experiment("侨情", "far", "breadth-first", 100)
report = lambda fetched: print(fetched, flush=True)
crawl(web, web.topics[0], experiment, folder=Path(sys.argv[2]), latency_seconds=3600, tick=report)
"""


def test_one_word_can_define_the_topic(web: Web, folder: Path) -> None:
    run = crawl(web, web.topics[0], experiment(3, define="word"), folder=folder)
    assert len(run.fetches) == 3
    assert not any(math.isnan(fetch.relevance) for fetch in run.fetches)
    assert not list(folder.glob("*/topic.toml"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_crawler_does_not_outlive_an_interrupted_evaluation(
    tmp_path: Path, web: Web, folder: Path, number: int
) -> None:
    command = [sys.executable, "-c", SLOW, str(tmp_path / "web"), str(folder)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    while process.stdout.readline().strip() != b"0":
        assert process.poll() is None
    (child,) = (Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()).split()
    process.send_signal(number)
    process.wait(timeout=60)
    process.stdout.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int(child), 0)
