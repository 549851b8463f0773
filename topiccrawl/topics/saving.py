"""Saving an edited topic.toml: checked, with a backup, and never over another program's change."""

from __future__ import annotations

import hashlib
import shutil
import threading
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.sharedfiles import new_folder, replace_file
from topiccrawl.topics.definition import TopicDefinition
from topiccrawl.topics.editing import parse_text
from topiccrawl.topics.folder import MOST_BYTES, TOPIC_FILE, load_definition, read_definition
from topiccrawl.topics.load import project_folder
from topiccrawl.userfiles import read_user_text, writing

#: Backups of a file that are kept; the oldest is deleted (a guess).
KEPT_BACKUPS: Final = 20
_BACKUP: Final = f"{TOPIC_FILE}.bak-"
#: Held from the comparison with the present file to its replacement: a console answers in several threads.
_SAVING: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class OpenTopic:
    """The file of a topic as it was read."""

    folder: Path
    text: str
    digest: str
    """Identifies the content: a change by somebody else is noticed."""

    @property
    def file(self) -> Path:
        """The topic.toml."""
        return self.folder / TOPIC_FILE


def open_topic(folder: Path) -> OpenTopic:
    """Read the topic.toml in *folder*; raises :class:`ConfigurationError` like reading a topic."""
    text = read_user_text(folder / TOPIC_FILE, MOST_BYTES)
    return OpenTopic(folder, text, _digest(text))


def check_topic(folder: Path, text: str) -> TopicDefinition:
    """Return the definition that *text* would give the topic in *folder*.

    Raises ``ConfigurationError`` if anything in it is wrong; the message names file, key and rule.
    """
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise ConfigurationError(
            _("{file}: must have at most {most} MB").format(
                file=folder / TOPIC_FILE, most=MOST_BYTES / 1_000_000
            )
        )
    return read_definition(folder, parse_text(str(folder / TOPIC_FILE), text))


def save_topic(folder: Path, text: str, digest: str) -> Path:
    """Check *text*, keep the present file as a backup, and replace it; return the backup.

    Raises ``ConfigurationError`` if the text is wrong, or the file has changed since it was read.

    Parameters
    ----------
    digest
        That of the file when it was read (:func:`open_topic`).
    """
    check_topic(folder, text)
    with _SAVING:
        return _save(folder, text, digest)


def _save(folder: Path, text: str, digest: str) -> Path:
    """Do what :func:`save_topic` does, with a text that was checked."""
    present = open_topic(folder)
    if present.digest != digest:
        raise ConfigurationError(
            _("{file}: was changed meanwhile by somebody else; load it again").format(
                file=present.file
            )
        )
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    backup = folder / f"{_BACKUP}{stamp}-{present.digest[:6]}"
    with writing(present.file):
        shutil.copy2(present.file, backup)
        replace_file(present.file, text.encode())
    for old in sorted(folder.glob(f"{_BACKUP}*"))[:-KEPT_BACKUPS]:
        with suppress(OSError):
            old.unlink()
    return backup


def copy_topic(source: Path | Traversable, name: str, start: Path) -> Path:
    """Copy the topic in *source*, of the installed package, into the project of *start*.

    Raises ``ConfigurationError`` if the project has that folder already, or it cannot be written.
    """
    folder = project_folder(start) / "seeds" / name
    if name in ("", ".", "..") or not {"/", "\\", "\0"}.isdisjoint(name):
        raise ConfigurationError(_("{name!r} cannot be the name of a folder").format(name=name))
    if folder.exists():
        raise ConfigurationError(_("{folder}: exists already").format(folder=folder))
    with writing(folder), new_folder(folder) as draft:
        _copy(source, draft)
    load_definition(folder)
    return folder


def editable_folder(folder: Path | Traversable) -> Path | None:
    """Return *folder* if its file may be changed, ``None`` for a topic of the installed package."""
    packed = str(files("topiccrawl") / "_seeds")
    return folder if isinstance(folder, Path) and not str(folder).startswith(packed) else None


def _copy(source: Path | Traversable, target: Path) -> None:
    for entry in source.iterdir():
        if entry.is_dir():
            (target / entry.name).mkdir()
            _copy(entry, target / entry.name)
        else:
            (target / entry.name).write_bytes(entry.read_bytes())


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
