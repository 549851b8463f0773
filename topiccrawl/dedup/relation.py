"""The relation of two pages: copies, parts, the same template, or nothing.

Rules decide what is plain: equal texts, titles of two editions, pages without text.  For all others, the
probability that the pages are publications of one text is a logistic function of their evidence; the
shares of both texts, and whether the titles are equal, then determine which kind of copy it is.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np

from topiccrawl.dedup.compared import ComparedPage, Relation, RelationKind
from topiccrawl.dedup.evidence import Evidence, compare, fields, title_similarity
from topiccrawl.dedup.joining import REST, joins_another
from topiccrawl.dedup.odds import SHORT, SHORT_TITLE, log_odds, most_log_odds
from topiccrawl.dedup.offices import differently_signed
from topiccrawl.dedup.prepared import PreparedPage
from topiccrawl.dedup.reasons import reasons
from topiccrawl.dedup.shingles import among, overlap

#: Terms of a title that can stand for a page without text; shorter ones name a sort of page (a guess).
TITLE_TERMS: Final = 6
#: Similarity from which titles have one form, so that other numbers make another page (a choice; that of
#: ``Django 1.4.18 release notes`` and ``Django 1.6.10 release notes`` is .5).
ONE_FORM: Final = 0.3
#: Jaccard from which texts under titles of two editions are one text, unless they name their editions
#: (a choice: a corrected title).
SAME_TEXT: Final = 0.98
#: The same for titles with two amounts: the figure was corrected in the title and in the text (a choice).
CORRECTED: Final = 0.9
#: Fields from which pages under similar titles are one form, filled in anew, and shingles of the smaller text for
#: each field.  Choices: of 1,210 pairs of notices in eleven forms under one title, 6 are still called copies (833
#: without); at 150, one of 227 pages is not called a copy of its next version (2026-11).
FIELDS: Final = 2
FIELD_SHINGLES: Final = 125
#: Shingles from which a text says what it is about (a choice: a sentence).
FLASH: Final = 20
#: Share of the numbers up to which one field is enough, if two numbers differ (a choice: in a flash, one is corrected).
OTHER_NUMBERS: Final = 0.5
#: Share of the larger text from which a copy counts as unchanged (a choice: marks, a source line).
UNCHANGED: Final = 0.97
#: Least share of a part that is in the whole, and largest size of a part relative to the whole (choices:
#: what keeps more than half of a text is that text, shortened).
PART: Final = 0.8
PART_SIZE: Final = 0.5
#: Length of the longest piece that both have, relative to the part, from which a part under the title of
#: the whole is an excerpt: a page that grew under its title has additions everywhere (a choice).
ONE_PIECE: Final = 0.7
#: Similarity of titles below which a page that has another text beside the smaller one is a page of its own (a
#: choice: a title of two headlines is less similar to each of them).
OWN_TITLE: Final = 0.7
#: Shingles that may be missing within a piece: two changed characters (a choice).
GAP: Final = 10
#: Jaccard from which pages that are not copies have a template in common (a choice).
TEMPLATE: Final = 0.2

#: Share of the sampled shingles of the smaller text up to which the texts share too little, and shingles that
#: must be sampled.  Texts under different titles must share .73, short ones more; by their samples at most one of
#: 200 million such pairs shares .3 (binomial, computed by a test).
LITTLE: Final = 0.3
SAMPLED: Final = 12

#: Error of the log odds in double precision, amply.
_ROUNDING: Final = 1e-9

#: Probabilities of what the rules decide: of pairs of the histories above, .99 and more were decided
#: rightly by the first two, the last ones are guesses.
_EQUAL_TEXTS: Final = 0.99
_EDITIONS: Final = 0.98
_TITLES_ONLY: Final = 0.7


def relate(first: ComparedPage | PreparedPage, second: ComparedPage | PreparedPage) -> Relation:
    """Return what *first* is to *second*.

    Exchanging the pages exchanges ``excerpt`` and ``gathers`` and the shares in the reasons, and leaves
    everything else as it is.

    Parameters
    ----------
    first, second
        The pages.  One that is compared with many should be prepared once.

    Returns
    -------
    Relation
        The kind, its probability, and reasons.
    """
    a = first if isinstance(first, PreparedPage) else PreparedPage(first)
    b = second if isinstance(second, PreparedPage) else PreparedPage(second)
    evidence = compare(a, b)
    found = _by_rule(a, b, evidence) or _by_model(a, b, evidence)
    return replace(found, reasons=reasons(a, b, evidence))


def may_share_text(a: PreparedPage, b: PreparedPage) -> bool:
    """Return False only for pages that :func:`relate` calls different, or of one template.

    That is what most pages are that share a few sentences; a look at titles and at one of eight shingles is
    enough for them, a twentieth of the whole comparison.
    """
    if a.page.url == b.page.url or not a.size or not b.size:
        return True
    # Titles of other terms are not similar enough to make up for it.
    if a.title_terms != b.title_terms and _share_little(a, b):
        return False
    shared, title = overlap(a.shingles, b.shingles), title_similarity(a, b)
    if shared.jaccard == 1.0:
        return True
    odds = most_log_odds(title, shared.of_first, shared.of_second, min(a.size, b.size))
    return odds > -_ROUNDING


def _share_little(a: PreparedPage, b: PreparedPage) -> bool:
    """Return whether samples show that the texts share less than what pages of other titles must share."""
    small, large = (a, b) if a.size <= b.size else (b, a)
    sampled = len(small.sample)
    return sampled >= SAMPLED and len(small.sample & large.sample) <= LITTLE * sampled


def _by_rule(a: PreparedPage, b: PreparedPage, evidence: Evidence) -> Relation | None:
    """Return what is plain, None for the rest."""
    if a.page.url == b.page.url:
        return Relation("same-page", 1.0)
    if not a.size or not b.size:
        return _by_title(a, b, evidence)
    if np.array_equal(a.sequence, b.sequence) and (a.size >= SHORT or _is_flash(a, b, evidence)):
        return Relation("same-page" if _one_address(a, b) else "copy", _EQUAL_TEXTS)
    if evidence.title >= ONE_FORM and (
        (evidence.other_edition and not _names_no_edition(a, b, evidence))
        or (evidence.other_amount and evidence.jaccard < CORRECTED)
    ):
        return Relation(_unlike(evidence), _EDITIONS)
    if evidence.other_thing and evidence.jaccard < SAME_TEXT:
        return Relation(_unlike(evidence), _EDITIONS)
    if _filled_in_anew(a, b, evidence):
        return Relation(_unlike(evidence), _EDITIONS)
    return None


def _filled_in_anew(a: PreparedPage, b: PreparedPage, evidence: Evidence) -> bool:
    """Whether the pages are one form under similar titles: notices of two cases, the tenders of two works.

    Then the numbers differ more than the words do, and there is a field in every few lines.  A copy keeps
    its numbers, however many words an editor replaces, and few of them are corrected.
    """
    other = round(evidence.number_count * (1 - evidence.numbers))
    least = 1 if other > 1 and evidence.numbers <= OTHER_NUMBERS else FIELDS
    return (
        evidence.title >= SHORT_TITLE
        and evidence.jaccard < CORRECTED
        and evidence.numbers < evidence.of_larger
        and fields(a, b) >= max(least, min(a.size, b.size) / FIELD_SHINGLES)
    )


def _is_flash(a: PreparedPage, b: PreparedPage, evidence: Evidence) -> bool:
    """Whether a short text that two pages have is that of their titles, not 请登录后查看 of a site."""
    if evidence.other_edition or evidence.other_thing:
        return False
    common = a.title_terms & b.title_terms
    return evidence.title >= SHORT_TITLE or (
        a.size >= FLASH
        and evidence.title >= ONE_FORM
        and 2 * sum(map(a.has, common)) >= len(common)
    )


def _by_title(a: PreparedPage, b: PreparedPage, evidence: Evidence) -> Relation:
    """Decide for pages of which one or both have no text: pictures, films, attachments."""
    if evidence.title == 1.0 and len(a.title_terms) >= TITLE_TERMS:
        if _one_address(a, b):
            return Relation("same-page", _TITLES_ONLY)
        return Relation("edited" if a.size or b.size else "copy", _TITLES_ONLY)
    return Relation("different", _TITLES_ONLY)


def _names_no_edition(a: PreparedPage, b: PreparedPage, evidence: Evidence) -> bool:
    """Whether nearly equal texts do not contain the numbers by which their titles differ."""
    first, second = a.title_numbers.editions, b.title_numbers.editions
    return (
        min(a.size, b.size) >= SHORT
        and evidence.jaccard >= SAME_TEXT
        and not (
            any(a.has(n) and not b.has(n) for n in first - second)
            or any(b.has(n) and not a.has(n) for n in second - first)
        )
    )


def _by_model(a: PreparedPage, b: PreparedPage, evidence: Evidence) -> Relation:
    probability = 1 / (1 + math.exp(-log_odds(evidence, min(a.size, b.size))))
    if probability < 0.5:
        return Relation(_unlike(evidence), 1 - probability)
    if differently_signed(a, b):
        return Relation(_unlike(evidence), _EDITIONS)
    return Relation(_copy(a, b, evidence), probability)


def _copy(a: PreparedPage, b: PreparedPage, evidence: Evidence) -> RelationKind:
    """Return the kind of copy that *a* is of *b*."""
    if _is_part(a, b, evidence):
        return "excerpt" if a.size < b.size else "gathers"
    if evidence.of_larger >= UNCHANGED and a.numbers == b.numbers:
        return "copy"
    return "edited"


def _is_part(a: PreparedPage, b: PreparedPage, evidence: Evidence) -> bool:
    """Whether the smaller text is a part of the larger one."""
    small, large = sorted((a, b), key=lambda page: page.size)
    if evidence.of_smaller < PART:
        return False
    if small.size > PART_SIZE * large.size:
        return (
            evidence.title < OWN_TITLE
            and evidence.of_larger < 1 - REST
            and _is_in_one_piece(small, large)
            and joins_another(small, large)
        )
    return evidence.title < 1.0 or _is_in_one_piece(small, large)


def _is_in_one_piece(small: PreparedPage, large: PreparedPage) -> bool:
    """Whether most of what the larger text has of the smaller one is in one place."""
    shared = np.flatnonzero(among(large.sequence, small.shingles))
    pieces = np.split(shared, np.flatnonzero(np.diff(shared) > GAP) + 1)
    return max(map(len, pieces)) >= ONE_PIECE * len(small.sequence)


def _unlike(evidence: Evidence) -> RelationKind:
    """Return ``template`` for pages that are not copies but have much in common."""
    return "template" if evidence.jaccard >= TEMPLATE else "different"


def _one_address(a: PreparedPage, b: PreparedPage) -> bool:
    """Whether equal texts are one page under two addresses: one title, and one site or path."""
    first, second = a.page.url.partition("://")[2], b.page.url.partition("://")[2]
    path = first.partition("/")[2]
    return a.title == b.title and (
        a.page.site == b.page.site != "" or path == second.partition("/")[2] != ""
    )
