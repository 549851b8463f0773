"""Conversion of field values by type: one codec per type, shared by all fields and all backends.

A stored document is a dict of str, int, float, ``datetime``, bytes, ``None``, lists and dicts.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Final, Literal, SupportsFloat, SupportsIndex, get_args

from topiccrawl.page.comments import Comment
from topiccrawl.scoring.evidence import LinkEvidence

#: What happened to a URL that was fetched or tried.
Verdict = Literal["stored", "duplicate", "dropped", "failed", "queued"]

#: How a backend holds a value of a document.
Storage = Literal["text", "integer", "real", "time", "json", "bytes"]

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
#: BSON and SQLite integers are signed 64-bit.
_NUMBER: Final = (int, float)
_INT_MIN, _INT_MAX = -(2**63), 2**63 - 1


#: What decoding a damaged value raises.
DAMAGE: Final = (
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    RecursionError,
)


@dataclass(frozen=True, slots=True)
class Codec:
    """Conversion of the values of one type for storage."""

    type_name: str
    """Name of the type in the reference page."""
    storage: Storage
    encode: Callable[[str, Any], Any]
    """Return the stored form of a value; the first argument names the field in error messages.
    Raises ValueError for a value that cannot be stored."""
    decode: Callable[[Any], Any]
    """Return the value of a stored form.  Raises one of :data:`DAMAGE` for what is none."""
    nullable: bool = False


def storable(text: str) -> str:
    """Return *text* with every lone surrogate replaced by U+FFFD, as a store can hold it.

    Surrogates come from broken numeric entities and badly escaped JSON in titles and bodies; one of
    them must not cost the page.
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
    return text


def to_milliseconds(moment: datetime) -> int:
    """Return whole milliseconds since 1970 UTC, rounded down; a naive time is taken as UTC."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - EPOCH) // _MILLISECOND


def from_milliseconds(value: int) -> datetime:
    """Return the aware UTC time *value* milliseconds after 1970.

    Years outside 1 to 9999, which only a page with a nonsense date and a time zone reaches, are
    clamped to the nearest end.
    """
    try:
        return EPOCH + value * _MILLISECOND
    except OverflowError:
        end = datetime.max if value > 0 else datetime.min
        return end.replace(microsecond=0, tzinfo=UTC)


def in_zone(moment: datetime, zone: tzinfo) -> datetime:
    """Return *moment* in *zone*; unchanged where the zone's clock would leave the years 1 to 9999.

    Only a page with a nonsense date has such a time.
    """
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment


def finite(name: str, value: float) -> float:
    """Return *value* as a float; raise ValueError with the *name* of the field if it is not finite."""
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, got {value!r}")
    return number


def _terms(name: str, terms: Iterable[tuple[str, float]]) -> list[dict[str, Any]]:
    # Documents instead of pairs: FerretDB refuses arrays within arrays, and people query by name.
    return [{"term": storable(term), "weight": finite(name, value)} for term, value in terms]


def _statistic(value: object) -> float | int | str:
    """Return a statistic in a type that every backend holds.

    Integers beyond 64 bits become floats; floats that are not finite, and values of other types
    (such as Scrapy's start time), become text.
    """
    if isinstance(value, SupportsIndex):
        whole = int(value)
        if _INT_MIN <= whole <= _INT_MAX:
            return whole
        return float(whole) if abs(whole) < 2**1023 else str(whole)
    if isinstance(value, SupportsFloat):
        number = float(value)
        return number if math.isfinite(number) else str(number)
    return storable(str(value))


def _link(name: str, link: LinkEvidence) -> dict[str, Any]:
    document = {
        "score": finite(f"{name}.score", link.score),
        "parts": {
            storable(part): finite(f"{name}.parts[{part!r}]", value)
            for part, value in link.parts.items()
        },
        "parent": None if link.parent is None else storable(link.parent),
        "anchor": storable(link.anchor),
        "depth": int(link.depth),
    }
    if link.found_by:
        document["found_by"] = storable(link.found_by)
    return document


def _are(kind: type | tuple[type, ...], *values: object) -> None:
    """Raise ValueError unless all *values* are of *kind*."""
    for value in values:
        if not isinstance(value, kind):
            raise ValueError(f"{type(value).__name__} in a stored value")


def _read_texts(texts: Sequence[str]) -> tuple[str, ...]:
    _are(list, texts)
    _are(str, *texts)
    return tuple(texts)


def _integers(name: str, numbers: Iterable[int]) -> list[int]:
    found = [int(number) for number in numbers]
    if found and not (min(found) >= _INT_MIN and max(found) <= _INT_MAX):
        raise ValueError(f"{name} must have at most 64 bits")
    return found


def _read_integers(numbers: Sequence[int]) -> tuple[int, ...]:
    _are(list, numbers)
    _are(int, *numbers)
    return tuple(numbers)


def _read_terms(terms: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, float], ...]:
    found = tuple((it["term"], it["weight"]) for it in terms)
    _are(str, *(term for term, _ in found))
    _are(_NUMBER, *(weight for _, weight in found))
    return found


def _read_link(document: Mapping[str, Any]) -> LinkEvidence:
    link = LinkEvidence(**document)
    _are(_NUMBER, link.score, link.depth)
    _are(str, link.anchor, link.context, link.found_by, link.parent or "")
    _read_numbers(link.parts)
    return link


def _read_numbers(numbers: Mapping[str, float]) -> Mapping[str, float]:
    _are(dict, numbers)
    _are(_NUMBER, *numbers.values())
    return numbers


def _read_statistics(stats: Mapping[str, float | int | str]) -> Mapping[str, float | int | str]:
    _are(dict, stats)
    _are((str, *_NUMBER), *stats.values())
    return stats


def _json_text(name: str, value: Mapping[str, Any]) -> str:
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} must be a mapping, got {type(value).__name__}")
    try:
        return json.dumps(_plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, RecursionError) as error:
        raise ValueError(f"{name} must be JSON: {error}") from error


def _plain(value: Any) -> Any:
    """Return *value* as JSON can hold it: text storable, mappings as dicts, sequences as lists."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return {storable(str(key)): _plain(it) for key, it in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [_plain(it) for it in value]
    return value


def _read_json(text: str) -> Mapping[str, Any]:
    value = json.loads(text)
    _are(dict, value)
    found: Mapping[str, Any] = value
    return found


def _comments(_: str, comments: Iterable[Comment]) -> list[dict[str, str]]:
    return [
        {name: storable(value) for name, value in comment._asdict().items()} for comment in comments
    ]


def _read_comments(comments: Sequence[Mapping[str, str]]) -> tuple[Comment, ...]:
    _are(list, comments)
    found = tuple(Comment(it["author"], it["time"], it["text"]) for it in comments)
    _are(str, *(value for comment in found for value in comment))
    return found


TEXT: Final = Codec("text", "text", lambda _, text: storable(text), lambda text: text)
NUMBER: Final = Codec("number", "real", finite, lambda number: number)
INTEGER: Final = Codec("integer", "integer", lambda _, number: int(number), lambda number: number)
TIME: Final = Codec(
    "time",
    "time",
    lambda _, moment: from_milliseconds(to_milliseconds(moment)),
    lambda moment: moment,
)
BYTES: Final = Codec("bytes", "bytes", lambda _, data: bytes(data), lambda data: data)
TEXTS: Final = Codec(
    "texts", "json", lambda _, texts: [storable(text) for text in texts], _read_texts
)
INTEGERS: Final = Codec("integers", "json", _integers, _read_integers)
TERMS: Final = Codec("pairs", "json", _terms, _read_terms)
COMMENTS: Final = Codec("records", "json", _comments, _read_comments)
LINK: Final = Codec("record", "json", _link, _read_link)
NUMBERS: Final = Codec(
    "mapping",
    "json",
    lambda name, numbers: {
        storable(key): finite(f"{name}[{key!r}]", value) for key, value in numbers.items()
    },
    _read_numbers,
)
STATISTICS: Final = Codec(
    "mapping",
    "json",
    lambda _, stats: {storable(key): _statistic(value) for key, value in sorted(stats.items())},
    _read_statistics,
)
#: Integers that may have more than 64 bits, such as a seed, which must come back as it was.
INTEGER_AS_TEXT: Final = Codec("integer", "text", lambda _, number: str(int(number)), int)

#: Any JSON, as text: no server looks into it, refuses its names or nests it in its own way.
JSON_AS_TEXT: Final = Codec("record", "text", _json_text, _read_json)

#: Codec of a field by its annotation; ``X | None`` is derived from ``X``.
CODECS: Final[Mapping[Any, Codec]] = {
    str: TEXT,
    Verdict: TEXT,
    float: NUMBER,
    int: INTEGER,
    datetime: TIME,
    bytes: BYTES,
    Sequence[str]: TEXTS,
    Sequence[int]: INTEGERS,
    Sequence[Comment]: COMMENTS,
    Sequence[tuple[str, float]]: TERMS,
    Mapping[str, float]: NUMBERS,
    Mapping[str, float | int | str]: STATISTICS,
    LinkEvidence: LINK,
}


def codec_for(annotation: Any) -> Codec:
    """Return the codec for values of type *annotation*; raise TypeError if there is none."""
    if annotation in CODECS:
        return CODECS[annotation]
    alternatives = [it for it in get_args(annotation) if it is not type(None)]
    if len(alternatives) == 1 and type(None) in get_args(annotation):
        return _nullable(codec_for(alternatives[0]))
    raise TypeError(f"no codec for fields of type {annotation}; add one to CODECS")


def _nullable(codec: Codec) -> Codec:
    return replace(
        codec,
        type_name=f"{codec.type_name} or none",
        encode=lambda name, value: None if value is None else codec.encode(name, value),
        decode=lambda value: None if value is None else codec.decode(value),
        nullable=True,
    )
