"""URLs to begin with are written out, or are in the file of a list."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path

import pytest
import xlsxwriter

from topiccrawl.commandline.url_lists import read_seeds, read_url_list
from topiccrawl.errors import ConfigurationError

SEEDS = ["http://a.example/", "http://www.b.example/"]
#: As an editor of Windows may write it.
LIST = "# 我的种子\r\n\r\n侨网 http://a.example/\r\nhtp://typing-error\r\n侨办：www.b.example/\r\nhttp://a.example/\r\n"


def test_exported_records_are_a_list_of_their_urls(tmp_path: Path) -> None:
    """Not a document: its text has words of the topic, and would be stored as one page."""
    path = tmp_path / "all.jsonl"
    records = [
        {"title": "侨网", "parent": "http://p.example/", "body": "侨\u2028务" * 2_000, "url": url}
        for url in SEEDS
    ]
    lines = [json.dumps(it, ensure_ascii=False) for it in records]
    path.write_text("\n".join([*lines, ""]), "utf-8")
    assert read_url_list(path) == SEEDS
    assert read_seeds(str(path)) == SEEDS
    path.write_text("\n".join([*lines, '{"title": "no address"}']), "utf-8")
    assert read_url_list(path) is None


@pytest.mark.parametrize(
    "given",
    [
        "http://a.example/,http://www.b.example/",
        " http://a.example/  \n www.b.example/,",
        "http://a.example/，http://www.b.example/；",
        "http://a.example/;www.b.example/",
    ],
)
def test_seeds_are_separated_by_commas_or_white_space(given: str) -> None:
    assert read_seeds(given) == SEEDS


def test_http_may_be_missing() -> None:
    assert read_seeds("example.cn，www.b.example；news.example.com/qj/ 侨网") == [
        "http://example.cn",
        "http://www.b.example",
        "http://news.example.com/qj/",
        "侨网",
    ]


@pytest.mark.parametrize("given", ["", " ", ",", "http://a.example/;jsessionid=1", "x" * 5000])
def test_other_texts_stay_as_they_are(given: str) -> None:
    assert read_seeds(given) == given.strip(" ,").split()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_a_file_is_read_in_any_encoding_and_what_is_wrong_in_it_is_named(
    encoding: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "种子.txt"
    file.write_bytes(LIST.encode(encoding))
    with caplog.at_level(logging.WARNING):
        assert read_seeds(str(file)) == SEEDS
    assert [it.getMessage() for it in caplog.records] == [
        f"{file}, line 4 has no URL that can be fetched: htp://typing-error"
    ]


def test_the_signs_of_an_input_method_are_read_in_schemes(tmp_path: Path) -> None:
    assert read_seeds("http：//a.example.cn/，https:／／b.example.cn") == [
        "http://a.example.cn/",
        "https://b.example.cn",
    ]
    file = tmp_path / "种子.txt"
    file.write_text("侨网：http：//a.example.cn/\nHTTPS：／／b.example.cn\n", "utf-8")
    assert read_seeds(str(file)) == ["http://a.example.cn/", "HTTPS://b.example.cn"]


def test_a_table_may_have_the_seeds(tmp_path: Path) -> None:
    file = tmp_path / "seeds.xlsx"
    with xlsxwriter.Workbook(file) as book:
        sheet = book.add_worksheet()
        for row, cells in enumerate((("名称", "网址"), ("侨网", SEEDS[0]), ("侨办", SEEDS[1]))):
            sheet.write_row(row, 0, cells, book.add_format())
    assert read_seeds(str(file)) == SEEDS


def test_names_in_a_table_may_link_to_the_seeds(tmp_path: Path) -> None:
    file = tmp_path / "网站.xlsx"
    with xlsxwriter.Workbook(file) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ("单位", "联系人"))
        sheet.write_url(2, 0, SEEDS[0], string="侨网")
        sheet.write_url(2, 1, "mailto:a@a.example", string="张先生")
        sheet.write_url(3, 0, SEEDS[1], string="侨办")
        sheet.write_url(4, 0, "internal:Sheet1!A1", string="回到顶部")
        sheet.write_url(6, 1, "http://c.example/")
    assert read_seeds(str(file)) == [*SEEDS, "http://c.example/"]
    lines = read_url_list(file)
    assert lines is not None
    assert lines[1] == f"侨网\t张先生\t{SEEDS[0]}"


def test_formulas_in_a_table_may_link_to_the_seeds(tmp_path: Path) -> None:
    file = tmp_path / "网站.xlsx"
    with xlsxwriter.Workbook(file) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ("单位", "网站"))
        sheet.write(1, 0, "一")
        sheet.write_formula(1, 1, f'=HYPERLINK("{SEEDS[0]}","侨网")', value="侨网")
        # As programs write it that compute nothing.
        sheet.write_formula(2, 0, f'=hyperlink( "{SEEDS[1]}" , "侨办")', value="")
        sheet.write_formula(3, 0, '=HYPERLINK("http://c.example/")', value="")
        sheet.write_formula(4, 0, '=HYPERLINK("#Sheet1!A1","回到顶部")', value="回到顶部")
    assert read_seeds(str(file)) == [*SEEDS, "http://c.example/"]
    lines = read_url_list(file)
    assert lines is not None
    assert lines[1:3] == [f"一\t侨网\t{SEEDS[0]}", f"侨办\t{SEEDS[1]}"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "feed.xml",
            '<?xml version="1.0" encoding="gb2312"?><rss version="2.0"><channel><title>侨网</title>'
            "<link>http://c.example/</link>{}</channel></rss>",
        ),
        ("sitemap", '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'),
        ("atom.html", '\n<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title>{}</feed>'),
    ],
)
def test_a_feed_or_a_sitemap_is_a_list(name: str, text: str, tmp_path: Path) -> None:
    entry = {
        "feed.xml": "<item><title>侨 http://d.example/</title><link>{}</link></item>",
        "sitemap": "<url><loc>{}</loc></url>",
        "atom.html": '<entry><title>侨</title><link href="{}"/></entry>',
    }[name]
    file = tmp_path / name
    file.write_bytes(text.format("".join(map(entry.format, SEEDS))).encode("gb2312"))
    assert read_seeds(str(file)) == SEEDS


@pytest.mark.parametrize("begin", ['<?xml version="1.0" encoding="gb2312"?>\n', ""])
def test_the_subscriptions_of_a_reader_of_feeds_are_a_list(begin: str, tmp_path: Path) -> None:
    file = tmp_path / "feeds.opml"
    outlines = (
        f'<outline text="侨办&#10;新闻" type="rss" xmlUrl="http://a.example/rss" htmlUrl="{SEEDS[0]}"/>'
        f"<outline title='侨网' xmlurl='{SEEDS[1]}'/><outline text='空'/>"
    )
    text = (
        f'{begin}<opml version="2.0"><body><outline text="侨务">{outlines}</outline></body></opml>'
    )
    file.write_bytes(text.encode("gb2312" if begin else "utf-8"))
    assert read_seeds(str(file)) == SEEDS
    lines = read_url_list(file)
    assert lines == [f"{SEEDS[0]}\t侨办 新闻", f"{SEEDS[1]}\t侨网"]


@pytest.mark.parametrize(
    "text",
    [
        '<opml version="2.0"><body><outline text="http://a.example/"/></body></opml>',
        '<!DOCTYPE opml [<!ENTITY a "b">]><opml><body><outline xmlUrl="http://a.example/"/></body></opml>',
        '<?xml version="1.0"?><!DOCTYPE html><html><body><a href="http://a.example/">侨</a></body></html>',
        "<rss version='2.0'><channel><title>侨</title></channel></rss>",
    ],
)
def test_a_page_and_an_empty_feed_are_no_lists(text: str, tmp_path: Path) -> None:
    file = tmp_path / "page.xml"
    file.write_text(text)
    assert read_url_list(file) is None


def test_a_file_that_is_no_list_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "secret.txt"
    file.write_text("root:x:0:0\ndaemon:x:1:1\n")
    with pytest.raises(ConfigurationError, match="must be a list of URLs"):
        read_seeds(str(file))


def test_a_list_that_is_not_there_is_named_and_is_no_host(tmp_path: Path) -> None:
    missing = tmp_path / "sites.xlsx"
    for given in (str(missing), "sites-that-are-not-there.csv"):
        with pytest.raises(ConfigurationError, match=f"no file {re.escape(given)}"):
            read_seeds(given)
    assert read_seeds("a.example, b.example") == ["a.example", "b.example"]


def test_the_option_that_names_a_missing_list_is_named() -> None:
    with pytest.raises(ConfigurationError, match=r"^-a seeds: there is no file none\.txt"):
        read_seeds("none.txt")
    with pytest.raises(ConfigurationError, match=r"^--seeds: there is no file none\.txt"):
        read_seeds("none.txt", "--seeds")
