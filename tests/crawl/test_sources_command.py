"""``scrapy sources --test`` and ``--refresh`` leave engines alone as crawls do, and crawls as they do."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from pathlib import Path
from subprocess import CompletedProcess

from benchmarks.search.engines import LocalEngine, running
from benchmarks.search.index import Hit, Index
from tests.support.crawl_runs import scrapy
from tests.support.project import make_project

WORD = "侨眷"
INDEX = Index([Hit("http://www.qiao.example/1.html", "侨眷座谈", "侨眷与侨联座谈")])
ROOT = Path(__file__).parents[2]


def sources(folder: Path, action: str, *engines: LocalEngine) -> CompletedProcess[str]:
    return run(folder, ("sources", WORD, action), *engines)


def run(folder: Path, words: tuple[str, ...], *engines: LocalEngine) -> CompletedProcess[str]:
    make_project(folder)
    own = folder / "engines"
    own.mkdir(exist_ok=True)
    for engine in engines:
        (own / f"{engine.name}.toml").write_text(engine.description)
    settings = {
        "TOPICCRAWL_SEARCH_ENGINES": ",".join(engine.name for engine in engines),
        "TOPICCRAWL_SEARCH_FOLDER": own,
        "TOPICCRAWL_SEARCH_QUERIES": 3,
        "TOPICCRAWL_SEARCH_REST_SECONDS": 2000,
        "TOPICCRAWL_STORE_URI": "sqlite:///pages.sqlite",
        "TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED": "127.0.0.0/8",
    }
    options = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    return scrapy([*words, *options], {"PYTHONPATH": str(ROOT), "LANG": "C"}, cwd=folder)


def test_an_engine_that_has_refused_is_not_asked_by_the_next_command(tmp_path: Path) -> None:
    captcha = LocalEngine("captcha", INDEX, bad=1.0, faults=("captcha",))
    good = LocalEngine("good", INDEX, bad=0.0)
    with running([captcha, good]):
        first = sources(tmp_path, "--test", captcha, good)
        second = sources(tmp_path, "--test", captcha, good)
        sources(tmp_path, "--refresh", captcha, good)
        assert captcha.asked == [WORD], "once, by the first command"
    assert first.returncode == second.returncode == 1
    assert "captcha: blocked" in first.stdout, first.stdout + first.stderr
    assert "captcha: resting" in second.stdout, second.stdout + second.stderr
    assert "rests for another" in second.stdout
    assert "good: good" in second.stdout
    assert len(good.asked) > 2


def test_a_refusal_in_a_refresh_holds_for_a_test(tmp_path: Path) -> None:
    captcha = LocalEngine("captcha", INDEX, bad=1.0, faults=("429",))
    with running([captcha]):
        refreshed = sources(tmp_path, "--refresh", captcha)
        assert captcha.asked == [WORD], refreshed.stdout + refreshed.stderr
        tested = sources(tmp_path, "--test", captcha)
        again = sources(tmp_path, "--refresh", captcha)
    assert captcha.asked == [WORD]
    assert "captcha: resting" in tested.stdout
    assert again.returncode == 0


def test_a_crawl_does_not_ask_what_a_test_was_refused(tmp_path: Path) -> None:
    captcha = LocalEngine("captcha", INDEX, bad=1.0, faults=("captcha",))
    with running([captcha]):
        sources(tmp_path, "--test", captcha)
        words = ("crawl", "topic", "-a", f"topic={WORD}", "-a", "search=1", "-a", "fresh=1")
        crawled = run(tmp_path, words, captcha)
    assert captcha.asked == [WORD], crawled.stderr
    assert crawled.returncode == 1


def test_the_interval_of_an_engine_passes_between_two_commands(tmp_path: Path) -> None:
    engine = LocalEngine("local", INDEX, bad=0.0)
    with running([engine]):
        sources(tmp_path, "--test", engine)
        file = tmp_path / "search-engines.json"
        blocks, accidents, until, reason = json.loads(file.read_text())["local"]
        assert (blocks, accidents, reason) == (0, 0, "")
        own = tmp_path / "engines" / "local.toml"
        slow = own.read_text().replace("interval = 0", "interval = 3600")
        until = time.time() + 6
        file.write_text(json.dumps({"local": [0, 0, until, ""]}))
        description = type(engine).description
        try:
            type(engine).description = property(lambda self: slow)
            found = sources(tmp_path, "--test", engine)
        finally:
            type(engine).description = description
    assert found.returncode == 0, found.stderr
    assert time.time() >= until
    left = json.loads(file.read_text())["local"][2] - time.time()
    assert 3000 < left <= 3600


class TimedEngine(LocalEngine):
    """Records when each query came."""

    def answer(self, query: str, page: int) -> tuple[int, dict[str, str], bytes]:
        self.kinds.append(str(time.monotonic()))
        return super().answer(query, page)


def test_the_crawl_delay_of_an_engine_passes_between_the_queries_of_a_refresh(
    tmp_path: Path,
) -> None:
    hits = [Hit(f"http://www.qiao{i}.example/", f"侨眷座谈{i}", "侨眷座谈") for i in range(40)]
    robots = "User-agent: *\nCrawl-delay: 1.2\n"
    engine = TimedEngine("slow", Index(hits), bad=0.0, robots=robots)
    with running([engine]):
        refreshed = sources(tmp_path, "--refresh", engine)
    times = [float(kind) for kind in engine.kinds if kind != "good"]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert len(gaps) >= 1, refreshed.stdout + refreshed.stderr
    assert min(gaps) >= 1.15, gaps
    assert "no topic" not in refreshed.stderr, "what is off without a topic is not reported"


def test_brackets_in_titles_of_strangers_are_no_markup(tmp_path: Path) -> None:
    title = "[/b] 侨眷座谈 [red]"
    index = Index([Hit("http://www.qiao.example/1.html", title, "侨眷与侨联")])
    engine = LocalEngine("local", index, bad=0.0)
    with running([engine]):
        done = sources(tmp_path, "--refresh", engine)
    assert done.returncode == 0, done.stdout + done.stderr
    assert title in done.stdout


def test_a_long_address_is_printed_whole(tmp_path: Path) -> None:
    url = f"http://www.qiao.example/{'a' * 200}/end.html"
    engine = LocalEngine("local", Index([Hit(url, "侨眷座谈", "侨眷与侨联")]), bad=0.0)
    with running([engine]):
        done = sources(tmp_path, "--refresh", engine)
    cells = [line.split("│")[3].strip() for line in done.stdout.splitlines() if "│" in line]
    assert url in "".join(cells)
