"""Each setting refuses extreme values in one short line that names it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from scrapy.settings import Settings

from tests.support.project import make_project, scrapy
from topiccrawl import settings as project
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError

_NAMES: Final = sorted(name for name in vars(project) if name.startswith("TOPICCRAWL_"))

#: Values that some setting once answered with another exception, or with a line of 100,000 characters.
_EXTREME: Final[tuple[Any, ...]] = (
    *("[" * 5_000, '{"a":' * 5_000, "9" * 5_000, "x" * 100_000, "\x00", "\ud800"),
    *(10**400, 10**5_000, float("inf"), float("nan"), -1, b"\xff", object(), [None], {1: 2}, 1j),
)


@pytest.mark.parametrize("value", _EXTREME, ids=range(len(_EXTREME)))
def test_an_extreme_value_is_accepted_or_refused_in_a_short_line(value: Any) -> None:
    refusals = {name: refusal for name in _NAMES if (refusal := _refusal(name, value))}
    assert refusals
    assert [name for name, refusal in refusals.items() if name not in refusal] == []
    assert max(map(len, refusals.values())) < 1_500


def _refusal(name: str, value: Any) -> str:
    try:
        CrawlSettings.from_settings(Settings({name: value}))
    except ConfigurationError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        ("TOPICCRAWL_HOST_BUDGET_PAGES", 10**30, "must be <= 9.0072e+15"),
        ("TOPICCRAWL_HOST_BUDGET_PAGES", 1.5, "must be an integer, got 1.5"),
        ("TOPICCRAWL_RETRY_DELAY_SECONDS", "1e308", "must be <= 1e+09"),
        ("TOPICCRAWL_STORE_URI", ["sqlite:///a"], "must be a text, got ['sqlite:///a']"),
        ("TOPICCRAWL_STORE_SPOOL_DIR", "a\x00b", "must not contain NUL"),
        ("TOPICCRAWL_PROXY_SITES", "a.cn\nb.cn", "must be host names such as a.cn or *.a.cn, got"),
        ("TOPICCRAWL_PROXY_SITES", ["a.cn", "*.b.cn\tc.cn"], "got '*.b.cn\\tc.cn'"),
    ],
)
def test_values_that_would_fail_later_are_refused_at_once(name: str, value: Any, rule: str) -> None:
    with pytest.raises(ConfigurationError, match=name) as caught:
        CrawlSettings.from_settings(Settings({name: value}))
    assert rule in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        ("TOPICCRAWL_ALERTS", "/no/such.toml", "/no/such.toml"),
        ("TOPICCRAWL_LOGINS", "/no/such.toml", "/no/such.toml"),
        ("TOPICCRAWL_SEARCH_ENGINES", "abc", "there is no search engine 'abc'; known: "),
        ("TOPICCRAWL_STRATEGY", "abc", "abc"),
    ],
)
def test_what_a_setting_names_and_is_not_there_stops_a_crawl(
    tmp_path: Path, name: str, value: str, rule: str
) -> None:
    make_project(tmp_path, "侨情")
    words = ["crawl", "topic", "-a", "topic=侨情", "-a", "seeds=http://127.0.0.1:9/"]
    searching = ["-a", "search=1"] if name.endswith("ENGINES") else []
    code, _, errors = scrapy(tmp_path, *words, *searching, "-s", f"{name}={value}")
    assert code != 0
    last = errors.splitlines()[-1]
    assert last.startswith(f"topiccrawl: {name}")
    assert rule in last
    assert "Traceback" not in errors
