"""The log of exports: who wrote which data of a topic to where, and when."""

from __future__ import annotations

import getpass
import platform
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from topiccrawl.store.desk import DeskRecord, DeskStore

#: Kind of the desk records.
KIND: Final = "export"


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """One file that left the store."""

    topic: str
    at: datetime
    who: str
    """User and machine, or the address of the console's visitor."""
    what: str
    """Command or view: ``export``, ``stories``, ``trends``, ``report``, ``brief``, ``console briefing``."""
    out: str
    """File, or ``-`` for standard output."""
    format: str = ""
    count: int = 0
    """Pages, rows or entries."""
    unmasked: bool = False
    """Whether personal data were left as they are."""
    selection: str = ""
    """Options that chose the pages, as the user wrote them."""


def user_name() -> str:
    """Return who runs this process: ``user@machine``."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # no entry for the user, as in some containers
        user = "?"
    return f"{user}@{platform.node() or '?'}"


def export_record(export: Export) -> DeskRecord:
    """Return the desk record of an export; its key orders exports by time."""
    at = export.at.astimezone(UTC)
    return DeskRecord(
        topic=export.topic,
        kind=KIND,
        key=f"{at:%Y%m%dT%H%M%S%f}-{secrets.token_hex(4)}",
        at=at,
        value={
            "who": export.who,
            "what": export.what,
            "out": export.out,
            "format": export.format,
            "count": export.count,
            "unmasked": export.unmasked,
            "selection": export.selection,
        },
    )


async def logged_exports(store: DeskStore, topic: str) -> AsyncIterator[Export]:
    """Yield the exports of *topic*, oldest first."""
    async for record in store.desk(topic, KIND):
        value: dict[str, Any] = dict(record.value)
        count = value.get("count")
        yield Export(
            topic=topic,
            at=record.at,
            who=str(value.get("who", "")),
            what=str(value.get("what", "")),
            out=str(value.get("out", "")),
            format=str(value.get("format", "")),
            count=count if isinstance(count, int) else 0,
            unmasked=value.get("unmasked") is True,
            selection=str(value.get("selection", "")),
        )
