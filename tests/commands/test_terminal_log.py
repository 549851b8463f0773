"""What a crawl logs on a terminal."""

from __future__ import annotations

import logging
import logging.config
import sys
from collections.abc import Iterator

import pytest
from scrapy.settings import Settings
from scrapy.utils.log import DEFAULT_LOGGING

from topiccrawl.commandline.logs import prepare_log


@pytest.fixture
def lists() -> Iterator[logging.Logger]:
    """The logger of lists of middlewares, as in a new process; filters and levels are put back."""
    names = ["scrapy.utils.log", "scrapy.addons", "scrapy.crawler", "scrapy.middleware"]
    loggers = [logging.getLogger(it) for it in (*DEFAULT_LOGGING["loggers"], *names)]
    before = [(it, it.level, it.filters[:]) for it in loggers]
    handlers = logging.root.handlers[:]
    for it in loggers:
        it.filters = []  # commands that other tests ran here leave theirs
    yield loggers[-1]
    logging.root.handlers = handlers
    for it, level, filters in before:
        it.setLevel(level)
        it.filters = filters


@pytest.mark.parametrize(
    ("terminal", "values", "shown"),
    [
        (True, {"LOG_LEVEL": "INFO"}, False),
        (True, {"LOG_LEVEL": "DEBUG"}, True),
        (True, {"LOG_LEVEL": "INFO", "LOG_FILE": "crawl.log"}, True),
        (False, {"LOG_LEVEL": "INFO"}, True),
    ],
)
def test_lists_of_components_are_left_out_on_a_terminal_only(
    terminal: bool,
    values: dict[str, str],
    shown: bool,
    lists: logging.Logger,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    prepare_log(Settings(values))
    # As its crawler process does, afterward.
    logging.config.dictConfig(DEFAULT_LOGGING)
    with caplog.at_level(logging.INFO):
        lists.info("Enabled item pipelines")
        lists.warning("a middleware is disabled")
        logging.getLogger("scrapy.core.engine").info("Spider opened")
    texts = ["Enabled item pipelines"] * shown + ["a middleware is disabled", "Spider opened"]
    assert caplog.messages == texts


@pytest.mark.parametrize(
    ("values", "held"), [({"LOG_LEVEL": "INFO"}, True), ({"LOG_FILE": "crawl.log"}, False)]
)
def test_versions_come_before_the_first_other_line_and_alone_they_are_left_out(
    values: dict[str, str],
    held: bool,
    lists: logging.Logger,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    logging.root.removeHandler(caplog.handler)
    prepare_log(Settings(values))
    logging.config.dictConfig(DEFAULT_LOGGING)
    logging.root.addHandler(caplog.handler)  # as Scrapy's own, after that of the command
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("scrapy.utils.log").info("Scrapy started")
        logging.getLogger("asyncio").debug("Using selector")
        assert ("Scrapy started" in caplog.messages) is not held
        lists.info("Enabled item pipelines")
        lists.info("Enabled extensions")
    assert [it for it in caplog.messages if it != "Using selector"] == [
        "Scrapy started",
        "Enabled item pipelines",
        "Enabled extensions",
    ]
