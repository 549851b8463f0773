"""What the console needs besides a store to show every view: a crawl, a kept briefing, a table of events."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from tests.support.console_server import RunningConsole
from tests.support.console_stores import PAYLOADS, TOPIC
from tests.support.reporting_store import START
from topiccrawl.console.paths import topic_path
from topiccrawl.crawl.runs.folder import RunFiles
from topiccrawl.crawl.runs.state import HeadLink, HostState, LogEntry, RunState
from topiccrawl.reporting.event_table import compute_events, save_events
from topiccrawl.store.contract import Store

#: Identity of the crawl of :func:`leave_crawl`.
RUN = "20260101T000000-aaaa"
#: What a crawl of some pages leaves of itself.
RUNNING = RunState(
    run=RUN,
    topic=TOPIC,
    pid=1,
    started_at=1.7e9,
    updated_at=1.7e9,
    phase="running",
    pages=200,
    relevant=120,
    stored=110,
    queued=5_000,
    curve=((50, 40, 5.0), (100, 70, 10.0), (200, 120, 20.0)),
)


def leave_crawl(project: Path, topic: str) -> None:
    """Write the files of a crawl of *topic* that was killed, and whose every text is an attack."""
    files = RunFiles(project / "crawls", RUN)
    files.folder.mkdir(parents=True)
    files.path(".lock").touch()
    files.path(".log").write_text("\n".join(PAYLOADS), "utf-8", "replace")
    moment = START.timestamp()
    files.write(
        replace(
            RUNNING,
            topic=topic,
            started_at=moment,
            updated_at=moment,
            problems=tuple(LogEntry(moment, "ERROR", it, it) for it in PAYLOADS),
            head=tuple(HeadLink(it, it, 1.5, it, it, 2, it, {it[:40]: 1.0}) for it in PAYLOADS),
            hosts=tuple(HostState(it, 40, 20, 1, 1.0, 2) for it in PAYLOADS),
            command=PAYLOADS,
            stop_reason=PAYLOADS[0],
        )
    )


async def keep_events(store: Store, topic: str) -> None:
    """Compute the events of *topic* and keep their table in the store."""
    await save_events(store, topic, await compute_events(store, topic, datetime.now(UTC)))


def examples(desk: RunningConsole, topic: str, story: str) -> dict[str, str]:
    """Return a value for each parameter of the paths of the console; keeps a briefing."""
    briefing = topic_path(topic, "briefing")
    period = {"since": "2000-01-01", "until": ""}
    kept = desk.submit(briefing, f"{briefing}/keep", period).headers["location"]
    listed = desk.get(topic_path(topic, "events")).text
    event = re.search(r'/events/([^"?/]+)"', listed)
    return {
        "story": story,
        "run": RUN,
        "name": "侨情",
        "id": kept.rpartition("/")[2],
        "event": event[1] if event else "none",
        # A slash is escaped twice, as in ``topic_path``.
        "topic": topic.replace("/", "%2F"),
    }
