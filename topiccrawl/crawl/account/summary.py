"""The end of a run in a few lines for the terminal: what was stored, what was not, what to do next."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from heapq import nlargest
from typing import Final

from topiccrawl.crawl.account.waiting import local_time
from topiccrawl.crawl.judgments.deciding import LEARNING_PAGES
from topiccrawl.endings import stop_sentence
from topiccrawl.language import N_, _, choose, ngettext
from topiccrawl.reporting.aggregates.outcomes import Aggregate
from topiccrawl.reporting.aggregates.report_data import Counts
from topiccrawl.reporting.aggregates.tallies import ReasonCount
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.words.reasons import reason_text
from topiccrawl.store.contract import OutcomeRecord, RunRecord, Store

#: Pages and reasons listed: together they fill half a screen.
BEST_SHOWN: Final = 5
REASONS_SHOWN: Final = 6

#: What helps against a reason, and the share of a run's outcomes from which it is shown (a choice).
_ADVICE: Final = {
    "shell": N_("to run the scripts: -a browser=1, with the extra browser (docs/browser.md)"),
    "login": N_("to log in: logins.toml in the topic's folder (docs/access.md)"),
    "login-needed": N_("to log in: logins.toml in the topic's folder (docs/access.md)"),
    "private-address": N_(
        "to fetch them: a run that may contact these addresses goes on with them (docs/network.md)"
    ),
}
_ADVISED_SHARE: Final = 0.2

#: How to keep more pages, with a classifier and with a threshold that the user has set.
_KEEP_MORE = N_("-s TOPICCRAWL_BALANCE=recall, or more keywords and samples")
_LOWER = N_("lower TOPICCRAWL_RELEVANCE_THRESHOLD, or [thresholds] relevance of the topic")


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What is shown of a run that has ended."""

    run: RunRecord
    counts: Counts
    """Of this run alone, as in the report."""
    reasons: Sequence[ReasonCount]
    best: Sequence[OutcomeRecord]
    """The stored pages with the highest relevance."""
    collection: int
    """Pages of the topic in the store, of all runs, without copies."""
    near_misses: int
    """Near misses of the run that are in the store still: later judgments let others enter."""

    @property
    def waiting(self) -> int:
        """Links in the queue when the run ended."""
        return sum(self.stat(f"frontier/size/{state}") for state in ("queued", "delayed"))

    def stat(self, name: str) -> int:
        """Return the count ``topiccrawl/<name>`` of the run's record; 0 without one."""
        return int(self.run.stats.get(f"topiccrawl/{name}", 0))


@dataclass(frozen=True, slots=True)
class Commands:
    """What the user may type next."""

    topic: str
    store: str = ""
    """URI of the store if it is not that of the settings."""
    again: Sequence[str] = ()
    """Words of the command that continues the crawl, without the program; empty if there is nothing to continue."""
    learns: bool = True
    """Whether the page classifier decides, and not a threshold that the user has set."""
    program: str = "scrapy"
    """How the user calls the commands."""

    def lines(self, *, collection: bool = True, outcomes: bool = True) -> Iterator[str]:
        """Yield one line for each command: what it does, and the command.

        Nothing is exported without a *collection*, or reported and judged without *outcomes*.
        """
        store = ["--store", self.store] if self.store else []
        export = ["export", self.topic, "--out", f"{_file_name(self.topic)}.csv", *store]
        judge = ["judge", "URL", "yes", "--topic", self.topic, *store]
        commands = {
            _("report"): ["report", self.topic, *store] if outcomes else [],
            _("export"): export if collection else [],
            _("judge a page, yes or no"): judge if outcomes else [],
            _("continue"): self.again,
        }
        for what, words in commands.items():
            if words:
                command = " ".join(map(quoted, [self.program, *words]))
                yield _("  {what}: {command}").format(what=what, command=command)


def _file_name(topic: str) -> str:
    """Return *topic* without what no file name has, or what makes folders of it.

    >>> _file_name("侨批/侨乡"), _file_name("茶文化")
    ('侨批_侨乡', '茶文化')
    """
    return re.sub(r'[\\/:*?"<>|\s]+', "_", topic)


async def read_summary(store: Store, topic: str, run_id: str = "") -> RunSummary | None:
    """Read what is shown of the run *run_id*, or of the last run, from an open *store*.

    Only the outcomes of that run are read, because a collection may hold very many pages.  ``None``
    if the store has no record of the run.
    """
    runs = [run for run in await store.runs(topic) if run_id in ("", run.id)]
    if not runs:
        return None
    stored_apart = set()
    async with aclosing(store.standings(topic)) as standings:  # type: ignore[type-var]
        async for it in standings:
            if it.standing != "near-miss":
                break  # These come first.
            stored_apart.add(it.url)
    aggregate = Aggregate()
    best: list[OutcomeRecord] = []
    near_misses = 0
    async with aclosing(store.outcomes(topic, run_id=runs[-1].id)) as outcomes:  # type: ignore[type-var]
        async for outcome in outcomes:
            aggregate.add(outcome)
            near_misses += not outcome.kept and outcome.url in stored_apart
            if outcome.verdict == "stored":
                best = nlargest(BEST_SHOWN, [*best, outcome], key=lambda it: it.relevance or 0.0)
    return RunSummary(
        runs[-1],
        aggregate.total.counts(),
        aggregate.reasons.all(),
        best,
        await store.count(topic),
        near_misses,
    )


def away_line(topic: str, pages: int, folder: str) -> str:
    """Return what is shown of a run whose store did not answer at its end."""
    return ngettext(
        "{topic}: {pages} page fetched in this run. The store does not answer, therefore no summary; what "
        "was found waits in {folder}, and the same command writes it once the store is back",
        "{topic}: {pages} pages fetched in this run. The store does not answer, therefore no summary; what "
        "was found waits in {folder}, and the same command writes it once the store is back",
        pages,
    ).format(topic=topic, pages=pages, folder=folder)


def summary_lines(summary: RunSummary, commands: Commands, head: Sequence[str] = ()) -> list[str]:
    """Format the end of a run; *commands* fill the last part, *head* replaces the first."""
    parts = [
        head or _head(summary),
        _best(summary.best),
        _not_kept(summary.reasons, shells_were_run=summary.stat("browser/pages") > 0),
        _near_misses(summary, learns=commands.learns),
    ]
    collection = summary.collection > 0
    outcomes = collection or summary.counts.fetched > 0
    following = list(commands.lines(collection=collection, outcomes=outcomes))
    if following:
        following.insert(0, _("Next:"))
    return [line for part in (*parts, following) if part for line in ("", *part)]


def quoted(word: str) -> str:
    """Quote *word* for a shell; unlike ``shlex.quote``, leave Chinese unquoted if possible."""
    return word if re.fullmatch(r"[\w@%+=:,./-]+", word) else shlex.quote(word)


def _head(summary: RunSummary) -> list[str]:
    counts, run = summary.counts, summary.run
    lines = [
        ngettext(
            "{topic}: {stored} page stored in this run, {collection} in the collection",
            "{topic}: {stored} pages stored in this run, {collection} in the collection",
            counts.stored,
        ).format(topic=clean(run.topic), stored=counts.stored, collection=summary.collection),
        ngettext(
            "{fetched} page fetched, {rate:.1%} on the topic, kept or not (harvest rate); "
            "{waiting} links are waiting",
            "{fetched} pages fetched, {rate:.1%} on the topic, kept or not (harvest rate); "
            "{waiting} links are waiting",
            counts.fetched,
        ).format(fetched=counts.fetched, rate=counts.harvest, waiting=summary.waiting),
    ]
    if left := summary.stat("pages/withdrawn"):
        lines.append(
            ngettext(
                "{left} page has left the collection, judged again by what was learned since",
                "{left} pages have left the collection, judged again by what was learned since",
                left,
            ).format(left=left)
        )
    if visits := summary.stat("refresh/visited"):
        lines.append(
            ngettext(
                "{visits} page or list was visited again; pages stored again with another text: {changed}",
                "{visits} pages and lists were visited again; pages stored again with another text: {changed}",
                visits,
            ).format(visits=visits, changed=summary.stat("refresh/rewritten"))
        )
    lines += copies_lines(counts.copies)
    if run.stop_reason:
        why = _(stop_sentence(run.stop_reason, counts.fetched, summary.stat("frontier/size/done")))
        lines.append(_("Stopped because {why}.").format(why=why))
    lines += _limits(summary)
    if hosts := summary.stat("blocked/hosts"):
        lines.append(
            ngettext(
                "{count} host answered with block pages or captchas to the end.",
                "{count} hosts answered with block pages or captchas to the end.",
                hosts,
            ).format(count=hosts)
        )
    return lines


def copies_lines(copies: int) -> list[str]:
    """Return the line about *copies* that a run has stored; none without copies."""
    if not copies:
        return []
    line = ngettext(
        "{count} copy of a page was stored with it.",
        "{count} copies of pages were stored with them.",
        copies,
    )
    return [line.format(count=copies)]


def _limits(summary: RunSummary) -> Iterator[str]:
    """Yield which limits have kept links from being fetched, and proxies that did not work."""
    if links := summary.stat("windows/links"):
        yield ngettext(
            "{n} link waits for the time window of its host (TOPICCRAWL_HOST_WINDOWS), which opens {time}.",
            "{n} links wait for the time windows of their hosts (TOPICCRAWL_HOST_WINDOWS); the first opens "
            "{time}.",
            links,
        ).format(n=links, time=local_time(summary.stat("windows/opens")))
    if links := summary.stat("frontier/over_budget"):
        yield ngettext(
            "{n} link was not taken up: its host had reached its budget of pages "
            "(TOPICCRAWL_HOST_BUDGET_PAGES).",
            "{n} links were not taken up: their hosts had reached their budgets of pages "
            "(TOPICCRAWL_HOST_BUDGET_PAGES).",
            links,
        ).format(n=links)
    if resting := summary.stat("proxies/unusable"):
        yield _("{n} of {all} proxies did not work at the end; the log names them.").format(
            n=resting, all=summary.stat("proxies/known")
        )


def _best(pages: Sequence[OutcomeRecord]) -> list[str]:
    lines = [_("Best pages:")] if pages else []
    for page in pages:
        lines.append(f"  {page.relevance or 0.0:.3f}  {clean(page.title)}")
        lines.append(f"         {clean(page.url)}")
    return lines


def _not_kept(reasons: Sequence[ReasonCount], *, shells_were_run: bool) -> list[str]:
    lines = [_("Not kept, and why:")] if reasons else []
    enough = _ADVISED_SHARE * sum(reason.count for reason in reasons)
    for reason in reasons[:REASONS_SHOWN]:
        failed = _(" (failed)") if reason.verdict == "failed" else ""
        lines.append(f"  {reason.count:>5}  {choose(*reason_text(reason.reason))}{failed}")
        useless = reason.reason == "shell" and shells_were_run
        if reason.reason in _ADVICE and reason.count >= enough and not useless:
            lines.append(f"         {_(_ADVICE[reason.reason])}")
    rest = sum(reason.count for reason in reasons[REASONS_SHOWN:])
    if rest:
        lines.append(_("  {count:>5}  for other reasons").format(count=rest))
    return lines


def _near_misses(summary: RunSummary, *, learns: bool) -> list[str]:
    how = _(_KEEP_MORE if learns else _LOWER)
    if not summary.near_misses:
        if summary.collection or all(it.reason != "off-topic" for it in summary.reasons):
            return []
        return [
            _(
                "No page was on the topic. `scrapy topics {topic}` shows its words. To keep more: {how}"
            ).format(topic=quoted(summary.run.topic), how=how)
        ]
    lines = [
        ngettext(
            "{count} near miss: stored apart, and kept if it is judged on topic later.",
            "{count} near misses: stored apart, and kept if they are judged on topic later.",
            summary.near_misses,
        ).format(count=summary.near_misses),
        _("  Judging one with yes (see below) takes it in; the crawler learns from it."),
    ]
    if summary.near_misses >= summary.counts.stored + (LEARNING_PAGES if learns else 0):
        lines.append(_("  To keep more: {how}").format(how=how))
    return lines
