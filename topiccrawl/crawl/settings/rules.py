"""Rules of settings: how a value is checked and described.

Values may be of their own type, or texts (``-s NAME=VALUE``); ``None`` is the default.
Messages name the setting, the rule and the value:
``TOPICCRAWL_IPAGERANK_EVERY_PAGES must be >= 1, got 0``.
"""

from __future__ import annotations

import json
import math
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, NoReturn, TypeVar

from topiccrawl.details import translated
from topiccrawl.errors import ConfigurationError, Shown, check_text
from topiccrawl.language import _, labeled, listed, user_language
from topiccrawl.urls.fetchable import fetchable_url

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

T = TypeVar("T")
Option = TypeVar("Option", bound=str)


#: Largest integer of a setting: larger ones are not exact in Lua and JSON, and SQLite's end at 2⁶³.
MOST_INTEGER: Final = 2**53

#: Largest number of a setting.  Most are seconds, of which this is 31 years (a choice): the sum of a
#: date and much more is not a date.
MOST_NUMBER: Final = 1e9

#: Characters of a check's message that are shown (a choice).
_LONGEST_MESSAGE: Final = 600


class Rule(ABC, Generic[T]):
    """Checks one kind of value."""

    @property
    @abstractmethod
    def description(self) -> str:
        """The accepted values as the reference lists them."""

    @abstractmethod
    def checked(self, name: str, value: Any) -> T:
        """Return the *value* of a setting; raise :class:`ConfigurationError` if it breaks the rule."""

    def read(self, settings: BaseSettings, name: str, default: T) -> T:
        """Return the value of *name* in *settings*; see :meth:`checked`."""
        return self.checked(name, settings.get(name, default))


@dataclass(frozen=True, slots=True)
class Text(Rule[str]):
    """Any text; blanks around it are removed."""

    check: Callable[[str], object] | None = None
    """Raises ``ValueError`` for a wrong value; its message follows the setting's name."""
    description: str = "text"

    def checked(self, name: str, value: Any) -> str:
        if not isinstance(value, str | os.PathLike):
            _reject(_("{name} must be a text, got {value!r}"), name, value)
        text = check_text(name, str(value).strip())
        if "\x00" in text:
            _reject(_("{name} must not contain NUL, got {value!r}"), name, text)
        if self.check is not None:
            try:
                self.check(text)
            except ValueError as error:
                raise ConfigurationError(labeled(name, _cut(error))) from error
        return text


@dataclass(frozen=True, slots=True)
class Flag(Rule[bool]):
    """``True`` or ``False``, also as ``1`` and ``0``."""

    description: str = "flag"

    def checked(self, name: str, value: Any) -> bool:
        if value in ("True", "true", "False", "false"):
            return bool(value in ("True", "true"))
        try:
            flag = bool(int(value))
            if float(value) != flag:  # unlike Scrapy, take no other number for True
                raise ValueError(value)
        except (TypeError, ValueError, OverflowError):
            _reject(_("{name} must be True or False, got {value!r}"), name, value)
        return flag


@dataclass(frozen=True, slots=True)
class Integer(Rule[int]):
    """An integer, at least ``low`` if that is given."""

    low: int | None = None
    or_zero: bool = False
    """Whether 0 is accepted below ``low`` (it turns a rule off)."""

    @property
    def description(self) -> str:
        """``integer ≥ 1``, ``integer, 0 or ≥ 2``."""
        if self.low is None:
            return "integer"
        return f"integer, 0 or ≥ {self.low}" if self.or_zero else f"integer ≥ {self.low}"

    def checked(self, name: str, value: Any) -> int:
        try:
            number = int(value)
            if isinstance(value, float) and number != value:
                raise ValueError(value)
        except (TypeError, ValueError, OverflowError):
            _reject(_("{name} must be an integer, got {value!r}"), name, value)
        if self.low is not None and number < self.low and not (self.or_zero and number == 0):
            least = _("0 or >= {low}").format(low=self.low) if self.or_zero else f">= {self.low}"
            _reject(_("{name} must be {least}, got {value!r}"), name, value, least=least)
        _check_most(name, number, MOST_INTEGER, value)
        return number


@dataclass(frozen=True, slots=True)
class Number(Rule[float]):
    """A finite number in [``low``, ``high``]."""

    low: float
    high: float | None = None

    @property
    def description(self) -> str:
        """``number ≥ 0``, ``number 0 … 1``."""
        if self.high is None:
            return f"number ≥ {self.low:g}"
        return f"number {self.low:g} … {self.high:g}"

    def checked(self, name: str, value: Any) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            _reject(_("{name} must be a number, got {value!r}"), name, value)
        if math.isnan(number) or number < self.low:
            _reject(_("{name} must be >= {low:g}, got {value!r}"), name, value, low=self.low)
        if self.high is not None:
            _check_most(name, number, self.high, value)
        if math.isinf(number):
            # An infinite delay would keep a crawl from ending.
            _reject(_("{name} must be a finite number, got {value!r}"), name, value)
        _check_most(name, number, MOST_NUMBER, value)
        return number


@dataclass(frozen=True, slots=True)
class Choice(Rule[Option]):
    """One of several texts."""

    options: tuple[Option, ...]

    @property
    def description(self) -> str:
        """``capped, thesis``."""
        return ", ".join(self.options)

    def checked(self, name: str, value: Any) -> Option:
        value = value.strip() if isinstance(value, str) else value
        found = next((option for option in self.options if option == value), None)
        if found is None:
            rule = _("{name} must be one of {description}, got {value!r}")
            _reject(rule, name, value, description=listed(self.options))
        return found


@dataclass(frozen=True, slots=True)
class Table(Rule[Mapping[str, Any]]):
    """A mapping; JSON on the command line."""

    expected: str
    """What it maps to what, for the error message: ``"host patterns to time windows"``."""
    description: str = "mapping"

    def checked(self, name: str, value: Any) -> Mapping[str, Any]:
        try:
            return dict(json.loads(value) if isinstance(value, str) else value)
        except (TypeError, ValueError, RecursionError):
            rule = _("{name} must map {expected}, got {value!r}")
            _reject(rule, name, value, expected=_(self.expected))


@dataclass(frozen=True, slots=True)
class Names(Rule[tuple[str, ...]]):
    """Several texts: a list, or one text with commas between them."""

    check: Callable[[Iterable[str]], object]
    """Raises ``ValueError`` for a wrong value; its message follows the setting's name."""
    description: str = "list"

    def checked(self, name: str, value: Any) -> tuple[str, ...]:
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, list | tuple | set | frozenset) or not all(
            isinstance(part, str) for part in parts
        ):
            rule = _("{name} must be a list of texts, or one text with commas, got {value!r}")
            _reject(rule, name, value)
        names = tuple(part.strip() for part in parts if part.strip())
        try:
            self.check(names)
        except ValueError as error:
            raise ConfigurationError(f"{name} {_cut(error)}") from error
        return names


def _reject(rule: str, name: str, value: object, **more: object) -> NoReturn:
    """Raise the error of a setting; *rule* is its message with ``{name}``, ``{value!r}`` and *more*."""
    raise ConfigurationError(rule.format(name=name, value=Shown(value), **more)) from None


def check_address(text: str) -> None:
    """Raise ``ValueError`` unless *text* is empty or a URL that can be fetched."""
    if not text:
        return
    try:
        fetchable_url(text)
    except ValueError as error:
        raise ValueError(translated(str(error), user_language())) from None


def _cut(error: Exception) -> str:
    """Return the message of a check, which may quote a value of any length."""
    text = str(error)
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]}…"


def _check_most(name: str, number: float, most: float, value: object) -> None:
    if number > most:
        _reject(_("{name} must be <= {high:g}, got {value!r}"), name, value, high=most)
