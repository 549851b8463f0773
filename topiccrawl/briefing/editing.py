"""Edit a briefing: titles, sentences, the order of entries, what is in it.  Entries are named by story."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from topiccrawl.briefing.model import Briefing, Entry, Section, Sentence
from topiccrawl.text.normalize import normalize
from topiccrawl.text.sentences import split_sentences

#: Share of neighboring characters (Dice) from which a changed sentence is taken to come from the page of
#: another one (a guess: half of it is the same).
_SAME: Final = 0.5
#: Longest text of a field that is kept.
_MOST_TITLE: Final = 300
_MOST_SUMMARY: Final = 10_000


@dataclass(frozen=True, slots=True)
class EntryText:
    """What the user wrote of an entry."""

    title: str
    summary: str


def edited(
    briefing: Briefing,
    *,
    title: str,
    organization: str,
    headings: Mapping[int, str],
    texts: Mapping[str, EntryText],
) -> Briefing:
    """Return *briefing* with the texts of a form; what the form does not name stays as it is.

    *headings* are by the number of the section, *texts* by story.
    """
    return replace(
        briefing,
        title=title.strip()[:_MOST_TITLE],
        organization=organization.strip()[:_MOST_TITLE],
        sections=tuple(
            replace(
                section,
                heading=headings.get(number, section.heading).strip()[:_MOST_TITLE],
                entries=tuple(_with_text(it, texts.get(it.story)) for it in section.entries),
            )
            for number, section in enumerate(briefing.sections)
        ),
    )


def _with_text(entry: Entry, text: EntryText | None) -> Entry:
    if text is None:
        return entry
    return replace(
        entry,
        title=text.title.strip()[:_MOST_TITLE] or entry.title,
        sentences=attributed(text.summary, entry.sentences, entry.url),
    )


def attributed(text: str, known: Sequence[Sentence], url: str) -> tuple[Sentence, ...]:
    """Return the sentences of *text*, each with the page that it comes from.

    A sentence that is one of the *known* ones keeps its page.  A changed one gets the page of the known
    sentence that shares most with it, and a new one that of the entry, *url*; both are marked as edited.
    """
    by_text = {it.text: it for it in reversed(known)}
    found = []
    for sentence in split_sentences(text[:_MOST_SUMMARY]):
        same = by_text.get(sentence)
        if same is not None:
            found.append(same)
            continue
        nearest = max(known, key=lambda it: _shared(it.text, sentence), default=None)
        if nearest is None or _shared(nearest.text, sentence) < _SAME:
            found.append(Sentence(sentence, url, edited=True))
        else:
            found.append(Sentence(sentence, nearest.url, edited=True))
    return tuple(found)


def moved(briefing: Briefing, story: str, step: int) -> Briefing:
    """Return *briefing* with an entry moved by one place, up (-1) or down (1), also to the next section."""
    sections = [list(section.entries) for section in briefing.sections]
    for number, entries in enumerate(sections):
        at = next((n for n, it in enumerate(entries) if it.story == story), None)
        if at is None:
            continue
        to = at + (1 if step > 0 else -1)
        if 0 <= to < len(entries):
            entries[at], entries[to] = entries[to], entries[at]
        elif 0 <= (other := number + (1 if step > 0 else -1)) < len(sections):
            entry = entries.pop(at)
            sections[other].insert(0 if step > 0 else len(sections[other]), entry)
        break
    return _with_entries(briefing, sections)


def removed(briefing: Briefing, story: str) -> Briefing:
    """Return *briefing* without an entry."""
    return _with_entries(
        briefing,
        [[it for it in section.entries if it.story != story] for section in briefing.sections],
    )


def added(briefing: Briefing, entry: Entry) -> Briefing:
    """Return *briefing* with *entry* at the end of the user's own section; never twice."""
    if any(it.story == entry.story or it.url == entry.url for it in briefing.entries()):
        return briefing
    sections = list(briefing.sections)
    if not sections or sections[-1].kind != "own":
        sections.append(Section("own"))
    sections[-1] = replace(sections[-1], entries=(*sections[-1].entries, entry))
    return replace(briefing, sections=tuple(sections))


def _with_entries(briefing: Briefing, entries: Sequence[Sequence[Entry]]) -> Briefing:
    return replace(
        briefing,
        sections=tuple(
            replace(section, entries=tuple(them))
            for section, them in zip(briefing.sections, entries, strict=True)
        ),
    )


def _shared(first: str, second: str) -> float:
    """Return the Dice coefficient of the neighboring characters of two texts, in [0, 1]."""
    one, other = _pairs(normalize(first)), _pairs(normalize(second))
    total = sum(one.values()) + sum(other.values())
    return 2 * sum((one & other).values()) / total if total else 0.0


def _pairs(text: str) -> Counter[str]:
    """Return how often each two characters stand side by side."""
    return Counter(map(str.__add__, text, text[1:]))
