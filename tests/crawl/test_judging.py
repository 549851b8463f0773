"""``scrapy judge`` before, during and between real crawls of a small web on the loopback."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.project import QUICK, make_project, scrapy, site
from tests.support.small_web import OFF_TOPIC, ON_TOPIC, link, page
from tests.support.stored import from_store
from tests.support.waiting import PATIENCE_SECONDS, wait_until
from topiccrawl.store.contract import OutcomeRecord, Store

pytestmark = pytest.mark.slow

PAGES = {
    "/": page("归侨侨眷座谈会", ON_TOPIC * 3, link("/first", "侨乡")),
    "/first": page("侨乡博物馆展览", ON_TOPIC * 2 + "展览开幕。", link("/gate", "侨务")),
    "/gate": page(
        "侨务工作会议", ON_TOPIC * 2 + "会议。", link("/on", "侨胞") + link("/off", "足球")
    ),
    "/on": page("海外侨胞寻根之旅", ON_TOPIC * 2 + "寻根。"),
    "/off": page("足球比赛", OFF_TOPIC * 3),
    "/alone": page("天气预报", OFF_TOPIC * 2 + "明天有雨。"),
    "/copy": page("归侨侨眷座谈会", ON_TOPIC * 3),
}


class Web:
    """PAGES on a free loopback port; what is behind a gate waits until it is opened."""

    def __init__(self) -> None:
        self.pages = dict(PAGES)
        self.url = ""
        self.asked: list[str] = []
        self.at_gate, self.opened = threading.Event(), threading.Event()
        self.opened.set()

    def ask(self, path: str) -> None:
        """Note a request, before it is answered."""
        self.asked.append(path)
        if path.startswith("/gate"):
            self.at_gate.set()
            self.opened.wait(PATIENCE_SECONDS)


@pytest.fixture
def web() -> Iterator[Web]:
    web = Web()
    with site(web.pages, web.ask) as web.url:
        yield web
        web.opened.set()


class Project:
    """A project with a topic of its own."""

    def __init__(self, folder: Path, web: Web, topic: str = "侨情") -> None:
        self.folder = make_project(folder)
        self.web = web
        self.topic = topic
        self.uri = f"sqlite:///{folder}/data/pages.sqlite"

    def run(self, *words: str, settings: Sequence[str] = ()) -> tuple[int, str, str]:
        own = (*QUICK, "CONCURRENT_REQUESTS=1", f"TOPICCRAWL_STORE_URI={self.uri}", *settings)
        return scrapy(self.folder, *words, settings=own)

    def crawl(self, *settings: str) -> None:
        words = ["-a", f"topic={self.topic}", "-a", f"seeds={self.web.url}/"]
        code, _, log = self.run("crawl", "topic", *words, settings=settings)
        assert code == 0, log

    def judge(self, judgment: str, *paths: str) -> str:
        urls = [self.web.url + path for path in paths]
        code, output, log = self.run("judge", *urls, judgment, "--topic", self.topic)
        assert code == 0, log
        return output

    def kept(self) -> set[str]:
        async def paths(store: Store) -> set[str]:
            return {found.url async for found in store.pages(self.topic)}

        return {url.removeprefix(self.web.url) for url in from_store(self.uri, paths)}

    def outcome(self, path: str) -> tuple[str, str]:
        async def one(store: Store) -> OutcomeRecord | None:
            return await store.outcome(self.topic, self.web.url + path)

        found = from_store(self.uri, one)
        assert found is not None
        return found.verdict, found.reason


@pytest.fixture
def project(tmp_path: Path, web: Web) -> Project:
    return Project(make_project(tmp_path, "侨情"), web)


def test_judgments_made_before_the_first_crawl_decide_and_seed(project: Project) -> None:
    assert "the next crawl fetches it" in project.judge("yes", "/off", "/alone")
    project.judge("no", "/on")
    assert (project.folder / "seeds" / "侨情" / "judgments.tsv").is_file()
    assert not (project.folder / "data").exists(), "nothing but the file is made"
    project.crawl()
    assert project.kept() == {"/", "/first", "/gate", "/off", "/alone"}
    assert project.outcome("/on") == ("dropped", "judged")
    assert project.outcome("/alone") == ("stored", "judged")
    assert "/copy" not in project.web.asked


@contextmanager
def crawling_up_to_the_gate(project: Project) -> Iterator[None]:
    """Crawl; within, the pages before the gate are kept, and those behind it wait."""
    web = project.web
    web.opened.clear()
    with ThreadPoolExecutor(1) as thread:
        crawl = thread.submit(project.crawl)
        try:
            assert web.at_gate.wait(PATIENCE_SECONDS)
            # Pages are written in batches, while the next ones are fetched.
            wait_until(lambda: project.kept() == {"/", "/first"})
            yield
        finally:
            web.opened.set()
        crawl.result()


def test_a_running_crawl_learns_at_once(project: Project) -> None:
    with crawling_up_to_the_gate(project):
        assert "was withdrawn" in project.judge("no", "/first", "/on")
        assert project.kept() == {"/"}
        project.judge("yes", "/off")
    assert project.kept() == {"/", "/gate", "/off"}
    assert project.outcome("/on") == ("dropped", "judged")
    assert project.outcome("/first") == ("dropped", "judged")


def test_a_rejected_text_is_kept_out_on_other_pages_of_the_same_crawl(project: Project) -> None:
    web = project.web
    web.pages["/on"] = page("侨乡博物馆展览", ON_TOPIC * 2 + "展览开幕。")
    with crawling_up_to_the_gate(project):
        project.judge("no", "/first")
    assert "/on" in web.asked
    assert project.kept() == {"/", "/gate"}
    assert project.outcome("/on") == ("dropped", "rejected-text")
    code, output, log = project.run("explain", f"{web.url}/on")
    assert code == 0, log
    assert f"same text as {web.url}/first, which the user judged off topic" in output
    project.judge("yes", "/on")
    assert project.kept() == {"/", "/gate", "/on"}


def test_every_worker_of_a_queue_learns_at_once(project: Project) -> None:
    """Two workers wait at a gate each; behind it each finds a page that was judged meanwhile."""
    web = project.web
    web.pages["/first"] = page(
        "侨乡博物馆展览", ON_TOPIC * 2 + "展览。", link("/gate", "侨务") + link("/gate-2", "侨务")
    )
    web.pages["/gate-2"] = page("侨联联谊活动", ON_TOPIC * 2 + "联谊。", link("/on-2", "侨胞"))
    web.pages["/on-2"] = page("华文学校开学典礼", ON_TOPIC * 2 + "典礼。")
    web.opened.clear()
    with ThreadPoolExecutor(2) as threads:
        crawls = [
            threads.submit(project.crawl, "CONCURRENT_REQUESTS_PER_DOMAIN=2") for _ in range(2)
        ]
        try:
            wait_until(lambda: {"/gate", "/gate-2"} <= set(web.asked))
            project.judge("no", "/on", "/on-2")
            project.judge("yes", "/off")
        finally:
            web.opened.set()
        for crawl in crawls:
            crawl.result()
    assert {"/on", "/on-2", "/off"} <= set(web.asked)
    assert project.kept() == {"/", "/first", "/gate", "/gate-2", "/off"}


def test_a_page_dropped_before_it_was_judged_is_fetched_again(project: Project) -> None:
    project.crawl("TOPICCRAWL_NEAR_MISSES=0")  # those would enter as they are
    assert project.outcome("/off") == ("dropped", "off-topic")
    project.web.asked.clear()
    project.judge("yes", "/off", "/copy")
    project.crawl()
    assert {"/off", "/copy"} <= set(project.web.asked)
    # The user wants both of two equal pages.
    assert project.kept() == {"/", "/first", "/gate", "/on", "/off", "/copy"}
    project.web.asked.clear()
    project.crawl()
    assert not {"/off", "/copy"} & set(project.web.asked)


def test_changing_ones_mind_withdraws_and_readmits(project: Project) -> None:
    project.crawl()
    everything = project.kept()
    assert "was withdrawn from the collection" in project.judge("no", "/on")
    assert project.kept() == everything - {"/on"}
    code, output, _ = project.run(
        "export", "--standing", "withdrawn", "--fields", "url", "--out", "-", "--format", "csv"
    )
    assert (code, output.split()[1:]) == (0, [f'"{project.web.url}/on"'])
    code, output, _ = project.run("explain", f"{project.web.url}/on")
    assert code == 0
    assert "judged by the user" in output
    assert "withdrawn: " in output
    assert "is in the collection again" in project.judge("yes", "/on")
    assert project.kept() == everything
    code, output, log = project.run("judge", "--list", "-a", "topic=侨情")
    assert code == 0
    assert [line.split("\t")[:2] for line in output.splitlines()] == [
        [f"{project.web.url}/on", "yes"]
    ]
    assert "1 relevant, 0 not relevant" in log


def test_a_judgment_deleted_from_the_file_is_forgotten_by_the_next_crawl(project: Project) -> None:
    project.crawl()
    everything = project.kept()
    project.judge("no", "/on", "/first")
    file = project.folder / "seeds" / "侨情" / "judgments.tsv"
    lines = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join(line for line in lines if "/on\t" not in line), "utf-8")
    project.crawl()
    assert project.kept() == everything - {"/first"}
    assert project.outcome("/on") == ("stored", "readmitted")
    project.crawl()
    assert project.kept() == everything - {"/first"}, "once and for all"


def test_pages_of_a_word_without_a_folder_can_be_judged(tmp_path: Path, web: Web) -> None:
    project = Project(tmp_path, web, "侨乡")
    code, _, log = project.run("judge", f"{web.url}/on", "no", "--topic", "侨乡")
    assert code == 1, "nothing is known of this word yet"
    assert "topic '侨乡' is not known" in log
    project.crawl()
    kept = project.kept()
    assert "/first" in kept
    project.judge("no", "/first")
    assert project.kept() == kept - {"/first"}
    (file,) = (tmp_path / "data").glob("*.judgments.tsv")
    assert f"{web.url}/first\tno" in file.read_text("utf-8")
    project.crawl()
    assert project.kept() == kept - {"/first"}


def test_judgments_of_a_word_move_into_the_folder_that_it_gets(tmp_path: Path, web: Web) -> None:
    """Else a new queue forgets them: the judgment of /first would be in a file that nobody reads."""
    project = Project(tmp_path, web, "侨乡")
    project.crawl()
    kept = project.kept()
    project.judge("no", "/first", "/gate")
    code, _, log = project.run("topics", "--new", "侨乡", "--keywords", "侨乡,侨务,归侨,侨胞")
    assert code == 0, log
    _, listed, _ = project.run("judge", "--list", "--topic", "侨乡")
    assert f"{web.url}/first\tno" in listed
    file = tmp_path / "seeds" / "侨乡" / "judgments.tsv"
    file.write_text(
        "".join(it for it in file.open(encoding="utf-8") if "/gate\t" not in it), "utf-8"
    )
    project.crawl("TOPICCRAWL_RELEVANCE_THRESHOLD=0.05")
    assert project.kept() >= kept - {"/first"}
    assert project.outcome("/gate") == ("stored", "readmitted"), "its line was deleted"
    assert project.outcome("/first") == ("dropped", "judged")
    assert not [*(tmp_path / "data").glob("*.judgments.tsv")]


def test_a_deleted_page_is_fetched_again_once_that_is_allowed_whatever_was_judged(
    project: Project,
) -> None:
    project.crawl()
    url = f"{project.web.url}/first"
    code, _, log = project.run("forget", project.topic, "--url", url, "--yes")
    assert code == 0, log
    assert "--allow-again" in project.judge("yes", "/first")
    project.web.asked.clear()
    project.crawl()
    assert "/first" not in project.web.asked
    for at_first in (True, False):
        code, _, log = project.run("forget", project.topic, "--allow-again", url)
        assert (code == 0) is at_first, log
    assert "no page" in log
    assert "the next crawl fetches it" in project.judge("yes", "/first")


def test_a_deleted_page_that_is_allowed_again_waits_in_the_queue(project: Project) -> None:
    project.crawl()
    url = f"{project.web.url}/first"
    project.run("forget", project.topic, "--url", url, "--yes")
    code, _, log = project.run("forget", project.topic, "--allow-again", url)
    assert code == 0, log
    project.web.asked.clear()
    project.crawl()
    assert "/first" in project.web.asked
    assert "/first" in project.kept()


def test_that_a_page_may_be_fetched_again_creates_no_store(project: Project) -> None:
    code, _, log = project.run("forget", project.topic, "--allow-again", "http://a.example.cn/")
    assert code == 1
    assert "no such file" in log
    assert not (project.folder / "data").exists()
