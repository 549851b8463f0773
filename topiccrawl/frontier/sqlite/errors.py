"""Errors of files that cannot be used as a frontier."""

from __future__ import annotations

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
