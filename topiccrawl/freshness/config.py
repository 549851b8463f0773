"""Parameters of revisits."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, get_args

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _

#: How revisits are ordered; docs/freshness.md.
Policy = Literal["uniform", "proportional", "nutch", "optimal", "age-index"]
POLICIES: tuple[Policy, ...] = get_args(Policy)


@dataclass(frozen=True, slots=True)
class FreshnessConfig:
    """Parameters of the planner; each policy uses its own.

    Raises ``ConfigurationError`` if a value is out of range; the message names the field, its rule and the
    value.
    """

    min_hours: float = 12.0
    """Least time between two visits of an article, in hours (a guess: articles are corrected on the day)."""
    list_polls: int = 8
    """Most visits of a list page within 24 hours."""
    list_max_hours: float = 24.0
    """Most hours between two visits of a list page, as far as the request rate allows."""

    def __post_init__(self) -> None:
        """Check every value."""
        for field in fields(self):
            value = getattr(self, field.name)
            if not value > 0:
                raise ConfigurationError(
                    _("{field} must be positive, not {value!r}").format(
                        field=field.name, value=value
                    )
                )
