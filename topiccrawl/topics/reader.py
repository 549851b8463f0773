"""Reads typed values from a TOML table; every complaint names file, key and rule."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

from topiccrawl.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def reject(file: str, key: str, rule: str, value: object = None) -> NoReturn:
    """Raise the ConfigurationError of a wrong value in a file."""
    got = "" if value is None else f", got {value!r}"
    raise ConfigurationError(f"{file}: {key} {rule}{got}")


def check_seed_url(file: str, key: str, url: object) -> str:
    """Return `url` if it is an absolute http(s) URL with a host, else raise."""
    rule = "must be an http or https URL with a host"
    if not isinstance(url, str):
        reject(file, key, rule, url)
    clean = url.strip()
    try:
        parts = urlsplit(clean)
        host, _ = parts.hostname, parts.port  # .port raises for one that is no number
    except ValueError:
        reject(file, key, rule, url)
    if parts.scheme.lower() not in ("http", "https") or not host or " " in clean:
        reject(file, key, rule, url)
    return clean


class TableReader:
    """One table of a TOML file. Create it, take what it may hold, and unknown keys are errors.

    Args:
        file: what messages call the file.
        path: dotted name of the table, empty for the top level.
        allowed: its keys, or None when keys are free (terms).
    """

    def __init__(
        self, file: str, path: str, table: Mapping[str, Any], allowed: Iterable[str] | None
    ) -> None:
        self.file = file
        self._path = path
        self._table = table
        if allowed is not None:
            self._reject_unknown(list(allowed))

    def _reject_unknown(self, allowed: list[str]) -> None:
        for key in self._table:
            if key not in allowed:
                near = get_close_matches(key, allowed, n=1, cutoff=0.5)
                hint = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(allowed)}"
                reject(self.file, self.key(key), f"is not a known key ({hint})")

    def key(self, key: str) -> str:
        """Return the full dotted name of a key of this table."""
        return f"{self._path}.{key}" if self._path else key

    def table(self, key: str, allowed: Iterable[str] | None) -> TableReader:
        """Return a sub-table, empty when it is not there."""
        value = self._table.get(key, {})
        if not isinstance(value, dict):
            reject(self.file, self.key(key), "must be a table", value)
        return TableReader(self.file, self.key(key), value, allowed)

    def text(self, key: str, *, required: bool = False) -> str:
        """Return a string without surrounding white space; required ones must not be empty."""
        value = self._table.get(key)
        if value is None:
            if required:
                reject(self.file, self.key(key), "is missing")
            return ""
        if not isinstance(value, str):
            reject(self.file, self.key(key), "must be a string", value)
        if required and not value.strip():
            reject(self.file, self.key(key), "must not be empty", value)
        return value.strip()

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of non-empty strings."""
        value = self._table.get(key, [])
        if not isinstance(value, list):
            reject(self.file, self.key(key), "must be a list of strings", value)
        for i, item in enumerate(value):
            if not isinstance(item, str) or not item.strip():
                reject(self.file, f"{self.key(key)}[{i}]", "must be a non-empty string", item)
        return tuple(item.strip() for item in value)

    def number(self, key: str, default: float | None, *, rule: str) -> float | None:
        """Return a number; `rule` is an interval such as ``(0, 1]``."""
        value = self._table.get(key)
        return default if value is None else self._in_interval(key, value, rule)

    def numbers(self, *, rule: str) -> dict[str, float]:
        """Return all keys of the table with their numbers."""
        return {key: self._in_interval(key, value, rule) for key, value in self._table.items()}

    def count(self, key: str) -> int:
        """Return a whole number >= 0, 0 when it is not there."""
        value = self._table.get(key, 0)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            reject(self.file, self.key(key), "must be a whole number >= 0", value)
        return value

    def tables(self, key: str, allowed: Iterable[str]) -> list[TableReader]:
        """Return the tables of an array of tables ([[key]])."""
        value = self._table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            reject(self.file, self.key(key), f"must be tables, written [[{key}]]", value)
        names = list(allowed)
        return [
            TableReader(self.file, f"{self.key(key)}[{i}]", t, names) for i, t in enumerate(value)
        ]

    def raw(self, key: str) -> object:
        """Return a value as it stands, None when it is not there."""
        return self._table.get(key)

    def _in_interval(self, key: str, value: object, rule: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            reject(self.file, self.key(key), f"must be a number in {rule}", value)
        low, high = (float(end) for end in rule[1:-1].split(","))
        above = value > low if rule[0] == "(" else value >= low
        below = value < high if rule[-1] == ")" else value <= high
        if not (above and below):  # written so that nan fails
            reject(self.file, self.key(key), f"must be in {rule}", value)
        return float(value)
