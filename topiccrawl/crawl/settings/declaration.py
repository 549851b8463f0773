"""Declarations of settings: field, name, default, rule, unit and comments in one place.

A section is a dataclass whose fields are settings::

    @dataclass(frozen=True, kw_only=True)
    class StoreSettings(Section):
        title = "Store 存储"

        store_batch_pages: int = setting(
            "STORE_BATCH_PAGES",
            100,
            Integer(low=1),
            unit="records",
            en="A batch is written when this many records are waiting.",
            zh="攒够多少条即写入。",
        )

``StoreSettings.from_settings(settings).store_batch_pages`` is then a checked ``int``.
``topiccrawl/settings.py`` and the tables of docs/settings.md are generated from the declarations:
``make reference``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import Field, dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from topiccrawl.crawl.settings.rules import Rule

#: Beginning of the names of all settings of the project.
PREFIX = "TOPICCRAWL_"
_SETTING = "setting"
_READ = "read"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setting:
    """One declared setting."""

    name: str
    """With the prefix: ``TOPICCRAWL_STORE_URI``."""
    default: Any
    """Value of a project that does not set it."""
    project_value: Any
    """Value in ``topiccrawl/settings.py``; the default unless the declaration overrides it."""
    rule: Rule[Any]
    unit: str
    """Unit of a number or count, ``""`` for none."""
    en: str
    """Meaning in English: sentences in Markdown, with links relative to docs/."""
    zh: str
    """Meaning in Chinese."""


class Section:
    """Base of the sections, dataclasses whose fields come from :func:`setting` and its relatives."""

    title: ClassVar[str] = ""
    """Heading in English and Chinese; ``""`` for a record that is composed of sections."""
    intro: ClassVar[str] = ""
    """What holds for all settings of the section: English, in Markdown."""
    intro_zh: ClassVar[str] = ""

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Read and check the settings of this section.

        Raises ``ConfigurationError`` on the first wrong value; the message names the setting, its rule and
        the value.
        """
        return cls(**{each.name: each.metadata[_READ](settings) for each in _fields(cls)})

    @classmethod
    def declared(cls) -> Iterator[Setting]:
        """Return the settings of this section in the order of their declaration."""
        return (each.metadata[_SETTING] for each in _fields(cls) if _SETTING in each.metadata)


def setting(
    name: str,
    default: T,
    rule: Rule[T],
    *,
    en: str,
    zh: str,
    unit: str = "",
    project_value: T | None = None,
) -> T:
    """Declare a setting as a field of a :class:`Section`.

    Parameters
    ----------
    name
        Name without ``TOPICCRAWL_``.
    default
        Value when it is not set.
    rule
        How a value is read and checked; see :mod:`topiccrawl.crawl.settings.rules`.
    en, zh
        Meaning in English (Markdown, links relative to docs/) and in Chinese: whole sentences.
    unit
        Unit of a number.
    project_value
        Value in ``topiccrawl/settings.py`` where that is not the default of other projects, which
        enable the add-on alone.
    """
    full_name = PREFIX + name
    declared = Setting(
        full_name, default, default if project_value is None else project_value, rule, unit, en, zh
    )

    def read(settings: BaseSettings) -> T:
        return rule.read(settings, full_name, default)

    return cast("T", field(metadata={_SETTING: declared, _READ: read}))


def scrapy_setting(read: Callable[[BaseSettings], T]) -> T:
    """Declare a field that takes its value from Scrapy's own settings."""
    return cast("T", field(metadata={_READ: read}))


S = TypeVar("S", bound=Section)


def section(of: type[S]) -> S:
    """Declare a field that holds a whole section."""
    return cast("S", field(metadata={_READ: of.from_settings}))


def _fields(cls: type[Section]) -> tuple[Field[Any], ...]:
    return fields(cls)  # type: ignore[arg-type]  # all subclasses are dataclasses
