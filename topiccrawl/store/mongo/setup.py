"""Options of the MongoDB client, indexes, and the format of the database."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl

from pymongo import ASCENDING, DESCENDING, IndexModel
from pymongo.errors import DuplicateKeyError

from topiccrawl.language import _
from topiccrawl.store.records import FORMAT

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pymongo.asynchronous.database import AsyncDatabase

    from topiccrawl.store.contract import PageOrder
    from topiccrawl.store.fields import Document

#: Oldest format that can be upgraded.
FIRST_FORMAT: Final = 1

#: Changes of an upgrade step, by the format that the step leads to.  A step that only adds fields
#: needs none: readers take the default of an absent field.
UPGRADES: Final[Mapping[int, Callable[[AsyncDatabase[Document]], Awaitable[None]]]] = {}

#: How long to look for a server, at the start and before a batch goes to the spool.  A guess: more
#: than an election of a replica set usually takes, and short enough to wait at a terminal.
SELECTION_SECONDS: Final = 5.0

#: How long to wait for the answer to a batch.  A guess, for a batch of some megabytes.
SOCKET_SECONDS: Final = 30.0

#: Largest document of MongoDB since 1.8; servers report it in their ``hello``.
DOCUMENT_BYTES: Final = 16 * 1024 * 1024

#: (field, direction) pairs of a sort.
Keys = list[tuple[str, int]]
#: Keys of each order of pages.
ORDERS: Final[dict[PageOrder, Keys]] = {
    "fetched": [("fetched_at", ASCENDING), ("_id", ASCENDING)],
    "relevance": [("relevance", DESCENDING), ("fetched_at", ASCENDING), ("_id", ASCENDING)],
    # null is the smallest value in MongoDB: undated pages come last here.
    "published": [("published_at", DESCENDING), ("fetched_at", ASCENDING), ("_id", ASCENDING)],
}
#: Order of outcomes.
OUTCOME_ORDER: Final[Keys] = [("at", ASCENDING), ("sequence", ASCENDING), ("_id", ASCENDING)]
#: Order of runs.
RUN_ORDER: Final[Keys] = [("started_at", ASCENDING), ("_id", ASCENDING)]
#: Order of near misses.
NEAR_MISS_ORDER: Final[Keys] = [("probability", DESCENDING), ("_id", ASCENDING)]
#: Order of the pages that must be compared.
COMPARED_ORDER: Final[Keys] = [("compared", ASCENDING), *ORDERS["fetched"]]
#: Order of visits.
VISIT_ORDER: Final[Keys] = [("_id", ASCENDING)]
#: Order of the versions of a page, and of the changes of a topic.
VERSION_ORDER: Final[Keys] = [("replaced_at", ASCENDING), ("url", ASCENDING)]
#: Order of desk records.
DESK_ORDER: Final[Keys] = [("key", ASCENDING)]
_TOPIC: Final[Keys] = [("topic", ASCENDING)]

_INDEXES: Final[dict[str, list[IndexModel]]] = {
    "pages": [
        IndexModel([*_TOPIC, ("url", ASCENDING)], name="topic_url", unique=True),
        *(IndexModel(_TOPIC + keys, name=f"topic_{name}") for name, keys in ORDERS.items()),
        IndexModel(
            [*_TOPIC, ("withdrawn_at", ASCENDING), ("copy_of", ASCENDING)], name="topic_standing"
        ),
        IndexModel(
            [*_TOPIC, ("story", ASCENDING), ("copy_of", ASCENDING), ("fetched_at", ASCENDING)],
            name="topic_story",
        ),
        IndexModel([*_TOPIC, *COMPARED_ORDER], name="topic_compared"),
        IndexModel([*_TOPIC, ("attached_to", ASCENDING)], name="topic_attached"),
        *(
            IndexModel([*_TOPIC, (name, ASCENDING)], name=f"topic_{name}")
            for name in ("first_seen", "changed_at", "gone_at", "touched")
        ),
        # The topic is part of each token.
        IndexModel([("tokens", ASCENDING)], name="tokens"),
        IndexModel([*_TOPIC, ("search.characters", ASCENDING)], name="topic_characters"),
        IndexModel([("search.version", ASCENDING)], name="search_version"),
    ],
    "texts": [IndexModel(_TOPIC, name="topic")],
    "outcomes": [IndexModel(_TOPIC + OUTCOME_ORDER, name="topic_time")],
    "runs": [IndexModel(_TOPIC + RUN_ORDER, name="topic_started")],
    "near_misses": [IndexModel(_TOPIC + NEAR_MISS_ORDER, name="topic_probability")],
    "desk": [IndexModel([*_TOPIC, ("kind", ASCENDING), *DESK_ORDER], name="topic_key")],
    "visits": [IndexModel(_TOPIC + VISIT_ORDER, name="topic_id")],
    "versions": [
        IndexModel([*_TOPIC, ("url", ASCENDING), ("replaced_at", ASCENDING)], name="topic_url"),
        IndexModel(_TOPIC + VERSION_ORDER, name="topic_time"),
    ],
}


def client_options(uri: str, selection_seconds: float) -> dict[str, Any]:
    """Return our options of the client, without those that *uri* sets itself.

    Raises:
        ValueError: *uri* demands writes without acknowledgment.
    """
    given = {
        name.lower(): value
        for name, value in parse_qsl(uri.partition("?")[2], keep_blank_values=True)
    }
    if given.get("w") == "0":
        raise ValueError(_("w=0 writes without acknowledgment, so that losses stay unknown"))
    wanted = {
        "serverSelectionTimeoutMS": round(selection_seconds * 1000),
        "connectTimeoutMS": round(selection_seconds * 1000),
        "socketTimeoutMS": round(SOCKET_SECONDS * 1000),
        "appname": "topiccrawl",
        # A record counts as durable when it is on the disks of the majority.
        "w": "majority",
        "journal": True,
    }
    return {name: value for name, value in wanted.items() if name.lower() not in given}


async def prepare(
    database: AsyncDatabase[Document], *, read_only: bool, version: int = FORMAT
) -> None:
    """Check the format of *database* and, unless *read_only*, upgrade it and create its indexes.

    A database of an older format is marked with today's before today's documents are written, so
    that an older topiccrawl refuses it instead of failing at a document.

    Raises:
        ValueError: the database has a newer or unknown format.
    """
    meta = database["meta"]
    mark = await meta.find_one({"_id": "format"})
    found = version if mark is None else mark.get("version")
    if not isinstance(found, int) or not FIRST_FORMAT <= found <= version:
        raise ValueError(
            _(
                "database {name!r} has format {found}, and this version of topiccrawl supports "
                "formats up to {version}; name another database"
            ).format(name=database.name, found=found, version=version)
        )
    if read_only:
        return
    if mark is None:
        # Several workers may start on a new database at the same moment; one of them marks it.
        with suppress(DuplicateKeyError):
            await meta.insert_one({"_id": "format", "version": version})
    for step in range(found + 1, version + 1):
        if step in UPGRADES:
            await UPGRADES[step](database)
        await meta.update_one({"_id": "format", "version": step - 1}, {"$set": {"version": step}})
    for name, indexes in _INDEXES.items():
        for index in indexes:
            # One by one: FerretDB 1.24 fails on several of which some exist.
            await database[name].create_indexes([index])
