"""Records of the desk: what users and the programs at their service note about a topic.

Notes, tags, saved searches, briefings, sent warnings, exports and cached results are records of this
one kind, told apart by ``kind``.  The store does not read their values.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Final, Protocol

from topiccrawl.store.fields import RecordType, Stored
from topiccrawl.store.ids import record_id
from topiccrawl.store.values import JSON_AS_TEXT

#: What JSON can hold.
JSON = str | int | float | bool | None | Sequence["JSON"] | Mapping[str, "JSON"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskRecord:
    """One entry of the desk.  Writing it again replaces its value."""

    topic: str
    """Name of the topic; empty for what concerns the whole store."""
    kind: str
    """Such as ``note``, ``tag``, ``saved-search``, ``briefing``, ``alert``."""
    key: str
    """The key together with topic and kind, such as the URL of a page."""
    at: datetime
    """Time of the entry."""
    value: Annotated[Mapping[str, JSON], Stored(codec=JSON_AS_TEXT)] = field(default_factory=dict)
    """Mapping of JSON values, read back as it was written."""

    @property
    def id(self) -> str:
        """Primary key: topic, kind and key."""
        return desk_id(self.topic, self.kind, self.key)


def desk_id(topic: str, kind: str, key: str) -> str:
    """Return the primary key of a desk record."""
    return record_id(topic, f"{kind}\x00{key}")


DESK: Final = RecordType("desk", DeskRecord, key=lambda it: it.id, since=7)


class DeskStore(Protocol):
    """What a store does for the desk."""

    async def write(self, *, desk: Sequence[DeskRecord] = ()) -> None:
        """See :meth:`~topiccrawl.store.contract.Store.write`."""

    def desk(self, topic: str, kind: str, *, prefix: str = "") -> AsyncIterator[DeskRecord]:
        """Yield the desk records of *topic* and *kind* whose keys begin with *prefix*, by key."""

    async def desk_entry(self, topic: str, kind: str, key: str) -> DeskRecord | None:
        """Return one desk record."""

    async def claim_desk(self, record: DeskRecord) -> bool:
        """Write *record* if there is none with its topic, kind and key; return whether it was written.

        Atomic: of any number of callers, exactly one gets True.
        """

    async def delete_desk(self, topic: str, kind: str, keys: Sequence[str]) -> int:
        """Delete desk records; return how many there were."""
