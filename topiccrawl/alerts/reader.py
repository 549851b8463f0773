"""Reads ``alerts.toml``: the tables ``[[rules]]`` and ``[[channels]]``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final, cast

from topiccrawl.access.secrets import MissingSecret, reject_literals
from topiccrawl.alerts.channel_reader import read_channel
from topiccrawl.alerts.rules import CHECKS, HealthRule, HostRule, Rule, VolumeRule, WordRule, Words
from topiccrawl.alerts.settings import AlertSettings, ChannelSettings
from topiccrawl.insight.bursts.intervals import VolumeTest
from topiccrawl.language import _, listed
from topiccrawl.tables import TableReader
from topiccrawl.text.searching import host_as_stored
from topiccrawl.userfiles import read_user_toml

#: Largest file (a choice).
_MOST_BYTES: Final = 1_000_000
_COMMON: Final = ("name", "kind", "channels", "topics", "sites")
_WORDS: Final = ("words", "all_words", "no_words")
#: Keys of each kind of rule.
_RULE_KEYS: Final[Mapping[str, Sequence[str]]] = {
    "words": (*_COMMON, *_WORDS, "where", "least"),
    "host": _COMMON,
    "volume": (
        *_COMMON, *_WORDS, "interval", "direction", "undated", "least", "factor", "chance", "least_days",
    ),
    "health": (
        *_COMMON, "checks", "disk_mb", "least_hosts", "blocked_share", "waiting_records",
    ),
}  # fmt: skip
_ALL_KEYS: Final = tuple(dict.fromkeys(key for keys in _RULE_KEYS.values() for key in keys))
_WHERE: Final = ("title", "body", "author", "source", "summary")
_CHANNEL_KEYS: Final = (
    "name", "kind", "url", "url_env", "url_file", "secret_env", "secret_file", "host", "port", "tls",
    "user", "user_env", "user_file", "password_env", "password_file", "from", "to", "language",
    "after_crash", "per_minute",
)  # fmt: skip
#: Keys that would hold a secret; their values are never shown.
_LITERAL: Final = ("password", "secret", "token", "key", "sign", "passwd", "access_token")


def read_alerts(
    file: Path, environ: Mapping[str, str] | None = None, *, to_send: bool = True
) -> AlertSettings:
    """Return the rules and channels that *file* declares, with their secrets.

    Unless the settings are *to_send* something, a channel may lack its secrets; its ``problem`` names them.
    Raises ``ConfigurationError`` if anything is wrong; the message names file, key and rule, and never a
    secret.
    """
    parsed = read_user_toml(file, _MOST_BYTES)
    reader = TableReader(str(file), "", parsed, ("rules", "channels", "link"))
    reject_literals(reader, "channels", _LITERAL, "…_env", "…_file")
    channels: list[ChannelSettings] = []
    for table in reader.tables("channels", _CHANNEL_KEYS):
        try:
            channel = read_channel(table, file.parent, environ)
        except MissingSecret as error:
            if to_send:
                raise
            name, kind = table.text("name"), table.text("kind")
            channel = ChannelSettings(name=name, kind=kind, problem=str(error))
        _check_new(table, channel.name, [it.name for it in channels])
        channels.append(channel)
    rules: list[Rule] = []
    for table in reader.tables("rules", _ALL_KEYS):
        rule = _rule(table, [it.name for it in channels])
        _check_new(table, rule.name, [it.name for it in rules])
        rules.append(rule)
    if not rules:
        reader.reject("rules", _("is missing: without [[rules]] nothing is watched"))
    link = reader.text("link").rstrip("/")
    if link and not link.startswith(("http://", "https://")):
        reader.reject("link", _("must be an http or https URL"), link)
    return AlertSettings(rules=tuple(rules), channels=tuple(channels), link=link)


def _check_new(table: TableReader, name: str, others: Sequence[str]) -> None:
    if name in others:
        table.reject("name", _("occurs twice"), name)


def _rule(table: TableReader, channels: Sequence[str]) -> Rule:
    kind = table.choice("kind", tuple(_RULE_KEYS))
    for key in _ALL_KEYS:
        if table.raw(key) is not None and key not in _RULE_KEYS[kind]:
            table.reject(key, _("is no key of a {kind} rule").format(kind=kind))
    name = table.text("name", required=True)
    wanted = table.texts("channels")
    for each in wanted:
        if each not in channels:
            known = listed(channels) or _("none")
            rule = _("must name [[channels]] of the file ({names})").format(names=known)
            table.reject("channels", rule, each)
    sites = tuple(host_as_stored(it.strip(".")) for it in table.texts("sites"))
    common: dict[str, Any] = {
        "name": name,
        "channels": wanted,
        "topics": table.texts("topics"),
        "sites": sites,
    }
    if kind == "host":
        return HostRule(**common)
    if kind == "words":
        return _word_rule(table, common)
    return _volume_rule(table, common) if kind == "volume" else _health_rule(table, common)


def _words(table: TableReader) -> Words:
    return Words(table.texts("words"), table.texts("all_words"), table.texts("no_words"))


def _word_rule(table: TableReader, common: Mapping[str, Any]) -> WordRule:
    words = _words(table)
    if not (words.any or words.all):
        table.reject("words", _("is missing"))
    where = table.choices("where", _WHERE, ("title", "body"))
    return WordRule(**common, words=words, where=where, least=table.count("least") or 1)


def _volume_rule(table: TableReader, common: Mapping[str, Any]) -> VolumeRule:
    defaults = VolumeTest()
    days = table.count("least_days") or defaults.least_history
    if days < defaults.least_history:
        rule = _("must be >= {low}: fewer days show no weekly rhythm")
        table.reject("least_days", rule.format(low=defaults.least_history), days)
    test = replace(
        defaults,
        least_history=days,
        least=table.count("least") or defaults.least,
        factor=table.number("factor", defaults.factor, rule="[1.1, 1000]"),
        chance=table.number("chance", defaults.chance, rule="(0, 0.05]"),
    )
    return VolumeRule(
        **common,
        interval=table.choice("interval", ("day", "hour"), "day"),
        words=_words(table),
        direction=table.choice("direction", ("rise", "fall", "both"), "rise"),
        test=test,
        undated=table.flag("undated"),
    )


def _health_rule(table: TableReader, common: Mapping[str, Any]) -> HealthRule:
    defaults = {it.name: it.default for it in fields(HealthRule)}
    share = cast("float", defaults["blocked_share"])
    return HealthRule(
        **common,
        checks=table.choices("checks", CHECKS, CHECKS),
        disk_mb=table.count("disk_mb") or cast("int", defaults["disk_mb"]),
        least_hosts=table.count("least_hosts") or cast("int", defaults["least_hosts"]),
        blocked_share=table.number("blocked_share", share, rule="(0, 1]"),
        waiting_records=table.count("waiting_records") or cast("int", defaults["waiting_records"]),
    )
