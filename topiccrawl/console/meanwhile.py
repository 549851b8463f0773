"""Forms of which two users have the same text open: which fields one changed, and whether another did meanwhile.

A form sends with each text a digest of what it showed: the hidden field ``was-NAME``.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from topiccrawl.console.forms import text_field

if TYPE_CHECKING:
    from starlette.datastructures import FormData

#: Characters of a text at most (a guess: more is never typed by hand).
_MOST: Final = 20_000


def shown_digest(text: str) -> str:
    """Return what stands for *text* in a form that shows it."""
    return hashlib.sha256(text.strip().encode("utf-8", "replace")).hexdigest()[:16]


def changed_text(form: FormData, name: str) -> str | None:
    """Return the text of the field *name* if the user changed it, else ``None``.

    A form that does not send what it showed changes all of its fields.  Raises ``ConfigurationError`` if
    the text is too long to be kept.
    """
    if name not in form:
        return None
    text = text_field(form, name, _MOST)
    return None if text_field(form, f"was-{name}", 100) == shown_digest(text) else text


def is_overtaken(form: FormData, name: str, present: str) -> bool:
    """Return whether both the user and, since the form was loaded, another changed the field *name*."""
    text, was = changed_text(form, name), text_field(form, f"was-{name}", 100)
    if text is None or not was:
        return False
    return shown_digest(present) not in (was, shown_digest(text))
