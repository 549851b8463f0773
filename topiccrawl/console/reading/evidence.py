"""The evidence of one page for its reader: verdict, parts of judgment and score, the way to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from topiccrawl.details import translated
from topiccrawl.language import choose, user_language
from topiccrawl.reporting.explain import Ancestor, explain
from topiccrawl.reporting.scale import moment
from topiccrawl.reporting.text.explanation import sentences
from topiccrawl.reporting.words.parts import JUDGMENT_PARTS, PARTS, WordedPart, worded_parts
from topiccrawl.store.records import PAGES

if TYPE_CHECKING:
    from topiccrawl.store.contract import OutcomeRecord, PageRecord, Store

#: Fields that the reading view shows elsewhere.
_SHOWN_ELSEWHERE: Final = frozenset((
    "published_at", "probability", "kind", "author", "editor", "source", "summary",
    "keywords", "found_by",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a page was kept, and how it was found."""

    outcome: OutcomeRecord
    verdict: Sequence[str]
    """Sentences."""
    judgment: Sequence[WordedPart]
    """Parts of the probability."""
    terms: Sequence[tuple[str, float, float]]
    """Term, contribution, share of the relevance."""
    score: Sequence[WordedPart]
    """Parts of the link score."""
    found_by: Sequence[str]
    chain: Sequence[Ancestor]
    circular: bool
    facts: Sequence[tuple[str, str]]


async def evidence_of(store: Store, outcome: OutcomeRecord, page: PageRecord | None) -> Evidence:
    """Collect the evidence of the page of *outcome*."""
    explanation = await explain(store, outcome)
    relevance = outcome.relevance or 0.0
    ways = outcome.link.found_by or (page.found_by if page else "")
    return Evidence(
        outcome,
        [line.plain.strip() for line in sentences(outcome)],
        worded_parts(outcome.judgment_parts, JUDGMENT_PARTS),
        [
            (term, value, value / relevance if relevance else 0.0)
            for term, value in outcome.main_terms
        ],
        worded_parts(outcome.link.parts, PARTS),
        [translated(line, user_language()) for line in ways.splitlines()],
        explanation.chain,
        explanation.circular,
        _facts(page) if page else (),
    )


def _facts(page: PageRecord) -> list[tuple[str, str]]:
    """Return names and texts of the other fields that are declared to be explained."""
    found = []
    for it in PAGES.fields:
        value = getattr(page, it.name)
        if it.declaration.explained and it.name not in _SHOWN_ELSEWHERE and value:
            text = moment(value) if isinstance(value, datetime) else str(value)
            found.append((choose(it.declaration.zh, it.declaration.en), text))
    return found
