"""Kill crawls repeatedly: is every page stored, and how many are fetched twice?

    python -m benchmarks.endurance --frontier sqlite --kills 20
    python -m benchmarks.endurance --frontier redis --workers 3 --kills 20
    python -m benchmarks.endurance --frontier redis --workers 2 --victim redis --kills 20
    python -m benchmarks.endurance --frontier redis --workers 3 --kills 20 --copies 4
    python -m benchmarks.endurance --frontier sqlite --victim mongodb --away 60

A web with a known set of pages is crawled completely.  At random moments (one in each equal part of
the crawl, counted in fetches and drawn from --seed) a worker, the Redis server or the MongoDB server
is killed by SIGKILL and restarted.  In the end, the store must contain exactly the pages of the web,
and no more pages may have been fetched twice than were in flight at the kills.  With --copies, that
many pages have one text: each text must be one story in the store, with one page that represents it.
Politeness is checked by the web server throughout.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import struct
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Protocol

from benchmarks.known_web import KnownWeb, order_errors, spacing_errors
from benchmarks.worker_processes import Process, Starter, crawl_words, start_process, stored_pages
from topiccrawl.store.contract import PageRecord
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.identity import link_id
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

TOPIC = "侨情"
#: The kills are spread over this share of the pages, so that the crawl still runs at the last one.
KILLED_SHARE = 0.9
#: Seconds after which a request of a killed worker has reached the server.
ON_THE_WAY_SECONDS = 0.3
#: Seconds without heartbeat after which a worker counts as dead; generous for a busy machine.
WORKER_SECONDS = 10
#: Time limit of a crawl; a longer one hangs.
PATIENCE_SECONDS = 600.0


@dataclass(slots=True)
class Plan:
    """The web, the number of workers and the processes that are killed."""

    frontier: str = "sqlite"
    workers: int = 1
    pages: int = 600
    hosts: int = 40
    kills: int = 20
    victim: str = "worker"
    """``worker``, ``redis``, ``mongodb`` or ``nothing``."""
    away: float = 1.0
    """Seconds until a killed server is restarted."""
    delay: float = 0.0
    concurrency: int = 1
    """Concurrent requests to one host."""
    requests: int = 16
    """Concurrent requests of one worker."""
    latency: tuple[float, float] = (0.02, 0.1)
    links: int = 12
    """Links of a page."""
    seed: int = 1
    strategy: str = "ipagerank-rwb"
    slack: float = 0.5
    """Seconds for which a better link must be known and ready to count as skipped."""
    settings: Sequence[str] = ()
    copies: int = 0
    """Pages of one text; 0: all texts are different."""


@dataclass(slots=True)
class Outcome:
    """Result of a plan."""

    pages: int
    stored: int
    missing: list[str]
    strange: list[str]
    """Stored pages that do not belong to the web."""
    fetches: int
    fetched_twice: int
    in_flight: int
    """Links handed out but not acknowledged, summed over the kills."""
    kills: int
    spacing_errors: list[str]
    out_of_order: int
    ordered: int
    seconds: float
    exits: list[int | None] = field(default_factory=list)
    story_errors: list[str] = field(default_factory=list)
    """Stories that are split, joined or without one representative, and lost texts."""

    @property
    def nothing_lost(self) -> bool:
        """Stored = reachable, and not more fetched twice than was in flight."""
        whole = not (self.missing or self.strange or self.story_errors)
        return whole and self.fetched_twice <= self.in_flight


class Server(Protocol):
    """A server that can be killed and restarted."""

    def start(self) -> None:
        """Start the server and wait until it answers."""

    def kill(self) -> None:
        """Kill the server by SIGKILL."""


class Crawl:
    """The worker processes of one plan and the services they need."""

    def __init__(
        self, plan: Plan, folder: Path, stack: ExitStack, start: Starter = start_process
    ) -> None:
        self.plan = plan
        self._start = start
        self.folder = folder
        self.redis: Server | None = None
        self.mongo: Server | None = None
        self.web = KnownWeb(
            plan.pages,
            plan.hosts,
            seed=plan.seed,
            latency=plan.latency,
            links=plan.links,
            copies=plan.copies,
        )
        self.server = stack.enter_context(WebServer(self.web))
        self.store_uri = f"sqlite:///{folder.resolve() / 'pages.sqlite'}"
        self.redis_url = ""
        if plan.frontier == "redis":
            from tests.support.redis_server import RedisServer

            (folder / "redis").mkdir()
            self.redis = RedisServer(folder / "redis", append_only=True)
            self.redis.start()
            stack.callback(self.redis.kill)
            self.redis_url = self.redis.url
        if plan.victim == "mongodb":
            from tests.support.mongo_server import MongoServer, given_executable

            executable = given_executable()
            if executable is None:
                raise SystemExit("TOPICCRAWL_TEST_MONGO_SERVER must name a server to kill")
            self.mongo = MongoServer(executable, folder / "mongo")
            self.mongo.start()
            stack.callback(self.mongo.kill)
            self.store_uri = f"{self.mongo.uri}/endurance"
        self.processes: list[Process | None] = [None] * plan.workers
        self.exits: list[int | None] = []
        stack.callback(self.stop)

    def start(self, number: int) -> None:
        """Start worker *number*."""
        plan = self.plan
        settings = {
            "TOPICCRAWL_FRONTIER_BACKEND": plan.frontier,
            "REDIS_URL": self.redis_url,
            "TOPICCRAWL_STORE_URI": self.store_uri,
            "TOPICCRAWL_FRONTIER_DIR": str(self.folder),
            "TOPICCRAWL_STORE_SPOOL_DIR": str(self.folder / f"spool-{number}"),
            "TOPICCRAWL_FRONTIER_WORKER_SECONDS": WORKER_SECONDS,
            "TOPICCRAWL_RETRY_DELAY_SECONDS": "1",
            "TOPICCRAWL_STRATEGY": plan.strategy,
            # Queue and store are measured; every page is on topic.
            "TOPICCRAWL_PAGE_CLASSIFIER": "0",
            "CONCURRENT_REQUESTS": plan.requests,
            "CONCURRENT_REQUESTS_PER_DOMAIN": plan.concurrency,
            "DOWNLOAD_DELAY": plan.delay,
            "AUTOTHROTTLE_ENABLED": "0",
            "LOG_LEVEL": "INFO",
        }
        words = crawl_words(TOPIC, self.web.seeds, settings, plan.settings)
        log = self.folder / f"worker-{number}.log"
        self.processes[number] = self._start(words, environment(self.server.url), log)

    def kill(self, number: int) -> bool:
        """Kill worker *number*; return whether it was running."""
        process = self.processes[number]
        if process is None or process.poll() is not None:
            return False
        process.kill()
        process.wait()
        return True

    def stop(self) -> None:
        """Kill all workers."""
        for number in range(self.plan.workers):
            self.kill(number)

    def ended(self) -> bool:
        """Return whether all workers have exited by themselves."""
        return all(p is not None and p.poll() is not None for p in self.processes)

    def wait(self, seconds: float) -> bool:
        """Wait for all workers to exit; return whether they did in time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.ended():
                return True
            time.sleep(0.05)
        return self.ended()

    def wait_for(self, fetches: int) -> bool:
        """Wait until this many pages were requested; return whether the crawl is still running."""
        until = time.monotonic() + PATIENCE_SECONDS
        while len({arrival.url for arrival in self.web.fetches()}) < fetches:
            if self.ended() or time.monotonic() > until:
                return False
            time.sleep(0.02)
        return True

    def stored(self) -> set[str]:
        """Return the URLs of the pages in the store."""
        return set(self.stored_pages())

    def stored_pages(self) -> dict[str, PageRecord]:
        """Return the pages in the store, copies too."""
        return stored_pages(self.store_uri, TOPIC)

    def unsettled(self) -> int:
        """Count pages in flight (requested and not stored, or leased), which a kill may repeat.

        A stored page remains leased until the frontier has received the acknowledgment.
        """
        leased = self.leased()
        try:
            stored = self.stored()
        except Exception:  # the store does not exist yet, or its server is down
            stored = set()
        time.sleep(ON_THE_WAY_SECONDS)
        asked = {arrival.url for arrival in self.web.fetches()} - stored
        return len(leased | {link_id(canonical_url(url)) for url in asked})

    def leased(self) -> set[int]:
        """Return the ids of all leased links of the frontier."""
        if self.redis_url:
            from redis import Redis

            with Redis.from_url(self.redis_url) as client:
                keys = list(client.scan_iter("*leases"))
                return {
                    struct.unpack(">q", member)[0]
                    for key in keys
                    for member in client.zrange(key, 0, -1)
                }
        found: set[int] = set()
        for file in self.folder.resolve().glob("*.frontier"):
            with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
                found |= {row[0] for row in connection.execute("SELECT id FROM leases")}
        return found


def story_errors(web: KnownWeb, pages: Mapping[str, PageRecord]) -> list[str]:
    """Return what is wrong with the stories and the texts of the stored *pages*, one line each."""
    errors = []
    owners: dict[str, int] = {}
    for number, urls in enumerate(web.stories()):
        members = [pages[url] for url in urls if url in pages]
        if len(names := {page.story for page in members}) > 1:
            errors.append(f"story {number} is split: {len(names)} parts")
        errors += [
            f"stories {owners[name]} and {number} are one"
            for name in names
            if owners.setdefault(name, number) != number
        ]
        first = [page.url for page in members if not page.copy_of]
        if len(first) != 1 or {page.copy_of for page in members} - {"", *first}:
            errors.append(f"story {number} has {len(first)} representatives")
        errors += [
            f"text of {page.url} is lost"
            for page in members
            if any(paragraph not in page.body for paragraph in web.paragraphs(page.url))
        ]
    return errors


def endure(plan: Plan, folder: Path, start: Starter = start_process) -> Outcome:
    """Run *plan* in *folder*."""
    draw = random.Random(plan.seed)
    begun = time.monotonic()
    with ExitStack() as stack:
        crawl = Crawl(plan, folder, stack, start)
        for number in range(plan.workers):
            crawl.start(number)
        kills = in_flight = 0
        while kills < plan.kills and plan.victim != "nothing":
            share = draw.uniform(kills + 0.2, kills + 1) / plan.kills
            if not crawl.wait_for(round(share * KILLED_SHARE * plan.pages)):
                break
            if plan.victim == "worker":
                number = draw.randrange(plan.workers)
                if not crawl.kill(number):
                    number = next(n for n in range(plan.workers) if crawl.kill(n))
                kills += 1
                in_flight += crawl.unsettled()
                crawl.start(number)
            else:
                server = crawl.redis if plan.victim == "redis" else crawl.mongo
                assert server is not None
                server.kill()
                kills += 1
                crawl.wait(plan.away)
                server.start()
        ended = crawl.wait(PATIENCE_SECONDS)
        exits = [None if p is None else p.poll() for p in crawl.processes]
        pages = crawl.stored_pages() if ended else {}
        stored = set(pages)
        web = crawl.web
        (folder / "arrivals.json").write_text(json.dumps([asdict(a) for a in web.arrivals]))
        counts = Counter(arrival.url for arrival in web.fetches())
        wrong, ordered = order_errors(
            web, delay=plan.delay, slack=plan.slack, concurrency=plan.concurrency
        )
        return Outcome(
            pages=plan.pages,
            stored=len(stored),
            missing=sorted(set(web.urls) - stored),
            strange=sorted(stored - set(web.urls)),
            fetches=counts.total(),
            fetched_twice=counts.total() - len(counts),
            in_flight=in_flight,
            kills=kills,
            spacing_errors=spacing_errors(web.arrivals, plan.delay, plan.concurrency),
            out_of_order=wrong,
            ordered=ordered,
            seconds=time.monotonic() - begun,
            exits=exits,
            story_errors=story_errors(web, pages) if plan.copies else [],
        )


def main(argv: Sequence[str] | None = None) -> int:
    """Run one plan and print its outcome; return 0 if nothing was lost."""
    defaults = Plan()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endurance", description=__doc__)
    parser.add_argument("--frontier", choices=("sqlite", "redis"), default=defaults.frontier)
    parser.add_argument(
        "--victim", choices=("worker", "redis", "mongodb", "nothing"), default=defaults.victim
    )
    for name in ("workers", "pages", "hosts", "kills", "concurrency", "requests", "seed", "copies"):
        parser.add_argument(f"--{name}", type=int, default=getattr(defaults, name))
    for name in ("away", "delay", "slack"):
        parser.add_argument(f"--{name}", type=float, default=getattr(defaults, name))
    parser.add_argument("--latency", type=float, nargs=2, default=defaults.latency)
    parser.add_argument("--strategy", default=defaults.strategy)
    parser.add_argument("--settings", nargs="*", default=())
    parser.add_argument("--folder", type=Path, help="kept; default: a temporary one")
    options = vars(parser.parse_args(argv))
    folder: Path | None = options.pop("folder")
    plan = Plan(**options)
    with tempfile.TemporaryDirectory() as temporary:
        where = folder or Path(temporary)
        where.mkdir(parents=True, exist_ok=True)
        outcome = endure(plan, where)
    shown = asdict(outcome)
    for name in ("missing", "strange", "spacing_errors", "story_errors"):
        shown[name] = {"count": len(shown[name]), "first": shown[name][:5]}
    print(json.dumps(shown, indent=2, ensure_ascii=False))
    print("nothing lost" if outcome.nothing_lost else "LOST OR FETCHED TOO OFTEN")
    return 0 if outcome.nothing_lost else 1


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUTF8", "1")
    sys.exit(main())
