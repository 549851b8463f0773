"""Links and reads that the contract tests of the frontier share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import pytest

from topiccrawl.frontier.contract import Frontier, Lease, PushResult, QueuedLink
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.urls.identity import link_id

MakeFrontier = Callable[[FrontierLimits], Frontier]

NEW, MERGED, SEEN, REFUSED = (
    PushResult.NEW,
    PushResult.MERGED,
    PushResult.SEEN,
    PushResult.REFUSED,
)
NOW = 1_000.0
LEASE = 60.0


def a_link(
    path: str,
    score: float,
    *,
    host: str = "a.cn",
    depth: int = 0,
    parts: Mapping[str, float] | None = None,
    parent: str | None = None,
    anchor: str = "",
    context: str = "",
    request: Mapping[str, Any] | None = None,
) -> QueuedLink:
    evidence = LinkEvidence(score, parts or {}, parent, anchor, depth, context)
    return QueuedLink(f"http://{host}/{path}", host, evidence, request or {})


def an_id(path: str, host: str = "a.cn") -> int:
    return link_id(f"http://{host}/{path}")


def path_of(lease: Lease | None) -> str | None:
    """Return the part of a lease's URL after the last slash."""
    return None if lease is None else lease.link.url.rsplit("/", 1)[1]


def waiting_scores(frontier: Frontier) -> dict[int, float]:
    """Return the scores of all queued and delayed links; each must occur once."""
    found: dict[int, float] = {}
    for ids, scores in frontier.queued():
        assert ids.shape == scores.shape
        for id, score in zip(ids.tolist(), scores.tolist(), strict=True):
            assert id not in found
            found[id] = score
    return found


def waiting_ids(frontier: Frontier) -> list[int]:
    """Return the ids of all queued and delayed links, sorted."""
    return sorted(waiting_scores(frontier))


def popped(
    frontier: Frontier, busy: Collection[str] = frozenset(), now: float = NOW, n: int = 1_000
) -> list[Lease]:
    """Pop until nothing is ready, or *n* times."""
    leases: list[Lease] = []
    while len(leases) < n and (lease := frontier.pop(busy, now)) is not None:
        leases.append(lease)
    return leases


def popped_paths(
    frontier: Frontier, busy: Collection[str] = frozenset(), now: float = NOW, n: int = 1_000
) -> list[str]:
    """Pop likewise, and return the paths in that order."""
    return [str(path_of(lease)) for lease in popped(frontier, busy, now, n)]


class FrontierFixtures:
    """The fixture that a backend provides, and the frontier that most tests use."""

    @pytest.fixture
    def make_frontier(self) -> MakeFrontier:
        raise NotImplementedError

    @pytest.fixture
    def frontier(self, make_frontier: MakeFrontier) -> Frontier:
        return make_frontier(FrontierLimits(lease_seconds=LEASE, max_attempts=3))
