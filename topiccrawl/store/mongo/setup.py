"""What the MongoDB store asks of the client and makes in the database before it is used."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl

from pymongo import ASCENDING, DESCENDING, IndexModel
from pymongo.errors import DuplicateKeyError

if TYPE_CHECKING:
    from pymongo.asynchronous.database import AsyncDatabase

    from topiccrawl.store.contract import PageOrder
    from topiccrawl.store.documents import Document

#: Version of the documents; raise it when a document of today could not be read by its reader.
FORMAT_VERSION: Final = 2

#: Versions whose documents today's reader reads, and beside which it may write.
OLDER_VERSIONS: Final = frozenset({1})

#: How long to look for a server, at start and before a batch goes to the spool.  A guess: more
#: than an election of a replica set needs as a rule, little enough to wait at a terminal.
SELECTION_SECONDS: Final = 5.0

#: How long a server that took a batch may stay silent.  A guess, for a batch of some megabytes.
SOCKET_SECONDS: Final = 30.0

#: Largest document; every MongoDB since 1.8 says so in its ``hello``.
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
_TOPIC: Final[Keys] = [("topic", ASCENDING)]

_INDEXES: Final[dict[str, list[IndexModel]]] = {
    "pages": [
        IndexModel([*_TOPIC, ("url", ASCENDING)], name="topic_url", unique=True),
        *(IndexModel(_TOPIC + keys, name=f"topic_{name}") for name, keys in ORDERS.items()),
    ],
    "outcomes": [IndexModel(_TOPIC + OUTCOME_ORDER, name="topic_time")],
    "runs": [IndexModel(_TOPIC + RUN_ORDER, name="topic_started")],
}


def client_options(uri: str, selection_seconds: float) -> dict[str, Any]:
    """Return what we ask of the client, where *uri* does not ask for it itself.

    Raises:
        ValueError: *uri* asks for writes without an answer.
    """
    given = {
        name.lower(): value
        for name, value in parse_qsl(uri.partition("?")[2], keep_blank_values=True)
    }
    if given.get("w") == "0":
        raise ValueError("w=0 writes without an answer, so that losses stay unknown")
    wanted = {
        "serverSelectionTimeoutMS": round(selection_seconds * 1000),
        "connectTimeoutMS": round(selection_seconds * 1000),
        "socketTimeoutMS": round(SOCKET_SECONDS * 1000),
        "appname": "topiccrawl",
        # A record counts as durable when we are told so: on the disks of the majority.
        "w": "majority",
        "journal": True,
    }
    return {name: value for name, value in wanted.items() if name.lower() not in given}


async def prepare(database: AsyncDatabase[Document], *, read_only: bool) -> None:
    """Check the format of *database* and, unless *read_only*, mark it and make its indexes.

    A database of an older format gets today's mark before today's documents, so that an older
    topiccrawl refuses it instead of failing at a document.

    Raises:
        ValueError: another version of topiccrawl wrote it.
    """
    meta = database["meta"]
    found = await meta.find_one({"_id": "format"})
    version = None if found is None else found.get("version")
    if found is not None and version != FORMAT_VERSION and version not in OLDER_VERSIONS:
        raise ValueError(
            f"database {database.name!r} has format {version}, and this version of "
            f"topiccrawl knows format {FORMAT_VERSION}; name another database"
        )
    if read_only:
        return
    if found is None:
        # Several workers may begin on a new database in the same moment; one of them marks it.
        with suppress(DuplicateKeyError):
            await meta.insert_one({"_id": "format", "version": FORMAT_VERSION})
    elif version in OLDER_VERSIONS:
        await meta.update_one(
            {"_id": "format", "version": version}, {"$set": {"version": FORMAT_VERSION}}
        )
    for name, indexes in _INDEXES.items():
        for index in indexes:
            # One by one: FerretDB 1.24 breaks on several of which some exist.
            await database[name].create_indexes([index])
