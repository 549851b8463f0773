"""A page as a member of a story: what is compared of it, and what it states of its origin."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self

from topiccrawl.dedup.compared import ComparedPage


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryPage(ComparedPage):
    """A compared page with the traces of its origin."""

    site_name: str = ""
    """Name of the site, as the page states it."""
    source_url: str = ""
    """Link of the source line, or of the original that the page names."""
    author: str = ""

    @classmethod
    def of(cls, page: ComparedPage) -> Self:
        """Return *page* as a member; what is not compared stays empty."""
        if isinstance(page, cls):
            return page
        return cls(**{field.name: getattr(page, field.name) for field in fields(ComparedPage)})
