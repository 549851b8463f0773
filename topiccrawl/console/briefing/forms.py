"""The form of a briefing: what it shows and changes, and which further stories it offers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from topiccrawl.briefing.choosing import choice_of
from topiccrawl.briefing.editing import EntryText, added, edited, moved, removed
from topiccrawl.briefing.model import Briefing, Section
from topiccrawl.briefing.proposal import Candidate, entry_of
from topiccrawl.briefing.reading import Period, candidate_of, completed
from topiccrawl.console.meanwhile import changed_text, is_overtaken
from topiccrawl.console.overviews import computed, overviews_of
from topiccrawl.store.search import SearchQuery

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.datastructures import FormData

    from topiccrawl.console.desk import Desk

#: Stories that are offered.
_OFFERED: Final = 20


def shown_texts(briefing: Briefing, stories: Sequence[str] = ()) -> dict[str, str]:
    """Return the texts of *briefing* by the names of their fields.

    *stories* are those of the entries in the order of the form; by default that of *briefing*.
    """
    numbers = {it: n for n, it in enumerate(stories or [it.story for it in briefing.entries()], 1)}
    texts = {"title": briefing.title, "organization": briefing.organization}
    texts |= {f"heading-{n}": it.heading for n, it in enumerate(briefing.sections)}
    for entry in briefing.entries():
        if (number := numbers.get(entry.story)) is not None:
            texts[f"title-{number}"] = entry.title
            texts[f"summary-{number}"] = "\n".join(it.text for it in entry.sentences)
    return texts


def overtaken(briefing: Briefing, form: FormData) -> bool:
    """Return whether *form* changes a text that another user has changed since it was loaded."""
    shown = shown_texts(briefing, _stories(form))
    return any(is_overtaken(form, name, text) for name, text in shown.items())


def apply_texts(briefing: Briefing, form: FormData) -> Briefing:
    """Return *briefing* with the texts of *form* that the user changed; the others may be another's."""
    stories = _stories(form)
    texts = shown_texts(briefing, stories)
    changed = {name: text for name in texts if (text := changed_text(form, name)) is not None}
    texts |= changed
    return edited(
        briefing,
        title=texts["title"],
        organization=texts["organization"],
        headings={number: texts[f"heading-{number}"] for number in range(len(briefing.sections))},
        texts={
            story: EntryText(texts[f"title-{number}"], texts[f"summary-{number}"])
            for number, story in enumerate(stories, 1)
            if changed.keys() & {f"title-{number}", f"summary-{number}"}
        },
    )


def _stories(form: FormData) -> list[str]:
    return [str(it) for it in form.getlist("story")]


async def apply_action(
    desk: Desk, topic: str, changed: Briefing, action: str, which: str
) -> Briefing:
    """Return *changed* with an *action* on the entry or page *which*."""
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
