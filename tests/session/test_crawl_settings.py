"""Settings are read once, typed and checked; a wrong one names itself, its rule and its value."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy.settings import Settings

import topiccrawl.settings as project
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError


def test_defaults_in_the_settings_file_are_the_defaults_in_the_code() -> None:
    listed = {k: getattr(project, k) for k in dir(project) if k.startswith("TOPICCRAWL_")}
    from_file = CrawlSettings.from_settings(Settings(listed))
    listed.pop("TOPICCRAWL_STORE_URI")
    without = CrawlSettings.from_settings(Settings({"TOPICCRAWL_STORE_URI": from_file.store_uri}))
    assert from_file == without


def test_every_listed_setting_is_read() -> None:
    """Changing any value changes the record (or is refused): no setting is decoration."""
    listed = {k: getattr(project, k) for k in dir(project) if k.startswith("TOPICCRAWL_")}
    before = CrawlSettings.from_settings(Settings(listed))
    for name, value in listed.items():
        if name == "TOPICCRAWL_TOPIC":
            continue  # read where the run is made
        other: Any = (
            (not value)
            if isinstance(value, bool)
            else value + 1
            if isinstance(value, int)
            else (value / 2 + 0.07 if isinstance(value, float) else "other")
        )
        try:
            after = CrawlSettings.from_settings(Settings({**listed, name: other}))
        except ConfigurationError:
            continue
        assert after != before, name


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("IPAGERANK_EVERY_PAGES", 0, "TOPICCRAWL_IPAGERANK_EVERY_PAGES must be >= 1, got 0"),
        ("IPAGERANK_EVERY_PAGES", "ten", "must be an integer, got 'ten'"),
        ("IPAGERANK_DAMPING", "1.5", "TOPICCRAWL_IPAGERANK_DAMPING must be <= 0.999, got '1.5'"),
        ("RELEVANCE_THRESHOLD", 2, "TOPICCRAWL_RELEVANCE_THRESHOLD must be <= 1, got 2"),
        ("RELEVANCE_THRESHOLD", "nan", "must be >= 0, got 'nan'"),
        ("RWB_MODE", "x", "TOPICCRAWL_RWB_MODE must be one of capped, thesis, got 'x'"),
        ("STORE_HTML", "perhaps", "TOPICCRAWL_STORE_HTML must be True or False, got 'perhaps'"),
        ("SUMMARY_SENTENCES", -1, "TOPICCRAWL_SUMMARY_SENTENCES must be >= 0, got -1"),
        ("KEYWORDS", "many", "TOPICCRAWL_KEYWORDS must be an integer, got 'many'"),
        ("RETRY_MAX_ATTEMPTS", 0, "TOPICCRAWL_RETRY_MAX_ATTEMPTS must be >= 1, got 0"),
        ("TITLE_DEDUP_THRESHOLD", 0, "TOPICCRAWL_TITLE_DEDUP_THRESHOLD must be >= 0.01, got 0"),
    ],
)
def test_a_wrong_value_names_setting_rule_and_value(name: str, value: object, message: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        CrawlSettings.from_settings(Settings({f"TOPICCRAWL_{name}": value}))
    assert message in str(raised.value)
