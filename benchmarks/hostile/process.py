"""CPU time and memory of a process and of its children, read from Linux' /proc."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """Return user and system time of all threads of a process, in steps of 10 ms; 0 if it ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def peak_megabytes(pid: int) -> float:
    """Return the largest resident size that a process ever had, in MB; 0 if it ended."""
    return _megabytes(pid, "VmHWM:")


def group_megabytes(group: int) -> float:
    """Return the resident size of all processes of a process group together, in MB."""
    return sum(_megabytes(pid, "VmRSS:") for pid in _members(group))


def _members(group: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group:
                found.append(int(entry.name))
    return found


def _megabytes(pid: int, name: str) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(name)), 0.0)
