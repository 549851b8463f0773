"""The frontier's contract in its most obvious form: one dict of links, sorted at every pop."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tests.support.contract_support import MERGED, NEW, REFUSED, SEEN
from topiccrawl.frontier.contract import FrontierSize, PushResult, QueuedLink, return_delay
from topiccrawl.frontier.options import FrontierLimits


@dataclass
class ModelLink:
    id: int
    host: str
    score: float
    anchor: str
    depth: int
    order: int
    state: str = "queued"
    failures: int = 0
    returns: int = 0
    started: bool = False
    until: float = 0.0
    worker: int = -1
    in_transfer: bool = False
    returned: bool = False
    """Back in the queue after a lease, so that its outcome may still be recorded."""


class NaiveModel:
    """Workers are numbers from 0; a backend that is not shared has only worker 0."""

    def __init__(self, limits: FrontierLimits) -> None:
        self.limits = limits
        self.links: dict[int, ModelLink] = {}
        self.forgotten = 0
        self.order = 0
        self.started: dict[str, int] = {}
        self.earned: dict[str, int] = {}
        self.ready: dict[str, float] = {}
        self.delays: dict[str, float] = {}
        self.beats: dict[int, float] = {}
        self.leader: tuple[int, float] | None = None

    def among(self, *states: str) -> list[ModelLink]:
        return [link for link in self.links.values() if link.state in states]

    def leased_by(self, id: int, worker: int) -> ModelLink | None:
        link = self.links.get(id)
        return link if link and link.state == "leased" and link.worker == worker else None

    def push(self, links: list[QueuedLink], again: bool) -> list[PushResult]:
        return [self._push_one(link, again) for link in links]

    def _push_one(self, new: QueuedLink, again: bool) -> PushResult:
        old = self.links.get(new.id)
        if old and old.state in ("queued", "delayed"):
            if new.evidence.score > old.score:
                old.score, old.anchor = new.evidence.score, new.evidence.anchor
            old.depth = min(old.depth, new.evidence.depth)
            return MERGED
        if old and (old.state == "leased" or not again):
            return SEEN
        if self._used_up(new.host):
            return REFUSED
        while (
            self.limits.max_links and len(self.among("queued", "delayed")) >= self.limits.max_links
        ):
            worst = min(self.among("queued", "delayed"), key=lambda x: (x.score, -x.order))
            if new.evidence.score <= worst.score:
                return REFUSED
            self._forget(worst)
        self.order += 1
        evidence = new.evidence
        self.links[new.id] = ModelLink(
            new.id, new.host, evidence.score, evidence.anchor, evidence.depth, self.order
        )
        return NEW

    def _used_up(self, host: str) -> bool:
        budget = self.limits.host_budget
        return bool(budget) and self.started.get(host, 0) >= budget + self.earned.get(host, 0)

    def _forget(self, link: ModelLink) -> None:
        del self.links[link.id]
        self.forgotten += 1

    def transfers(self, host: str, now: float) -> int:
        leased = [link for link in self.among("leased") if link.host == host and link.in_transfer]
        return sum(link.until > now for link in leased)

    def is_open(self, host: str, now: float) -> bool:
        most = self.limits.concurrency(host)
        free = most == 0 or self.transfers(host, now) < most
        return free and self.ready.get(host, 0.0) <= now

    def hold(self, host: str, until: float) -> None:
        self.ready[host] = max(self.ready.get(host, 0.0), until)

    def pop(self, worker: int, busy: Collection[str], now: float) -> ModelLink | None:
        for link in self.among("delayed"):
            if link.until <= now:
                link.state = "queued"
        ready = [
            link
            for link in self.among("queued")
            if link.host not in busy and self.is_open(link.host, now)
        ]
        if not ready:
            return None
        best = min(ready, key=lambda link: (-link.score, link.order))
        best.state, best.until = "leased", now + self.limits.lease_seconds
        best.worker, best.in_transfer, best.returned = worker, True, False
        self.hold(best.host, now + self.delays.get(best.host, self.limits.host_delay))
        if not best.started:
            best.started = True
            self.started[best.host] = self.started.get(best.host, 0) + 1
            if self._used_up(best.host):
                for link in self.among("queued"):
                    if link.host == best.host and not link.started:
                        self._forget(link)
        return best

    def transfer_finished(self, worker: int, id: int, ready_at: float, delay: float | None) -> None:
        link = self.leased_by(id, worker)
        if link and link.in_transfer:
            link.in_transfer = False
            self.hold(link.host, ready_at)
            if delay is not None:
                self.delays[link.host] = delay

    def ack(self, worker: int, id: int) -> int:
        link = self.links.get(id)
        if link and (link.returned or self.leased_by(id, worker)):
            link.state, link.returned = "done", False
            return 1
        return 0

    def fail(self, worker: int, id: int, retry_at: float | None) -> bool | None:
        link = self.leased_by(id, worker)
        if link is None:
            return None
        link.failures += 1
        if retry_at is None or link.failures >= self.limits.max_attempts:
            link.state = "given_up"
            return False
        link.state, link.until = "delayed", retry_at
        return True

    def put_back(self, worker: int, new: QueuedLink) -> bool:
        link = self.leased_by(new.id, worker)
        if link is None:
            return False
        link.state, link.depth = "queued", new.evidence.depth
        link.score, link.anchor = new.evidence.score, new.evidence.anchor
        return True

    def rescore(self, scores: dict[int, float]) -> int:
        waiting = [link for link in self.among("queued", "delayed") if link.id in scores]
        changed = [link for link in waiting if link.score != scores[link.id]]
        for link in changed:
            link.score = scores[link.id]
        return len(changed)

    def forget(self, ids: list[int]) -> int:
        waiting = [link for link in self.among("queued", "delayed") if link.id in ids]
        for link in waiting:
            self._forget(link)
        return len(waiting)

    def reap(self, worker: int, now: float) -> int:
        silent = {
            other
            for other, beat in self.beats.items()
            if other != worker and beat + self.limits.worker_seconds <= now
        }
        ended = [x for x in self.among("leased") if x.until <= now or x.worker in silent]
        for link in ended:
            link.returns += 1
            link.state, link.returned = "queued", True
            if link.returns > self.limits.max_returns:
                link.state, link.returned = "given_up", False
            elif delay := return_delay(link.id, link.returns):
                link.state, link.until = "delayed", now + delay
        return len(ended)

    def try_lead(self, worker: int, now: float) -> bool:
        if self.leader is not None:
            leader, asked = self.leader
            if leader != worker and asked + self.limits.worker_seconds > now:
                return False
        self.leader = (worker, now)
        return True

    def close(self, worker: int) -> None:
        for link in self.among("leased"):
            if link.worker == worker:
                link.state, link.returned = "queued", True
        if self.leader is not None and self.leader[0] == worker:
            self.leader = None
        self.beats.pop(worker, None)

    def next_ready(self, now: float) -> float | None:
        times = [link.until for link in self.among("delayed")]
        times += [self.ready.get(link.host, 0.0) for link in self.among("queued")]
        return min((time for time in times if time > now), default=None)

    def size(self, worker: int) -> FrontierSize:
        queued, leased = self.among("queued"), self.among("leased")
        return FrontierSize(
            queued=len(queued),
            delayed=len(self.among("delayed")),
            leased=len(leased),
            done=len(self.among("done")),
            given_up=len(self.among("given_up")),
            hosts=len({link.host for link in queued}),
            forgotten=self.forgotten,
            elsewhere=sum(link.worker != worker for link in leased),
        )
