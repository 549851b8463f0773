"""Links as bytes: what goes to the Lua scripts of the Redis frontier and comes back.

Numbers and the host's name are packed so that Lua reads them without parsing; evidence and request
are JSON, which anybody may read and nobody can hide code in.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scoring.evidence import LinkEvidence

#: Lone surrogates occur in URLs of the wild; they survive this, and are the same bytes everywhere.
_ERRORS: Final = "surrogatepass"
_OFFER = struct.Struct(">qdiH")
_RECORD = struct.Struct(">c6sHHBIdiH")
_LENGTH = struct.Struct(">I")
_LARGEST_DEPTH: Final = 2**31 - 1
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=True).encode


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A link as the server keeps it."""

    link: QueuedLink
    failures: int


def as_bytes(text: str) -> bytes:
    """Return text as it stands in keys and records."""
    return text.encode("utf-8", _ERRORS)


def as_text(data: bytes) -> str:
    """Undo :func:`as_bytes`."""
    return data.decode("utf-8", _ERRORS)


def packed_id(id: int) -> bytes:
    """Return the eight bytes of a link's id."""
    return id.to_bytes(8, "big", signed=True)


def packed_ids(ids: Iterable[int]) -> bytes:
    """Return ids, eight bytes each."""
    return b"".join([id.to_bytes(8, "big", signed=True) for id in ids])


def offer(link: QueuedLink) -> bytes:
    """Return a link for the scripts ``push`` and ``requeue``."""
    seen, host = link.evidence, as_bytes(link.host)
    if len(host) > 65_535:
        raise ValueError(f"the host of {link.url[:80]} is longer than 65,535 bytes")
    why = as_bytes(_encode([seen.parts, seen.parent, seen.anchor]))
    what = as_bytes(_encode([link.url, link.request]))
    depth = max(-_LARGEST_DEPTH, min(seen.depth, _LARGEST_DEPTH))
    head = _OFFER.pack(link.id, seen.score, depth, len(host))
    return b"".join((head, host, _LENGTH.pack(len(why)), why, what))


def stored(record: bytes, score: float | None = None) -> StoredLink:
    """Read a record of the server; *score* is the present one where the record's is not."""
    _, _, failures, _, _, _, kept, depth, length = _RECORD.unpack_from(record)
    at = _RECORD.size
    host = as_text(record[at : at + length])
    at += length
    (size,) = _LENGTH.unpack_from(record, at)
    at += _LENGTH.size
    parts, parent, anchor = _loads(record[at : at + size])
    url, request = _loads(record[at + size :])
    evidence = LinkEvidence(kept if score is None else score, parts, parent, anchor, depth)
    return StoredLink(QueuedLink(url, host, evidence, request), failures)


def packed_limits(limits: FrontierLimits, exact_links: int) -> bytes:
    """Return the limits as every script reads them."""
    return struct.pack(
        ">9d",
        limits.max_links,
        limits.host_budget,
        limits.lease_seconds,
        limits.max_attempts,
        limits.max_returns,
        limits.worker_seconds,
        limits.host_concurrency,
        limits.host_delay,
        exact_links,
    )


def concurrencies(limits: FrontierLimits) -> bytes:
    """Return the hosts that have a concurrency of their own, as JSON; nothing without any."""
    hosts = dict(limits.host_concurrencies)
    return as_bytes(_encode(hosts)) if hosts else b""


def _loads(data: bytes) -> Any:
    return json.loads(as_text(data))
