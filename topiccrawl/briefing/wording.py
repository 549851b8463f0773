"""The words of a briefing, the same in every format."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from topiccrawl.language import N_, Language, in_language
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.scale import stated_moment

if TYPE_CHECKING:
    from topiccrawl.briefing.model import Briefing, Entry, Section, Source

#: Headings of the sections of a proposal.
_HEADINGS: Final = {
    "important": N_("Most important"),
    "newest": N_("Newest"),
    "category": N_("Other topics"),
    "own": N_("Further reports"),
}
#: Most characters of one line of foreign text in a file.
LINE: Final = 1_000
#: Most characters of a title.
TITLE: Final = 300
#: Longest time that is named as a day, and as a week: periods of the console begin with a full hour.
_DAY: Final = timedelta(days=1, hours=1)
_WEEK: Final = timedelta(days=7, hours=1)


class Wording:
    """The lines of a briefing in one language; text of pages in one line, without control characters."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language

    def __call__(self, message: str) -> str:
        """Return a message of the catalog in this language."""
        return in_language(message, self.language)

    def title(self, briefing: Briefing) -> str:
        """Return the title, or what the topic and the length of the period make of it."""
        if briefing.title.strip():
            return clean(briefing.title, TITLE)
        return self(self._title(briefing)).format(topic=clean(briefing.topic, 80))

    @staticmethod
    def _title(briefing: Briefing) -> str:
        if briefing.since is None:
            return N_("{topic}: briefing")
        span = (briefing.until or briefing.created_at) - briefing.since
        if span <= _DAY:
            return N_("{topic}: daily briefing")
        return N_("{topic}: weekly briefing") if span <= _WEEK else N_("{topic}: briefing")

    def period(self, briefing: Briefing) -> str:
        """Return the line below the title: who issues it, its period, its day."""
        parts = [clean(briefing.organization, TITLE)] if briefing.organization.strip() else []
        until = briefing.until or briefing.created_at
        if briefing.since is not None:
            parts.append(
                self(N_("{since} to {until} (China time)")).format(
                    since=stated_moment(briefing.since), until=stated_moment(until)
                )
            )
        parts.append(self(N_("written {at}")).format(at=stated_moment(briefing.created_at)))
        return " · ".join(parts)

    def heading(self, section: Section) -> str:
        """Return the heading of a section."""
        return clean(section.heading, TITLE) or self(_HEADINGS[section.kind])

    def entry_title(self, entry: Entry) -> str:
        """Return the title of an entry; never empty."""
        return clean(entry.title, TITLE) or clean(entry.url, TITLE) or "—"

    def source_line(self, entry: Entry) -> str:
        """Return outlet, author, origin and time of an entry's page, and how far it spread."""
        parts = [clean(entry.outlet, 80)]
        if entry.published_at is not None:
            parts.append(stated_moment(entry.published_at))
        if entry.source and clean(entry.source, 80) != parts[0]:
            parts.append(self(N_("source: {name}")).format(name=clean(entry.source, 80)))
        if entry.author:
            parts.append(self(N_("author: {name}")).format(name=clean(entry.author, 80)))
        if entry.sites > 1:
            parts.append(self(N_("on {count} sites")).format(count=entry.sites))
        return " · ".join(filter(None, parts))

    def first_line(self, entry: Entry) -> str:
        """Return who published the story first, if another page than the entry's; else nothing."""
        first = entry.first
        if first is None or first.url == entry.url:
            return ""
        named = clean(first.outlet, 80) or clean(first.url, 80)
        when = stated_moment(first.published_at) if first.published_at else ""
        text = self(N_("first published by {name} {when}")).format(name=named, when=when).strip()
        if entry.first_confidence is not None:
            text += " " + self(N_("(confidence {value})")).format(
                value=f"{entry.first_confidence:.2f}"
            )
        return text

    def also(self, source: Source) -> str:
        """Return the line of another story of the event."""
        title = clean(source.title, TITLE) or clean(source.url, TITLE)
        when = stated_moment(source.published_at) if source.published_at else ""
        rest = " · ".join(filter(None, (clean(source.outlet, 80), when)))
        if not rest:
            return title
        return f"{title}（{rest}）" if self.language == "zh" else f"{title} ({rest})"

    def ending(self, briefing: Briefing) -> str:
        """Return the last line: how many stories were chosen of how many."""
        return self(N_("{chosen} of {stories} stories of this period")).format(
            chosen=sum(1 for _ in briefing.entries()),
            stories=max(briefing.stories, sum(1 for _ in briefing.entries())),
        )

    def nothing(self) -> str:
        """Return the line of a briefing without entries."""
        return self(N_("No story of this period."))

    def see_also(self) -> str:
        """Return the words before the other stories of an event, with a colon."""
        return self.before(self(N_("See also")))

    def before(self, text: str) -> str:
        """Return *text* and the colon of the language."""
        return f"{text}：" if self.language == "zh" else f"{text}: "
