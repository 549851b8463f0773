"""A queue whose clock is ahead, for commands that run days after a crawl."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from topiccrawl.frontier.clock import SteadyClock
from topiccrawl.frontier.factory import OpenFrontier
from topiccrawl.frontier.redis.backend import RedisBackend
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier

#: Environment variable with the seconds that the clock is ahead.
AHEAD: Final = "TOPICCRAWL_TEST_SECONDS_AHEAD"


def seconds_ahead() -> float:
    """Return how many seconds the clock is ahead."""
    return float(os.environ.get(AHEAD, "0"))


def open_later(topic: str, limits: Any, config: Any, connect: Any, *, fresh: bool) -> OpenFrontier:
    """Open an SQLite frontier on a clock that is ahead; a value of TOPICCRAWL_FRONTIER_BACKEND."""
    clock = SteadyClock()
    clock.move(seconds_ahead())
    folder = Path(config.frontier_dir)
    return OpenFrontier(SQLiteFrontier(folder / "later.frontier", limits, clock=clock), clock)


def open_later_redis(
    topic: str, limits: Any, config: Any, connect: Any, *, fresh: bool
) -> OpenFrontier:
    """The same with Redis, whose own clock stays what it is: the crawl says what time it is."""
    opened = RedisBackend(config, connect).open(topic, fresh=fresh)
    clock, ahead = opened.clock, seconds_ahead()
    return OpenFrontier(opened.frontier, lambda: clock() + ahead)
