"""The result and the signature of all templates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from random import Random

from benchmarks.corpus.records import Truth
from benchmarks.corpus.site import Site


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """A page before it is encoded."""

    html: str
    truth: Truth
    when: datetime
    """Time of publication; the fetch is later."""
    path: str = ""
    """Path of its URL; empty for a meaningless one."""


#: Makes page ``number`` of a site; all differences between its pages come from the random generator.
Template = Callable[[Site, Random, int], DrawnPage]
