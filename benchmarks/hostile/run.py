"""One hostile crawl: start it, watch it, stop it, and read what it left."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.hostile.behavior import Behavior
from benchmarks.hostile.good import GoodSite
from benchmarks.hostile.process import cpu_seconds, group_megabytes, peak_megabytes
from benchmarks.hostile.server import HostileServers
from benchmarks.worker_processes import crawl_words
from topiccrawl.store.contract import OutcomeRecord
from topiccrawl.store.factory import open_store
from topiccrawl.urls.canonical import canonical_url

TOPIC: Final = "侨情"
#: Seconds between two looks at the process.
LOOK_SECONDS: Final = 0.1
#: Seconds between two looks into the store.
STORE_SECONDS: Final = 2.0
#: Seconds of waiting after SIGTERM beyond DOWNLOAD_TIMEOUT, for transfers and a busy machine.
STOP_SECONDS: Final = 120.0


@dataclass(slots=True)
class Outcome:
    """What a hostile crawl did."""

    seconds: float = 0.0
    cpu: float = 0.0
    """CPU seconds of the crawl's process."""
    peak: float = 0.0
    """Largest resident size of that process, in MB."""
    group_peak: float = 0.0
    """Largest resident size of that process and its children together, in MB."""
    exit_code: int | None = None
    """``None``: it did not obey SIGTERM and was killed."""
    stop_cpu: float = 0.0
    """CPU seconds from SIGTERM to the end."""
    stop_seconds: float = 0.0
    stopped: bool = False
    """Whether it was stopped by SIGTERM; else it ended by itself."""
    gap: float = 0.0
    """Most CPU seconds of the process between two requests to the good site."""
    gap_before: str = ""
    """The request that ended this gap."""
    loop_worst: float = 0.0
    """Most CPU seconds in which the event loop did nothing else."""
    stalls: list[dict[str, Any]] = field(default_factory=list)
    good: int = 0
    """Good pages, all of which must be stored."""
    missing: list[str] = field(default_factory=list)
    """Good pages that are not stored."""
    outcomes: dict[str, list[OutcomeRecord]] = field(default_factory=dict)
    """What became of the addresses of each behavior, links that still wait left out."""
    requests: dict[str, int] = field(default_factory=dict)
    connections: dict[str, int] = field(default_factory=dict)
    unsettled: list[str] = field(default_factory=list)
    """Behaviors whose seed left no outcome."""
    closed: bool = False
    """Whether the log says that the crawl was closed."""
    tracebacks: int = 0
    """Tracebacks in the log."""
    failures: list[str] = field(default_factory=list)
    """Mistakes of the servers themselves."""
    stats: dict[str, Any] = field(default_factory=dict)

    @property
    def orderly(self) -> bool:
        """Whether it closed and ended: by itself, by SIGTERM, or by both at once.

        A process that has closed its crawl no longer handles SIGTERM, and ends with that signal.
        """
        return self.closed and self.exit_code in (0, -signal.SIGTERM)

    @property
    def inner(self) -> int:
        """Connections to the server inside the network."""
        return self.connections.get("inner", 0)


@dataclass(slots=True)
class Plan:
    """Which behaviors, beside how many good pages, for how long."""

    behaviors: Sequence[Behavior]
    good: int = 200
    seconds: float = 600.0
    """The crawl is stopped after this time at the latest."""
    stop_after: float | None = None
    """Stop it this long after its first connection, whatever is left to do."""
    settings: Mapping[str, object] = field(default_factory=dict)


def crawl(plan: Plan, folder: Path) -> Outcome:
    """Crawl all behaviors of *plan* at once; files are left in *folder*."""
    outcome = Outcome(good=plan.good)
    site = GoodSite(plan.good)
    process: list[subprocess.Popen[bytes]] = []
    good_cpu: list[tuple[str, float]] = []

    def arrived(url: str) -> None:
        # Robots.txt comes first, and the home pages when nothing else is left.
        if process and "/news/" in url:
            good_cpu.append((url, cpu_seconds(process[0].pid)))

    begun = time.monotonic()
    with HostileServers(plan.behaviors, site, arrived) as servers:
        seeds = interleaved(
            [behavior.seed(servers.port) for behavior in plan.behaviors], site.urls(servers.port)
        )
        process.append(start(seeds, plan, folder))
        watch(process[0], plan, servers, folder, outcome)
    outcome.seconds = time.monotonic() - begun
    for (_, earlier), (url, later) in itertools.pairwise(good_cpu):
        if later - earlier > outcome.gap:
            outcome.gap, outcome.gap_before = later - earlier, url
    outcome.requests = dict(servers.requests)
    outcome.connections = dict(servers.connections)
    outcome.failures = servers.failures
    text = (folder / "crawl.log").read_text("utf-8", "replace")
    outcome.tracebacks = text.count("Traceback (most recent")
    measured = folder / "measured.json"
    # Written when the spider has closed; the last line of the log may be missing after a signal.
    outcome.closed = measured.exists() or "Spider closed" in text
    if measured.exists():
        found = json.loads(measured.read_text())
        outcome.loop_worst, outcome.stalls = found["worst"], found["stalls"]
        outcome.stats = found["stats"]
    return outcome


def interleaved(many: Sequence[str], few: Sequence[str]) -> list[str]:
    """Return both sequences as one, each spread evenly."""
    placed = [((i + 0.5) / len(all_), url) for all_ in (many, few) for i, url in enumerate(all_)]
    return [url for _, url in sorted(placed)]


def start(seeds: Sequence[str], plan: Plan, folder: Path) -> subprocess.Popen[bytes]:
    """Start the process of the crawl in a process group of its own."""
    settings = {
        "TOPICCRAWL_STORE_URI": store_uri(folder),
        "TOPICCRAWL_STORE_SPOOL_DIR": folder / "spool",
        "HOSTILE_MEASURED": folder / "measured.json",
        "LOG_FILE": folder / "crawl.log",
    } | dict(plan.settings)
    words = crawl_words(TOPIC, seeds, settings)
    # No proxy: the crawl itself opens each connection and resolves each name.
    env = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    with (folder / "output.txt").open("wb") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "benchmarks.hostile.child", *words],
            env=env | {"PYTHONUTF8": "1"},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def watch(
    process: subprocess.Popen[bytes],
    plan: Plan,
    servers: HostileServers,
    folder: Path,
    outcome: Outcome,
) -> None:
    """Wait until everything has an outcome or the time is up; then stop the process by SIGTERM."""
    begun = looked = time.monotonic()
    first: float | None = None

    def look() -> bool:
        outcome.cpu = max(outcome.cpu, cpu_seconds(process.pid))
        outcome.peak = max(outcome.peak, peak_megabytes(process.pid))
        outcome.group_peak = max(outcome.group_peak, group_megabytes(process.pid))
        time.sleep(LOOK_SECONDS)
        return process.poll() is None

    while look():
        now = time.monotonic()
        if first is None and servers.connections:
            first = now
        if plan.stop_after is not None and first is not None and now - first > plan.stop_after:
            break
        if now - begun > plan.seconds:
            break
        if plan.stop_after is None and now - looked > STORE_SECONDS:
            read_store(plan, servers, folder, outcome)
            if not outcome.missing and not outcome.unsettled:
                break
            looked = time.monotonic()
    stopping, stop_cpu = time.monotonic(), outcome.cpu
    if process.poll() is None:
        outcome.stopped = True
        process.send_signal(signal.SIGTERM)
        while look() and time.monotonic() - stopping < STOP_SECONDS:
            pass
        outcome.stop_seconds = time.monotonic() - stopping
        outcome.stop_cpu = outcome.cpu - stop_cpu
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    else:
        outcome.exit_code = process.returncode
    read_store(plan, servers, folder, outcome)


def store_uri(folder: Path) -> str:
    """Return the address of the store."""
    return f"sqlite:///{folder.resolve() / 'pages.sqlite'}"


def read_store(plan: Plan, servers: HostileServers, folder: Path, outcome: Outcome) -> None:
    """Set what is missing, and the outcomes of each behavior."""

    async def read() -> tuple[set[str], list[OutcomeRecord]]:
        store = open_store(store_uri(folder), read_only=True)
        await store.open()
        try:
            stored = {page.url async for page in store.pages(TOPIC)}
            return stored, [it async for it in store.outcomes(TOPIC) if it.verdict != "queued"]
        finally:
            await store.close()

    try:
        stored, outcomes = asyncio.run(read())
    except Exception:  # the store does not exist yet
        stored, outcomes = set(), []
    port = servers.port
    outcome.missing = [u for u in servers.good.urls(port) if canonical_url(u) not in stored]
    known = {it.url for it in outcomes}
    outcome.unsettled = [
        it.name for it in plan.behaviors if it.outcome and canonical_url(it.seed(port)) not in known
    ]
    by_name: dict[str, list[OutcomeRecord]] = {}
    for record in outcomes:
        host = record.url.split("/")[2].partition(":")[0]
        by_name.setdefault(host.split(".")[-2] if "." in host else host, []).append(record)
    outcome.outcomes = by_name
