"""Feeds of pages are the files of ``scrapy export``; feeds of other items are Scrapy's."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from scrapy.utils.test import get_crawler

from tests.support.reporting_store import make_page
from topiccrawl.errors import ConfigurationError
from topiccrawl.export.fields import choose_columns
from topiccrawl.export.writers import WRITERS
from topiccrawl.extensions.feeds import CsvExporter, XlsxExporter, check_feeds
from topiccrawl.store.columns import COLUMNS

PAGES = [make_page("http://a.cn/1", title="=HYPERLINK(1)"), make_page("http://a.cn/2")]


def fed(exporter: type[CsvExporter], items: list[Any], **options: Any) -> bytes:
    """Return the file of a feed."""
    file = io.BytesIO()
    made = exporter(file, **options)
    made.start_exporting()
    for item in items:
        made.export_item(item)
    made.finish_exporting()
    return file.getvalue()


def rows_of(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_csv_feed_is_the_file_that_an_export_writes(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", f"{language}_XX.UTF-8")
    stream = io.BytesIO()
    columns = choose_columns(None)
    writer = WRITERS["csv"](stream, columns, language)  # type: ignore[arg-type]
    for page in PAGES:
        writer.row([column.exported(page) for column in columns])
    writer.finish()
    assert fed(CsvExporter, PAGES) == stream.getvalue()


@pytest.mark.parametrize("fields", [["url", "title"], {"url": "x", "title": "y"}])
def test_the_fields_of_the_settings_are_the_columns(fields: Any) -> None:
    rows = rows_of(fed(CsvExporter, PAGES, fields_to_export=fields, headings="fields"))
    assert rows[:2] == [["url", "title"], ["http://a.cn/1", "'=HYPERLINK(1)"]]


def test_an_excel_feed_is_a_workbook() -> None:
    book = load_workbook(io.BytesIO(fed(XlsxExporter, PAGES, headings="zh")))
    assert [row[0].value for row in book["页面"].iter_rows()] == [
        "标题",
        "=HYPERLINK(1)",
        "华侨捐资助学",
    ]


@pytest.mark.parametrize("exporter", [CsvExporter, XlsxExporter])
def test_a_feed_without_items_has_its_headings(exporter: type[CsvExporter]) -> None:
    data = fed(exporter, [], headings="fields")
    if exporter is CsvExporter:
        assert rows_of(data) == [list(COLUMNS)]
    else:
        assert load_workbook(io.BytesIO(data))["Pages"].max_row == 1


def test_a_feed_that_continues_a_file_has_one_line_of_headings(tmp_path: Path) -> None:
    path = tmp_path / "pages.csv"
    for page in PAGES:
        with path.open("ab") as file:
            exporter = CsvExporter(file, fields_to_export=["url"], headings="fields")
            exporter.export_item(page)
            exporter.finish_exporting()
    assert rows_of(path.read_bytes()) == [["url"], ["http://a.cn/1"], ["http://a.cn/2"]]
    assert path.read_bytes().count(b"\xef\xbb\xbf") == 1


def test_items_of_other_spiders_are_written_by_scrapy() -> None:
    assert rows_of(fed(CsvExporter, [{"a": 1, "b": "x"}])) == [["a", "b"], ["1", "x"]]
    with pytest.raises(ConfigurationError, match=r"an \.xlsx feed must be of pages"):
        fed(XlsxExporter, [{"a": 1}])


def test_wrong_options_are_named() -> None:
    with pytest.raises(
        ConfigurationError, match="headings of a feed must be one of zh, en, fields"
    ):
        CsvExporter(io.BytesIO(), headings="fr")  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="FEED_EXPORT_FIELDS: unknown field 'titel'"):
        fed(CsvExporter, PAGES, fields_to_export=["titel"])


def test_an_excel_feed_that_would_continue_a_file_is_refused_before_the_crawl(
    tmp_path: Path,
) -> None:
    old = tmp_path / "old.xlsx"
    check_feeds({str(old): {"format": "xlsx"}, "s3://bucket/x.xlsx": {"format": "xlsx"}})
    old.write_bytes(b"x")
    check_feeds({str(old): {"format": "xlsx", "overwrite": True}})
    check_feeds({old.with_suffix(".csv"): {"format": "csv"}})
    for uri in (str(old), old.as_uri(), old):
        with pytest.raises(ConfigurationError, match="cannot be continued: -O overwrites it"):
            check_feeds({uri: {"format": "xlsx"}})


@pytest.mark.parametrize(("masks", "shown"), [(True, "139****5678"), (False, "13912345678")])
def test_personal_data_are_masked_in_feeds_by_a_setting(masks: bool, shown: str) -> None:
    crawler = get_crawler(settings_dict={"TOPICCRAWL_MASK_FEEDS": masks})
    file = io.BytesIO()
    exporter = CsvExporter.from_crawler(crawler, file, headings="fields")
    exporter.export_item(make_page("http://a.cn/13912345678", title="电话13912345678"))
    exporter.finish_exporting()
    heading, row = rows_of(file.getvalue())
    cells = dict(zip(heading, row, strict=True))
    assert cells["title"] == f"电话{shown}"
    assert cells["url"] == "http://a.cn/13912345678"
