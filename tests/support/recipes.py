"""Reads the recipes of CONTRIBUTING.md and carries out their steps in a folder.

A step is a fenced code block whose info string names a file::

    ```python file=my_project/strategies.py             write the file
    ```python file=my_project/settings.py append        add to its end
    ```python file=topiccrawl/items.py after="class X"  insert behind the first line with this text
    ```python file=topiccrawl/items.py before="x = "    insert before it
    ```sh run                                           run the commands in the folder

Blocks with any other info string are for the reader alone.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 120.0

_HEADING = re.compile(r"^### (.+)$", re.MULTILINE)
_BLOCK = re.compile(r"^( *)```(\S+)[ \t]+(.+)\n((?:.*\n)*?)\1```$", re.MULTILINE)
_FILE = re.compile(r'^file=(\S+?)(?: (append)| (after|before)="([^"]+)")?$')


@dataclass(frozen=True, slots=True)
class Step:
    """One code block with an instruction."""

    text: str
    file: str = ""
    """Path relative to the folder; empty for commands to run."""
    append: bool = False
    beside: str = ""
    """Text of the line to insert behind or before."""
    before: bool = False


def recipes(document: str | None = None) -> dict[str, list[Step]]:
    """Return the steps of each recipe by its heading; of CONTRIBUTING.md unless given."""
    if document is None:
        document = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    _, _, part = document.partition("\n## Recipes\n")
    pieces = _HEADING.split(part)[1:]
    return {title: steps_of(text) for title, text in zip(pieces[::2], pieces[1::2], strict=True)}


def steps_of(text: str) -> list[Step]:
    """Return the steps of a part of a document."""
    return [_step(match) for match in _BLOCK.finditer(text)]


def edited_files(steps: list[Step]) -> list[str]:
    """Return the files that *steps* edit by hand, each once."""
    return list(dict.fromkeys(step.file for step in steps if step.file))


def follow(steps: list[Step], folder: Path) -> str:
    """Carry out *steps* in *folder* and return the output of their commands.

    Raises ``LookupError`` where a step does not fit the files.
    """
    output = ""
    for step in steps:
        if not step.file:
            output += run_in(folder, "sh", "-euc", step.text)
            continue
        path = folder / step.file
        path.parent.mkdir(parents=True, exist_ok=True)
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(_changed(step, old), encoding="utf-8")
    return output


def run_in(folder: Path, *command: str) -> str:
    """Run *command* with *folder* first on Python's path and return its output."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PYTHONPATH": str(folder), "PATH": path, "PYTHONUTF8": "1"}
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def _step(match: re.Match[str]) -> Step:
    text = textwrap.dedent(match[4])
    info = match[3].strip()
    if info == "run":
        return Step(text)
    named = _FILE.match(info)
    if named is None:
        raise LookupError(f"a code block says {info!r}: neither a file nor commands to run")
    return Step(
        text,
        named[1],
        append=bool(named[2]),
        beside=named[4] or "",
        before=named[3] == "before",
    )


def _changed(step: Step, old: str) -> str:
    if step.append:
        return old + step.text
    if not step.beside:
        return step.text
    lines = old.splitlines(keepends=True)
    at = next((i for i, line in enumerate(lines) if step.beside in line), None)
    if at is None:
        raise LookupError(f"{step.file} has no line with {step.beside!r}")
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    lines.insert(at if step.before else at + 1, textwrap.indent(step.text, indent))
    return "".join(lines)
