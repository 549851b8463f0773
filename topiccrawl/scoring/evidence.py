"""The evidence behind a link's position in the queue: one record for frontier, requests and store."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

#: Score of requests that no page led to (seeds): above every scored link.
SEED_SCORE: Final = 1_000.0


@dataclass(frozen=True, slots=True)
class LinkEvidence:
    """The score of a link and its components, from the best in-link seen so far."""

    score: float = 0.0
    """Score of the link by this in-link, the higher the earlier; finite."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """Named parts of the score, e.g. ``{"rw": .9, "rwb": .9, "ipr": 1.3}``."""
    parent: str | None = None
    """Canonical URL of the page with this in-link; ``None`` for a seed."""
    anchor: str = ""
    """Anchor text of the in-link."""
    depth: int = 0
    """Links from the nearest seed."""
    context: str = ""
    """Text around the in-link, in the same block."""
    found_by: str = ""
    """How the URL was found if not by a link of a page: by a query of a search engine, in a sitemap …

    English, one line for each way; empty for a link of a page and a seed of the user.
    """

    @property
    def named(self) -> bool:
        """Whether the user named the URL: a seed, neither linked by a page nor found otherwise."""
        return self.parent is None and not self.found_by

    def ahead(self) -> LinkEvidence:
        """Return it with the next higher score: for what takes the place of a link, before others of its score."""
        return replace(self, score=math.nextafter(self.score, math.inf))

    def as_dict(self) -> dict[str, Any]:
        """Return the evidence as JSON-compatible data, the form of ``meta["topic_evidence"]``."""
        return {
            "score": self.score,
            "parts": dict(self.parts),
            "parent": self.parent,
            "anchor": self.anchor,
            "depth": self.depth,
            "context": self.context,
            "found_by": self.found_by,
        }

    @property
    def reasons(self) -> list[Any]:
        """All but score and depth, as the frontiers keep it: parts, parent, anchor, and any words.

        The words are the context and how the URL was found; empty ones at the end are left out.
        """
        words = [self.context, self.found_by]
        while words and not words[-1]:
            words.pop()
        return [self.parts, self.parent, self.anchor, *words]

    @classmethod
    def from_reasons(cls, score: float, depth: int, reasons: Sequence[Any]) -> LinkEvidence:
        """Rebuild the evidence from :attr:`reasons`."""
        parts, parent, anchor, *words = reasons
        return cls(score, parts, parent, anchor, depth, *words)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> LinkEvidence:
        """Rebuild the evidence from :meth:`as_dict`; absent keys take their defaults."""
        parent = data.get("parent")
        return cls(
            score=float(data.get("score", 0.0)),
            parts={str(name): float(value) for name, value in data.get("parts", {}).items()},
            parent=None if parent is None else str(parent),
            anchor=str(data.get("anchor", "")),
            depth=int(data.get("depth", 0)),
            context=str(data.get("context", "")),
            found_by=str(data.get("found_by", "")),
        )
