"""What a crawl logs on a terminal."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator

import pytest
from scrapy.settings import Settings

from topiccrawl.commandline.logs import prepare_log

LISTS = logging.getLogger("scrapy.middleware")


@pytest.fixture(autouse=True)
def levels() -> Iterator[None]:
    """Put the levels of all loggers back."""
    before = {
        name: it.level
        for name, it in logging.root.manager.loggerDict.items()
        if isinstance(it, logging.Logger)
    }
    yield
    for name in ("scrapy.utils.log", "scrapy.addons", "scrapy.crawler", "scrapy.middleware"):
        logging.getLogger(name).setLevel(before.get(name, logging.NOTSET))


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
    terminal: bool, values: dict[str, str], shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    logging.getLogger("scrapy").setLevel(logging.DEBUG)
    prepare_log(Settings(values))
    assert LISTS.isEnabledFor(logging.INFO) is shown
    assert LISTS.isEnabledFor(logging.WARNING)
    assert logging.getLogger("scrapy.core.engine").isEnabledFor(logging.INFO)
