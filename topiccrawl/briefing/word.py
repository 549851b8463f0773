"""A briefing as a Word document."""

from __future__ import annotations

import io
from datetime import UTC
from typing import TYPE_CHECKING, Any

from topiccrawl.briefing.links import href
from topiccrawl.briefing.wording import LINE, Wording
from topiccrawl.errors import needs_extra
from topiccrawl.language import Language, _
from topiccrawl.reporting.markup import clean

if TYPE_CHECKING:
    from topiccrawl.briefing.model import Briefing, Entry


def word(briefing: Briefing, language: Language) -> bytes:
    """Return *briefing* as a ``.docx`` file.

    Raises :class:`~topiccrawl.errors.MissingExtraError` without python-docx.
    """
    with needs_extra("word", _("A .docx file")):  # optional dependency
        from topiccrawl.briefing.word_parts import Page
    words = Wording(language)
    page = Page(language)
    title = words.title(briefing)
    page.properties(title, briefing.created_at.astimezone(UTC))
    page.paragraph("Title").text(title)
    page.paragraph("Subtitle").text(words.period(briefing))
    number = 0
    for section in briefing.sections:
        if not section.entries:
            continue
        page.paragraph("Heading 1").text(words.heading(section))
        for entry in section.entries:
            number += 1
            _entry(page, number, entry, words)
    if not number:
        page.paragraph().text(words.nothing())
    page.paragraph("Source").text(words.ending(briefing))
    stream = io.BytesIO()
    page.save(stream)
    return stream.getvalue()


def _entry(page: Any, number: int, entry: Entry, words: Wording) -> None:
    heading = page.paragraph("Heading 2")
    heading.text(f"{number}. ")
    heading.link(words.entry_title(entry), href(entry.url))
    if entry.sentences:
        body = page.paragraph()
        for at, sentence in enumerate(entry.sentences):
            if at and words.language != "zh":
                body.text(" ")
            body.link(clean(sentence.text, LINE), href(sentence.url))
    page.paragraph("Source").text(words.source_line(entry))
    if (first := words.first_line(entry)) and entry.first is not None:
        page.paragraph("Source").link(first, href(entry.first.url))
    for other in entry.also:
        line = page.paragraph("Source")
        line.text(words.see_also())
        line.link(words.also(other), href(other.url))
