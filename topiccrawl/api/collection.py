"""``open_store``: the collection as records or as a data frame."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, date, datetime, time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from topiccrawl.api.loops import BackgroundLoop
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _, listed

if TYPE_CHECKING:
    import pandas as pd

    from topiccrawl.store.contract import OutcomeRecord, PageOrder, PageRecord, RunRecord, Store


#: Fields of a page that a data frame lacks: bytes, fingerprints and the evidence of the link.
_NOT_IN_FRAMES: Final = frozenset({"html", "tokens", "link"})


def open_store(store: str | os.PathLike[str] | None = None) -> Collection:
    """Open a store for reading.

    Raises ``ConfigurationError`` if there is no such store.

    Parameters
    ----------
    store
        The file of a SQLite store, or an address such as ``mongodb://host/database``.  Without it, that
        of TOPICCRAWL_STORE_URI in the settings of the project, by default ``data/topiccrawl.sqlite``.
    """
    from topiccrawl.store.factory import open_store as open_backend

    address = project_store() if store is None else os.fspath(store)
    if "://" not in address:
        path = Path(address).expanduser()
        if not path.is_file():
            raise ConfigurationError(_("{path}: there is no such store").format(path=path))
        address = store_address(path)
    return Collection(open_backend(address, read_only=True))


def store_address(path: Path) -> str:
    """Return the address of the SQLite store at *path*."""
    from urllib.parse import quote

    return f"sqlite:///{quote(str(path.expanduser().absolute()))}"


def project_store() -> str:
    """Return the address of the store in the settings of the project, else in topiccrawl's own."""
    from scrapy.utils.project import get_project_settings

    settings = get_project_settings()
    if address := settings.get("TOPICCRAWL_STORE_URI"):
        return str(address)
    from topiccrawl import settings as own

    return own.TOPICCRAWL_STORE_URI


class Collection:
    """An open store, for reading; all its calls block, also inside a notebook.

    It closes at the end of a ``with`` block, by :meth:`close`, or when it is garbage-collected.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._loop = BackgroundLoop()
        self._open = False
        try:
            self._loop.call(store.open())
        except BaseException:
            self._loop.close()
            raise
        self._open = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store; a second call does nothing."""
        if self._open:
            self._open = False
            self._loop.call(self._store.close())
            self._loop.close()

    def topics(self) -> Mapping[str, int]:
        """Return the number of pages of each topic, without copies."""
        return self._loop.call(self._store.topics())

    def pages(
        self,
        topic: str | None = None,
        *,
        order: PageOrder = "fetched",
        since: datetime | date | str | None = None,
        limit: int | None = None,
        copies: bool = False,
        html: bool = False,
    ) -> Iterator[PageRecord]:
        """Yield the kept pages of *topic*, or of the only topic.

        *order* is ``fetched`` (oldest first), ``relevance`` or ``published`` (newest first); with *since*
        only pages that are new, changed or gone since then: a moment, a day, or a text as for the option
        ``--since``, such as ``7d``; without an offset in China's time.  *html* reads the stored HTML, too.  Raises
        ``ConfigurationError`` if the topic is not in the store, or *since* is not a time. Raises
        ``ValueError`` if *order* is none of these.
        """
        return self._loop.iterate(
            self._store.pages(
                self._topic(topic),
                order=order,
                since=_moment(since),
                limit=limit,
                copies=copies,
                with_html=html,
            )
        )

    def page(self, url: str, topic: str | None = None) -> PageRecord | None:
        """Return the stored page with this address, ``None`` if there is none."""
        from topiccrawl.urls.canonical import canonical_url

        name = self._topic(topic)
        found = self._loop.call(self._store.page(name, url))
        return found or self._loop.call(self._store.page(name, canonical_url(url)))

    def outcomes(self, topic: str | None = None) -> Iterator[OutcomeRecord]:
        """Yield what became of each URL that was fetched, dropped or failed, in that order."""
        return self._loop.iterate(self._store.outcomes(self._topic(topic)))

    def runs(self, topic: str | None = None) -> Sequence[RunRecord]:
        """Return the runs of *topic*, oldest first."""
        return self._loop.call(self._store.runs(self._topic(topic)))

    def records(
        self, topic: str | None = None, columns: Sequence[str] = (), **options: Any
    ) -> Iterator[dict[str, Any]]:
        """Yield the pages as dictionaries with *columns*, by default all fields; *options* of :meth:`pages`.

        Raises ``ConfigurationError`` if a page has no such field.
        """
        names = _columns(columns)
        for page in self.pages(topic, **options):
            yield {name: getattr(page, name) for name in names}

    def frame(
        self, topic: str | None = None, columns: Sequence[str] = (), **options: Any
    ) -> pd.DataFrame:
        """Return the pages as a pandas data frame, a row for each; arguments of :meth:`records`."""
        names = _columns(columns)
        try:
            import pandas as pd
        except ModuleNotFoundError:
            raise ConfigurationError(_("a data frame needs pandas: pip install pandas")) from None
        return pd.DataFrame.from_records(
            list(self.records(topic, names, **options)), columns=list(names)
        )

    def _topic(self, name: str | None) -> str:
        from topiccrawl.text.normalize import normalize

        topics = self.topics()
        if name is None and len(topics) == 1:
            return next(iter(topics))
        for topic in topics:
            if name is not None and normalize(topic) == normalize(name):
                return topic
        known = listed(islice(topics, 20)) or _("none")
        if name is None:
            raise ConfigurationError(_("name one of the topics: {known}").format(known=known))
        raise ConfigurationError(
            _("topic {name!r} is not in the store; there are: {known}").format(
                name=name, known=known
            )
        )


def _moment(since: datetime | date | str | None) -> datetime | None:
    from topiccrawl.page.dates import CHINA_TIME
    from topiccrawl.reporting.when import parse_when

    if isinstance(since, str):
        return parse_when("since", since, datetime.now(UTC))
    if isinstance(since, date) and not isinstance(since, datetime):
        since = datetime.combine(since, time())
    if isinstance(since, datetime) and since.tzinfo is None:
        return since.replace(tzinfo=CHINA_TIME)
    return since


def _columns(wanted: Sequence[str]) -> tuple[str, ...]:
    from topiccrawl.store.records import PageRecord

    known = tuple(it.name for it in fields(PageRecord) if it.name not in _NOT_IN_FRAMES)
    for name in wanted:
        if name not in known:
            raise ConfigurationError(
                _("a page has no field {name!r}; there are: {known}").format(
                    name=name, known=listed(known)
                )
            )
    return tuple(wanted) or known
