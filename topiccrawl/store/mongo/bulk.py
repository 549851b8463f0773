"""Many requests at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pymongo.errors import BulkWriteError

from topiccrawl.steps import pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pymongo.asynchronous.collection import AsyncCollection

    from topiccrawl.store.fields import Document

#: Requests of one command.  FerretDB 1.24 holds one of its 50 connections to SQLite for each document that a
#: command updates, and waits forever for the 51st.
REQUESTS_AT_ONCE: Final = 40


async def write_bulk(collection: AsyncCollection[Document], requests: Sequence[Any]) -> None:
    """Carry out *requests*, in no order: one that is refused does not hold up the others.

    Raises the ``pymongo.errors.BulkWriteError`` of the first command with a refused request, after all others.
    """
    refused: BulkWriteError | None = None
    for piece in pieces(requests, REQUESTS_AT_ONCE):
        try:
            await collection.bulk_write(piece, ordered=False)
        except BulkWriteError as error:
            refused = refused or error
    if refused is not None:
        raise refused
