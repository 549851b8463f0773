"""The number of processes that analyze pages."""

from __future__ import annotations

import os
import sys
from typing import Final

from topiccrawl.language import _

__all__ = ["AUTO", "number_of_processes"]

#: The cores less one.
AUTO: Final = "auto"
#: More processes than any machine has cores for (a choice).
_MOST: Final = 256


def number_of_processes(value: str) -> int:
    """Return the number of processes that a setting asks for.

    Raises
    ------
    ValueError
        If it is neither ``auto`` nor a number that is possible here.
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
