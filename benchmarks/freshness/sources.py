"""Change histories from git repositories and GNU change logs.

Only facts are kept: which file changed on which day.
"""

from __future__ import annotations

import gzip
import re
import subprocess
from collections import defaultdict
from datetime import UTC, date, datetime
from pathlib import Path

from benchmarks.freshness.traces import Trace, make_trace

_DAY = re.compile(r"^(\d{4})-(\d{2})-(\d{2})\b")
_FILES = re.compile(r"^\t\* ([^\s(:][^(:]*)")
_NAME = re.compile(r"[\w./+-]+\.\w+$|[\w+-]+(/[\w.+-]+)+$")
Changes = dict[str, set[int]]


def from_git(repository: Path, under: str = "") -> Changes:
    """Return the days (ordinals) on which each file below a folder was committed."""
    command = ["git", "-C", str(repository), "log", "--no-merges", "--no-renames", "--name-only",
               "--format=@%ct", "--", under or "."]  # fmt: skip
    changed: Changes = defaultdict(set)
    day = 0
    output = subprocess.run(command, capture_output=True, check=True).stdout.decode(
        errors="replace"
    )
    for line in output.splitlines():
        if line.startswith("@"):
            day = datetime.fromtimestamp(int(line[1:]), UTC).toordinal()
        elif line:
            changed[line].add(day)
    return changed


def from_gnu(text: str) -> Changes:
    """Return the days on which the files of a GNU ``ChangeLog`` changed."""
    changed: Changes = defaultdict(set)
    day = 0
    for line in text.splitlines():
        if head := _DAY.match(line):
            try:
                day = date(*(int(part) for part in head.groups())).toordinal()
            except ValueError:
                day = 0
        elif day and (entry := _FILES.match(line)):
            for name in entry[1].split(","):
                if _NAME.fullmatch(name.strip()):
                    changed[name.strip()].add(day)
    return changed


def window(name: str, changed: Changes, first: date, days: int, family: str = "") -> Trace:
    """Return the trace of a period; what changed before it exists from its first day on."""
    start = first.toordinal()
    moved = {page: {day - start for day in at} for page, at in changed.items()}
    known = [page for page, at in moved.items() if min(at) <= 0]
    return make_trace(name, days, moved, known, family)


def read_text(path: Path) -> str:
    """Return the text of a file that may be compressed."""
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode(errors="replace")
