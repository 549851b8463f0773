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
    """The logger of lists of middlewares; filters and levels are put back."""
    names = ["scrapy.utils.log", "scrapy.addons", "scrapy.crawler", "scrapy.middleware"]
    loggers = [logging.getLogger(it) for it in (*DEFAULT_LOGGING["loggers"], *names)]
    before = [(it, it.level, it.filters[:]) for it in loggers]
    yield loggers[-1]
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
