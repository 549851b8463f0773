"""Generates the requirements files from pyproject.toml, which alone states the requirements.

    python .ci/requirements.py --write

Without ``--write`` it lists the files that are out of date.  ``make reference`` does the same.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: An older Python is refused before anything is downloaded: pip reads the line, and no such file exists.
_OLD_PYTHON = (
    "python-3.11-or-newer-is-needed @ file:///python-3.11-or-newer-is-needed "
    '; python_version < "3.11"\n'
)
_SELF = re.compile(r"topiccrawl\[([\w,]+)\]")
#: Requirements files: heading, and the extras that follow the base ("" for the base itself).
FILES: dict[str, tuple[str, tuple[str, ...]]] = {
    "requirements.txt": ("The full installation: the base and all extras.", ("", "all")),
    "requirements-dev.txt": (
        "What the tests, linters and benchmarks need in addition to requirements.txt.",
        ("dev",),
    ),
    "deploy/requirements-scrapyd.txt": (
        "What a machine with scrapyd needs in addition to requirements.txt.",
        ("scrapyd",),
    ),
}
#: Constraints with the lower bounds of everything in requirements.txt.
MINIMUM = "requirements-minimum.txt"


def render() -> dict[str, str]:
    """Return the content of each requirements file."""
    with (ROOT / "pyproject.toml").open("rb") as stream:
        project = tomllib.load(stream)["project"]
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    files = {
        name: _head(heading) + "".join(_lines(groups, extra) for extra in extras)
        for name, (heading, extras) in FILES.items()
    }
    heading = _head(FILES["requirements.txt"][0])
    files["requirements.txt"] = files["requirements.txt"].replace(heading, heading + _OLD_PYTHON)
    lowest = [
        re.sub(r">=([^,]+).*", r"==\1", requirement)
        for extra in FILES["requirements.txt"][1]
        for _, requirements in _expanded(groups, extra)
        for requirement in requirements
    ]
    files[MINIMUM] = _head("Constraints: the lowest versions that are tested.") + "".join(
        f"{line}\n" for line in lowest
    )
    return files


def _head(heading: str) -> str:
    return f"# {heading}\n# Generated from pyproject.toml by `make reference`.\n"


def _lines(groups: dict[str, list[str]], extra: str) -> str:
    text = ""
    for name, requirements in _expanded(groups, extra):
        if name not in ("", "dev"):
            text += f"# {name}\n"
        text += "".join(f"{requirement}\n" for requirement in requirements)
    return text


def _expanded(groups: dict[str, list[str]], extra: str) -> list[tuple[str, list[str]]]:
    """Return the requirements of *extra* by name of the extra that lists them."""
    found: list[tuple[str, list[str]]] = []
    own = [requirement for requirement in groups[extra] if not _SELF.fullmatch(requirement)]
    if own:
        found.append((extra, own))
    for requirement in groups[extra]:
        if match := _SELF.fullmatch(requirement):
            for name in match[1].split(","):
                found += _expanded(groups, name)
    return found


def main(write: bool) -> int:
    """Renew or check the files; the exit code is 1 if any is out of date and stays so."""
    outdated = 0
    for name, text in render().items():
        path = ROOT / name
        if not path.is_file() or path.read_text("utf-8") != text:
            print(f"{name}: {'written' if write else 'out of date, run: make reference'}")
            outdated += not write
            if write:
                path.write_text(text, "utf-8")
    return 1 if outdated else 0


if __name__ == "__main__":
    sys.exit(main("--write" in sys.argv[1:]))
