"""The evidence of one page for its reader: verdict, parts of judgment and score, the way to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from topiccrawl.details import translated
from topiccrawl.language import choose, user_language
from topiccrawl.reporting.explain import explain
from topiccrawl.reporting.text.explanation import sentences
from topiccrawl.reporting.words.labels import reason_text
from topiccrawl.reporting.words.parts import JUDGMENT_PARTS, PARTS
from topiccrawl.store.records import PAGES

if TYPE_CHECKING:
    from topiccrawl.reporting.explain import Ancestor
    from topiccrawl.store.contract import OutcomeRecord, PageRecord, Store

__all__ = ["Evidence", "evidence_of", "relation_text"]

#: Fields that the reading view shows elsewhere.
_SHOWN_ELSEWHERE: Final = frozenset((
    "published_at", "probability", "kind", "author", "editor", "source", "summary",
    "keywords", "copy_of", "relation", "relation_detail", "found_by",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a page was kept, and how it was found."""

    outcome: OutcomeRecord
    verdict: Sequence[str]
    """Sentences."""
    judgment: Sequence[tuple[str, float, str]]
    """Parts of the probability: name, value, meaning."""
    terms: Sequence[tuple[str, float, float]]
    """Term, contribution, share of the relevance."""
    score: Sequence[tuple[str, float, str]]
    """Parts of the link score: name, value, meaning."""
    found_by: Sequence[str]
    chain: Sequence[Ancestor] = ()
    circular: bool = False
    facts: Sequence[tuple[str, str]] = field(default=())


async def evidence_of(store: Store, outcome: OutcomeRecord, page: PageRecord | None) -> Evidence:
    """Collect the evidence of the page of *outcome*."""
    explanation = await explain(store, outcome)
    relevance = outcome.relevance or 0.0
    ways = outcome.link.found_by or (page.found_by if page else "")
    return Evidence(
        outcome,
        [line.plain.strip() for line in sentences(outcome)],
        _parts(outcome.judgment_parts, JUDGMENT_PARTS),
        [
            (term, value, value / relevance if relevance else 0.0)
            for term, value in outcome.main_terms
        ],
        _parts(outcome.link.parts, PARTS),
        [translated(line, user_language()) for line in ways.splitlines()],
        explanation.chain,
        explanation.circular,
        _facts(page) if page else (),
    )


def _parts(
    parts: Mapping[str, float], meanings: Mapping[str, tuple[str, str]]
) -> list[tuple[str, float, str]]:
    ordered = [*(it for it in meanings if it in parts), *sorted(parts.keys() - meanings.keys())]
    return [
        (name, parts[name], choose(*meanings[name]) if name in meanings else "") for name in ordered
    ]


def _facts(page: PageRecord) -> list[tuple[str, str]]:
    """Return names and texts of the other fields that are declared to be explained."""
    found = []
    for it in PAGES.fields:
        value = getattr(page, it.name)
        if it.declaration.explained and it.name not in _SHOWN_ELSEWHERE and value:
            text = value.isoformat(" ", "minutes") if hasattr(value, "isoformat") else str(value)
            found.append((choose(it.declaration.zh, it.declaration.en), text))
    return found


def relation_text(page: PageRecord) -> str:
    """Return what a copy is to its original, and why, in one line."""
    words = [choose(*reason_text(page.relation))] if page.relation else []
    words += [translated(detail, user_language()) for detail in page.relation_detail]
    return "; ".join(words)
