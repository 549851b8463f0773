"""Transformations of a password that pages do in JavaScript before they send it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import quote

from topiccrawl.language import _, listed


def _hash(name: str) -> Callable[[str], str]:
    return lambda text: hashlib.new(name, text.encode("utf-8")).hexdigest()


#: Steps by name: hashes in hexadecimal digits (phpwind and Discuz send md5), and encodings.
_STEPS: Final[Mapping[str, Callable[[str], str]]] = {
    "md5": _hash("md5"),
    "sha1": _hash("sha1"),
    "sha256": _hash("sha256"),
    "sha512": _hash("sha512"),
    "base64": lambda text: base64.b64encode(text.encode("utf-8")).decode("ascii"),
    "quote": lambda text: quote(text, safe=""),
    "reverse": lambda text: text[::-1],
    "upper": str.upper,
    "lower": str.lower,
}
#: Beginning of a step that appends, or prepends, the value of a field of the form: a salt.
_APPEND, _PREPEND = "+", "^"


def check_transform(step: str) -> str | None:
    """Return the rule that *step* breaks, ``None`` if it breaks none."""
    if not step or step in _STEPS or (step[0] in (_APPEND, _PREPEND) and len(step) > 1):
        return None
    known = listed(_STEPS)
    return _("must be one of {known}, or +FIELD or ^FIELD with a field of the form").format(
        known=known
    )


def transformed(password: str, steps: tuple[str, ...], fields: Mapping[str, str]) -> str:
    """Return *password* after *steps*, in order; *fields* are the values of the form.

    >>> transformed("secret", ("md5",), {})
    '5ebe2294ecd0e0f08eab7690d2a6ee69'
    >>> transformed("secret", ("+salt", "upper"), {"salt": "-x"})
    'SECRET-X'
    """
    for step in steps:
        if step[0] == _APPEND:
            password += fields.get(step[1:], "")
        elif step[0] == _PREPEND:
            password = fields.get(step[1:], "") + password
        else:
            password = _STEPS[step](password)
    return password
