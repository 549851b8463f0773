"""Trends and comparisons as lines of text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite, isnan
from typing import Final

from topiccrawl.insight.comparison import Comparison, Pair
from topiccrawl.insight.contrast_terms import ContrastTerm
from topiccrawl.insight.counts import Series, Step, grouped
from topiccrawl.insight.days import day_of
from topiccrawl.insight.hosts import HostRow
from topiccrawl.insight.sources import Sources
from topiccrawl.insight.trends import Trends
from topiccrawl.language import _, ngettext
from topiccrawl.reporting.markup import clean

#: Columns of the longest bar (a choice: half of a terminal).
_BAR: Final = 40


def default_step(days: int) -> Step:
    """Return the step of which a period has about 12 to 53."""
    if days <= 31:
        return "day"
    return "week" if days <= 371 else "month"


def trend_lines(found: Trends, step: Step, most: int | None) -> Iterator[str]:
    """Yield the volume as bars, then bursts and terms."""
    first, last = found.pages.days[0], found.pages.days[-1]
    pages, before = found.pages.total, found.pages_before
    count = ngettext("{count} page", "{count} pages", pages).format(count=pages)
    total = found.stories.total
    stories = ngettext("{count} story", "{count} stories", total).format(count=total)
    yield _("{first} to {last}: {pages}, {stories}; {before} in the period before").format(
        first=day_of(first),
        last=day_of(last),
        pages=count,
        stories=stories,
        before=before,
    )
    yield from _bars(found.pages, step)
    if found.bursts:
        yield ""
        yield _("More than is ordinary:")
    for it in sorted(found.bursts, key=lambda it: -it.burst.weight)[:most]:
        yield (
            "  "
            + ngettext(
                "{days}: {pages} page where {ordinary} are ordinary: {terms}",
                "{days}: {pages} pages where {ordinary} are ordinary: {terms}",
                int(it.burst.count),
            ).format(
                days=_days(it.first_day, it.last_day),
                pages=int(it.burst.count),
                ordinary=_ordinary(it.burst.expected),
                terms=_joined(it.terms) or "—",
            )
            + _in_brackets(it.sources)
        )
    if found.term_bursts:
        yield ""
        yield _("Terms that burst:")
    for one in found.term_bursts[:most]:
        yield (
            "  "
            + ngettext(
                "{term}  {days}: {pages} page where {ordinary} are ordinary",
                "{term}  {days}: {pages} pages where {ordinary} are ordinary",
                int(one.burst.count),
            ).format(
                term=clean(one.term, 40),
                days=_days(one.first_day, one.last_day),
                pages=int(one.burst.count),
                ordinary=_ordinary(one.burst.expected),
            )
            + _in_brackets(one.sources)
        )
    if found.contrast:
        yield ""
        yield _("Terms more frequent than in the period before:")
    for term in found.contrast[:most]:
        yield "  " + term_line(term)


def term_line(term: ContrastTerm) -> str:
    """Return one term with its numbers of pages."""
    ratio = f"×{term.ratio:.3g}" if isfinite(term.ratio) else _("new")
    return ngettext(
        "{term}  {pages} page, before {before} ({ratio})",
        "{term}  {pages} pages, before {before} ({ratio})",
        term.inside,
    ).format(
        term=clean(term.term, 40), pages=term.inside, before=term.outside, ratio=ratio
    ) + _in_brackets(term.sources)


def sources_text(found: Sources) -> str:
    """Return the number of domains, and the largest one's name and share if the pages are one-sided."""
    domains = ngettext("{count} domain", "{count} domains", found.domains).format(
        count=found.domains
    )
    if not found.one_sided:
        return domains
    return _("{domains}: {share:.0%} from {largest}").format(
        domains=domains, share=found.share, largest=clean(found.largest, 80) or _("imported files")
    )


def _in_brackets(found: Sources | None) -> str:
    return f"  [{sources_text(found)}]" if found is not None else ""


def host_lines(rows: Sequence[HostRow], most: int | None) -> Iterator[str]:
    """Yield the hosts with most pages."""
    if rows:
        yield ""
        yield _("Hosts:")
    for row in rows[:most]:
        marks = f"  [{_('new')}]" if row.is_new else ""
        yield (
            "  "
            + ngettext(
                "{host}  {pages} page, {originals} not copies, {reposted} taken over by others",
                "{host}  {pages} pages, {originals} not copies, {reposted} taken over by others",
                row.pages,
            ).format(
                host=clean(row.host, 80) or _("imported files"),
                pages=row.pages,
                originals=row.originals,
                reposted=row.reposted,
            )
            + marks
        )


def comparison_lines(found: Comparison, names: tuple[str, str], most: int | None) -> Iterator[str]:
    """Yield two sets of pages, called *names*, side by side."""
    words = {
        "pages": _("pages"),
        "stories": _("stories"),
        "copies": _("copies"),
        "sites": _("sites"),
        "authors": _("authors"),
    }
    yield _("{first} → {second}").format(first=clean(names[0], 60), second=clean(names[1], 60))
    for pair in found.totals:
        yield "  " + _pair_line(words[pair.name], pair)
    if found.common_stories:
        yield "  " + _("stories in both: {count}").format(count=found.common_stories)
    for title, terms in ((names[0], found.terms_of_first), (names[1], found.terms_of_second)):
        if terms:
            yield ""
            yield _("Terms of {name}:").format(name=clean(title, 60))
            yield "  " + _joined(terms[:most])
    if found.sites:
        yield ""
        yield _("Sites whose share changed most:")
    for pair in found.sites[:most]:
        yield "  " + _pair_line(clean(pair.name, 80), pair)


def _pair_line(name: str, pair: Pair) -> str:
    change = "" if isnan(pair.change) else f"  ({pair.change:+.0%})"
    return f"{name}  {pair.first} → {pair.second}{change}"


def _bars(series: Series, step: Step) -> Iterator[str]:
    rows = grouped(series, step)
    top = max((count for _day, count in rows), default=0)
    for day, count in rows:
        bar = "█" * round(_BAR * count / top) if top else ""
        yield f"  {day_of(day)}  {bar or ('▏' if count else '')} {count}"


def _days(first: int, last: int) -> str:
    """Return a day, or the first and last of several."""
    return str(day_of(first)) if first == last else f"{day_of(first)} – {day_of(last)}"


def _joined(terms: Sequence[ContrastTerm]) -> str:
    return "、".join(clean(it.term, 40) for it in terms)


def _ordinary(count: float) -> str:
    return f"{count:.0f}" if count >= 10 else f"{count:.2g}"
