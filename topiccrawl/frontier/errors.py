"""Errors of frontiers that cannot be used, and what the user can do about them."""

from __future__ import annotations

import sqlite3
from enum import Enum
from typing import TYPE_CHECKING

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _

if TYPE_CHECKING:
    from pathlib import Path


class FileFault(Enum):
    """The kind of fault."""

    NO_FOLDER = "no_folder"
    """Its folder cannot be created."""
    UNUSABLE = "unusable"
    """It cannot be opened, read or written."""
    FOREIGN = "foreign"
    """It belongs to another program."""
    OTHER_FORMAT = "other_format"
    """Another version of topiccrawl wrote it."""
    DAMAGED = "damaged"
    """It is not a sound SQLite database, or parts of it are missing."""
    IN_USE = "in_use"
    """Other workers are using it."""


class FrontierFileError(ConfigurationError):
    """The file at *path* cannot be used as a frontier, or cannot be used any longer."""

    def __init__(self, path: Path, reason: FileFault, rule: str) -> None:
        """*rule* completes the message for the user."""
        super().__init__(
            _("the frontier's file {path} (TOPICCRAWL_FRONTIER_DIR): {rule}").format(
                path=path, rule=rule
            )
        )
        self.path = path
        self.reason = reason
        self.rule = rule


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
