"""Reads typed values from TOML tables; every error message names file, key and rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn, TypeVar

from topiccrawl.errors import ConfigurationError, printable, shown
from topiccrawl.language import _, labeled, listed

OptionT = TypeVar("OptionT", bound=str)
NumberT = TypeVar("NumberT", float, None)

#: Characters of a key that an error message shows (a choice).
_LONGEST_KEY = 200

#: Largest number of a limit: larger integers are not exact in Lua and JSON.
MOST_COUNT = 2**53


class TableError(ConfigurationError):
    """One mistake in a file; *key* is the full name of the value."""

    def __init__(self, message: str, key: str) -> None:
        super().__init__(message)
        self.key = key


def reject(file: str, key: str, rule: str, value: object = None) -> NoReturn:
    """Raise a :class:`TableError`: "*file*: *key* *rule*, got *value*"."""
    got = "" if value is None else _(", got {value}").format(value=shown(value))
    short = key if len(key) <= _LONGEST_KEY else f"{key[:_LONGEST_KEY]}…"
    raise TableError(labeled(file, f"{printable(short)} {rule}{got}"), key)


class TableReader:
    """One table of a TOML file; every method that reads a value checks it.

    Raises ``ConfigurationError`` if the table has an unknown key.

    Parameters
    ----------
    file
        Name of the file in error messages.
    path
        Dotted name of the table, empty for the top level.
    allowed
        The known keys, ``None`` if any key is allowed (terms).
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
                hint = (
                    _("did you mean {key!r}?").format(key=near[0])
                    if near
                    else _("known keys: {keys}").format(keys=listed(allowed))
                )
                self.reject(key, _("is not a known key ({hint})").format(hint=hint))

    def keys(self) -> tuple[str, ...]:
        """Return the keys of this table."""
        return tuple(self._table)

    def key(self, key: str) -> str:
        """Return the full dotted name of a key of this table; of the table itself for an empty *key*."""
        return ".".join(filter(None, (self._path, key)))

    def reject(self, key: str, rule: str, value: object = None) -> NoReturn:
        """Raise a :class:`TableError` for a key of this table: "*file*: *key* *rule*, got *value*"."""
        reject(self.file, self.key(key), rule, value)

    def table(self, key: str, allowed: Iterable[str] | None) -> TableReader:
        """Return a sub-table, empty if it is missing; *allowed* are its known keys."""
        value = self._table.get(key, {})
        if not isinstance(value, dict):
            self.reject(key, _("must be a table"), value)
        return TableReader(self.file, self.key(key), value, allowed)

    def text(self, key: str, *, required: bool = False) -> str:
        """Return a string without surrounding white space; a required one must not be empty."""
        value = self._table.get(key)
        if value is None:
            if required:
                self.reject(key, _("is missing"))
            return ""
        if not isinstance(value, str):
            self.reject(key, _("must be a string"), value)
        if required and not value.strip():
            self.reject(key, _("must not be empty"), value)
        return value.strip()

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of non-empty strings."""
        value = self._table.get(key, [])
        if not isinstance(value, list):
            self.reject(key, _("must be a list of strings"), value)
        for i, item in enumerate(value):
            if not isinstance(item, str) or not item.strip():
                self.reject(f"{key}[{i}]", _("must be a non-empty string"), item)
        return tuple(item.strip() for item in value)

    def choice(
        self, key: str, options: Sequence[OptionT], default: OptionT | None = None
    ) -> OptionT:
        """Return one of *options*; a missing one is *default*, ``None`` if it is required."""
        return self._one_of(key, options, self.text(key, required=default is None) or default)

    def choices(
        self, key: str, options: Sequence[OptionT], default: Sequence[OptionT]
    ) -> tuple[OptionT, ...]:
        """Return some of *options*; missing or none are *default*."""
        return tuple(self._one_of(key, options, it) for it in self.texts(key)) or tuple(default)

    def all_texts(self) -> dict[str, str]:
        """Return all keys of the table with their values, strings."""
        return {key: self.text(key) for key in self._table}

    def number(self, key: str, default: NumberT, *, rule: str) -> float | NumberT:
        """Return a number in the interval *rule*, such as ``(0, 1]``."""
        value = self._table.get(key)
        return default if value is None else self._in_interval(key, value, rule)

    def numbers(self, *, rule: str) -> dict[str, float]:
        """Return all keys of the table with their values, numbers in the interval *rule*."""
        return {key: self._in_interval(key, value, rule) for key, value in self._table.items()}

    def count(self, key: str, default: int = 0) -> int:
        """Return a whole number >= 0."""
        value = self._table.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            self.reject(key, _("must be a whole number >= 0"), value)
        if value > MOST_COUNT:
            self.reject(key, _("must be <= {most}").format(most=MOST_COUNT), value)
        return value

    def flag(self, key: str) -> bool:
        """Return ``true`` or ``false``, the latter if it is missing."""
        value = self._table.get(key, False)
        if not isinstance(value, bool):
            self.reject(key, _("must be true or false"), value)
        return value

    def tables(self, key: str, allowed: Iterable[str]) -> list[TableReader]:
        """Return the tables of an array of tables ([[key]])."""
        value = self._table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.reject(
                key,
                _("must be tables, written [[{key}]]").format(key=key),
                value,
            )
        names = list(allowed)
        return [
            TableReader(self.file, f"{self.key(key)}[{i}]", t, names) for i, t in enumerate(value)
        ]

    def raw(self, key: str) -> object:
        """Return a value unchecked, ``None`` if it is missing."""
        return self._table.get(key)

    def _one_of(self, key: str, options: Sequence[OptionT], value: str | None) -> OptionT:
        found = next((option for option in options if option == value), None)
        if found is None:
            self.reject(key, _("must be one of {names}").format(names=listed(options)), value)
        return found

    def _in_interval(self, key: str, value: object, rule: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.reject(key, _("must be a number in {rule}").format(rule=rule), value)
        low, high = (float(end) for end in rule[1:-1].split(","))
        above = value > low if rule[0] == "(" else value >= low
        below = value < high if rule[-1] == ")" else value <= high
        if not (above and below):  # nan fails, too
            self.reject(key, _("must be in {rule}").format(rule=rule), value)
        return float(value)
