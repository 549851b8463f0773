"""The members of one story: which of them represents it, and what the others are to that one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from topiccrawl import details
from topiccrawl.crawl.storing.records import kept_verdict
from topiccrawl.dedup.prepared import PreparedPage
from topiccrawl.dedup.relation import may_share_text, relate
from topiccrawl.dedup.tokens import METHOD
from topiccrawl.store.compared import compared_page
from topiccrawl.store.contract import Membership, OutcomeRecord, PageRecord
from topiccrawl.stories.representative import representative
from topiccrawl.urls.domains import registered_domain

#: Members of a story that choose its representative: those fetched first.  A choice that bounds memory.
_CHOOSING: Final = 1_000
#: Pages of a story that represent others at most (a choice that bounds the work for a chain of pages of
#: which each is like the next one only).
_ROUNDS: Final = 8
#: Probability from which a member is not a copy of the representative, whatever links it.  Of news pages
#: edited twice in a row (two to four edits each, every step found) no one in 108 is taken for another
#: page so, edited three times 6 %; it frees 1 of 82 copies among the manual pages of gcloud, 3 of 53 in
#: Rust's library, 8 of 83 in LibreOffice's help (2026-11-22).
_DECISIVE: Final = 0.9
#: Members, one of each registered domain, that are compared with each other to find pages that join different
#: texts (a choice: at most 120 looks at samples).
_ACROSS: Final = 16


def prepare(page: PageRecord) -> PreparedPage:
    """Return a stored page, ready for comparisons."""
    return PreparedPage(compared_page(page))


def memberships(
    members: Sequence[PageRecord], prepared: Callable[[PageRecord], PreparedPage] = prepare
) -> dict[str, Membership]:
    """Return the memberships of all members of one story.

    No page is hidden behind one that it surely is not a copy of.  Such members, linked to the representative
    through others, choose one among themselves; after some rounds each is listed.  A page that joins members
    which share no text with each other represents none of them: anyone can put two texts of others on a page.

    *prepared* returns a page ready for comparisons, by default computed anew.
    """
    rest = sorted(members, key=lambda page: (page.fetched_at, page.id))
    story = rest[0].id
    joints = _joints(rest[:_CHOOSING], prepared)
    found: dict[str, Membership] = {}
    for _ in range(_ROUNDS):
        if len(rest) < 2:
            break
        choosing = [page for page in rest[:_CHOOSING] if page.url not in joints]
        listed = representative([compared_page(page) for page in choosing or rest[:_CHOOSING]])
        first = prepared(next(page for page in rest if page.url == listed))
        unlike = []
        for page in rest:
            if page.url == listed:
                found[page.url] = membership(page, story)
            elif (copy := _copy(page, first, story, prepared)) is not None:
                found[page.url] = copy
            else:
                unlike.append(page)
        rest = unlike
    return found | {page.url: membership(page, story) for page in rest}


def following(outcome: OutcomeRecord, member: Membership) -> OutcomeRecord:
    """Return the outcome of a kept page with the verdict that its membership demands."""
    if not member.copy_of and outcome.verdict != "duplicate":
        return outcome
    verdict, reason, detail = kept_verdict(member, "representative", "")
    return replace(outcome, verdict=verdict, reason=reason, detail=detail)


def membership(
    page: PageRecord, story: str, relation: str = "", copy_of: str = "", reasons: Sequence[str] = ()
) -> Membership:
    """Return what is set of *page*, now that it was compared; by default it is listed."""
    return Membership(
        story=story,
        relation=relation,
        copy_of=copy_of,
        detail=tuple(reasons),
        compared=METHOD,
        content_hash=page.content_hash,
    )


def differs(page: PageRecord, member: Membership) -> bool:
    """Whether a store has other fields of *page* than *member* sets."""
    return (page.story, page.relation, page.copy_of, page.compared) != (
        member.story,
        member.relation,
        member.copy_of,
        member.compared,
    ) or tuple(page.relation_detail) != tuple(member.detail)


def _joints(
    pages: Sequence[PageRecord], prepared: Callable[[PageRecord], PreparedPage]
) -> frozenset[str]:
    """Return the URLs of *pages* that share text with two others which share none with each other."""
    firsts: dict[str, PageRecord] = {}
    for page in pages:
        firsts.setdefault(registered_domain(page.site), page)
    sample = [prepared(page) for page in list(firsts.values())[:_ACROSS]]
    apart = [
        (i, j)
        for i, j in itertools.combinations(range(len(sample)), 2)
        if not may_share_text(sample[i], sample[j])
    ]
    found = set()
    for page in pages if apart else ():
        ready = prepared(page)
        near = [may_share_text(ready, other) for other in sample]
        if any(near[i] and near[j] for i, j in apart):
            found.add(page.url)
    return frozenset(found)


def _copy(
    page: PageRecord,
    first: PreparedPage,
    story: str,
    prepared: Callable[[PageRecord], PreparedPage],
) -> Membership | None:
    """Return the membership of *page* as a copy of the page *first*, ``None`` if it is surely none."""
    listed = first.page.url
    if page.copy_of == listed and page.relation and page.compared == METHOD:
        return membership(page, story, page.relation, listed, page.relation_detail)
    relation = relate(prepared(page), first)
    if relation.is_copy:
        return membership(page, story, relation.kind, listed, relation.reasons)
    if relation.kind != "gathers" and relation.confidence > _DECISIVE:
        return None
    # A copy of a copy that was edited again, or the whole of which the first is a part.
    reasons = (details.THROUGH_OTHERS(), *relation.reasons)
    return membership(page, story, "edited", listed, reasons)
