"""Rules of canonical URLs, read from data: which parameters, segments and file names are noise."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import lru_cache
from importlib import resources
from typing import Any, NoReturn

from topiccrawl.errors import ConfigurationError, shown
from topiccrawl.language import _, listed

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

    Parameters
    ----------
    global_text, hosts_text
        Contents of the files ``url_parameters.toml`` and ``url_hosts.toml``.

    Raises
    ------
    ConfigurationError
        If a file is wrong; the message names file, key, rule and value.
    """

    def __init__(self, global_text: str, hosts_text: str) -> None:
        data = _parse(GLOBAL_FILE, global_text, ("session", "tracking", "path", "index"))
        self._ignore: list[str] = []
        self._values: dict[str, re.Pattern[str]] = {}
        for table in ("session", "tracking"):
            part = _table(GLOBAL_FILE, data, table, ("ignore", "values"))
            self._ignore += _names(GLOBAL_FILE, f"{table}.ignore", part.get("ignore", []))
            for name, text in _table(GLOBAL_FILE, part, "values", None, f"{table}.").items():
                self._values[name] = _regex(GLOBAL_FILE, f"{table}.values.{name}", text)
        path = _table(GLOBAL_FILE, data, "path", ("sessions", "segments"))
        sessions = _names(GLOBAL_FILE, "path.sessions", path.get("sessions", []))
        self.path_session = re.compile(
            rf"(?:;|%3B)(?:{'|'.join(map(re.escape, sessions)) or '(?!)'})=[^/;?#]*", re.IGNORECASE
        )
        """Matches ``;jsessionid=…`` in a path."""
        segments = _strings(GLOBAL_FILE, "path.segments", path.get("segments", []))
        for text in segments:
            _regex(GLOBAL_FILE, "path.segments", text)
        # Expressions that are valid alone may contradict each other: flags, names of groups.
        joined = rf"/(?:{'|'.join(segments) or '(?!)'})(?=/)"
        self.path_segment = _regex(GLOBAL_FILE, "path.segments", joined)
        """Matches a segment that is a session id as a whole, with the slash before it."""
        index = _table(GLOBAL_FILE, data, "index", ("names",))
        self._index = frozenset(_strings(GLOBAL_FILE, "index.names", index.get("names", [])))
        rules = _parse(HOSTS_FILE, hosts_text, ("rule",)).get("rule", [])
        if not isinstance(rules, list):
            _reject(HOSTS_FILE, "rule", _("must be tables, each [[rule]]"), rules)
        self._rules = [_rule(i, table) for i, table in enumerate(rules, 1)]
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


def _rule(number: int, table: object) -> _Rule:
    key = f"rule {number}"
    if not isinstance(table, dict):
        _reject(HOSTS_FILE, key, _("must be a table"), table)
    _known(HOSTS_FILE, f"{key}: ", table, _RULE_KEYS)

    def patterns(name: str) -> list[str]:
        return _strings(HOSTS_FILE, f"{key}: {name}", table.get(name, []))

    hosts, paths = patterns("hosts"), patterns("paths")
    if not hosts:
        _reject(HOSTS_FILE, f"{key}: hosts", _("must name at least one host"), table.get("hosts"))
    for host in hosts:
        if host != host.lower() or "/" in host or ":" in host:
            _reject(
                HOSTS_FILE, f"{key}: hosts", _("must be lower case, without scheme or port"), host
            )
    ignore = _names(HOSTS_FILE, f"{key}: ignore", table.get("ignore", []))
    keep = _names(HOSTS_FILE, f"{key}: keep", table.get("keep", []))
    index = patterns("index")
    if not (ignore or keep or index):
        _reject(HOSTS_FILE, key, _("must have ignore, keep or index"))
    if paths and (keep or index):
        _reject(HOSTS_FILE, f"{key}: paths", _("can only limit ignore, not keep or index"), paths)
    if both := sorted(set(ignore) & set(keep)):
        _reject(HOSTS_FILE, f"{key}: keep", _("must not be ignored by the same rule"), both[0])
    host_pattern = "|".join(
        rf"(?:.*\.)?{translate(host[2:])}" if host.startswith("*.") else translate(host)
        for host in hosts
    )
    return _Rule(re.compile(host_pattern), _any_of(paths), tuple(ignore), tuple(keep), tuple(index))


def _is_glob(name: str) -> bool:
    return any(mark in name for mark in "*?[")


def _any_of(patterns: Any) -> re.Pattern[str] | None:
    translated = [translate(pattern) for pattern in patterns]
    return re.compile("|".join(translated)) if translated else None


def _reject(file: str, key: str, rule: str, value: object = None) -> NoReturn:
    got = "" if value is None else _(", got {value}").format(value=shown(value))
    raise ConfigurationError(f"{file}: {key} {rule}{got}")


def _parse(file: str, text: str, keys: Sequence[str]) -> dict[str, Any]:
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(
            _("{file}: is not valid TOML: {error}").format(file=file, error=error)
        ) from None
    _known(file, "", data, keys)
    return data


def _known(file: str, where: str, table: Mapping[str, Any], keys: Sequence[str]) -> None:
    for key in table:
        if key not in keys:
            _reject(
                file,
                f"{where}{key}",
                _("is not a known key (known: {keys})").format(keys=listed(keys)),
            )


def _table(
    file: str, data: Mapping[str, Any], key: str, keys: Sequence[str] | None, where: str = ""
) -> dict[str, Any]:
    table = data.get(key, {})
    if not isinstance(table, dict):
        _reject(file, f"{where}{key}", _("must be a table"), table)
    if keys is not None:
        _known(file, f"{where}{key}.", table, keys)
    return table


def _strings(file: str, key: str, value: object) -> list[str]:
    if not isinstance(value, list):
        _reject(file, key, _("must be a list of strings"), value)
    for item in value:
        if not isinstance(item, str) or not item:
            _reject(file, key, _("must contain only non-empty strings"), item)
    return value


def _names(file: str, key: str, value: object) -> list[str]:
    names = _strings(file, key, value)
    for name in names:
        if name != name.lower():
            _reject(file, key, _("must be in lower case"), name)
        if not name.strip("*?"):
            _reject(file, key, _("must not match every name"), name)
    return names


def _regex(file: str, key: str, text: object) -> re.Pattern[str]:
    if not isinstance(text, str):
        _reject(file, key, _("must be a regular expression"), text)
    try:
        return re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        _reject(file, key, _("must be a regular expression ({error})").format(error=error), text)
