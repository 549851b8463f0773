"""When and why a page is visited next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: ``article``: in the order of the policy; ``list``: before new links have left it; ``idle``: a list that rests;
#: ``missing``: a page that its site did not have at the last visit; ``gone``: one that is marked as gone.
Reason = Literal["article", "list", "idle", "missing", "gone"]


@dataclass(frozen=True, slots=True)
class NextVisit:
    """The next visit of a page, as far as it is known in advance."""

    reason: Reason
    at: float
    """When it is due at the earliest; POSIX timestamp in seconds."""
    due: bool
    """Whether that time has come."""
    place: int = 0
    """Place of an article in the order of visits, from 1; 0: not an article."""
    articles: int = 0
    """Number of articles in the order."""
    per_day: int = 0
    """Most visits of articles within 24 hours; 0: no limit."""
    rate: float = 0.0
    """Changes a day of an article, as learned; 0: the policy learns none."""
    policy: str = ""
    """Which policy orders the articles."""
