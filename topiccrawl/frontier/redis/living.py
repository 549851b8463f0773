"""Who is at work on the queues of a Redis server, for people who look at it from outside."""

from __future__ import annotations

import re
import socket
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from topiccrawl.frontier.redis.codec import as_text
from topiccrawl.frontier.redis.keys import key_base
from topiccrawl.frontier.redis.server import reachable

if TYPE_CHECKING:
    import redis

__all__ = ["LivingWorker", "living_workers", "names_of_process", "new_name"]

#: Keys that the server looks at in one step (a choice: a queue has up to 65,000).
_PIECE: Final = 2_000


@dataclass(frozen=True, slots=True)
class LivingWorker:
    """A worker that has sent a heartbeat lately."""

    topic: str
    name: str
    """Machine, process and a random part."""
    silent: float
    """Seconds since its last heartbeat, by the server's clock."""

    @property
    def is_here(self) -> bool:
        """Whether it is a process of this machine."""
        return self.name.rsplit("-", 2)[0] == socket.gethostname()


def names_of_process(pid: int) -> str:
    """Return how the names of the workers of a process of this machine begin."""
    return f"{socket.gethostname()}-{pid}-"


def new_name(pid: int) -> str:
    """Return a name for a worker of a process of this machine, as no other has."""
    return names_of_process(pid) + uuid.uuid4().hex[:8]


def living_workers(client: redis.Redis, prefix: str, silence: float) -> list[LivingWorker]:
    """Return the workers of all topics that have sent a heartbeat in the last *silence* seconds.

    Sorted by topic and name.  Raises :class:`~topiccrawl.errors.ConfigurationError` for a server that
    does not answer.
    """
    begin, __, end = key_base("x", prefix).rpartition(b"x")
    pattern = re.sub(rb"([\\\[\]*?])", rb"\\\1", begin) + b"*" + end + b"workers"
    found = []
    with reachable(client):
        seconds, micros = client.time()
        now = seconds + micros / 1e6
        for key in sorted(client.scan_iter(pattern, _PIECE)):
            names: Any = client.hgetall(key.removesuffix(b"workers") + b"names")
            by_number = {number: as_text(name) for name, number in names.items()}
            beats: Any = client.zrangebyscore(key, now - silence, "+inf", withscores=True)
            topic = unquote(as_text(key[len(begin) : -len(end + b"workers")]))
            found += [
                LivingWorker(topic, by_number.get(it, as_text(it)), max(0.0, now - at))
                for it, at in beats
            ]
    return sorted(found, key=lambda it: (it.topic, it.name))
