"""Literals of JavaScript as JSON: the states of applications have ``undefined``, bare keys and arguments of functions.

``window.__NUXT__=(function(a,b){return {title:a,count:b}}("…",0))`` is the state of a page of Nuxt 2.
"""

from __future__ import annotations

import json
import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Characters of one state that are read, and of the arguments that are put into it (a guess: states of news have
#: some 100,000).
MOST: Final = 1_000_000
_TOKEN: Final = re.compile(
    # A string without an end is the rest, so that no part of it is searched twice.
    r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)'
    r"|'(?P<single>(?:[^'\\]|\\.)*+)(?:'|\\?\Z)"
    r"|(?P<flag>!\s?[01])|(?P<void>void\s0)|(?P<deleted>,\s*+(?=[\]}]))|(?P<dot>(?<![\d.])\.\d++)"
    r"|(?<![\w$.])(?P<name>[A-Za-z_$][\w$]*+)(?P<colon>\s*+:)?+",
    re.DOTALL,
)
_WORDS: Final = frozenset(("true", "false", "null"))
_FUNCTION: Final = re.compile(
    r"\(?\s{0,9}function\s{0,9}\((?P<names>[\w$,\s]{0,9000})\)\s{0,9}\{\s{0,9}return\s{0,9}(?=\{)"
)
_COMMA: Final = re.compile(r"\s*+,\s*+")
_DECODER: Final = json.JSONDecoder(strict=False)


def state_of(script: str) -> Any:
    """Return the value at the beginning of a script, None if it cannot be read. Linear time.

    >>> state_of("{title:'a', more:undefined, on:!0,}; next()")
    {'title': 'a', 'more': None, 'on': True}
    >>> state_of('(function(a,b){return {title:a,count:b}}("x",2));')
    {'title': 'x', 'count': 2}
    """
    script = script[:MOST]
    arguments: dict[str, str] = {}
    start = 0
    if (function := _FUNCTION.match(script)) is not None:
        names = re.findall(r"[\w$]+", function["names"])
        start = function.end()
        call = script.rfind("}(")
        given = _values(script[call + 2 :]) if call > start else []
        arguments = {
            name: json.dumps(value, ensure_ascii=False)
            for name, value in zip_longest(names, given[: len(names)])
        }
    try:
        return _DECODER.raw_decode(_as_json(script[start:], arguments))[0]
    except (ValueError, RecursionError):
        return None


def _values(script: str) -> list[Any]:
    """Return the values at the beginning of a script, which commas separate."""
    text = _as_json(script, {}).lstrip()
    values: list[Any] = []
    at = 0
    while True:
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return values
        values.append(value)
        comma = _COMMA.match(text, at)
        if comma is None:
            return values
        at = comma.end()


def _as_json(script: str, arguments: Mapping[str, str]) -> str:
    """Return a script whose literals are those of JSON; names without a value are null."""
    left = MOST

    def argument(name: str) -> str:
        nonlocal left
        value = arguments.get(name, "null")
        left -= len(value)
        return value if left > 0 else "null"

    def written(token: re.Match[str]) -> str:
        kind = token.lastgroup
        if kind is None:
            return token[0]
        if kind == "single":
            text = re.sub(
                r"\\'|(?<!\\)\"", lambda m: "'" if m[0] == "\\'" else '\\"', token["single"]
            )
            return f'"{text}"'
        if kind == "colon":
            return f'"{token["name"]}":'
        if kind == "name":
            name = token["name"]
            return name if name in _WORDS else argument(name)
        return {
            "flag": "true" if token[0][-1] == "0" else "false",
            "void": "null",
            "deleted": "",
        }.get(kind, f"0{token[0]}")

    return _TOKEN.sub(written, script)
