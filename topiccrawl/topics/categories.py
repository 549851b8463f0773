"""The categories into which a user divides a topic, from the tables ``[categories.NAME]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.language import _
from topiccrawl.text.normalize import normalize
from topiccrawl.topics.definition import Category, Sample

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from topiccrawl.tables import TableReader

#: Folder of a topic with a folder of samples for each category.
CATEGORIES_FOLDER = "categories"

#: Most categories of a topic, so that a view can show all of them (a choice).
_MOST = 50


def read_categories(
    table: TableReader,
    folder: Path | Traversable,
    read_samples: Callable[[Path | Traversable], tuple[Sample, ...]],
) -> tuple[Category, ...]:
    """Return the categories of a topic file, with the samples in ``categories/NAME/*.txt``.

    Raises ``ConfigurationError`` if a category has neither words nor samples, or a name that no folder can
    have.
    """
    tables = table.table("categories", None)
    names = tables.keys()
    if len(names) > _MOST:
        table.reject("categories", _("must be at most {most}").format(most=_MOST), len(names))
    return tuple(_category(tables, name, folder, read_samples) for name in names)


def _category(
    tables: TableReader,
    name: str,
    folder: Path | Traversable,
    read_samples: Callable[[Path | Traversable], tuple[Sample, ...]],
) -> Category:
    if not name.strip() or not name.isprintable() or name.startswith(".") or set(name) & set("/\\"):
        tables.reject(name, _("must be a name that a folder can have"), name)
    words = tables.table(name, ("words",)).texts("words")
    for at, word in enumerate(words):
        if not any(char.isalnum() for char in normalize(word)):
            rule = _("must contain a letter, a digit or a Han character")
            tables.reject(f"{name}.words[{at}]", rule, word)
    samples = read_samples(folder / CATEGORIES_FOLDER / name)
    if not words and not samples:
        where = f"{CATEGORIES_FOLDER}/{name}/*.txt"
        tables.reject(name, _("must have words, or {folder} must exist").format(folder=where))
    return Category(name, words, samples)
