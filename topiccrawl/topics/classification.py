"""The first two levels of the Chinese Library Classification (中国图书馆分类法) as a tree.

Source: 中国图书馆分类法 第5版 简表 (22 + 251 classes); data in ``topics/data/clc.tsv``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from topiccrawl.language import N_

#: The rule for classification codes, for error messages.
CODE_RULE = N_(
    "must be a code of 中国图书馆分类法, such as D6 or one below it (D634.1); "
    "`scrapy topics --tree` shows them"
)

_CODE = re.compile(r"[A-Z]{1,2}(-?\d[\d.\-/]*)?")
_RANGE = re.compile(r"([A-Z]{1,2})(\d*)(\d)/(\d*)(\d)")


@dataclass(frozen=True, slots=True)
class Category:
    """One class of the classification."""

    code: str
    name: str
    parent: str | None = None
    """Code of the class above; ``None`` at the top."""
    alternative: bool = False
    """Whether it is an alternative class (交替类目), which is normally not used."""


class Classification:
    """A tree of categories by code."""

    def __init__(self, categories: Iterable[Category]) -> None:
        self._by_code: dict[str, Category] = {}
        self._children: dict[str | None, list[Category]] = {}
        self._prefixes: dict[str, Category] = {}
        for category in categories:
            self._by_code[category.code] = category
            self._children.setdefault(category.parent, []).append(category)
            for prefix in _prefixes(category.code):
                self._prefixes[prefix] = category

    def get(self, code: str) -> Category | None:
        """Return the category with exactly this code, ``None`` if there is none."""
        return self._by_code.get(code)

    def children(self, code: str | None = None) -> list[Category]:
        """Return the categories below *code*, or the top ones, in the order of the classification."""
        return list(self._children.get(code, ()))

    def path(self, code: str) -> list[Category]:
        """Return the categories from the top down to :meth:`nearest`, empty if the code is unknown."""
        here = self.nearest(code)
        path: list[Category] = []
        while here is not None:
            path.insert(0, here)
            here = self._by_code.get(here.parent) if here.parent else None
        return path

    def nearest(self, code: str) -> Category | None:
        """Return the category of *code* or the closest one above it, ``None`` if the code is unknown.

        The category of D634.1 is D6, and that of D35 is the range D33/37.  A top class is returned for
        its own code only: the second level is complete, so a longer code that belongs to no class
        of the second level does not exist.
        """
        if code in self._by_code:
            return self._by_code[code]
        if not _CODE.fullmatch(code):
            return None
        for end in range(len(code), 1, -1):
            # R-1 and R1 are different classes: "R-" is a prefix of neither.
            found = self._prefixes.get(code[:end])
            if found is not None and found.parent is not None:
                return found
        return None


def _prefixes(code: str) -> list[str]:
    """Return the prefixes of codes in a class: its own code, or each member of a range (D33/37)."""
    match = _RANGE.fullmatch(code)
    if not match:
        return [code]
    letters, stem, low, _, high = match.groups()
    return [f"{letters}{stem}{digit}" for digit in range(int(low), int(high) + 1)]


@cache
def load_classification() -> Classification:
    """Return the classification in the package's data file."""
    text = (files("topiccrawl.topics") / "data" / "clc.tsv").read_text(encoding="utf-8")
    categories: list[Category] = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            code, parent, name, *flags = line.split("\t")
            categories.append(Category(code, name, parent or None, "alternative" in flags))
    return Classification(categories)
