"""Changes of a topic.toml that keep its comments and order.

Each function changes the text of the file and reads the result again: if that does not contain exactly
the change (a value that spans lines, a table in an unusual form), it raises an error instead.
"""

from __future__ import annotations

import copy
import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.userfiles import parse_toml

_HEADER: Final = re.compile(r"\s*\[\[?[^\[\]]*\]\]?\s*(#.*)?$")
_SEEDS: Final = re.compile(r"\s*\[\[\s*seeds\s*\]\]\s*(#.*)?$")


def parse_text(where: str, text: str) -> dict[str, Any]:
    """Return the table that *text* describes; *where* names it in errors.

    Raises ``ConfigurationError`` if it is not TOML.
    """
    return parse_toml(text, where)


def add_seed(text: str, url: str, name: str = "", *, whole: bool = False) -> str:
    """Return *text* with one more seed at its end."""

    def change(table: dict[str, Any]) -> None:
        seed: dict[str, Any] = {"name": name} if name else {}
        seed["url"] = url
        if whole:
            seed["whole"] = True
        table.setdefault("seeds", []).append(seed)

    lines = ["", "[[seeds]]", *([f"name = {_quoted(name)}"] if name else [])]
    lines += [f"url = {_quoted(url)}", *(["whole = true"] if whole else []), ""]
    return _checked(text, text.rstrip("\n") + "\n" + "\n".join(lines), change)


def remove_seed(text: str, url: str) -> str:
    """Return *text* without the seed of this URL, and without the comments inside its block."""

    def change(table: dict[str, Any]) -> None:
        seeds = table.get("seeds", [])
        table["seeds"] = [it for it in seeds if it.get("url") != url]
        if len(table["seeds"]) == len(seeds):
            raise ConfigurationError(_("there is no seed {url}").format(url=url))
        if not table["seeds"]:
            del table["seeds"]

    lines = text.splitlines(keepends=True)
    for first, line in enumerate(lines):
        if _SEEDS.match(line):
            last = _end_of_table(lines, first)
            try:
                (seed,) = tomllib.loads("".join(lines[first:last]))["seeds"]
            except ValueError:
                continue
            if seed.get("url") == url:
                return _checked(text, "".join(lines[:first] + lines[last:]), change)
    return _checked(text, text, change)


def set_entry(text: str, path: Sequence[str], key: str, value: float | str | None) -> str:
    """Return *text* with ``key = value`` in the table *path*; ``None`` removes the entry.

    ``set_entry(text, ("keywords", "core"), "侨务", 1.0)``
    """

    def change(table: dict[str, Any]) -> None:
        for name in path:
            table = table.setdefault(name, {})
        if value is not None:
            table[key] = value
        elif key not in table:
            raise ConfigurationError(
                _("there is no {key!r} in [{table}]").format(key=key, table=".".join(path))
            )
        else:
            del table[key]

    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    entry = [] if value is None else [f"{_key(key)} = {_value(value)}\n"]
    first = _find_table(lines, path)
    if first is None:
        if value is None:
            return _checked(text, text, change)
        header = ".".join(map(_key, path))
        return _checked(text, "".join([*lines, "\n", f"[{header}]\n", *entry]), change)
    last = _end_of_table(lines, first)
    found = _find_key(lines, first + 1, last, key)
    if found is not None:
        return _checked(text, "".join(lines[:found] + entry + lines[found + 1 :]), change)
    while last > first + 1 and not lines[last - 1].strip():
        last -= 1
    return _checked(text, "".join(lines[:last] + entry + lines[last:]), change)


def _checked(old: str, new: str, change: Callable[[dict[str, Any]], None]) -> str:
    wanted = copy.deepcopy(parse_text("topic.toml", old))
    try:
        change(wanted)
        same = _without_empty(tomllib.loads(new)) == _without_empty(wanted)
    except ConfigurationError:
        raise
    except (AttributeError, RecursionError, TypeError, ValueError):
        # A value where a table is wanted, as in a file that has mistakes.
        same = False
    if not same:
        raise ConfigurationError(
            _("this cannot be changed here, because of the form of the file: edit its text")
        )
    return new


def _without_empty(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return *table* without empty tables, which a removed entry may leave."""
    found = {k: _without_empty(v) if isinstance(v, Mapping) else v for k, v in table.items()}
    return {k: v for k, v in found.items() if v != {}}


def _find_table(lines: Sequence[str], path: Sequence[str]) -> int | None:
    for at, line in enumerate(lines):
        if _HEADER.match(line) and not line.lstrip().startswith("[["):
            try:
                found: Any = tomllib.loads(line)
            except ValueError:
                continue
            for name in path:
                found = found.get(name) if isinstance(found, dict) else None
            if found == {}:
                return at
    return None


def _end_of_table(lines: Sequence[str], first: int) -> int:
    """Return the line after the table that begins at *first*, without comments of the next one."""
    last = first + 1
    while last < len(lines) and not _HEADER.match(lines[last]):
        last += 1
    if last == len(lines):
        return last
    end = last
    while end > first + 1 and lines[end - 1].lstrip().startswith("#"):
        end -= 1
    return end


def _find_key(lines: Sequence[str], first: int, last: int, key: str) -> int | None:
    for at in range(first, last):
        try:
            if tomllib.loads(lines[at]).keys() == {key}:
                return at
        except ValueError:
            continue
    return None


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _quoted(name)


def _quoted(text: str) -> str:
    # JSON's escapes are TOML's; DEL must be escaped, too.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: float | str) -> str:
    return _quoted(value) if isinstance(value, str) else repr(value)
