"""Folders and files that the user may not read or write: each command says which, in a line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support import crawl_runs
from tests.support.command_line import sqlite_store
from tests.support.project import make_project
from tests.support.store_records import page

TOPIC, OTHER = "侨情", "图书馆学"
URL = "https://a.example/1"


def scrapy(folder: Path, *words: str) -> tuple[int, str, str]:
    """Run ``scrapy`` in *folder* as an ordinary user; exit code, output and errors."""
    environment = {**os.environ, "PYTHONPATH": str(crawl_runs.ROOT), "LANGUAGE": "en"}
    done = crawl_runs.scrapy(words, environment, cwd=folder, ordinary=True)
    return done.returncode, done.stdout, done.stderr


@contextmanager
def mode(path: Path, bits: int) -> Iterator[None]:
    """Give *path* other permissions for a while."""
    former = path.stat().st_mode & 0o777
    path.chmod(bits)
    try:
        yield
    finally:
        path.chmod(former)


def test_a_judgment_says_that_the_topic_folder_cannot_be_written(tmp_path: Path) -> None:
    store = sqlite_store(tmp_path, pages=[page(url=URL, topic=TOPIC)])
    seeds = make_project(tmp_path, TOPIC) / "seeds" / TOPIC
    with mode(seeds, 0o555):
        code, output, errors = scrapy(tmp_path, "judge", URL, "no", "--store", store)
    assert code == 0
    assert (
        errors == f"topiccrawl: {seeds} cannot be written: this is saved beside the queue instead\n"
    )
    saved = [it for it in tmp_path.glob("*.judgments.tsv") if URL in it.read_text("utf-8")]
    assert [str(it) in output for it in saved] == [True]
    assert not (seeds / "judgments.tsv").exists()


def test_a_decision_about_a_word_says_that_the_topic_folder_cannot_be_written(
    tmp_path: Path,
) -> None:
    seeds = make_project(tmp_path, TOPIC) / "seeds" / TOPIC
    store = f"sqlite:///{tmp_path}/none.sqlite"
    with mode(seeds, 0o555):
        code, _, errors = scrapy(tmp_path, "vocabulary", TOPIC, "--accept", "竹", "--store", store)
    assert code == 0
    assert (
        errors == f"topiccrawl: {seeds} cannot be written: this is saved beside the queue instead\n"
    )
    assert not (seeds / "vocabulary.tsv").exists()


def test_a_topic_folder_that_cannot_be_read_hinders_no_other_topic(tmp_path: Path) -> None:
    folder = make_project(tmp_path, TOPIC, OTHER) / "seeds" / TOPIC
    why = f"topiccrawl: {folder}/topic.toml: cannot be read: Permission denied\n"
    with mode(folder, 0o000):
        code, output, errors = scrapy(tmp_path, "topics")
        assert (code, OTHER in output, TOPIC in output, errors) == (1, True, False, why)
        code, output, errors = scrapy(tmp_path, "topics", "--check")
        assert (code, output, errors) == (1, "1 topic is valid, 1 mistake\n", why)
        code, output, errors = scrapy(tmp_path, "topics", "library-science")
        assert (code, OTHER in output, errors) == (0, True, "")


def test_what_cannot_be_read_for_an_import_is_named(tmp_path: Path) -> None:
    file = make_project(tmp_path, TOPIC) / "page.html"
    file.write_text("<title>侨</title>", "utf-8")
    with mode(file, 0o000):
        code, _, errors = scrapy(tmp_path, "import", str(file), TOPIC)
    assert code == 1
    assert f"topiccrawl: the crawl could not run: Permission denied: {file}\n" in errors
    assert "Traceback" not in errors


def test_a_store_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    sqlite_store(make_project(tmp_path, TOPIC), pages=[page(url=URL, topic=TOPIC)])
    [store] = tmp_path.glob("*.sqlite")
    with mode(store, 0o000):
        code, _, errors = scrapy(tmp_path, "search", "侨", "--store", str(store))
    assert code == 1
    assert errors == (
        f"topiccrawl: --store names the SQLite file {store}: it cannot be read (unable to open "
        f"database file; no permission to read {store})\n"
    )


def test_an_export_that_cannot_be_noted_names_the_option_that_gave_the_store(
    tmp_path: Path,
) -> None:
    sqlite_store(make_project(tmp_path, TOPIC), pages=[page(url=URL, topic=TOPIC)])
    [store] = tmp_path.glob("*.sqlite")
    with mode(store, 0o444):
        words = ["export", "--out", str(tmp_path / "out.csv"), "--store", str(store)]
        code, output, errors = scrapy(tmp_path, *words)
    assert (code, output) == (0, f"{tmp_path / 'out.csv'}: 1 page\n")
    start = "topiccrawl: the export was not noted in the store: --store names the SQLite file "
    assert errors.startswith(start)
    assert f"no permission to write {store}" in errors


def test_a_feed_that_cannot_be_written_stops_a_crawl_before_it_starts(tmp_path: Path) -> None:
    out = make_project(tmp_path, TOPIC) / "out"
    out.mkdir()
    (out / "old.csv").touch(0o444)
    with mode(out, 0o555):
        for feed in (out / "new.csv", out / "old.csv", out / "below" / "new.jsonl"):
            words = ["crawl", "topic", "-a", f"topic={TOPIC}", "-a", "seeds=http://127.0.0.1:9/"]
            code, _, errors = scrapy(tmp_path, *words, "-O", str(feed))
            assert (code, errors) == (
                1,
                f"topiccrawl: {feed}: cannot be written: Permission denied\n",
            )
    assert not (tmp_path / "data").exists()
