"""docs/deployment.md on a real scrapyd: deployed, scheduled, two topics at once, canceled, continued."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.clean_copy import ROOT, clean_copy
from tests.support.crawl_runs import CrawlResult
from tests.support.scrapyd_server import HOW_TO_GET_ONE, PROJECT, Scrapyd
from tests.support.stored import from_store
from topiccrawl.demo.web import DemoWeb
from topiccrawl.errors import ConfigurationError
from topiccrawl.store.contract import PageRecord, Store
from topiccrawl.webserver.server import WebServer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not all(importlib.util.find_spec(name) for name in ("scrapyd", "scrapyd_client")),
        reason=HOW_TO_GET_ONE,
    ),
]

#: A word without a folder: beside 侨情 the demonstration web is about sports, too.
OTHER_TOPIC = "体育"
BOT = "deployed"
PAGES = 40
#: Of two jobs at once: enough for both to find something.
PAGES_OF_TWO = 55
#: Answers take this long, so that jobs are still running when the test looks at them.
LATENCY_SECONDS = 0.05
#: Loopback needs no politeness; pages that fail at first come again while the job runs.  An order that does not
#: explore finds the topics in few pages, whatever the times of the answers.
SETTINGS = (
    "TOPICCRAWL_STRATEGY=ipagerank-rwb",
    "DOWNLOAD_DELAY=0",
    "AUTOTHROTTLE_ENABLED=0",
    "CONCURRENT_REQUESTS=4",
    "TOPICCRAWL_RETRY_DELAY_SECONDS=1",
    "TOPICCRAWL_PROGRESS_INTERVAL_SECONDS=1",
)
#: A line of Scrapy's LOG_FORMAT with its LOG_DATEFORMAT; log dashboards look for nothing else.
LOG_LINE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) \[([\w.]+)\] ([A-Z]+): (.*)")


@pytest.fixture(scope="module")
def demo() -> Iterator[WebServer]:
    with WebServer(DemoWeb(seed=7, size=150), latency_seconds=LATENCY_SECONDS) as server:
        yield server


@pytest.fixture(scope="module")
def scrapyd(demo: WebServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scrapyd]:
    """A scrapyd to which the project has been deployed."""
    server = Scrapyd(tmp_path_factory.mktemp("scrapyd"), demo.url)
    server.start()
    try:
        tree = clean_copy(tmp_path_factory.mktemp("tree") / "topiccrawl")
        _mark(tree / "topiccrawl" / "settings.py")
        done = server.deploy(tree)
        assert done.returncode == 0, done.stderr + done.stdout
        assert json.loads(done.stdout)["status"] == "ok", done.stdout
        yield server
    finally:
        server.stop()


@pytest.fixture
def installed(demo: WebServer, tmp_path: Path) -> Iterator[Scrapyd]:
    """A scrapyd as the systemd unit runs it."""
    with running_installed(tmp_path, demo.url) as server:
        yield server


@contextmanager
def running_installed(folder: Path, proxy: str) -> Iterator[Scrapyd]:
    """A scrapyd in whose environment topiccrawl is installed."""
    unit = (ROOT / "deploy" / "systemd" / "scrapyd.service").read_text("utf-8")
    set_there = re.findall(r"^Environment=(\w+)=(\S+)$", unit, re.MULTILINE)
    server = Scrapyd(
        folder,
        proxy,
        more_options=(ROOT / "deploy" / "scrapyd-installed.conf").read_text("utf-8"),
        more_environment=dict(set_there) | {"PYTHONPATH": str(ROOT)},
    )
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _mark(settings: Path) -> None:
    """Make the logs tell what was deployed from a topiccrawl that is installed."""
    line = f'BOT_NAME = "{PROJECT}"'
    text = settings.read_text("utf-8")
    assert text.count(line) == 1
    settings.write_text(text.replace(line, f'BOT_NAME = "{BOT}"'), "utf-8")


def documented(
    topic: str, demo: WebServer, seeds: Sequence[str] | None = None
) -> list[tuple[str, str]]:
    """The fields of the documentation's `curl …/schedule.json`, for *topic* and *seeds* or those of the web."""
    text = (ROOT / "docs" / "deployment.md").read_text("utf-8")
    line = next(line for line in text.splitlines() if "/schedule.json -d" in line)
    words = shlex.split(line)
    assert words[:2] == ["curl", "http://127.0.0.1:6800/schedule.json"]
    fields = dict(word.split("=", 1) for option, word in zip(words[2::2], words[3::2], strict=True))
    assert fields["topic"] == "侨情"
    return list((fields | {"topic": topic, "seeds": ",".join(seeds or demo.web.seeds)}).items())


def stored(folder: Path, topic: str) -> list[PageRecord]:
    """Pages of *topic*, copies too, in the default store of jobs that scrapyd runs in *folder*."""

    async def read(store: Store) -> list[PageRecord]:
        return [page async for page in store.pages(topic, copies=True)]

    return from_store(f"sqlite:///{folder / 'data' / 'topiccrawl.sqlite'}", read)


def count(stats: Mapping[str, object], name: str) -> int:
    """Return a counter."""
    return int(str(stats.get(name, 0)))


def written(stats: Mapping[str, object]) -> int:
    """Return how many pages the job has stored; whether copies are among them depends on the order of answers."""
    return sum(count(stats, f"topiccrawl/pages/{name}") for name in ("stored", "copies"))


def in_collection(stats: Mapping[str, object]) -> int:
    """Return how many pages, copies too, the job leaves in the collection, as docs/stats.md counts them."""
    came, left = (
        sum(count(stats, f"topiccrawl/pages/{name}") for name in names)
        for names in (
            ("admitted", "readmitted", "copies_entered"),
            ("withdrawn", "copies_withdrawn"),
        )
    )
    return written(stats) + came - left


@dataclass(frozen=True)
class Job:
    """A finished job: its id and its log."""

    id: str
    log: str

    @property
    def stats(self) -> dict[str, object]:
        """The stats that Scrapy dumped into the log."""
        return dict(CrawlResult(0, "", "", self.log, (), (), (), ()).stats)

    def lines(self) -> list[tuple[str, str, str]]:
        """Logger, level and message of all records."""
        return [(m[2], m[3], m[4]) for m in LOG_LINE.finditer(self.log)]


@pytest.fixture(scope="module")
def two_jobs(scrapyd: Scrapyd, demo: WebServer) -> tuple[Job, Job]:
    """Two topics at once."""
    settings = (*SETTINGS, f"CLOSESPIDER_PAGECOUNT={PAGES_OF_TWO}")
    # Both find their topic in few pages: the web's own seeds are far from sports.
    seeds = {"侨情": demo.web.seeds, OTHER_TOPIC: demo.web.relevant("sport", ("list",))}
    ids = [scrapyd.schedule(documented(t, demo, seeds[t]), *settings) for t in seeds]

    def both_run() -> bool:
        return len(scrapyd.get("listjobs.json", project=PROJECT)["running"]) == len(ids)

    scrapyd.wait_for(both_run, "two jobs at once")
    first, second = scrapyd.finished(*ids)
    return Job(ids[0], first), Job(ids[1], second)


def test_the_deployed_egg_offers_the_topic_spider(scrapyd: Scrapyd) -> None:
    assert scrapyd.get("listprojects.json")["projects"] == [PROJECT]
    assert scrapyd.get("listspiders.json", project=PROJECT)["spiders"] == ["topic"]
    (egg,) = (scrapyd.folder / "eggs" / PROJECT).iterdir()
    assert egg.is_file(), "it stays zipped"


def test_two_topics_at_once_store_each_its_own_pages(
    scrapyd: Scrapyd, two_jobs: tuple[Job, Job]
) -> None:
    for topic, job in zip(("侨情", OTHER_TOPIC), two_jobs, strict=True):
        pages = stored(scrapyd.folder, topic)
        assert job.stats["finish_reason"] == "closespider_pagecount"
        assert written(job.stats) == job.stats["item_scraped_count"]
        assert len(pages) == in_collection(job.stats) > 0
        assert {page.topic for page in pages} == {topic}
    queues = [path.name for path in (scrapyd.folder / "data").glob("*.frontier")]
    assert sorted(name.rpartition("-")[0] for name in queues) == sorted(["侨情", OTHER_TOPIC])


def test_log_parsers_find_what_they_look_for(two_jobs: tuple[Job, Job]) -> None:
    job = two_jobs[0]
    assert f"(bot: {BOT})" in job.log.splitlines()[0]
    assert "Traceback" not in job.log
    lines = job.lines()
    assert {level for _, level, _ in lines} <= {"INFO", "WARNING"}
    messages = [message for _, _, message in lines]
    crawled = r"Crawled \d+ pages \(at \d+ pages/min\), scraped \d+ items \(at \d+ items/min\)"
    assert any(re.fullmatch(crawled, message) for message in messages)
    assert sum(message.startswith("Progress: ") for message in messages) > 0
    assert "Dumping Scrapy stats:" in messages
    assert messages[-1] == "Spider closed (closespider_pagecount)"
    # LogParser takes the last of each.
    assert re.findall(r"'finish_reason': '(.+?)'", job.log) == ["closespider_pagecount"]
    assert int(re.findall(r"'response_received_count': (\d+)", job.log)[-1]) >= PAGES
    assert job.stats["item_scraped_count"] == written(job.stats)


def test_scrapyds_own_pages_show_jobs_logs_and_items(
    scrapyd: Scrapyd, two_jobs: tuple[Job, Job]
) -> None:
    jobs = scrapyd.text("jobs")
    listing = scrapyd.text(f"logs/{PROJECT}/topic/")
    for topic, job in zip(("侨情", OTHER_TOPIC), two_jobs, strict=True):
        entry = scrapyd.job(job.id)
        assert f'<a href="{entry["log_url"]}">Log</a>' in jobs
        assert f'<a href="{entry["items_url"]}">Items</a>' in jobs
        assert f"{job.id}.log" in listing
        items = [json.loads(line) for line in scrapyd.text(entry["items_url"]).splitlines()]
        assert len(items) == job.stats["item_scraped_count"]
        # An item is a page that was kept when it was fetched: it can leave the collection later.
        kept = {page.url for page in stored(scrapyd.folder, topic)}
        left = {item["url"] for item in items} - kept
        assert len(left) <= count(job.stats, "topiccrawl/pages/withdrawn")


def test_a_job_that_was_canceled_goes_on_when_it_is_scheduled_again(
    scrapyd: Scrapyd, demo: WebServer, two_jobs: tuple[Job, Job]
) -> None:
    topic = "美食"
    before = len(demo.requests)
    # Without a limit: only the signal ends it.
    first = scrapyd.schedule(documented(topic, demo), *SETTINGS)
    enough = before + PAGES
    scrapyd.wait_for(lambda: len(demo.requests) >= enough, "requests of the first job")
    answer = scrapyd.post("cancel.json", [("project", PROJECT), ("job", first)])
    assert answer["prevstate"] == "running"
    (log,) = scrapyd.finished(first)
    assert Job(first, log).stats["finish_reason"] == "shutdown"
    after_first = len(demo.requests)
    assert list((scrapyd.folder / "data").glob(f"{topic}-*.frontier"))

    # The web has a calendar without end: a limit.
    limit = f"CLOSESPIDER_PAGECOUNT={PAGES}"
    second = scrapyd.schedule(documented(topic, demo), *SETTINGS, limit)
    (log,) = scrapyd.finished(second)
    assert Job(second, log).stats["finish_reason"] == "closespider_pagecount"

    records = [r for r in demo.requests[before:] if not r.url.endswith("/robots.txt")]
    fetched = Counter(r.url for r in records if r.status == 200)
    assert {url: n for url, n in fetched.items() if n > 1} == {}
    resumed = {r.url for r in demo.requests[after_first:]}
    assert len(resumed) >= PAGES
    assert not resumed & set(demo.web.seeds), "it did not begin at the seeds again"


def test_a_wrong_topic_is_logged_by_the_server_and_ends_the_log_of_the_job(
    scrapyd: Scrapyd, demo: WebServer
) -> None:
    fields = [(name, value) for name, value in documented("没有这个主题", demo) if name != "seeds"]
    job = scrapyd.schedule(fields)
    scrapyd.wait_for(lambda: scrapyd.job(job)["state"] == "finished", "the job")
    out = (scrapyd.folder / "scrapyd.out").read_text("utf-8")
    assert "topiccrawl: topic '没有这个主题' is not known" in out
    (log,) = scrapyd.finished(job)
    assert "ERROR: The command failed: topic '没有这个主题' is not known" in log.splitlines()[-1]
    assert f"Process died: exitstatus=1 project='{PROJECT}' spider='topic' job='{job}'" in out


def test_where_topiccrawl_is_installed_nothing_need_or_can_be_deployed(
    installed: Scrapyd, tmp_path: Path
) -> None:
    assert installed.get("listspiders.json", project=PROJECT)["spiders"] == ["topic"]
    done = installed.deploy(clean_copy(tmp_path / "tree"))
    assert done.returncode == 1
    assert "Deploy failed (404)" in done.stderr


def test_a_signal_to_all_processes_ends_the_jobs_in_order(
    installed: Scrapyd, demo: WebServer
) -> None:
    enough = len(demo.requests) + 2 * PAGES
    job = installed.schedule(documented("侨情", demo), *SETTINGS)
    installed.wait_for(lambda: len(demo.requests) >= enough, "requests of the job")
    log = installed.folder / installed.job(job)["log_url"].lstrip("/")
    installed.signal_all()
    installed.wait_for(lambda: "Spider closed" in log.read_text("utf-8"), "the end of the job")
    stats = Job(job, log.read_text("utf-8")).stats
    assert stats["finish_reason"] == "shutdown"
    assert stats["topiccrawl/frontier/size/leased"] == 0
    assert len(stored(installed.folder, "侨情")) == in_collection(stats) > 0


def test_a_job_that_is_canceled_twice_is_cut_short_and_goes_on_all_the_same(
    tmp_path: Path,
) -> None:
    # Answers are so slow that the job cannot end in order between the two.
    with (
        WebServer(DemoWeb(seed=7, size=150), latency_seconds=2.0) as slow,
        running_installed(tmp_path, slow.url) as server,
    ):
        job = server.schedule(documented("侨情", slow), *SETTINGS)
        server.wait_for(lambda: bool(stored_so_far(tmp_path)), "a stored page")
        log = tmp_path / server.job(job)["log_url"].lstrip("/")
        cancel = [("project", PROJECT), ("job", job)]
        server.post("cancel.json", cancel)
        closing = "Closing spider (shutdown)"
        server.wait_for(lambda: closing in log.read_text("utf-8"), "the first signal")
        server.post("cancel.json", cancel)
        (text,) = server.finished(job)
        kept, cut_at = stored_so_far(tmp_path), len(slow.requests)
        assert "Spider closed" not in text, "it was cut short"
        assert "Traceback" not in text
        job = server.schedule(documented("侨情", slow), *SETTINGS, "CLOSESPIDER_PAGECOUNT=8")
        (text,) = server.finished(job)
        again = {r.url for r in slow.requests[cut_at:] if not r.url.endswith("/robots.txt")}
    stats = Job(job, text.rpartition("Scrapy 2")[2]).stats
    assert "Continuing with the queue of this topic" in text
    assert stats["finish_reason"] == "closespider_pagecount"
    assert stats["topiccrawl/frontier/size/leased"] == 0
    assert kept <= stored_so_far(tmp_path)
    assert not again & kept, "what was stored is not fetched again"


def stored_so_far(folder: Path) -> set[str]:
    """URLs of the stored pages; none while there is no store."""
    try:
        return {page.url for page in stored(folder, "侨情")}
    except ConfigurationError:  # there is no file yet, or it has no tables yet
        return set()
