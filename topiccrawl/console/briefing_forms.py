"""The form of a briefing: what it changes, and which further stories it offers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from topiccrawl.briefing.choosing import choice_of
from topiccrawl.briefing.editing import EntryText, added, edited, moved, removed
from topiccrawl.briefing.model import Section
from topiccrawl.briefing.proposal import Candidate, entry_of
from topiccrawl.briefing.reading import Period, candidate_of, completed
from topiccrawl.console.forms import text_field
from topiccrawl.console.overviews import computed, overviews_of
from topiccrawl.store.search import SearchQuery

if TYPE_CHECKING:
    from starlette.datastructures import FormData

    from topiccrawl.briefing.model import Briefing
    from topiccrawl.console.desk import Desk

__all__ = ["apply_form", "further_stories"]

#: Stories that are offered.
_OFFERED: Final = 20


async def apply_form(
    desk: Desk, topic: str, briefing: Briefing, form: FormData, action: str, which: str
) -> Briefing:
    """Return *briefing* with the texts of *form*, and with its *action* on the entry or page *which*."""
    stories = [str(it) for it in form.getlist("story")]
    changed = edited(
        briefing,
        title=text_field(form, "title", 1_000),
        organization=text_field(form, "organization", 1_000),
        headings={
            number: text_field(form, f"heading-{number}", 1_000)
            for number in range(len(briefing.sections))
            if f"heading-{number}" in form
        },
        texts={
            story: EntryText(
                text_field(form, f"title-{number}", 1_000),
                text_field(form, f"summary-{number}", 20_000),
            )
            for number, story in enumerate(stories, 1)
        },
    )
    if action in ("up", "down"):
        return moved(changed, which, -1 if action == "up" else 1)
    if action == "remove":
        return removed(changed, which)
    if action == "add":
        page = await desk.store.page(topic, which)
        if page is None or page.withdrawn_at is not None:
            return changed
        members = await desk.store.members(topic, page.story)
        candidate = candidate_of(page, len({it.site for it in members}) or 1)
        [section] = await completed(desk.store, topic, [Section("own", "", [entry_of(candidate)])])
        return added(changed, section.entries[0])
    return changed


async def further_stories(
    desk: Desk, topic: str, briefing: Briefing, words: str
) -> list[Candidate]:
    """Return stories that can be added: what a search for *words* finds, or the most important ones."""
    if words:
        found = await desk.store.search(
            [topic], SearchQuery.from_text(words, limit=_OFFERED, facets=False)
        )
        offered = [candidate_of(hit.headline) for hit in found.hits]
    else:
        overview = await overviews_of(desk).get(topic)
        if overview is None:
            return []
        period = Period(briefing.since, briefing.until or briefing.created_at)
        key = ("choice", "briefing", period.since, period.until)
        choice = await computed(overview, key, lambda: choice_of(overview, topic, period))
        offered = list(choice.candidates)
    known = {it.url for it in briefing.entries()} | {it.story for it in briefing.entries()}
    return [it for it in offered if it.url not in known and it.story not in known][:_OFFERED]
