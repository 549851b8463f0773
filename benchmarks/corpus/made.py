"""What a template returns, and the signature that all templates have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from random import Random

from benchmarks.corpus.records import Truth
from benchmarks.corpus.site import Site


@dataclass(frozen=True, slots=True)
class Made:
    """A page as text, before it is encoded."""

    html: str
    truth: Truth
    when: datetime
    """When it was published; the crawler comes later."""
    path: str = ""
    """Of its URL; empty for one without any meaning."""


Template = Callable[[Site, Random, int], Made]
"""Makes page *number* of a site; everything that differs between its pages comes from the draw."""
