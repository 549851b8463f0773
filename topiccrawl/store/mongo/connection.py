"""The connection to a MongoDB server, and how its collections are read and written."""

from __future__ import annotations

import warnings
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from pymongo import AsyncMongoClient, DeleteOne, ReplaceOne, UpdateOne, errors

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.store.contract import RecordRejected
from topiccrawl.store.fields import Document
from topiccrawl.store.mongo import texts
from topiccrawl.store.mongo.bulk import write_bulk
from topiccrawl.store.mongo.documents import from_mongo
from topiccrawl.store.mongo.errors import brief, translated
from topiccrawl.store.mongo.setup import (
    DOCUMENT_BYTES,
    SELECTION_SECONDS,
    Keys,
    client_options,
    prepare,
)
from topiccrawl.store.uri import DEFAULT_DATABASE, masked, without_password

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping, Sequence

    from pymongo.asynchronous.collection import AsyncCollection


#: Pages whose texts are restored at a time: one request for the bases of all.
_PAGES_AT_ONCE = 50

#: AuthenticationFailed, https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
_NOT_AUTHENTICATED: Final = 18

Request = ReplaceOne[Document] | UpdateOne | DeleteOne

#: Fields that are not read with a page.
NO_TOKENS: Final = {"tokens": False, "search": False, "touched": False}
NO_HTML: Final = {**NO_TOKENS, "html": False}


class MongoConnection:
    """The database *database* of the server at *uri*.

    With *read_only* no database, collection or index is created.  ``html_dropped`` counts the pages
    whose HTML was left out because the document would have exceeded MongoDB's limit.
    """

    def __init__(
        self,
        uri: str,
        database: str = DEFAULT_DATABASE,
        *,
        read_only: bool = False,
        selection_seconds: float = SELECTION_SECONDS,
    ) -> None:
        self.address = masked(uri)
        self.database = database
        self.read_only = read_only
        self.html_dropped = 0
        self._uri = uri
        self._selection_seconds = selection_seconds
        self._client: AsyncMongoClient[Document] | None = None
        self._limit = DOCUMENT_BYTES

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.address!r}, {self.database!r})"

    async def open(self) -> None:
        """Connect and create indexes; must be awaited in the event loop that will use the store.

        Raises ConfigurationError if no server answers or the server refuses us: at the start of a
        run this is usually a wrong address.
        """
        if self._client is not None:
            return
        try:
            with warnings.catch_warnings():
                # Of an unknown option in the address, pymongo only warns.
                warnings.simplefilter("error", UserWarning)
                options = client_options(self._uri, self._selection_seconds)
                self._client = AsyncMongoClient(self._uri, tz_aware=True, **options)
            hello = await self._client.admin.command("hello")
            self._limit = int(hello.get("maxBsonObjectSize", DOCUMENT_BYTES))
            await prepare(self._client[self.database], read_only=self.read_only)
        except errors.ConnectionFailure as error:
            await self.close()
            raise self._refusal(
                _("no MongoDB server answers there ({error})").format(error=brief(error))
            ) from error
        except errors.OperationFailure as error:
            await self.close()
            hint = ""
            if error.code == _NOT_AUTHENTICATED and "authsource=" not in self._uri.lower():
                hint = _("; a user of another database needs ?authSource=admin, or its name")
            raise self._refusal(
                _(
                    "the server refuses ({error}); user, password and rights must allow {what} in "
                    "database {database!r}"
                ).format(
                    error=brief(error),
                    what=_("reading") if self.read_only else _("reading, writing and indexes"),
                    database=self.database,
                )
                + hint
            ) from error
        except (errors.PyMongoError, ValueError, UserWarning) as error:
            await self.close()
            raise self._refusal(brief(error)) from error

    async def close(self) -> None:
        """Disconnect; everything written before is durable.  Closing twice does nothing."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _write(self, name: str, documents: Iterable[Document]) -> None:
        await self._bulk(name, [replacement(it) for it in documents])

    async def _bulk(self, name: str, batch: list[Request]) -> None:
        collection = self._collection(name)
        with translated(self.address):
            try:
                await write_bulk(collection, batch)
            except KeyError as error:
                # FerretDB leaves out "nModified" when an update fails; pymongo expects it.
                raise RecordRejected(f"{self.address}: a document was refused") from error

    async def _find(
        self,
        name: str,
        wanted: Mapping[str, Any],
        keys: Keys,
        fields: Mapping[str, bool] | None = None,
        limit: int = 0,
    ) -> AsyncIterator[Document]:
        cursor = self._collection(name).find(wanted, fields, sort=keys, limit=limit)
        with translated(self.address, reading=True):
            async with cursor:
                async for found in cursor:
                    yield from_mongo(found)

    async def _find_pages(
        self, wanted: Mapping[str, Any], keys: Keys, fields: Mapping[str, bool], limit: int = 0
    ) -> AsyncIterator[Document]:
        """Yield whole documents of pages."""
        piece = []
        async with aclosing(self._find("pages", wanted, keys, fields, limit)) as found:  # type: ignore[type-var]
            async for document in found:
                piece.append(document)
                if len(piece) >= _PAGES_AT_ONCE:
                    await self._restore(piece)
                    for it in piece:
                        yield it
                    piece = []
        await self._restore(piece)
        for it in piece:
            yield it

    async def _restore(self, documents: Sequence[Document]) -> None:
        with translated(self.address, reading=True):
            await texts.restore(self._collection("pages").database, documents)

    async def _one(
        self, name: str, key: str, fields: Mapping[str, bool] | None = None
    ) -> Document | None:
        with translated(self.address, reading=True):
            found = await self._collection(name).find_one({"_id": key}, fields)
        return None if found is None else from_mongo(found)

    def _check_writable(self) -> None:
        if self.read_only:
            raise RuntimeError(f"{self!r} is open for reading only")

    def _collection(self, name: str) -> AsyncCollection[Document]:
        if self._client is None:
            raise RuntimeError(f"{self!r} is not open")
        return self._client[self.database][name]

    def _refusal(self, rule: str) -> ConfigurationError:
        rule = without_password(rule, self._uri)
        return ConfigurationError(
            _("TOPICCRAWL_STORE_URI names {address}: {rule}").format(
                address=self.address, rule=rule
            )
        )


def replacement(document: Document) -> Request:
    """Return the request that writes *document*, replacing the one of its key."""
    return ReplaceOne({"_id": document["_id"]}, document, upsert=True)
