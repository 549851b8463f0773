"""What the user can do about a queue that cannot be used."""

from __future__ import annotations

import sqlite3

from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.sqlite.errors import FileFault, FrontierFileError
from topiccrawl.language import _


def advice(error: Exception, topic: str) -> str:
    """Return what the user can do about *error* of the frontier of *topic*; nothing for a full disk.

    Begins with a semicolon.
    """
    damaged = isinstance(error, FrontierFileError) and error.reason is FileFault.DAMAGED
    if not damaged and isinstance(error, (sqlite3.OperationalError, OSError, ConfigurationError)):
        return ""
    return "; " + _("`scrapy queue {topic} --rebuild` makes a new one of what is sound").format(
        topic=topic
    )
