"""The Lua scripts of the Redis frontier; each runs as one atomic step on the server."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from topiccrawl.frontier.contract import RETURN_DELAY_SECONDS

#: Share of unknown links that a Bloom filter of ended links reports as known.
BLOOM_ERROR_RATE: Final = 1e-6
#: Bits of the filter for each link, 1.44 · log2(1 / rate) = 28.8.
BLOOM_BITS_PER_LINK: Final = -math.log(BLOOM_ERROR_RATE) / math.log(2) ** 2
#: Bits set by each link, log2(1 / rate) = 20.
BLOOM_PROBES: Final = round(-math.log2(BLOOM_ERROR_RATE))
#: Smaller bitmaps save nothing.  At 1,000 links, pairs of id halves would collide as often as the error
#: rate allows: n / bits² = 1.2e-6; at 100,000 it is 1.2e-8.
SMALLEST_BLOOM_LINKS: Final = 100_000
#: A Redis string has at most 2^32 bits.
LARGEST_BLOOM_LINKS: Final = int(2**32 / BLOOM_BITS_PER_LINK)


@dataclass(frozen=True, slots=True)
class Script:
    """The text of one script, and the SHA-1 under which the server caches it."""

    text: str
    sha: str


#: Parts that a script needs beside ``keys``.  Each is executed at every call, some 10 µs.
_PARTS: Final = {
    **dict.fromkeys(("push", "ack", "fail", "reap", "keep", "mark_ended"), ("links", "ends")),
    **dict.fromkeys(
        ("pop", "resume", "sweep", "put_back", "transfer_finished", "hold_host", "extend_budget"),
        ("links",),
    ),
    **dict.fromkeys(("rescore", "forget", "worst", "look", "waiting", "shift", "cut"), ("links",)),
    "known": ("ends",),
}


@cache
def script(name: str) -> Script:
    """Return the script *name*: ``keys``, the parts it needs, and ``lua/<name>.lua``."""
    folder = files("topiccrawl.frontier.redis") / "lua"
    parts = ("keys", *_PARTS.get(name, ()), name)
    text = "".join((folder / f"{part}.lua").read_text("utf-8") for part in parts)
    for constant, value in (
        ("__RETURN_DELAY_SECONDS__", RETURN_DELAY_SECONDS),
        ("__BLOOM_PROBES__", BLOOM_PROBES),
        ("__BLOOM_SMALLEST_LINKS__", SMALLEST_BLOOM_LINKS),
        ("__BLOOM_BITS_PER_LINK__", BLOOM_BITS_PER_LINK),
    ):
        text = text.replace(constant, repr(value))
    return Script(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())
