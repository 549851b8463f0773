"""Options with full-width signs, as input methods and word processors write them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest
from scrapy.cmdline import ScrapyArgumentParser
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from topiccrawl.commands.crawl import Command as CrawlCommand
from topiccrawl.commands.export import Command as ExportCommand
from topiccrawl.errors import ConfigurationError
from topiccrawl.spiders.topic import _pages


def parsed(argv: list[str]) -> tuple[CrawlCommand, list[str], argparse.Namespace]:
    """Return the command ``scrapy crawl``, its arguments and its options."""
    command = CrawlCommand()
    command.settings = Settings()
    command.crawler_process = object()  # type: ignore[assignment]
    parser = ScrapyArgumentParser(prog="scrapy", conflict_handler="resolve")
    command.add_options(parser)
    opts, args = parser.parse_known_args(argv)
    return command, args, opts


def test_a_full_width_sign_between_name_and_value_is_the_sign() -> None:
    command, args, opts = parsed(
        ["topic", "-a", "topic＝侨情", "-a", "seeds=http://a.cn/?q＝1", "-s", "DOWNLOAD_DELAY＝2"]
    )
    command.process_options(args, opts)
    assert opts.spargs == {"topic": "侨情", "seeds": "http://a.cn/?q＝1"}
    assert command.settings is not None
    assert command.settings["DOWNLOAD_DELAY"] == "2"


@pytest.mark.parametrize("option", ["-a", "-s"])
def test_a_value_without_a_name_is_a_usage_error(option: str) -> None:
    command, args, opts = parsed(["topic", option, "侨情"])
    with pytest.raises(UsageError, match=f"{option} takes NAME=VALUE, got '侨情'"):
        command.process_options(args, opts)


def test_settings_of_commands_that_crawl_nothing_are_read_alike() -> None:
    command = ExportCommand()
    command.settings = Settings()
    parser = ScrapyArgumentParser(prog="scrapy", conflict_handler="resolve")
    command.add_options(parser)
    command.process_options([], parser.parse_args(["-s", "TOPICCRAWL_STORE_URI＝库.sqlite"]))
    assert command.settings["TOPICCRAWL_STORE_URI"] == "库.sqlite"
    with pytest.raises(UsageError, match="-s takes NAME=VALUE, got '侨情'"):
        command.process_options([], parser.parse_args(["-s", "侨情"]))


def test_a_log_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing" / "crawl.log"
    for file in (missing, tmp_path):
        for given in (["--logfile", str(file)], ["-s", f"LOG_FILE={file}"]):
            command, args, opts = parsed(["topic", *given])
            with pytest.raises(UsageError, match=f"LOG_FILE '{file}' cannot be written: "):
                command.process_options(args, opts)


@pytest.mark.parametrize("word", ["－a", "—out", "–topic", "——yes", "－ａ"])
def test_hyphens_that_are_none_are_named(word: str) -> None:
    command, args, opts = parsed(["topic", word, "topic=侨情"])
    message = f"{word} begins with {word[0]}, which is no hyphen"
    with pytest.raises(UsageError, match=message):
        command.run(args, opts)
    export = ExportCommand()
    export.settings = Settings()
    with pytest.raises(UsageError, match=message):
        export.run([word, "a.csv"], argparse.Namespace())


def test_full_width_digits_are_digits() -> None:
    assert _pages("１００") == 100
    with pytest.raises(ConfigurationError):
        _pages("一百")


@pytest.mark.parametrize("called", ["scrapy", "topiccrawl"])
def test_an_error_of_the_command_line_names_the_command_not_a_file_of_it(
    called: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [f"/usr/lib/{called}/__main__.py"])
    parser = ScrapyArgumentParser(usage="scrapy export", conflict_handler="resolve")
    command = ExportCommand()
    command.settings = Settings()
    command.add_options(parser)
    with pytest.raises(SystemExit):
        parser.error("no")
    assert f"{called}: error: no" in capsys.readouterr().err
