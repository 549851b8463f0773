"""The folder of running crawls: its files, who is alive, and what is asked of a crawl.

Each run has files of its own, named after it::

    <run>.json     its state, replaced as a whole every few seconds
    <run>.lock     locked until its process ends
    <run>.wanted   what somebody asks of it: ``run``, ``pause`` or ``stop``
    <run>.watched  touched while somebody looks at details
    <run>.log      log lines as JSON, in at most two files

Nothing here must be intact for a crawl to work or to go on: losing the folder loses the display only.
"""

from __future__ import annotations

import os
import re
import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias, cast, get_args

from topiccrawl.crawl.runs.state import RunState
from topiccrawl.frontier.paths import frontier_folder
from topiccrawl.sharedfiles import is_held, replace_file

#: What can be asked of a crawl.
Wanted: TypeAlias = Literal["run", "pause", "stop"]
#: Health of a run: ``silent`` is alive and does not write, ``killed`` is gone without an end.
Health: TypeAlias = Literal["alive", "silent", "ended", "killed"]

#: Name of the folder beside the queue.
_FOLDER: Final = "crawls"
#: Identities of runs: names of files, and nothing else.
_NAME: Final = re.compile(r"[0-9A-Za-z][\w.-]{0,99}", re.ASCII)
#: A run that has not written for so many intervals, and this many seconds, is silent (a guess: learning
#: and large pages may keep the event loop for some seconds).
_SILENT_INTERVALS: Final = 10
_SILENT_SECONDS: Final = 30.0
#: Seconds for which details are written after the last look (a guess: five refreshes of a page).
WATCHED_SECONDS: Final = 15.0
#: Runs whose files are kept after their end (a guess: two weeks of nights).
KEPT_RUNS: Final = 20
#: Seconds after which a file that is being written is a leftover (a guess).
_LEFTOVER_SECONDS: Final = 3600.0
_SUFFIXES: Final = (".json", ".lock", ".wanted", ".watched", ".log", ".log.1")


@dataclass(frozen=True, slots=True)
class RunFiles:
    """The files of one run."""

    folder: Path
    run: str

    def path(self, suffix: str) -> Path:
        """Return the path of the file with *suffix*."""
        return self.folder / f"{self.run}{suffix}"

    def read(self) -> RunState | None:
        """Return the state, ``None`` without one that can be read."""
        try:
            return RunState.from_json(self.path(".json").read_bytes())
        except OSError:
            return None

    def write(self, state: RunState) -> None:
        """Replace the state.  Not flushed to the disk: after a power failure no crawl runs."""
        replace_file(self.path(".json"), state.as_json(), flush=False)

    @property
    def wanted(self) -> Wanted | None:
        """What is asked of the crawl, ``None`` if nothing was."""
        try:
            word = self.path(".wanted").read_text("ascii", "replace").strip()
        except OSError:
            return None
        return cast("Wanted", word) if word in get_args(Wanted) else None

    def ask(self, wanted: Wanted) -> None:
        """Ask the crawl to pause, go on or stop; it follows within its interval.

        A stop is never taken back: the crawl may be following already.
        """
        if self.wanted != "stop":
            replace_file(self.path(".wanted"), wanted.encode("ascii"), flush=False)

    def watch(self) -> None:
        """Ask for details for the next seconds."""
        with suppress(OSError):
            self.path(".watched").touch()

    @property
    def watched(self) -> bool:
        """Whether the details were requested a moment ago."""
        try:
            age = time.time() - self.path(".watched").stat().st_mtime
        except OSError:
            return False
        return -WATCHED_SECONDS < age < WATCHED_SECONDS

    def log_lines(self, most: int = 200, most_bytes: int = 200_000) -> list[str]:
        """Return the last lines of the log, oldest first; broken ones at the edges are left out."""
        lines: list[str] = []
        for suffix in (".log", ".log.1"):
            found, whole = _tail(self.path(suffix), most_bytes)
            lines = [*found, *lines]
            if len(lines) >= most or not whole:
                break
        return lines[-most:]

    def remove(self) -> None:
        """Delete all files; the state last, so that an interrupted removal is repeated."""
        for suffix in reversed(_SUFFIXES):
            with suppress(OSError):
                self.path(suffix).unlink()


@dataclass(frozen=True, slots=True)
class FoundRun:
    """A run in the folder, with what is known of its process."""

    files: RunFiles
    state: RunState
    health: Health
    wanted: Wanted | None

    @property
    def alive(self) -> bool:
        """Whether its process exists."""
        return self.health in ("alive", "silent")

    @property
    def changing(self) -> bool:
        """Whether it was asked for something that it has not done yet."""
        if not self.alive or self.wanted is None:
            return False
        paused = self.state.phase == "paused"
        if self.wanted == "stop":
            return self.state.phase != "stopping"
        return paused != (self.wanted == "pause")


def crawls_folder(store_uri: str, frontier_dir: str = "", control_dir: str = "") -> Path:
    """Return the folder of the crawls of a store: ``crawls`` beside their queues, or *control_dir*."""
    if control_dir:
        return Path(control_dir).expanduser()
    return frontier_folder(store_uri, frontier_dir) / _FOLDER


def machine() -> str:
    """Return a name of this machine, and of the space of process numbers where there are several."""
    with suppress(OSError):
        return f"{socket.gethostname()} {Path('/proc/self/ns/pid').readlink()}"
    return socket.gethostname()


def find_run(folder: Path, run: str, now: float | None = None) -> FoundRun | None:
    """Return the run with this identity, ``None`` if there is none."""
    if _NAME.fullmatch(run) is None:
        return None
    files = RunFiles(folder, run)
    state = files.read()
    if state is None or state.run != run:
        return None
    return FoundRun(
        files, state, _health(files, state, time.time() if now is None else now), files.wanted
    )


def find_runs(folder: Path) -> list[FoundRun]:
    """Return all runs: the living ones first, then by their start, newest first."""
    try:
        names = [it.name.removesuffix(".json") for it in folder.iterdir() if it.suffix == ".json"]
    except OSError:
        return []
    found = [it for name in names if (it := find_run(folder, name)) is not None]
    return sorted(found, key=lambda it: (not it.alive, -it.state.started_at, it.state.run))


def sweep(folder: Path, keep: int = KEPT_RUNS) -> int:
    """Delete the files of all runs that are over but the newest *keep*; return how many runs."""
    _remove_leftovers(folder)
    over = [it for it in find_runs(folder) if not it.alive]
    for each in over[keep:]:
        each.files.remove()
    return len(over[keep:])


def _health(files: RunFiles, state: RunState, now: float) -> Health:
    if state.phase == "ended":
        return "ended"
    if not is_held(files.path(".lock")):
        return "killed"
    patience = max(_SILENT_SECONDS, _SILENT_INTERVALS * state.interval)
    return "silent" if now - state.updated_at > patience else "alive"


def _remove_leftovers(folder: Path) -> None:
    """Delete what processes that were killed while they wrote have left."""
    for path in folder.glob(".*.tmp"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _LEFTOVER_SECONDS:
                path.unlink()


def _tail(path: Path, most_bytes: int) -> tuple[list[str], bool]:
    """Return the last lines of a file, and whether they are all that it has."""
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - most_bytes))
            data = stream.read(most_bytes)
    except OSError:
        return [], True
    whole = size <= most_bytes
    lines = data.decode("utf-8", "replace").split("\n")
    # The first may be cut, the last is empty or being written.
    return [line for line in lines[0 if whole else 1 : -1] if line], whole
