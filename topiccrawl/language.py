"""Messages in the user's language: ``_`` translates, English is the message id.

The catalog is ``topiccrawl/locale/zh_CN/LC_MESSAGES/topiccrawl.po``; ``make messages`` brings it up
to date with the code and compiles it.  What is stored (outcomes, statistics, the journal) stays
English, so that a store does not depend on who crawls; it is translated where it is shown.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import resources
from typing import Literal

Language = Literal["en", "zh"]

#: Variables that name the language, the strongest first, as in gettext.
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
#: Compiled catalogs by language; English needs none.
_CATALOGS = {"zh": "locale/zh_CN/LC_MESSAGES/topiccrawl.mo"}
#: The language of the request that is being answered; ``None`` outside of requests.
_current: ContextVar[Language | None] = ContextVar("topiccrawl_language", default=None)


@contextmanager
def using_language(language: Language) -> Iterator[None]:
    """Show messages in *language* within the block, in this task or thread only."""
    token = _current.set(language)
    try:
        yield
    finally:
        _current.reset(token)


def user_language() -> Language:
    """Return ``"zh"`` if the environment asks for Chinese (simplified or traditional), else ``"en"``.

    Within :func:`using_language`, return that language.

    The first of :data:`VARIABLES` that is set decides, and in its list (``LANGUAGE=zh_CN:en``) the
    first language.
    """
    if (current := _current.get()) is not None:
        return current
    wanted = next(filter(None, map(os.environ.get, VARIABLES)), "")
    return "zh" if wanted.lower().startswith("zh") else "en"


def _(message: str) -> str:
    """Return *message* in the user's language; English if there is no translation.

    Values are filled in afterwards: ``_("{n} pages").format(n=n)``.
    """
    return in_language(message, user_language())


def in_language(message: str, language: Language) -> str:
    """Return *message* in *language*, for documents that do not depend on the user's."""
    # The empty message id is the header of a catalog.
    return _translations(language).gettext(message) if message else ""


def ngettext(singular: str, plural: str, n: int) -> str:
    """Return the form of a message that fits the number *n*, in the user's language."""
    return _translations(user_language()).ngettext(singular, plural, n)


def N_(message: str) -> str:  # noqa: N802  (the name that gettext's tools and readers know)
    """Mark a constant for the catalog; it is translated where it is shown: ``_(constant)``."""
    return message


def choose(zh: str, en: str) -> str:
    """Return the text for the user, of a table that holds both languages because reports need both."""
    return zh if user_language() == "zh" else en


def listed(words: Iterable[str], language: Language | None = None) -> str:
    """Join *words* with the comma of lists of a language, by default the user's."""
    return ("、" if (language or user_language()) == "zh" else ", ").join(words)


def clauses(parts: Iterable[str], language: Language | None = None) -> str:
    """Join *parts* of a sentence with the semicolon of a language, by default the user's."""
    return ("；" if (language or user_language()) == "zh" else "; ").join(parts)


def labeled(label: str, text: str, language: Language | None = None) -> str:
    """Return a label, the colon of a language (by default the user's) and a text."""
    return f"{label}{'：' if (language or user_language()) == 'zh' else ': '}{text}"


def bracketed(text: str, language: Language | None = None) -> str:
    """Return what follows a word in the brackets of a language, by default the user's."""
    return f"（{text}）" if (language or user_language()) == "zh" else f" ({text})"


@cache
def _translations(language: Language) -> gettext.NullTranslations:
    path = _CATALOGS.get(language)
    if path is None:
        return gettext.NullTranslations()
    # Not gettext.find: the package may be a zipped egg of scrapyd.
    with resources.files("topiccrawl").joinpath(path).open("rb") as stream:
        return gettext.GNUTranslations(stream)
