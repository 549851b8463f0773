"""Reads ``alerts.toml``: the tables ``[[rules]]`` and ``[[channels]]``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final, cast

from topiccrawl.access.secrets import MissingSecret
from topiccrawl.alerts.channel_reader import read_channel
from topiccrawl.alerts.rules import (
    CHECKS,
    Check,
    HealthRule,
    HostRule,
    Rule,
    VolumeRule,
    WordRule,
    Words,
)
from topiccrawl.alerts.settings import AlertSettings, ChannelKind, ChannelSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.insight.bursts.intervals import VolumeTest
from topiccrawl.language import _
from topiccrawl.text.searching import host_as_stored
from topiccrawl.topics.reader import TableReader, reject
from topiccrawl.userfiles import read_user_toml

__all__ = ["read_alerts"]

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

    Raises
    ------
    ConfigurationError
        If anything is wrong; the message names file, key and rule, and never a secret.
    """
    parsed = read_user_toml(file, _MOST_BYTES)
    _reject_literals(file, parsed)
    reader = TableReader(str(file), "", parsed, ("rules", "channels", "link"))
    channels: list[ChannelSettings] = []
    for table in reader.tables("channels", _CHANNEL_KEYS):
        try:
            channel = read_channel(table, file.parent, environ)
        except MissingSecret as error:
            if to_send:
                raise
            kind = cast("ChannelKind", table.text("kind"))
            channel = ChannelSettings(name=table.text("name"), kind=kind, problem=str(error))
        _check_new(table, channel.name, [it.name for it in channels])
        channels.append(channel)
    rules: list[Rule] = []
    for table in reader.tables("rules", _ALL_KEYS):
        rule = _rule(table, [it.name for it in channels])
        _check_new(table, rule.name, [it.name for it in rules])
        rules.append(rule)
    if not rules:
        reject(str(file), "rules", _("is missing: without [[rules]] nothing is watched"))
    link = reader.text("link").rstrip("/")
    if link and not link.startswith(("http://", "https://")):
        reject(str(file), "link", _("must be an http or https URL"), link)
    return AlertSettings(rules=tuple(rules), channels=tuple(channels), link=link)


def _reject_literals(file: Path, parsed: Mapping[str, Any]) -> None:
    """Raise for a secret in the file; its value is not shown."""
    given = parsed.get("channels")
    for i, table in enumerate(given if isinstance(given, list) else []):
        for key in _LITERAL:
            if isinstance(table, dict) and key in table:
                raise ConfigurationError(
                    _(
                        "{file}: channels[{i}].{key} must not be in the file: name an environment "
                        "variable (…_env) or a file of mode 600 (…_file)"
                    ).format(file=file, i=i, key=key)
                )


def _check_new(table: TableReader, name: str, others: Sequence[str]) -> None:
    if name in others:
        reject(table.file, table.key("name"), _("occurs twice"), name)


def _rule(table: TableReader, channels: Sequence[str]) -> Rule:
    kind = _one_of(table, "kind", tuple(_RULE_KEYS), "")
    for key in _ALL_KEYS:
        if table.raw(key) is not None and key not in _RULE_KEYS[kind]:
            reject(table.file, table.key(key), _("is no key of a {kind} rule").format(kind=kind))
    name = table.text("name", required=True)
    wanted = table.texts("channels")
    for each in wanted:
        if each not in channels:
            known = ", ".join(channels) or _("none")
            rule = _("must name [[channels]] of the file ({names})").format(names=known)
            reject(table.file, table.key("channels"), rule, each)
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
        reject(table.file, table.key("words"), _("is missing"))
    where = table.texts("where") or ("title", "body")
    for each in where:
        if each not in _WHERE:
            rule = _("must be one of {names}").format(names=", ".join(_WHERE))
            reject(table.file, table.key("where"), rule, each)
    return WordRule(**common, words=words, where=where, least=table.count("least") or 1)


def _volume_rule(table: TableReader, common: Mapping[str, Any]) -> VolumeRule:
    defaults = VolumeTest()
    days = table.count("least_days") or defaults.least_history
    if days < defaults.least_history:
        rule = _("must be >= {low}: fewer days show no weekly rhythm")
        reject(table.file, table.key("least_days"), rule.format(low=defaults.least_history), days)
    test = replace(
        defaults,
        least_history=days,
        least=table.count("least") or defaults.least,
        factor=table.number("factor", defaults.factor, rule="[1.1, 1000]") or defaults.factor,
        chance=table.number("chance", defaults.chance, rule="(0, 0.05]") or defaults.chance,
    )
    return VolumeRule(
        **common,
        interval=cast("Any", _one_of(table, "interval", ("day", "hour"), "day")),
        words=_words(table),
        direction=cast("Any", _one_of(table, "direction", ("rise", "fall", "both"), "rise")),
        test=test,
        undated=table.flag("undated"),
    )


def _health_rule(table: TableReader, common: Mapping[str, Any]) -> HealthRule:
    defaults = {it.name: it.default for it in fields(HealthRule)}
    checks = table.texts("checks") or CHECKS
    for each in checks:
        if each not in CHECKS:
            rule = _("must be one of {names}").format(names=", ".join(CHECKS))
            reject(table.file, table.key("checks"), rule, each)
    share = cast("float", defaults["blocked_share"])
    return HealthRule(
        **common,
        checks=cast("tuple[Check, ...]", tuple(checks)),
        disk_mb=table.count("disk_mb") or cast("int", defaults["disk_mb"]),
        least_hosts=table.count("least_hosts") or cast("int", defaults["least_hosts"]),
        blocked_share=table.number("blocked_share", share, rule="(0, 1]") or share,
        waiting_records=table.count("waiting_records") or cast("int", defaults["waiting_records"]),
    )


def _one_of(table: TableReader, key: str, options: Sequence[str], default: str) -> str:
    value = table.text(key, required=not default) or default
    if value not in options:
        rule = _("must be one of {names}").format(names=", ".join(options))
        reject(table.file, table.key(key), rule, value)
    return value
