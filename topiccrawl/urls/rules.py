"""Rules of canonical URLs, read from data: which parameters, segments and file names are noise."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import lru_cache
from importlib import resources
from typing import Any

from topiccrawl.language import _
from topiccrawl.tables import TableReader
from topiccrawl.userfiles import parse_toml

GLOBAL_FILE = "url_parameters.toml"
HOSTS_FILE = "url_hosts.toml"

_RULE_KEYS = ("hosts", "paths", "ignore", "keep", "index")
#: Parameter names and hosts in each cache; a full cache is cleared.  A crawl meets some hundreds
#: of parameter names and some thousands of hosts.
_CACHE_SIZE = 10_000


class Parameters:
    """Ignored query parameters: exact names, patterns, and names with certain values."""

    __slots__ = ("_keep", "_names", "_pattern", "_values", "_verdicts")

    def __init__(
        self,
        ignore: Sequence[str],
        values: Mapping[str, re.Pattern[str]] | None = None,
        keep: Sequence[str] = (),
    ) -> None:
        self._names = frozenset(name for name in ignore if not _is_glob(name))
        self._pattern = _any_of(name for name in ignore if _is_glob(name))
        self._values = dict(values or {})
        self._keep = _any_of(keep)
        self._verdicts: dict[str, bool | re.Pattern[str]] = {}

    def ignores(self, name: str, value: str) -> bool:
        """Return whether ``name=value`` is noise; case of *name* does not matter."""
        verdict = self._verdicts.get(name)
        if verdict is None:
            if len(self._verdicts) >= _CACHE_SIZE:
                self._verdicts.clear()
            verdict = self._verdicts[name] = self._verdict(name.lower())
        if verdict is True or verdict is False:
            return verdict
        return verdict.fullmatch(value) is not None

    def _verdict(self, name: str) -> bool | re.Pattern[str]:
        if self._keep is not None and self._keep.fullmatch(name):
            return False
        if name in self._names or (self._pattern is not None and self._pattern.fullmatch(name)):
            return True
        return self._values.get(name, False)


@dataclass(frozen=True, slots=True)
class HostRules:
    """The rules for one host."""

    parameters: Parameters
    by_path: tuple[tuple[re.Pattern[str], Parameters], ...]
    """More ignored parameters where the path matches."""
    index: frozenset[str]
    """File names that stand for their folder."""


@dataclass(frozen=True, slots=True)
class _Rule:
    hosts: re.Pattern[str]
    paths: re.Pattern[str] | None
    ignore: tuple[str, ...]
    keep: tuple[str, ...]
    index: tuple[str, ...]


class UrlRules:
    """All rules.

    Raises ``ConfigurationError`` if a file is wrong; the message names file, key, rule and value.

    Parameters
    ----------
    global_text, hosts_text
        Contents of the files ``url_parameters.toml`` and ``url_hosts.toml``.
    """

    def __init__(self, global_text: str, hosts_text: str) -> None:
        data = _tables(GLOBAL_FILE, global_text, ("session", "tracking", "path", "index"))
        self._ignore: list[str] = []
        self._values: dict[str, re.Pattern[str]] = {}
        for name in ("session", "tracking"):
            table = data.table(name, ("ignore", "values"))
            self._ignore += _names(table, "ignore")
            values = table.table("values", None)
            names = values.keys()
            self._values |= {key: _regex(values, key, values.raw(key)) for key in names}
        path = data.table("path", ("sessions", "segments"))
        sessions = _names(path, "sessions")
        self.path_session = re.compile(
            rf"(?:;|%3B)(?:{'|'.join(map(re.escape, sessions)) or '(?!)'})=[^/;?#]*", re.IGNORECASE
        )
        """Matches ``;jsessionid=…`` in a path."""
        segments = path.texts("segments")
        for text in segments:
            _regex(path, "segments", text)
        # Expressions that are valid alone may contradict each other: flags, names of groups.
        joined = rf"/(?:{'|'.join(segments) or '(?!)'})(?=/)"
        self.path_segment = _regex(path, "segments", joined)
        """Matches a segment that is a session id as a whole, with the slash before it."""
        self._index = frozenset(data.table("index", ("names",)).texts("names"))
        rules = _tables(HOSTS_FILE, hosts_text, ("rule",)).tables("rule", _RULE_KEYS)
        self._rules = [_rule(table) for table in rules]
        self._common = self._make([rule for rule in self._rules if rule.hosts.fullmatch("")])
        self._hosts: dict[str, HostRules] = {}

    def of(self, host: str) -> HostRules:
        """Return the rules for *host*, which is in lower case and has no port."""
        found = self._hosts.get(host)
        if found is None:
            if len(self._hosts) >= _CACHE_SIZE:
                self._hosts.clear()
            rules = [rule for rule in self._rules if rule.hosts.fullmatch(host)]
            special = any(not rule.hosts.fullmatch("") for rule in rules)
            found = self._hosts[host] = self._make(rules) if special else self._common
        return found

    def _make(self, rules: Sequence[_Rule]) -> HostRules:
        keep = [name for rule in rules for name in rule.keep]
        whole = [rule for rule in rules if rule.paths is None]
        ignore = [name for rule in whole for name in rule.ignore]
        return HostRules(
            Parameters([*self._ignore, *ignore], self._values, keep),
            tuple(
                (rule.paths, Parameters(rule.ignore, keep=keep))
                for rule in rules
                if rule.paths is not None and rule.ignore
            ),
            self._index.union(*(rule.index for rule in rules)),
        )


@lru_cache(maxsize=1)
def url_rules() -> UrlRules:
    """Return the rules in the package's data files."""
    data = resources.files("topiccrawl.urls").joinpath("data")
    return UrlRules(
        data.joinpath(GLOBAL_FILE).read_text("utf-8"), data.joinpath(HOSTS_FILE).read_text("utf-8")
    )


def _rule(table: TableReader) -> _Rule:
    hosts, paths, index = table.texts("hosts"), table.texts("paths"), table.texts("index")
    if not hosts:
        table.reject("hosts", _("must name at least one host"), table.raw("hosts"))
    for host in hosts:
        if host != host.lower() or "/" in host or ":" in host:
            table.reject("hosts", _("must be lower case, without scheme or port"), host)
    ignore, keep = _names(table, "ignore"), _names(table, "keep")
    if not (ignore or keep or index):
        table.reject("", _("must have ignore, keep or index"))
    if paths and (keep or index):
        table.reject("paths", _("can only limit ignore, not keep or index"), paths)
    if both := sorted(set(ignore) & set(keep)):
        table.reject("keep", _("must not be ignored by the same rule"), both[0])
    host_pattern = "|".join(
        rf"(?:.*\.)?{translate(host[2:])}" if host.startswith("*.") else translate(host)
        for host in hosts
    )
    return _Rule(re.compile(host_pattern), _any_of(paths), ignore, keep, index)


def _is_glob(name: str) -> bool:
    return any(mark in name for mark in "*?[")


def _any_of(patterns: Any) -> re.Pattern[str] | None:
    translated = [translate(pattern) for pattern in patterns]
    return re.compile("|".join(translated)) if translated else None


def _tables(file: str, text: str, keys: Sequence[str]) -> TableReader:
    return TableReader(file, "", parse_toml(text, file), keys)


def _names(table: TableReader, key: str) -> tuple[str, ...]:
    names = table.texts(key)
    for name in names:
        if name != name.lower():
            table.reject(key, _("must be in lower case"), name)
        if not name.strip("*?"):
            table.reject(key, _("must not match every name"), name)
    return names


def _regex(table: TableReader, key: str, text: object) -> re.Pattern[str]:
    if not isinstance(text, str):
        table.reject(key, _("must be a regular expression"), text)
    try:
        return re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        table.reject(key, _("must be a regular expression ({error})").format(error=error), text)
