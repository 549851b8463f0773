"""The kinds of pages that are not content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

NotContentKind = Literal["blocked", "captcha", "login", "soft-404", "shell", "stuffing"]

#: All kinds.
KINDS: Final[tuple[NotContentKind, ...]] = get_args(NotContentKind)
#: Kinds that are recognized by words; the first of two that are equally likely is reported.
WORDED: Final[tuple[NotContentKind, ...]] = ("captcha", "blocked", "login", "soft-404")


@dataclass(frozen=True, slots=True)
class NotContent:
    """What a page without content is, and why it was recognized."""

    kind: NotContentKind
    reason: str
    """The evidence: the words on the page, or its structure; at most 100 characters."""

    @property
    def by_host(self) -> bool:
        """Whether the host refuses the crawler, rather than the page being without content."""
        return self.kind in ("blocked", "captcha")
