"""``extract``: formats, files and folders, order, processes, standard input and lists."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from topiccrawl.__main__ import main

ODD = "tests.support.odd_extractors.Obedient"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder outside of any project."""
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "")  # what the command sets is undone at the end
    monkeypatch.delenv("SCRAPY_PROJECT", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    monkeypatch.setattr("topiccrawl.analysis.extracting.PageWork.warm_up", lambda self: None)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def run(*words: str) -> int:
    try:
        return main(["extract", *words])
    except SystemExit as end:  # argparse refuses the command line
        return int(end.code or 0)


def pages(folder: Path, **texts: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, "utf-8")


def ids(text: str) -> list[str]:
    return [json.loads(line)["id"] for line in text.splitlines()]


def give_input(monkeypatch: pytest.MonkeyPatch, raw: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))


def test_records_go_to_standard_output_unless_a_file_is_named(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    pages(folder, a="<title>侨批</title><p>一")
    assert run("a.html") == 0
    shown = capfdbinary.readouterr().out
    assert ids(shown.decode()) == ["a"]
    assert run("a.html", "--out", "x.jsonl") == 0
    assert run("a.html", "--jsonl", "y.jsonl") == 0
    assert (folder / "x.jsonl").read_bytes() == (folder / "y.jsonl").read_bytes() == shown


def test_text_is_title_and_body_with_a_form_feed_between_pages(folder: Path) -> None:
    pages(folder, a="<title>甲</title>", b="<title>乙</title>")
    assert run("a.html", "b.html", "--extractor", ODD, "--format", "text", "--out", "x") == 0
    assert (folder / "x").read_text("utf-8") == (
        "甲\n\n<title>甲</title>\n\f\n乙\n\n<title>乙</title>\n"
    )


def test_markdown_has_the_title_as_heading_and_links_if_wanted(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    body = "".join(
        f"<p>江门侨批档案馆昨日正式开放，第{n}展厅展出侨批三千余封，不少归侨带着孙辈前来<a href='/b'>参观</a>。</p>"
        for n in range(1, 6)
    )
    pages(folder, a=f"<title>侨批#展</title><h1>侨批#展</h1>{body}", b="<title>乙</title>")
    words = ["a.html", "b.html", "--format", "markdown"]
    assert run(*words) == 0
    first, second = capfd.readouterr().out.split("\n---\n\n")
    assert first.startswith("# 侨批#展\n\n江门侨批档案馆")
    assert first.count("\n\n江门侨批档案馆") == 5
    assert "](" not in first
    assert second == "# 乙\n"
    assert run(*words[:1], "--url", "http://www.example.cn/1.html", *words[2:], "--links") == 0
    assert "[参观](http://www.example.cn/b)" in capfd.readouterr().out


@pytest.mark.parametrize(("format_", "heading"), [("text", ""), ("markdown", "# ")])
def test_a_title_that_the_body_begins_with_is_written_once(
    format_: str, heading: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    post = (
        "<div class=post><div class=author>用户{n}</div><div class=time>2024-05-0{n} 10:10</div>"
        "<div class=content><p>南生运营的做法，第{n}位网友认为要看长远的收益，大家觉得应当怎样取舍？</p></div>"
        "<a href=#>回复</a></div>"
    )
    posts = "".join(post.format(n=n) for n in range(1, 8))
    title = "南生运营的理念"
    pages(folder, a=f"<title>{title}</title><div class=thread><h1>{title}</h1>{posts}</div>")
    assert run("a.html") == 0
    assert json.loads(capfd.readouterr().out)["body"].startswith(f"{title}\n")
    assert run("a.html", "--format", format_) == 0
    assert capfd.readouterr().out.startswith(f"{heading}{title}\n\n南生运营的做法，第1位")


def test_records_have_the_structure_of_pages_if_it_is_wanted(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    body = "".join(
        f"<p>江门侨批档案馆昨日正式开放，第{n}展厅展出侨批三千余封。</p>" for n in range(1, 6)
    )
    pages(folder, a=f"<title>侨批展</title><h1>侨批展</h1>{body}<h2>预约</h2>{body}")
    assert run("a.html", "--structure") == 0
    record = json.loads(capfd.readouterr().out)
    assert "\n\n## 预约\n\n江门" in record["markdown"]
    assert (record["images"], record["comments"], record["main_image"]) == ([], [], None)
    assert run("a.html", "--structure", "--format", "text") == 2
    assert "--structure is for --format jsonl" in capfd.readouterr().err


def test_a_folder_gets_a_file_for_each_page(folder: Path) -> None:
    pages(folder / "in", a="甲")
    pages(folder / "in" / "deep", a="乙")
    pages(folder / "other", a="丙")
    (folder / "in" / "notes.txt").write_text("丁", "utf-8")
    words = ["in", "other/a.html", "in/notes.txt", "--extractor", ODD, "--format", "text"]
    assert run(*words, "--out", "out/") == 0
    found = {
        str(path.relative_to(folder)): path.read_text("utf-8") for path in folder.rglob("*.txt")
    }
    texts = {name: text.split()[-1] for name, text in found.items()}
    assert texts == {
        "in/notes.txt": "丁",
        "out/a.txt": "甲",
        "out/deep/a.txt": "乙",
        "out/a-2.txt": "丙",
        "out/notes.txt": "丁",
    }


def test_an_output_never_replaces_an_input(folder: Path) -> None:
    (folder / "notes.txt").write_text("丁", "utf-8")
    assert run("notes.txt", "--extractor", ODD, "--format", "text", "--out", ".") == 0
    assert (folder / "notes.txt").read_text("utf-8") == "丁"
    assert (folder / "notes-2.txt").is_file()


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_a_page_that_ends_its_process_is_named_and_the_others_keep_their_order(
    folder: Path, capfd: pytest.CaptureFixture[str], jobs: str
) -> None:
    texts = {"a": "1", "b": "die", "c": "2", "d": "spin ", "e": "raise", "f": "3", "g": "4"}
    pages(folder / "in", **texts)
    words = ["in", "gone.html", "--extractor", ODD, "--jobs", jobs]
    assert run(*words, "-s", "TOPICCRAWL_PAGE_CPU_SECONDS=0.3") == 1
    shown = capfd.readouterr()
    assert ids(shown.out) == ["a", "c", "f", "g"]
    assert set(shown.err.splitlines()) == {
        "topiccrawl: in/b.html: its analysis ended the process (status -9)",
        "topiccrawl: in/d.html: its analysis takes more than 0.3 s of CPU (TOPICCRAWL_PAGE_CPU_SECONDS)",
        "topiccrawl: in/e.html: RuntimeError: odd page",
        "topiccrawl: gone.html: No such file or directory",
        "topiccrawl: 4 of 8 could not be read",
    }


def test_standard_input_is_one_page(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pages(folder, a="甲")
    give_input(monkeypatch, "<title>乙</title>".encode("gbk"))
    assert run("a.html", "-") == 0
    assert ids(capfd.readouterr().out) == ["a", "stdin"]
    give_input(monkeypatch, "<title>乙</title>".encode("gbk"))
    assert run("-", "--url", "http://www.example.cn/1.html") == 0
    record = json.loads(capfd.readouterr().out)
    assert (record["url"], record["title"]) == ("http://www.example.cn/1.html", "乙")


def test_a_pipe_is_read_once(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source, target = os.pipe()
    os.write(target, "<title>乙</title>".encode())
    os.close(target)
    assert run(f"/dev/fd/{source}") == 0
    assert json.loads(capfd.readouterr().out)["title"] == "乙"


def test_the_pages_of_a_warc_file_have_their_urls(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    answers = {
        "http://a.cn/1.html": (200, "text/html; charset=gbk", "<title>甲</title>".encode("gbk")),
        "http://a.cn/robots.txt": (200, "text/plain", b"User-agent: *"),
        "http://a.cn/gone.html": (404, "text/html", b"<p>gone"),
        "http://a.cn/picture": (200, "image/png", b"\x89PNG\r\n\x1a\n" + bytes(99)),
        "http://a.cn/2.html": (200, "text/html", "<title>乙</title>".encode()),
    }
    with (folder / "web.warc.gz").open("wb") as stream:
        writer = WARCWriter(stream, gzip=True)
        for url, (status, kind, body) in answers.items():
            headers = StatusAndHeaders(f"{status} X", [("Content-Type", kind)], protocol="HTTP/1.1")
            record = writer.create_warc_record(
                url, "response", payload=io.BytesIO(body), http_headers=headers
            )
            writer.write_record(record)
    assert run("web.warc.gz") == 0
    found = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    urls = ["http://a.cn/1.html", "http://a.cn/2.html"]
    assert [(it["id"], it["url"], it["title"]) for it in found] == [
        (urls[0], urls[0], "甲"),
        (urls[1], urls[1], "乙"),
    ]
    assert run("web.warc.gz", "--format", "text", "--out", "out/") == 0
    assert sorted(path.name for path in (folder / "out").iterdir()) == [
        "a.cn_1.html.txt",
        "a.cn_2.html.txt",
    ]
    (folder / "bad.warc").write_bytes(b"<p>no archive")
    assert run("bad.warc") == 1
    assert "bad.warc must be a WARC file" in capfd.readouterr().err


@pytest.mark.parametrize("raw", [b"in\n\nb c.html\r\n", b"in\0b c.html\0"])
def test_pages_are_named_by_a_list(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], raw: bytes
) -> None:
    pages(folder / "in", a="甲")
    (folder / "b c.html").write_text("乙", "utf-8")
    give_input(monkeypatch, raw)
    assert run("in/a.html", "--files-from", "-") == 0
    assert ids(capfd.readouterr().out) == ["a", "a", "b c"]
    (folder / "list").write_bytes(raw)
    assert run("--files-from", "list") == 0
    assert ids(capfd.readouterr().out) == ["a", "b c"]
    assert run("--files-from", "nothing") == 1
    assert "No such file or directory: nothing" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name pages, e.g. topiccrawl extract a.html"),
        (["a.html", "--format", "pdf"], "--format must be one of jsonl, text, markdown, got 'pdf'"),
        (["a.html", "--jsonl", "x", "--out", "y"], "--jsonl OUT is without --out"),
        (["a.html", "--jsonl", "x", "--format", "text"], "--jsonl OUT is without --out"),
        (["a.html", "--jsonl", "-", "--links"], "--links is for --format markdown"),
        (["a.html", "--jobs", "0"], "--jobs must be a number from 1 to 1000, got '0'"),
        (["a.html", "--jobs", "two"], "--jobs must be a number from 1 to 1000, got 'two'"),
        (["-", "-"], "standard input can be read only once"),
        (["-", "--files-from", "-"], "standard input can be read only once"),
        (["a.html", "--url", "http://a.cn/", "b.html"], "--url is for one file"),
        (["a.html", "-s", "TOPICCRAWL_KEYWORDS"], "-s takes NAME=VALUE"),
        (["a.html", "--fast"], "--fast"),
    ],
)
def test_a_wrong_command_line_is_refused(
    folder: Path, capfd: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    pages(folder, a="甲", b="乙")
    assert run(*words) == 2
    shown = capfd.readouterr()
    assert message in shown.err
    assert shown.out == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--extractor", "best"], "body extractor must be one of blocks, text-density"),
        (["-s", "TOPICCRAWL_KEYWORDS=many"], "TOPICCRAWL_KEYWORDS must be an integer, got 'many'"),
        (["--out", "no/such/x.jsonl"], "No such file or directory"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    folder: Path, capfd: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    pages(folder, a="甲")
    assert run("a.html", *words) == 1
    shown = capfd.readouterr()
    assert message in shown.err
    assert (shown.out, shown.err.count("\n")) == ("", 1)


def test_errors_are_in_the_language_of_the_user(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    pages(folder, a="die")
    assert run("a.html", "x*.html", "--extractor", ODD) == 1
    message = capfd.readouterr().err
    assert "没有匹配的文件" in message
    assert "分析进程意外结束（状态 -9）" in message


def test_the_settings_of_the_project_hold_without_scrapy(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    pages(folder / "in", a="甲")
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = settings_of_a_project\n", "utf-8")
    (folder / "settings_of_a_project.py").write_text(f"TOPICCRAWL_BODY_EXTRACTOR = {ODD!r}\n")
    monkeypatch.chdir(folder / "in")
    assert run("a.html") == 0
    assert json.loads(capfd.readouterr().out)["body"] == "甲"
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "no.such.settings")
    assert run("a.html") == 1
    assert "the settings module 'no.such.settings' cannot be imported" in capfd.readouterr().err


@pytest.mark.parametrize("out", ["a.html", "./a.html", "link.html"])
def test_the_file_of_the_output_is_none_of_the_pages(
    folder: Path, out: str, capfd: pytest.CaptureFixture[str]
) -> None:
    pages(folder, a="甲", b="乙")
    (folder / "link.html").symlink_to("a.html")
    before = (folder / "a.html").read_bytes()
    for option in ("--out", "--jsonl"):
        assert run("a.html", "b.html", option, out) == 1
        assert f"{out} is one of the pages that are read" in capfd.readouterr().err
    assert (folder / "a.html").read_bytes() == before


def test_a_list_of_files_may_begin_with_a_byte_order_mark(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pages(folder, a="甲")
    (folder / "list.txt").write_bytes(b"\xef\xbb\xbfa.html\r\n")
    assert run("--files-from", "list.txt") == 0
    assert json.loads(capfd.readouterr().out)["id"] == "a"
