"""Links as bytes: the arguments of the Lua scripts of the Redis frontier, and their answers.

Numbers and the host's name are packed so that Lua reads them without parsing.  Evidence and request
are JSON, which is readable and cannot carry code.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.records import UnreadableRecordError, decoded, read_evidence, read_link

#: Encodes lone surrogates, which occur in URLs on the Web, and is the same bytes everywhere.
_ERRORS: Final = "surrogatepass"
_OFFER = struct.Struct(">qdiH")
_RECORD = struct.Struct(">c6sHHBIdiH")
_LENGTH = struct.Struct(">I")
_RESCORED = np.dtype([("id", ">i8"), ("score", ">f8")])
_SCORE = np.dtype(">f8")
_LARGEST_DEPTH: Final = 2**31 - 1
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=True).encode


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A link as the server keeps it."""

    link: QueuedLink
    failures: int


def as_bytes(text: str) -> bytes:
    """Return *text* in the form used in keys and records."""
    return text.encode("utf-8", _ERRORS)


def as_text(data: bytes) -> str:
    """Undo :func:`as_bytes`."""
    return data.decode("utf-8", _ERRORS)


def packed_id(id: int) -> bytes:
    """Return the eight bytes of a link's id."""
    return id.to_bytes(8, "big", signed=True)


def packed_ids(ids: Iterable[int]) -> bytes:
    """Return *ids*, eight bytes each."""
    return b"".join([id.to_bytes(8, "big", signed=True) for id in ids])


def unpacked_id(data: bytes) -> int:
    """Undo :func:`packed_id`."""
    return int.from_bytes(data, "big", signed=True)


def packed_hosts(hosts: Iterable[str]) -> bytes:
    """Return the names of *hosts* as a JSON array; nothing if there is none."""
    names = list(hosts)
    return as_bytes(json.dumps(names, ensure_ascii=False)) if names else b""


def packed_scores(
    ids: NDArray[np.int64], scores: NDArray[np.float64], per_script: int
) -> list[tuple[bytes]]:
    """Return ids and scores for the script ``rescore``, *per_script* links in each piece.

    The last of equal ids counts.  The order is kept, because the ids of one host come together.
    """
    _, last = np.unique(ids[::-1], return_index=True)
    chosen = np.sort(len(ids) - 1 - last)
    table = np.empty(len(chosen), _RESCORED)
    table["id"], table["score"] = ids[chosen], scores[chosen]
    return [(table[at : at + per_script].tobytes(),) for at in range(0, len(table), per_script)]


def offered(link: QueuedLink) -> bytes:
    """Return a link for the scripts ``push`` and ``put_back``."""
    evidence, host = link.evidence, as_bytes(link.host)
    if len(host) > 65_535:
        raise ValueError(f"the host of {link.url[:80]} is longer than 65,535 bytes")
    reasons = as_bytes(_encode(evidence.reasons))
    request = as_bytes(_encode([link.url, link.request]))
    depth = max(-_LARGEST_DEPTH, min(evidence.depth, _LARGEST_DEPTH))
    head = _OFFER.pack(link.id, evidence.score, depth, len(host))
    return b"".join((head, host, _LENGTH.pack(len(reasons)), reasons, request))


def stored(record: bytes, score: float | None = None) -> StoredLink:
    """Read a record of the server; *score* replaces the record's if that is out of date.

    Raises :class:`UnreadableRecordError` if it is damaged.
    """
    try:
        _, _, failures, _, _, _, kept, depth, length = _RECORD.unpack_from(record)
        at = _RECORD.size
        host = as_text(record[at : at + length])
        at += length
        (size,) = _LENGTH.unpack_from(record, at)
    except (struct.error, UnicodeError) as error:
        raise UnreadableRecordError(f"the record is too short, or no text: {error}") from error
    at += _LENGTH.size
    reasons = decoded(record[at : at + size])
    rest = decoded(record[at + size :])
    if not isinstance(rest, list) or len(rest) != 2:
        raise UnreadableRecordError("the request has another form")
    evidence = read_evidence(kept if score is None else score, depth, reasons)
    return StoredLink(read_link(rest[0], host, evidence, rest[1]), failures)


def looked_up(answer: bytes) -> StoredLink:
    """Read one answer of the script ``look``: state, present score, record."""
    (score,) = np.frombuffer(answer, _SCORE, 1, offset=1).tolist()
    return stored(answer[1 + _SCORE.itemsize :], score)


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


def packed_concurrencies(limits: FrontierLimits) -> bytes:
    """Return the hosts with a concurrency of their own as a JSON object; nothing without any."""
    hosts = dict(limits.host_concurrencies)
    return as_bytes(_encode(hosts)) if hosts else b""
