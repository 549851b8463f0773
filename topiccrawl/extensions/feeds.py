"""Feeds of pages (``-O pages.csv``, ``-O pages.xlsx``) that are like the files of ``scrapy export``."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Protocol, Self

from scrapy.exporters import BaseItemExporter, CsvItemExporter
from w3lib.url import file_uri_to_path

from topiccrawl.crawl.settings.store import PrivacySettings
from topiccrawl.errors import ConfigurationError, needs_extra
from topiccrawl.export.atomic import prepare_folder
from topiccrawl.export.fields import HEADINGS, Headings, choose_columns
from topiccrawl.export.masking import masked_columns
from topiccrawl.export.writers import WRITERS, PageWriter
from topiccrawl.language import _, listed, user_language
from topiccrawl.store.records import PageRecord
from topiccrawl.userfiles import writing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.crawler import Crawler


class _Rows(Protocol):
    """Where items go: pages to a writer of ours, items of other spiders to Scrapy's."""

    def export_item(self, item: Any) -> None: ...

    def finish_exporting(self) -> None: ...


class _Pages:
    """Pages as rows of a table, in the *names* of fields or in all of them."""

    def __init__(
        self, writer: str, file: BinaryIO, names: Any, headings: Headings, *, unmasked: bool
    ) -> None:
        wanted = None if names is None else ",".join(names)
        columns = choose_columns(wanted, "FEED_EXPORT_FIELDS")
        self._columns = columns if unmasked else masked_columns(columns)
        self._writer: PageWriter = WRITERS[writer](file, self._columns, headings)

    def export_item(self, item: Any) -> None:
        self._writer.row([column.exported(item) for column in self._columns])

    def finish_exporting(self) -> None:
        self._writer.finish()


class CsvExporter(BaseItemExporter):
    """CSV with the headings and cells of ``scrapy export``.

    ``item_export_kwargs`` of a feed may contain ``headings``: ``zh``, ``en`` or ``fields``; the default
    is the user's language.  Personal data are masked.  Items that are not pages are written as Scrapy writes them.
    """

    writer: ClassVar[str] = "csv"

    def __init__(
        self,
        file: Any,
        *,
        headings: Headings | None = None,
        unmasked: bool = False,
        **options: Any,
    ) -> None:
        self._options = dict(options)
        super().__init__(dont_fail=True, **options)
        if headings is not None and headings not in HEADINGS:
            raise ConfigurationError(
                _("headings of a feed must be one of {headings}, got {value!r}").format(
                    headings=listed(HEADINGS), value=headings
                )
            )
        self._file = file
        self._unmasked = unmasked
        self._headings: Headings = headings or user_language()
        self._rows: _Rows | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **options: Any) -> Self:
        """Return the exporter of a feed; ``TOPICCRAWL_MASK_FEEDS`` decides about masks."""
        options.setdefault(
            "unmasked", not PrivacySettings.from_settings(crawler.settings).mask_feeds
        )
        return cls(*args, **options)

    def export_item(self, item: Any) -> None:
        """Write one item."""
        if self._rows is None:
            self._rows = self._pages() if isinstance(item, PageRecord) else self._others()
        self._rows.export_item(item)

    def finish_exporting(self) -> None:
        """Write what is still buffered; a feed without items has its headings."""
        if self._rows is None:
            self._rows = self._pages()
        self._rows.finish_exporting()

    def _pages(self) -> _Rows:
        return _Pages(
            self.writer,
            self._file,
            self.fields_to_export,
            self._headings,
            unmasked=self._unmasked,
        )

    def _others(self) -> _Rows:
        return CsvItemExporter(self._file, **self._options)


class XlsxExporter(CsvExporter):
    """An Excel workbook with the headings and cells of ``scrapy export``, for pages only."""

    writer = "xlsx"

    def _others(self) -> _Rows:
        raise ConfigurationError(
            _("an .xlsx feed must be of pages; use .csv for items of other kinds")
        )


def check_feeds(feeds: Mapping[Any, Mapping[str, Any]]) -> None:
    """Raise :class:`ConfigurationError` if a feed of ``FEEDS`` cannot be written, before the crawl."""
    for uri, options in feeds.items():
        workbook = options.get("format") == "xlsx"
        if workbook:
            with needs_extra("excel", _("An .xlsx feed")):
                import xlsxwriter  # noqa: F401  (an optional dependency)
        text = str(uri)
        if text == "-" or text.startswith("stdout:") or ("://" in text and text[:5] != "file:"):
            continue
        path = Path(file_uri_to_path(text) if text.startswith("file:") else text)
        if path.is_dir():
            raise ConfigurationError(
                _("a feed must be a file, {path} is a folder").format(path=path)
            )
        if "%" not in text:  # %(time)s and its like are known when the feed is opened
            _check_writable(path)
        if not workbook:
            continue
        if not options.get("overwrite") and path.is_file() and path.stat().st_size:
            raise ConfigurationError(
                _(
                    "{path} exists, and an .xlsx file cannot be continued: -O overwrites it, "
                    "or name another file"
                ).format(path=path)
            )


def _check_writable(path: Path) -> None:
    """Raise :class:`ConfigurationError` if Scrapy could not open *path* at the end of the crawl."""
    with writing(path):
        if not path.is_file():
            prepare_folder(path)
        elif not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
