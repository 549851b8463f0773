"""Files of a briefing by their extension."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from topiccrawl.briefing.html import html
from topiccrawl.briefing.markdown import markdown
from topiccrawl.briefing.word import word
from topiccrawl.export.atomic import format_of

if TYPE_CHECKING:
    from topiccrawl.briefing.model import Briefing
    from topiccrawl.language import Language


def _text(write: Callable[[Briefing, Language], str]) -> Callable[[Briefing, Language], bytes]:
    return lambda briefing, language: write(briefing, language).encode("utf-8", "replace")


#: What writes each format, by the extension of the file.
FORMATS: Final[Mapping[str, Callable[[Briefing, Language], bytes]]] = {
    "docx": word,
    "html": _text(html),
    "md": _text(markdown),
}
#: Media types of the formats.
MEDIA_TYPES: Final = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
}
#: Formats for standard output.
STREAMED: Final = ("md", "html")
#: Other extensions of the formats.
_ALIASES: Final = {"htm": "html", "markdown": "md"}


def content(briefing: Briefing, format_: str, language: Language) -> bytes:
    """Return the file of *briefing* in a format of :data:`FORMATS`."""
    return FORMATS[format_](briefing, language)


def choose_format(out: str, given: str | None = None) -> str:
    """Return the *given* format, or that of the extension of *out*; ``-`` is standard output.

    Raises :class:`ConfigurationError` that lists the choices.
    """
    if out == "-":
        return format_of(out, STREAMED[0] if given is None else given, STREAMED, _ALIASES)
    return format_of(out, given, tuple(FORMATS), _ALIASES)
