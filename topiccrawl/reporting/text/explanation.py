"""An explanation as text for the terminal, in the user's language."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from topiccrawl.details import translated
from topiccrawl.language import N_, _, bracketed, choose, clauses, listed, user_language
from topiccrawl.page.notcontent.kinds import KINDS as NOT_CONTENT
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.scale import china_day, moment, short
from topiccrawl.reporting.text.visits import next_visit_facts, visit_text
from topiccrawl.reporting.words.labels import KINDS
from topiccrawl.reporting.words.parts import JUDGMENT_PARTS, PARTS, WordedPart, worded_parts
from topiccrawl.reporting.words.reasons import JUDGED_REASONS, reason_text
from topiccrawl.store.reasons import BY_USER, DELETED
from topiccrawl.store.records import PAGES, OutcomeRecord, PageRecord

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from topiccrawl.reporting.explain import Ancestor, Explanation

#: Longest URL shown whole: the limit on which browsers and servers agree.
MAX_URL = 2_083

#: Characters of one fact shown; a summary of three sentences has some 200, in English 500.
MAX_FACT = 600

_VERDICTS = {
    "stored": N_("This URL was stored"),
    "duplicate": N_("This URL was stored as a copy of another page"),
    "dropped": N_("This URL was fetched and not kept"),
    "failed": N_("This URL could not be fetched"),
    "queued": N_("This URL is still waiting to be fetched"),
}

_FOUND_BY = next(
    (it.declaration.zh, it.declaration.en) for it in PAGES.fields if it.name == "found_by"
)

_VERDICT_WORDS = {
    "stored": N_("stored"),
    "duplicate": N_("a copy"),
    "dropped": N_("not stored"),
    "failed": N_("failed"),
    "queued": N_("waiting in the queue"),
}


def verdict_word(verdict: str) -> str:
    """Return a verdict in a word or two of the user's language."""
    return _(_VERDICT_WORDS.get(verdict, verdict))


def lines(explanation: Explanation) -> Iterator[RenderableType]:
    """Yield the lines to print, from the verdict down to the details."""
    outcome = explanation.outcome
    yield from verdict_lines(explanation)
    yield Text("")
    yield from _facts(explanation)
    yield from _judgment(outcome)
    yield from _relevance(outcome)
    if outcome.reason != DELETED:  # the link went with the page
        yield from _score(outcome)
        yield from _chain(explanation)
    yield from _attachments(explanation)
    yield from _story(explanation)


def verdict_lines(explanation: Explanation) -> Iterator[Text]:
    """Yield URL, title and verdict, and whether the page is gone from its site."""
    outcome, page = explanation.outcome, explanation.page
    yield Text(clean(outcome.url, MAX_URL), style="bold")
    if title := clean(outcome.title):
        yield Text(title)
    yield from sentences(outcome)
    if page is not None and page.gone_at is not None:
        since = moment(page.gone_at)
        yield Text(
            _(
                "The page has been gone from its site since {since} (UTC+8); it stays stored."
            ).format(since=since)
        )


def sentences(outcome: OutcomeRecord) -> list[Text]:
    """Return the verdict in one sentence, and the detail where it adds something."""
    why = _(": {reason}").format(reason=choose(*reason_text(outcome.reason)))
    detail = clean(translated(outcome.detail, user_language()))
    sentence = _(_VERDICTS[outcome.verdict]) + (why if outcome.reason else "") + _numbers(outcome)
    result = [Text(_("{sentence}.").format(sentence=sentence))]
    if detail and not _explained_by_probability(outcome):
        result.append(Text(f"  {detail}", style="dim"))
    return result


def _explained_by_probability(outcome: OutcomeRecord) -> bool:
    """Return whether the sentence has it all; the detail has the numbers of an earlier judgment then."""
    if outcome.probability is None or outcome.probability_threshold is None:
        return False
    enough = outcome.probability >= outcome.probability_threshold
    return outcome.reason in JUDGED_REASONS and enough == outcome.kept


def _numbers(outcome: OutcomeRecord) -> str:
    """Return the numbers that decided, for the sentence: those of the classifier if it has judged."""
    if outcome.reason in BY_USER:  # the user has decided, whatever the numbers
        return ""
    if outcome.reason in NOT_CONTENT:  # a login or error page is not compared with the topic
        return ""
    if outcome.probability is not None and outcome.probability_threshold is not None:
        values = _compared(outcome.probability, outcome.probability_threshold)
        return _(", probability and threshold {values}").format(values=values)
    if outcome.relevance is not None and outcome.threshold is not None:
        values = _compared(outcome.relevance, outcome.threshold)
        return _(", relevance and threshold {values}").format(values=values)
    return ""


def _compared(value: float, threshold: float) -> str:
    return f"{value:.3f} {'>=' if value >= threshold else '<'} {threshold:.3f}"


def _judgment(outcome: OutcomeRecord) -> Iterator[RenderableType]:
    """Yield what the classifier's judgment consists of."""
    if not outcome.judgment_parts:
        return
    probability = outcome.probability
    shown = "" if probability is None else f" {probability:.3f}"
    yield _heading(_("Parts of the probability"), shown)
    parts = worded_parts(outcome.judgment_parts, JUDGMENT_PARTS)
    yield from _parts_table(parts)


def _facts(explanation: Explanation) -> Iterator[RenderableType]:
    outcome, page = explanation.outcome, explanation.page
    facts = [(_("topic"), outcome.topic), (_("run"), outcome.run_id)]
    order = _(", no. {n}").format(n=outcome.sequence) if outcome.sequence else ""
    facts.append((_("time"), f"{moment(outcome.at)}{bracketed('UTC+8')}{order}"))
    if explanation.visit is not None:
        facts.append(
            (_("last visit"), f"{moment(explanation.visit.visited_at)}{bracketed('UTC+8')}")
        )
        if (visits := visit_text(explanation.visit)) is not None:
            facts.append((_("visits"), visits))
    if explanation.next_visit is not None:
        facts += next_visit_facts(explanation.next_visit)
    elif page is not None and page.copy_of:
        facts.append((_("next visit"), _("none: copies are not visited again")))
    if explanation.near_miss:
        facts.append(
            (_("near miss"), _("stored apart; may enter the collection when judged again"))
        )
    if outcome.link.found_by and (page is None or not page.found_by):
        facts.append((choose(*_FOUND_BY), _found_by(outcome.link.found_by)))
    if page is not None:
        known = ((_("charset"), page.charset), (_("language"), page.language))
        facts += [it for it in known if it[1]]
        facts += [(choose(zh, en), value) for zh, en, value in _page_facts(page)]
        if page.final_url != page.url:
            facts.append((_("final URL"), page.final_url))
    for name, value in facts:
        yield Text(_("{name}: {value}").format(name=name, value=clean(value, MAX_FACT)))


def _page_facts(page: PageRecord) -> Iterator[tuple[str, str, str]]:
    """Yield the headings and the text of each field that is declared to be explained."""
    for field in PAGES.fields:
        value = getattr(page, field.name)
        if field.declaration.explained and (value or value == 0):
            text = _found_by(value) if field.name == "found_by" else _fact_text(value)
            if field.name == "kind":
                text = choose(*KINDS.get(text, (text, text)))
            yield field.declaration.zh, field.declaration.en, text


def _found_by(lines: str) -> str:
    """Return how a page was found, in the user's language."""
    return clauses(translated(line, user_language()) for line in lines.splitlines())


def _fact_text(value: object) -> str:
    if isinstance(value, datetime):
        return str(china_day(value))
    if isinstance(value, float):
        return short(value)
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return str(value)


def _relevance(outcome: OutcomeRecord) -> Iterator[RenderableType]:
    if not outcome.main_terms:
        return
    numbers = ""
    if outcome.relevance is not None:
        numbers = f" {outcome.relevance:.3f}"
        if outcome.threshold is not None:
            numbers += _(" (threshold {value:.3f})").format(value=outcome.threshold)
    yield _heading(_("Terms that contributed to the relevance"), numbers)
    table = _table(_("term"), _("contribution"), _("share"))
    for term, value in outcome.main_terms:
        share = f"{100 * value / outcome.relevance:.1f}%" if outcome.relevance else "—"
        table.add_row(Text(clean(term, 40)), f"{value:.3f}", share)
    yield table


def _score(outcome: OutcomeRecord) -> Iterator[RenderableType]:
    link = outcome.link
    yield _heading(_("Link score"), f" {short(link.score)}")
    if anchor := clean(link.anchor):
        yield Text(_("link text: {anchor}").format(anchor=anchor))
    if not link.parts:
        yield Text(_("No parts of the score were recorded."), style="dim")
        return
    yield from _parts_table(worded_parts(link.parts, PARTS))


def _parts_table(parts: Sequence[WordedPart]) -> Iterator[RenderableType]:
    """Yield a table of *parts*, and what their signs mean."""
    table = _table(_("part"), _("value"), _("short name"))
    for part in parts:
        name = Text(clean(part.name, 40), style="dim")
        table.add_row(Text(clean(part.word, 100)), part.shown, name)
    yield table
    if any(part.is_signed for part in parts):
        yield Text(
            _("With a sign: log-odds, + speaks for the topic and - against it."), style="dim"
        )


def _chain(explanation: Explanation) -> Iterator[RenderableType]:
    yield _heading(_("The way here, back to the seed"))
    found_by = explanation.outcome.link.found_by
    if not explanation.chain and found_by:
        yield Text(_("No page led here: {ways}.").format(ways=clean(_found_by(found_by), MAX_FACT)))
    elif not explanation.chain:
        yield Text(_("This URL is a seed."))
    for step, ancestor in enumerate(explanation.chain, 1):
        yield Text(f"{step:>3} ← {_known(ancestor)}")
    if explanation.circular:
        yield Text(_("    ← back to a page passed before"), style="dim")
    elif explanation.chain:
        last = explanation.chain[-1].outcome
        if last is None:
            yield Text(_("    nothing is stored about that page"), style="dim")
        elif last.link.parent is None and last.link.found_by:
            yield Text(f"    {clean(_found_by(last.link.found_by), MAX_FACT)}", style="dim")
        elif last.link.parent is None:
            yield Text(_("    seed"), style="dim")


def _known(ancestor: Ancestor) -> str:
    outcome = ancestor.outcome
    if outcome is None:
        return clean(ancestor.url, MAX_URL)
    known = [verdict_word(outcome.verdict)]
    if outcome.relevance is not None:
        known.append(f"{outcome.relevance:.3f}")
    title = f" {clean(outcome.title, 60)}" if outcome.title else ""
    return f"{clean(ancestor.url, MAX_URL)}{title}{bracketed(listed(known))}"


def _attachments(explanation: Explanation) -> Iterator[RenderableType]:
    """Yield the page of a document, and the documents of a page."""
    if explanation.attached_to is not None:
        yield _heading(_("Attachment of"))
        yield Text(f"  {_known(explanation.attached_to)}")
    if explanation.attachments:
        yield _heading(_("Attachments"))
        for page in explanation.attachments:
            yield Text(f"  {clean(page.url, MAX_URL)}  {clean(page.title, 60)}")
        if explanation.more_attachments:
            more = _("  … and {count} more").format(count=explanation.more_attachments)
            yield Text(more, style="dim")


def _story(explanation: Explanation) -> Iterator[RenderableType]:
    if explanation.original is not None:
        yield _heading(_("Copy of"))
        yield Text(f"  {_known(explanation.original)}")
        if explanation.page is not None:
            yield from _relation(explanation.page)
    if explanation.copies:
        yield _heading(_("Other copies of this story") if explanation.original else _("Copies"))
        for page in explanation.copies:
            yield Text(f"  {clean(page.url, MAX_URL)}  {clean(page.title, 60)}")
            yield from _relation(page)
        if explanation.more_copies:
            yield Text(_("  … and {count} more").format(count=explanation.more_copies), style="dim")
    if explanation.excerpt_of:
        yield _urls(_("An excerpt of {urls}"), explanation.excerpt_of)
    if explanation.gathered:
        yield _urls(_("Gathers the texts of {urls}"), explanation.gathered)


def _urls(message: str, urls: Sequence[str]) -> Text:
    return _heading(message.format(urls=listed(clean(url, MAX_URL) for url in urls)))


def _relation(page: PageRecord) -> Iterator[RenderableType]:
    """Yield what a copy is to its original, and why."""
    if text := relation_text(page):
        yield Text(f"    {clean(text, MAX_FACT)}", style="dim")


def relation_text(page: PageRecord) -> str:
    """Return what a copy is to its original, and why, in one line."""
    words = [choose(*reason_text(page.relation))] if page.relation else []
    words += [translated(detail, user_language()) for detail in page.relation_detail]
    return clauses(words)


def _heading(text: str, tail: str = "") -> Text:
    return Text(f"\n{text}{tail}", style="bold")


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index == 1 else "left", overflow="fold")
    return table
