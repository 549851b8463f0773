"""The number of processes that analyze pages."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any, Final

from topiccrawl.crawl.settings.rules import Rule
from topiccrawl.errors import ConfigurationError, Shown
from topiccrawl.language import _

#: The cores less one.
AUTO: Final = "auto"
#: More processes than any machine has cores for (a choice).
_MOST: Final = 256


def number_of_processes(value: str) -> int:
    """Return the number of processes that a setting asks for.

    Raises ``ValueError`` if it is neither ``auto`` nor a number that is possible here.
    """
    forks = sys.platform == "linux"
    if value == AUTO:
        return min(_MOST, len(os.sched_getaffinity(0)) - 1) if forks else 0
    if not (value.isascii() and value.isdigit() and int(value[:9]) <= _MOST):
        raise ValueError(
            _("must be auto or a number from 0 to {most}, got {value!r}").format(
                most=_MOST, value=value[:40]
            )
        )
    if int(value) and not forks:
        raise ValueError(_("must be auto or 0: processes can be forked on Linux only"))
    return int(value)


@dataclass(frozen=True, slots=True)
class ProcessCount(Rule[str]):
    """``auto``, or a number; see :func:`number_of_processes`."""

    description: str = "`auto` or integer ≥ 0"

    def checked(self, name: str, value: Any) -> str:
        small = isinstance(value, int) and abs(value) < 10**9
        text = (
            value.strip() if isinstance(value, str) else str(value) if small else repr(Shown(value))
        )
        try:
            number_of_processes(text)
        except ValueError as error:
            raise ConfigurationError(f"{name} {error}") from error
        return text
