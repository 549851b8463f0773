"""The contract that every frontier backend must fulfill.

A backend's test file subclasses :class:`FrontierContract`, provides a ``make_frontier`` fixture, and
runs :func:`frontier_machine` (random calls against a naive model).  A backend that several workers
share also subclasses :class:`SharedFrontierContract`, with fixtures ``open_worker`` and
``open_topic``, and runs :func:`shared_machine`.
"""

from __future__ import annotations

from tests.frontier.contract_ends import EndContract
from tests.frontier.contract_hosts import HostContract
from tests.frontier.contract_links import LinkContract
from tests.frontier.contract_machine import OpenPlace, frontier_machine, shared_machine
from tests.frontier.contract_returns import ReturnContract
from tests.frontier.contract_scores import ScoreContract
from tests.frontier.contract_shared import SharedFrontierContract
from tests.support.contract_support import (
    LEASE,
    NOW,
    MakeFrontier,
    a_link,
    an_id,
    popped_paths,
    waiting_ids,
)

__all__ = [
    "LEASE",
    "NOW",
    "FrontierContract",
    "MakeFrontier",
    "OpenPlace",
    "SharedFrontierContract",
    "a_link",
    "an_id",
    "frontier_machine",
    "popped_paths",
    "shared_machine",
    "waiting_ids",
]


class FrontierContract(EndContract, LinkContract, ScoreContract, HostContract, ReturnContract):
    """The contract for one worker."""
