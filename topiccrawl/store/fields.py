"""Declaration of stored fields: how a field of a record class is stored, shown and exported.

A record class is a dataclass with fields ``name: Annotated[type, Stored(…)] = default``; a field
without :class:`Stored` takes its defaults.  :class:`RecordType` derives from it what the backends
need: documents, columns, defaults of fields that older records lack, and the format number.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass
from datetime import UTC, tzinfo
from functools import cached_property
from typing import Annotated, Any, Final, Generic, TypeVar, get_args, get_origin, get_type_hints

from topiccrawl.store.values import Codec, codec_for

R = TypeVar("R")

#: Form in which a store keeps a record; see :mod:`topiccrawl.store.values` for the types of its values.
Document = dict[str, Any]

#: Position of an export column that declares none: after what identifies a page, before its
#: relevance.  Columns at the same position stand in the order of their declaration.
DEFAULT_COLUMN: Final = 100


@dataclass(frozen=True, slots=True)
class Stored:
    """Declaration of a stored field besides name, type and default."""

    zh: str = ""
    """Heading in Chinese."""
    en: str = ""
    """Heading in English."""
    doc: str = ""
    """Meaning, for the reference page."""
    since: int = 1
    """Format in which the field appeared; a field that is added needs a default."""
    stored_as: str = ""
    """Name in the document, if it is not the field's own."""
    codec: Codec | None = None
    """Codec, if it is not the one of the field's type."""
    column: int | None = DEFAULT_COLUMN
    """Position among the export columns, the smallest first; ``None`` to leave it out."""
    zone: tzinfo = UTC
    """Time zone in which an export shows a time."""
    explained: bool = False
    """Whether ``scrapy explain`` lists the field."""


@dataclass(frozen=True)
class StoredField:
    """One field of a record type: its declaration with its name, codec and default."""

    name: str
    """Attribute of the record."""
    key: str
    """Name in the document."""
    codec: Codec
    declaration: Stored
    required: bool
    default: Any = None
    """Value that a record has when its document lacks the field."""

    @cached_property
    def stored_default(self) -> Any:
        """The default as a document holds it."""
        return self.codec.encode(self.name, self.default)


class RecordType(Generic[R]):
    """A kind of record: its collection or table, its key and its fields.

    *fields_in* is the class whose fields are stored; an instance of a subclass is stored as one of
    this class.  *since* is the format in which the kind appeared, *singular* what one record is
    called in the spool.
    """

    def __init__(
        self,
        name: str,
        fields_in: type[R],
        key: Callable[[R], str],
        *,
        since: int = 1,
        singular: str = "",
    ) -> None:
        self.name = name
        self.singular = singular or name.removesuffix("s")
        self.since = since
        self.record_class = fields_in
        self.fields = _stored_fields(fields_in)
        self._key = key
        self._by_key = {field.key: field for field in self.fields}

    @property
    def format(self) -> int:
        """The newest format in which a field, or the kind itself, appeared."""
        return max(self.since, *(field.declaration.since for field in self.fields))

    def document(self, record: R) -> Document:
        """Return *record* as a document; raise ValueError for a value that cannot be stored."""
        document = {"_id": self._key(record)}
        for field in self.fields:
            document[field.key] = field.codec.encode(field.name, getattr(record, field.name))
        return document

    def record(self, document: Mapping[str, Any]) -> R:
        """Return the record in *document*; absent fields take their defaults.

        Fields are absent from documents of older formats, and empty values from what FerretDB
        inserts with ``$setOnInsert``.  Raises ValueError for a field that is not declared.
        """
        values = {}
        for key, value in document.items():
            if key != "_id":
                field = self._by_key.get(key)
                if field is None:
                    raise ValueError(f"{self.name} have no field {key!r} in this version")
                values[field.name] = field.codec.decode(value)
        return self.record_class(**values)

    def newest(self, records: Iterable[R]) -> list[Document]:
        """Return the documents of *records*, the last one of each key."""
        return list(
            {document["_id"]: document for document in map(self.document, records)}.values()
        )


def _stored_fields(record_class: type[Any]) -> tuple[StoredField, ...]:
    annotations = get_type_hints(record_class, include_extras=True)
    found = []
    for field in dataclasses.fields(record_class):
        annotation = annotations[field.name]
        type_, *extras = (
            get_args(annotation) if get_origin(annotation) is Annotated else [annotation]
        )
        declaration = next((it for it in extras if isinstance(it, Stored)), Stored())
        factory = field.default_factory
        required = field.default is MISSING and factory is MISSING
        if required and declaration.since > 1:
            raise TypeError(f"{field.name} was added in a later format and needs a default")
        default = None if required else field.default if factory is MISSING else factory()
        found.append(
            StoredField(
                name=field.name,
                key=declaration.stored_as or field.name,
                codec=declaration.codec or codec_for(type_),
                declaration=declaration,
                required=required,
                default=default,
            )
        )
    return tuple(found)
