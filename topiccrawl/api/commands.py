"""Scrapy commands in child processes, from any folder and inside a running event loop.

Scrapy's reactor runs once in a process and wants the main thread: a notebook that crawls twice needs
two processes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from topiccrawl.children import import_path


def scrapy_words(*words: str) -> list[str]:
    """Return the command ``scrapy *words*`` with this interpreter."""
    return [sys.executable, "-m", "scrapy", *words]


def settings_words(settings: Mapping[str, object]) -> list[str]:
    """Return the options ``-s NAME=VALUE`` of *settings*."""
    return [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]


def child_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a command: it finds the same packages, and a project.

    Outside a Scrapy project the settings are those of topiccrawl.
    """
    from topiccrawl.topics.load import project_folder

    environment = {**os.environ, **(more or {}), "PYTHONUTF8": "1"}
    environment["PYTHONPATH"] = import_path()
    if not (project_folder(Path.cwd()) / "scrapy.cfg").is_file():
        environment.setdefault("SCRAPY_SETTINGS_MODULE", "topiccrawl.settings")
    return environment


def run_command(
    words: Sequence[str], *, more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run *words* to their end and return their output; an interrupt ends them in order.

    The child ignores the terminal's Ctrl-C, which reaches this process: it gets one SIGTERM, after
    which a crawl stores what it has fetched.
    """
    process = subprocess.Popen(
        list(words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=child_environment(more),
        start_new_session=True,
        encoding="utf-8",
        errors="replace",
    )
    try:
        out, errors = process.communicate()
    except BaseException:
        process.terminate()
        process.communicate()
        raise
    return subprocess.CompletedProcess(process.args, process.returncode, out, errors)
