"""``scrapy extract``: pages in, JSON Lines out, with an exit code for missing pages."""

from __future__ import annotations

import argparse
import json
import os
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from scrapy.cmdline import ScrapyArgumentParser
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from tests.support.crawl_runs import scrapy
from topiccrawl.analysis.extraction import PageExtractor
from topiccrawl.analysis.formats import FIELDS
from topiccrawl.analysis.inputs import find_inputs
from topiccrawl.commands.extract import Command

TITLE = "江门侨批档案馆昨日开放"
TEXT = "".join(
    f"<p>江门侨批档案馆昨日正式开放，第{n}展厅展出侨批三千余封，不少归侨带着孙辈前来参观，辨认祖辈的笔迹。</p>\n"
    for n in range(1, 6)
)
PAGE = f"""<html><head><meta charset="utf-8"><title>{TITLE}_侨乡网</title></head><body>
<h1>{TITLE}</h1>
<div>2023-04-01 10:05 来源：侨乡日报 作者：方敏 责任编辑：李小明</div>
{TEXT}
</body></html>"""

#: When the requests to the web server arrived.
ARRIVED: list[float] = []


def extract(*arguments: str) -> int:
    command = Command()
    command.settings = Settings()
    parser = ScrapyArgumentParser(prog="scrapy", conflict_handler="resolve")
    command.add_options(parser)
    opts: argparse.Namespace
    opts, args = parser.parse_known_args(list(arguments))
    try:
        command.run(args, opts)
    except UsageError:
        return 2
    return command.exitcode


def records(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(name="out")
def out_file(tmp_path: Path) -> Path:
    return tmp_path / "out.jsonl"


def test_a_page_becomes_one_object_with_all_fields(tmp_path: Path, out: Path) -> None:
    page = tmp_path / "侨批 1.html"
    page.write_bytes(PAGE.encode("gb18030"))
    url = "http://www.example.cn/a/1.html"
    assert extract(str(page), "--url", url, "--jsonl", str(out)) == 0
    (record,) = records(out)
    assert tuple(record) == FIELDS
    assert record["id"] == "侨批 1"
    assert record["url"] == url
    assert record["title"] == TITLE
    assert record["time"] == "2023-04-01T10:05:00+08:00"
    assert (record["author"], record["source"]) == ("方敏", "侨乡日报")
    assert record["lang"] == "zh-Hans"
    assert "第5展厅" in str(record["body"])
    assert "侨批档案馆" in "".join(map(str, record["keywords"]))  # type: ignore[call-overload]
    assert 0 < len(str(record["summary"])) <= 200


@pytest.mark.parametrize(
    "head",
    [
        '<link rel="canonical" href="http://www.example.cn/2019/1008/a.html">',
        '<meta property="og:url" content="http://www.example.cn/2019/1008/a.html">',
        "<!-- saved from url=(0037)http://www.example.cn/2019/1008/a.html -->",
    ],
)
def test_the_url_is_the_one_the_page_states(tmp_path: Path, out: Path, head: str) -> None:
    page = PAGE.replace("<head>", f"<head>{head}").replace("2023-04-01 10:05", "")
    (tmp_path / "a.html").write_text(page, "utf-8")
    assert extract(str(tmp_path / "a.html"), "--jsonl", str(out)) == 0
    (record,) = records(out)
    assert record["url"] == "http://www.example.cn/2019/1008/a.html"
    assert record["time"] == "2019-10-08", "a day alone has no clock time"


def test_folders_and_globs_are_read_in_order(tmp_path: Path, out: Path) -> None:
    for name in ("b.html", "a.htm", "c/d.shtml", "notes.txt"):
        path = tmp_path / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PAGE, "utf-8")
    assert extract(str(tmp_path / "pages"), "--jsonl", str(out)) == 0
    assert [record["id"] for record in records(out)] == ["a", "b", "d"]
    assert extract(str(tmp_path / "pages" / "*.h*"), "--jsonl", str(out)) == 0
    assert [record["id"] for record in records(out)] == ["a", "b"]
    assert find_inputs(["HTTP://a.cn/x"]).urls == ["HTTP://a.cn/x"]


def test_what_cannot_be_read_is_named_and_the_rest_is_written(
    tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.html").write_text(PAGE, "utf-8")
    (tmp_path / "empty").mkdir()
    gone, glob = str(tmp_path / "gone.html"), str(tmp_path / "x*.html")
    arguments = [gone, str(tmp_path / "a.html"), str(tmp_path / "empty"), glob]
    assert extract(*arguments, "--jsonl", str(out)) == 1
    assert [record["id"] for record in records(out)] == ["a"]
    said = capsys.readouterr().err
    assert gone in said
    assert "no pages in this folder" in said
    assert "nothing matches" in said
    assert "3 of 4" in said


def test_data_and_empty_files_are_empty_pages(tmp_path: Path, out: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"")
    (tmp_path / "b.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9)
    assert extract(str(tmp_path), "--jsonl", str(out)) == 0
    assert [(r["body"], r["title"], r["time"]) for r in records(out)] == [("", None, None)] * 2


def test_half_a_surrogate_in_a_page_is_no_error(tmp_path: Path, out: Path) -> None:
    lone = '{"author":{"name":"\\ud800\\u6797"}}'
    page = PAGE.replace("</head>", f'<script type="application/ld+json">{lone}</script></head>')
    (tmp_path / "a.html").write_text(page, "utf-8")
    assert extract(str(tmp_path), "--jsonl", str(out)) == 0
    assert records(out)[0]["title"] == TITLE


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 2),
        (["a.html", "b.html", "--url", "http://a.cn/", "--jsonl", "-"], 2),
        (["a.html", "--fast", "--jsonl", "-"], 2),
        (["a.html", "--extractor", "best", "--jsonl", "-"], 1),
    ],
)
def test_wrong_command_lines_write_nothing(
    arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(*arguments) == code
    assert capsys.readouterr().out == ""


def test_an_unknown_extractor_is_refused() -> None:
    with pytest.raises(ValueError, match="text-density"):
        PageExtractor("best")


@pytest.fixture(name="web")
def web_server() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            ARRIVED.append(time.monotonic())
            pages = {
                "/robots.txt": b"User-agent: *\nDisallow: /private/\nCrawl-delay: 0.6\n",
                "/a.html": PAGE.replace('<meta charset="utf-8">', "").encode("gb18030"),
                "/private/b.html": PAGE.encode(),
            }
            body = pages.get(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", "text/html; charset=gbk")
            self.end_headers()
            self.wfile.write(body or b"gone")

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_urls_are_fetched_politely_and_nothing_is_stored(tmp_path: Path, web: str) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = topiccrawl.settings\n")
    (tmp_path / "local.html").write_text(PAGE, "utf-8")
    urls = [f"{web}/a.html", f"{web}/private/b.html", f"{web}/gone.html", "http://127.0.0.1:9/"]
    root = str(Path(__file__).parents[2])
    environment = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
    words = ["extract", "local.html", *urls, "--jsonl", "-"]
    words += ["-s", "DOWNLOAD_DELAY=0", "-s", "RETRY_ENABLED=False"]
    done = scrapy(words, environment | {"PYTHONPATH": root}, cwd=tmp_path)
    said = done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["id"] for record in found] == ["local", urls[0]], said
    assert found[1]["title"] == TITLE
    assert found[1]["url"] == urls[0]
    assert done.returncode == 1
    assert f"{urls[1]}: Forbidden by robots.txt" in said
    assert f"{urls[2]}: HTTP 404" in said
    assert f"{urls[3]}: Connection was refused" in said
    assert "Traceback" not in said
    earlier, later = ARRIVED[-2:]
    assert later - earlier >= 0.55, "the Crawl-delay of robots.txt was not kept"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["local.html", "scrapy.cfg"]


def test_settings_limit_summary_and_keywords(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "a.html"
    page.write_text(PAGE, "utf-8")

    def run(sentences: object, keywords: object) -> int:
        command = Command()
        command.settings = Settings(
            {"TOPICCRAWL_SUMMARY_SENTENCES": sentences, "TOPICCRAWL_KEYWORDS": keywords}
        )
        parser = ScrapyArgumentParser(conflict_handler="resolve")
        command.add_options(parser)
        command.run([str(page)], parser.parse_args(["--extractor", "text-density"]))
        return command.exitcode

    assert run(0, 2) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["summary"], len(record["keywords"])) == ("", 2)
    assert run(1, 0) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["summary"].count("。") == 1
    assert record["keywords"] == []
    assert run(1, "many") == 1
    assert "TOPICCRAWL_KEYWORDS must be an integer, got 'many'" in capsys.readouterr().err
