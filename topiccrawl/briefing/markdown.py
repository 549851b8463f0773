"""A briefing as Markdown (CommonMark): foreign text is escaped, so that it is never markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from topiccrawl.briefing.links import href
from topiccrawl.briefing.wording import LINE, Wording
from topiccrawl.reporting.markup import clean

if TYPE_CHECKING:
    from topiccrawl.briefing.model import Briefing, Entry
    from topiccrawl.language import Language

#: Characters with a meaning in CommonMark or in the dialect of GitHub, wherever they stand.  No line begins
#: with foreign text, so that those which count at the beginning of a line only are harmless.
_SPECIAL: Final = re.compile(
    r"[\\`*_\[\]{}<>#|~$&@!^]|(?<=www)\.|:(?=//)|(?<=mailto):|(?<=xmpp):", re.IGNORECASE
)


def markdown(briefing: Briefing, language: Language) -> str:
    """Return *briefing* as Markdown."""
    words = Wording(language)
    lines = [f"# {escaped(words.title(briefing))}", "", f"*{escaped(words.period(briefing))}*", ""]
    number = 0
    for section in briefing.sections:
        if not section.entries:
            continue
        lines += [f"## {escaped(words.heading(section))}", ""]
        for entry in section.entries:
            number += 1
            lines += _entry(number, entry, words)
    if not number:
        lines += [escaped(words.nothing()), ""]
    lines += ["---", "", escaped(words.ending(briefing)), ""]
    return "\n".join(lines)


def _entry(number: int, entry: Entry, words: Wording) -> list[str]:
    lines = [f"### {number}\\. {link(words.entry_title(entry), entry.url)}", ""]
    if entry.sentences:
        gap = "" if words.language == "zh" else " "
        lines += [
            gap.join(link(clean(it.text, LINE), it.url) for it in entry.sentences),
            "",
        ]
    lines += [f"*{escaped(words.source_line(entry))}*", ""]
    if (first := words.first_line(entry)) and entry.first is not None:
        lines += [f"- {link(first, entry.first.url)}"]
    lines += [f"- {escaped(words.see_also())}{link(words.also(it), it.url)}" for it in entry.also]
    if lines[-1]:
        lines.append("")
    return lines


def link(text: str, url: str) -> str:
    """Return a link, or the text alone if *url* must not become one."""
    target = href(url)
    shown = escaped(text) or "—"
    return shown if target is None else f"[{shown}](<{target}>)"


def escaped(text: str) -> str:
    """Return *text*, which is one line, without any meaning in Markdown."""
    return _SPECIAL.sub(r"\\\g<0>", text)
