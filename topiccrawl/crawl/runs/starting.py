"""Starts of crawls in the background, by a console or another program that may end at any time.

A start has files of its own in the folder of the crawls::

    start-….start   what was started, as JSON
    start-….held    locked until the process ends, whatever ends it
    start-….out     what it wrote to its terminal: the reason when it could not start

The process belongs to a session of its own: neither Ctrl-C in the console's terminal nor a kill -9 of
the console reaches it.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from topiccrawl.children import import_path
from topiccrawl.crawl.runs.commandline import shown_command
from topiccrawl.sharedfiles import HeldLock, is_held

#: Environment variable that identifies the start of a crawl.
LAUNCH_VARIABLE: Final = "TOPICCRAWL_LAUNCH"
#: Starts that are kept after their end (a guess).
_KEPT: Final = 20
_MOST_OUTPUT: Final = 20_000
_BEGIN: Final = "topiccrawl: "


@dataclass(frozen=True, slots=True)
class FoundStart:
    """A start that is in the folder."""

    id: str
    topic: str
    started_at: float
    command: tuple[str, ...]
    alive: bool
    output: str
    """The last part of what the process wrote."""

    @property
    def problem(self) -> str:
        """Why the process ended, in its own words; empty if it has said nothing."""
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        own = [line for line in lines if line.startswith(_BEGIN)]
        return (own or lines or [""])[-1].removeprefix(_BEGIN)


def crawl_words(
    topic: str, *, pages: int = 0, refresh: bool = False, settings: Mapping[str, str]
) -> list[str]:
    """Return the command that crawls *topic*, or with *refresh* visits its stored pages again."""
    words = [sys.executable, "-m", "scrapy"]
    if refresh:
        # A setting: names of topics come from the store, and as an argument "-s…" would be an option.
        settings = {"TOPICCRAWL_TOPIC": topic, **settings}
        words += ["refresh", *(["--pages", str(pages)] if pages else [])]
    else:
        words += ["crawl", "topic", "-a", f"topic={topic}"]
        words += ["-a", f"pages={pages}"] if pages else []
    for name, value in {"LOG_ENABLED": "0", **settings}.items():
        words += ["-s", f"{name}={value}"]
    return words


def start_process(
    folder: Path,
    topic: str,
    words: Sequence[str],
    *,
    cwd: Path | None = None,
) -> str:
    """Start *words* in the background and return the identity of the start.

    Raises ``OSError`` if the folder cannot be written or the process cannot be started.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _sweep(folder)
    name = f"start-{time.strftime('%Y%m%dT%H%M%S')}-{secrets.token_hex(4)}"
    document = {
        "topic": topic,
        "started_at": time.time(),
        "command": shown_command(words[3:]),
    }
    # The lock comes first: who finds the start looks at it, and a look takes the lock for a moment.
    lock = HeldLock(folder / f"{name}.held")
    try:
        (folder / f"{name}.start").write_text(json.dumps(document, ensure_ascii=False), "utf-8")
        with (folder / f"{name}.out").open("wb") as output:
            subprocess.Popen(
                list(words),
                cwd=cwd,
                env={
                    **os.environ,
                    "PYTHONUTF8": "1",
                    "PYTHONPATH": import_path(),
                    LAUNCH_VARIABLE: name,
                },
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                # The process inherits the lock, and holds it until it ends.
                pass_fds=(lock.handle,) if sys.platform != "win32" else (),
            )
    finally:
        lock.release()
    return name


def find_starts(folder: Path) -> list[FoundStart]:
    """Return the starts in *folder*, newest first; damaged ones are left out."""
    found = []
    for path in _start_files(folder):
        with suppress(OSError, ValueError, TypeError, KeyError):
            document = json.loads(path.read_bytes())
            found.append(
                FoundStart(
                    path.stem,
                    str(document["topic"]),
                    float(document["started_at"]),
                    tuple(map(str, document["command"])),
                    is_held(path.with_suffix(".held")),
                    _output(path.with_suffix(".out")),
                )
            )
    return found


def _start_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("start-*.start"), key=lambda it: it.name, reverse=True)


def _sweep(folder: Path) -> None:
    over = [it for it in _start_files(folder) if not is_held(it.with_suffix(".held"))]
    for path in over[_KEPT:]:
        remove_start(folder, path.stem)


def remove_start(folder: Path, start: str) -> None:
    """Delete the files of a start, the description last."""
    for suffix in (".out", ".held", ".start"):
        with suppress(OSError):
            (folder / f"{start}{suffix}").unlink()


def _output(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - _MOST_OUTPUT))
            return stream.read(_MOST_OUTPUT).decode("utf-8", "replace")
    except OSError:
        return ""
