"""Filters of the templates: numbers, times and links in the form that reports use."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, Final

from topiccrawl.documents.formats import FORMATS
from topiccrawl.language import N_, _
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.scale import (
    china_day,
    days_shown,
    number,
    percent,
    short,
    span_text,
    stated_moment,
)


def _moment(at: datetime | None) -> str:
    """Return a time in China to the minute, or a day where that is all that a page states."""
    return "—" if at is None else stated_moment(at)


def _day(at: datetime | date | None) -> str:
    """Return a day in China."""
    if at is None:
        return "—"
    return str(china_day(at) if isinstance(at, datetime) else at)


def _stamp(at: datetime | date) -> str:
    """Return a time for the attribute ``datetime`` of an element ``time``."""
    return at.isoformat(timespec="minutes") if isinstance(at, datetime) else at.isoformat()


def _formatted(value: object, form: Callable[[float], str]) -> str:
    """Return a number in a form; what a store has in place of a number, as it is."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "—"
    return form(value) if isinstance(value, int | float) else str(value)


def _number(value: object) -> str:
    return _formatted(value, number)


def _percent(value: object) -> str:
    return _formatted(value, percent)


def _score(value: object) -> str:
    return _formatted(value, short)


def _titled(text: object) -> str:
    """Return a title as one line, or a word that stands for a missing one."""
    return clean(str(text), 200) or _("(no title)")


#: What a page can be, and its languages; other values are shown as they are.
_KINDS: Final = {
    "article": N_("article"),
    "list": N_("list page"),
    "thread": N_("thread"),
    "other": N_("other"),
    "zh-Hans": N_("Simplified Chinese"),
    "zh-Hant": N_("Traditional Chinese"),
    "en": N_("English"),
    "und": N_("unknown language"),
}


def _kind(value: str) -> str:
    """Return the name of a kind of page or of a language."""
    return _(_KINDS[value]) if value in _KINDS else value


def _language_tag(language: str) -> str:
    """Return a value for the attribute ``lang``: Chinese if a page states none that can be one."""
    known = re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", language)
    return language if known and language != "und" else "zh"


#: Short names of the formats of documents, by media type.
_FORMATS: Final = {it.media_type: name.upper() for name, it in reversed([*FORMATS.items()])}


def _file_format(media_type: str) -> str:
    """Return the short name of a document's format."""
    return _FORMATS.get(media_type, media_type)


#: Filters by name: ``{{ page.published_at | moment }}``.
FILTERS: Final[Mapping[str, Callable[..., Any]]] = {
    "moment": _moment,
    "day": _day,
    "days": days_shown,
    "stamp": _stamp,
    "number": _number,
    "percent": _percent,
    "score": _score,
    "span": span_text,
    "kind": _kind,
    "file_format": _file_format,
    "language_tag": _language_tag,
    "clean": clean,
    "titled": _titled,
}
