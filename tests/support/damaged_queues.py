"""Damaged queues: what a failing disk or a stranger makes of a sound one, and a worker that uses it."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from topiccrawl.crawl.copies.rule import KeptPage
from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.crawl.journal.kinds import KEPT
from topiccrawl.frontier.contract import Frontier, QueuedLink
from topiccrawl.frontier.failstop import STUCK_SECONDS, FailStopFrontier
from topiccrawl.scoring.evidence import LinkEvidence

NOW = 1_800_000_000.0
#: Calls of a worker on a damaged queue before it works the queue off.
STEPS = 150
_PAGE = 4096


def a_link(number: int, score: float | None = None) -> QueuedLink:
    """Return one of many links on 20 hosts."""
    host = f"h{number % 20}.cn"
    evidence = LinkEvidence(
        (number * 37 % 101) / 100 if score is None else score,
        {"rw": 0.5, "rwb": 0.25},
        f"http://{host}/parent",
        "侨务要闻" * (number % 5),
        number % 7,
    )
    request: dict[str, Any] = {"errback": "failed"} if number % 3 else {}
    return QueuedLink(f"http://{host}/{number}?q={'x' * (number % 40)}", host, evidence, request)


def fill(frontier: Frontier, links: int = 600) -> None:
    """Bring links into every state, and some titles into the journal."""
    frontier.push([a_link(number) for number in range(links)])
    journal = CrawlJournal(frontier.journal)
    now = NOW
    for number in range(links // 4):
        now += 1.0
        lease = frontier.pop((), now)
        assert lease is not None
        frontier.transfer_finished(lease.id, now + 0.5, 0.5)
        if number % 10 == 8:
            frontier.fail(lease.id, "timeout", now + 50.0)
        elif number % 10 == 9:
            frontier.fail(lease.id, "http-404", None)
        else:
            frontier.ack([lease.id])
            journal.publish(KEPT, KeptPage(lease.link.url, f"标题{number}", "0" * 16))
    frontier.hold_host("h3.cn", now + 5.0)


def damage(path: Path, seed: int) -> str:
    """Damage the file at *path* in one of several ways; return which."""
    draw = random.Random(seed)
    data = bytearray(path.read_bytes())
    pages = len(data) // _PAGE
    kind = ("zeroed page", "random page", "swapped pages", "flipped bytes", "flipped bits", "cut")[
        seed % 6
    ]
    # The first page is damaged seldom: what is wrong there is found at once.
    one, other = (draw.randrange(1 if draw.random() < 0.9 else 0, pages) * _PAGE for _ in "12")
    if kind == "zeroed page":
        data[one : one + _PAGE] = bytes(_PAGE)
    elif kind == "random page":
        data[one : one + _PAGE] = draw.randbytes(_PAGE)
    elif kind == "swapped pages":
        data[one : one + _PAGE], data[other : other + _PAGE] = (
            data[other : other + _PAGE],
            data[one : one + _PAGE],
        )
    elif kind == "flipped bytes":
        for _ in range(draw.choice((1, 20, 400))):
            data[draw.randrange(100, len(data))] = draw.randrange(256)
    elif kind == "flipped bits":
        for _ in range(draw.choice((1, 20, 400))):
            data[draw.randrange(100, len(data))] ^= 1 << draw.randrange(8)
    else:
        del data[draw.randrange(len(data)) :]
    path.write_bytes(data)
    return kind


def work(open_frontier: Callable[[], Frontier], steps: int = STEPS) -> tuple[str, list[str]]:
    """Crawl with a queue that may be damaged; return the end and what was reported.

    The end is "refused" (at opening), "lost" (while working) or "sound".  Any exception that a crawl
    would not survive is raised.
    """
    reported: list[str] = []
    seconds = [0.0]
    try:
        opened = open_frontier()
        opened.size()
    except Exception as error:  # the session takes any of them for a reason not to start
        return "refused", [str(error)]
    frontier = FailStopFrontier(
        opened, (), lambda error: reported.append(repr(error)), monotonic=lambda: seconds[0]
    )
    journal = CrawlJournal(frontier.journal)
    while journal.replay():
        pass
    now = NOW + 1_000.0
    ids: list[int] = []
    for step in range(steps):
        now += 2.0
        frontier.push([a_link(10_000 + step * 2), a_link(step)])
        lease = frontier.pop((), now)
        if lease is not None:
            assert isinstance(lease.link.url, str)
            ids.append(lease.id)
            frontier.transfer_finished(lease.id, now + 0.5, 0.5)
            if step % 9 == 0:
                frontier.put_back(lease.link)
            elif step % 9 == 1:
                frontier.fail(lease.id, "timeout", now + 10.0)
            else:
                frontier.ack([lease.id])
        if step % 50 == 0:
            frontier.heartbeat(now)
            frontier.reap(now)
            frontier.try_lead(now)
            for found, scores in frontier.queued(100):
                frontier.rescore(found, np.clip(scores, 0.0, 1.0) / 2)
            assert len(list(frontier.best(20))) <= 20
            frontier.known(ids[:50])
            frontier.evidence(ids[0] if ids else 1)
            frontier.reason(ids[0] if ids else 1)
            journal.publish(KEPT, KeptPage(f"http://new.cn/{step}", "新", "0" * 16))
            journal.replay()
    _drain(frontier, now, seconds)
    frontier.close()
    return ("lost" if reported else "sound"), reported


def _drain(frontier: FailStopFrontier, now: float, seconds: list[float]) -> None:
    """Work until nothing waits, as an engine would; raise if that never happens."""
    for _ in range(20_000):
        size = frontier.size()
        if size.queued + size.delayed + size.elsewhere <= 0:
            return
        lease = frontier.pop((), now)
        if lease is not None:
            frontier.ack([lease.id])
            continue
        frontier.reap(now)
        due = frontier.next_ready(now)
        seconds[0] += STUCK_SECONDS / 2
        now = max(now + 1.0, min(due, now + 7 * 86_400.0) if due is not None else now + 1.0)
    raise AssertionError(f"the crawl would never end: {frontier.size()}")
