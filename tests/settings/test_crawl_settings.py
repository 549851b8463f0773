"""Settings are read once, typed and checked; an error names the setting, its rule and the value."""

from __future__ import annotations

import logging
import math
import re
from typing import Any

import pytest
from scrapy.settings import Settings

import topiccrawl.settings as project
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.crawl.settings.declaration import Setting
from topiccrawl.crawl.settings.pages import PageSettings
from topiccrawl.crawl.settings.politeness import PolitenessSettings
from topiccrawl.crawl.settings.record import SECTIONS, unknown_settings
from topiccrawl.crawl.settings.rules import Choice, Flag, Integer, Names, Number, Table, Text
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import using_language

DECLARED = [setting for section in SECTIONS for setting in section.declared()]
each_setting = pytest.mark.parametrize("setting", DECLARED, ids=lambda setting: setting.name)


def read(setting: Setting, value: object) -> Any:
    return setting.rule.read(Settings({setting.name: value}), setting.name, setting.default)


def refused(setting: Setting, value: object) -> None:
    with pytest.raises(ConfigurationError, match=setting.name):
        read(setting, value)


def in_project() -> dict[str, Any]:
    return {k: getattr(project, k) for k in dir(project) if k.startswith("TOPICCRAWL_")}


def test_each_setting_is_declared_once() -> None:
    names = [setting.name for setting in DECLARED]
    assert len(set(names)) == len(names)


def test_the_file_gives_a_record_with_the_declared_defaults_except_for_the_store() -> None:
    from_file = CrawlSettings.from_settings(Settings(in_project()))
    store = {"TOPICCRAWL_STORE_URI": project.TOPICCRAWL_STORE_URI}
    assert CrawlSettings.from_settings(Settings(store)) == from_file
    assert CrawlSettings.from_settings(Settings()).store_uri == ""


@each_setting
def test_a_changed_value_changes_the_record_or_is_refused(setting: Setting) -> None:
    value = setting.default
    other: Any = (
        (not value)
        if isinstance(value, bool)
        else value + 1
        if isinstance(value, int)
        else (value / 2 + 0.07 if isinstance(value, float) else "other")
    )
    try:
        changed = CrawlSettings.from_settings(Settings({setting.name: other}))
    except ConfigurationError:
        return
    assert changed != CrawlSettings.from_settings(Settings())


@each_setting
def test_the_default_follows_its_own_rule_also_as_a_text(setting: Setting) -> None:
    assert setting.rule.read(Settings(), setting.name, setting.default) == setting.default
    if not isinstance(setting.rule, Table | Names):
        assert read(setting, str(setting.default)) == setting.default


@each_setting
def test_values_against_the_rule_are_refused_and_its_limits_are_not(setting: Setting) -> None:
    rule = setting.rule
    if isinstance(rule, Text):
        if rule.check is not None:
            refused(setting, "ht tp://[")
        return
    if isinstance(rule, Names):
        refused(setting, "http://www.example.cn/")
        refused(setting, 5)
        return
    refused(setting, "perhaps")
    if isinstance(rule, Integer):
        refused(setting, math.inf)
        if rule.low is not None:
            assert read(setting, rule.low) == rule.low
            refused(setting, rule.low - 1)
            refused(setting, -1)
    elif isinstance(rule, Number):
        assert read(setting, rule.low) == rule.low
        refused(setting, rule.low - 0.001)
        refused(setting, math.nan)
        refused(setting, math.inf)
        if rule.high is not None:
            assert read(setting, rule.high) == rule.high
            refused(setting, rule.high + 0.001)
    elif isinstance(rule, Choice):
        assert [read(setting, option) for option in rule.options] == list(rule.options)
    elif isinstance(rule, Flag):
        assert [read(setting, value) for value in ("0", "True", 1)] == [False, True, True]


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
        ("STORE_HTML", "-1", "TOPICCRAWL_STORE_HTML must be True or False, got '-1'"),
        ("STORE_HTML", 1.5, "TOPICCRAWL_STORE_HTML must be True or False, got 1.5"),
        ("SUMMARY_SENTENCES", -1, "TOPICCRAWL_SUMMARY_SENTENCES must be >= 0, got -1"),
        ("KEYWORDS", "many", "TOPICCRAWL_KEYWORDS must be an integer, got 'many'"),
        ("RETRY_MAX_ATTEMPTS", 0, "TOPICCRAWL_RETRY_MAX_ATTEMPTS must be >= 1, got 0"),
        ("TITLE_DEDUP_THRESHOLD", 0, "TOPICCRAWL_TITLE_DEDUP_THRESHOLD must be >= 0.01, got 0"),
        ("TRAP_MAX_PARAMETERS", -1, "TOPICCRAWL_TRAP_MAX_PARAMETERS must be >= 0, got -1"),
        ("TRAP_REPEATED_SEGMENTS", 1, "TRAP_REPEATED_SEGMENTS must be 0 or >= 2, got 1"),
        ("RETRY_DELAY_SECONDS", "inf", "must be a finite number, got 'inf'"),
        ("BACKOFF_SECONDS", [], "TOPICCRAWL_BACKOFF_SECONDS must be a number, got []"),
        ("HOST_WINDOWS", "x", "TOPICCRAWL_HOST_WINDOWS must map host patterns to time windows"),
        ("HOST_WINDOWS", 3, "time windows, got 3"),
        ("BODY_EXTRACTOR", "x", "TOPICCRAWL_BODY_EXTRACTOR: "),
    ],
)
def test_a_wrong_value_names_setting_rule_and_value(name: str, value: object, message: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        CrawlSettings.from_settings(Settings({f"TOPICCRAWL_{name}": value}))
    assert message in str(raised.value)


def test_values_from_the_command_line_are_texts() -> None:
    settings = Settings({"TOPICCRAWL_HOST_WINDOWS": '{"*.cn": "22:00-06:00"}'})
    settings.set("TOPICCRAWL_BACKOFF_SECONDS", "2.5", "cmdline")
    politeness = PolitenessSettings.from_settings(settings)
    assert politeness.windows == {"*.cn": "22:00-06:00"}
    assert politeness.backoff == 2.5


def test_none_is_the_default() -> None:
    assert PageSettings.from_settings(Settings({"TOPICCRAWL_KEYWORDS": None})).keywords == 10


def test_a_rule_against_traps_is_off_at_0() -> None:
    settings = Settings({"TOPICCRAWL_TRAP_REPEATED_SEGMENTS": "0"})
    assert CrawlSettings.from_settings(settings).trap_rules.repeated_segments == 0


def test_a_section_reads_its_own_settings_only() -> None:
    settings = Settings({"TOPICCRAWL_RWB_MODE": "wrong", "TOPICCRAWL_KEYWORDS": "7"})
    assert PageSettings.from_settings(settings).keywords == 7


def test_scrapys_own_settings_are_in_the_record() -> None:
    slots = {"a.cn": {"concurrency": "3", "delay": 1}, "b.cn": {"delay": 2}}
    settings = Settings({"DOWNLOAD_SLOTS": slots, "DOWNLOAD_DELAY": "2.5"})
    record = CrawlSettings.from_settings(settings)
    assert record.host_delay == 2.5
    assert record.host_concurrencies == {"a.cn": 3}
    assert record.host_concurrency == settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")


@pytest.mark.parametrize(
    ("slot", "message"),
    [
        (3, "DOWNLOAD_SLOTS must map host names to mappings with concurrency and delay, got 3"),
        ({"concurrency": 0}, "DOWNLOAD_SLOTS a.cn concurrency must be >= 1, got 0"),
        ({"concurrency": "many"}, "DOWNLOAD_SLOTS a.cn concurrency must be an integer, got 'many'"),
        ({"delay": "long"}, "DOWNLOAD_SLOTS a.cn delay must be a number, got 'long'"),
    ],
)
def test_a_wrong_slot_of_a_host_names_setting_host_rule_and_value(
    slot: object, message: str
) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(message)):
        CrawlSettings.from_settings(Settings({"DOWNLOAD_SLOTS": {"a.cn": slot}}))


def test_an_unknown_setting_of_the_command_line_stops_the_run() -> None:
    settings = Settings(in_project())
    settings.set("TOPICCRAWL_MAX_PAGE", 3, "cmdline")
    message = "-s TOPICCRAWL_MAX_PAGE: there is no such setting; did you mean TOPICCRAWL_MAX_PAGES"
    with pytest.raises(ConfigurationError, match=message):
        CrawlSettings.from_settings(settings)


def test_unknown_settings_are_reported_with_the_nearest_name(
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings = Settings({"TOPICCRAWL_STORE_URL": "x", "TOPICCRAWL_TRAP": 1, "MY": 2})
    assert unknown_settings(settings) == {
        "TOPICCRAWL_TRAP": "",
        "TOPICCRAWL_STORE_URL": "TOPICCRAWL_STORE_URI",
    }
    with caplog.at_level(logging.WARNING):
        CrawlSettings.from_settings(settings)
    assert caplog.messages == [
        "TOPICCRAWL_STORE_URL is not a setting of topiccrawl; did you mean TOPICCRAWL_STORE_URI?",
        "TOPICCRAWL_TRAP is not a setting of topiccrawl",
    ]


def test_the_project_sets_declared_settings_only() -> None:
    assert unknown_settings(Settings(in_project())) == {}


def test_why_an_address_is_wrong_is_in_the_language_of_the_user() -> None:
    for name in ("TOPICCRAWL_SEARXNG_URL", "TOPICCRAWL_PROXY_POOL"):
        with using_language("zh"), pytest.raises(ConfigurationError, match=f"{name}：网址应以"):
            CrawlSettings.from_settings(Settings({name: "127.0.0.1:8888"}))
