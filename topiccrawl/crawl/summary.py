"""The end of a run in a few lines for the terminal: what was stored, what was not, what to do next."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from topiccrawl.crawl.ending import stop_sentence
from topiccrawl.language import _, user_language
from topiccrawl.reporting.collect import collect
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.words import reason_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from topiccrawl.reporting.data import ReportData
    from topiccrawl.store.contract import Store

__all__ = ["Commands", "RunSummary", "quoted", "read_summary", "summary_lines"]

#: Pages and reasons listed: together they fill half a screen.
BEST_SHOWN: Final = 5
REASONS_SHOWN: Final = 6


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What is shown of a run that has ended."""

    data: ReportData
    """The report's figures of this run alone."""
    collection: int
    """Pages of the topic in the store, of all runs."""

    @property
    def waiting(self) -> int:
        """Links in the queue when the run ended."""
        return sum(self.stat(f"frontier/size/{state}") for state in ("queued", "delayed"))

    @property
    def near_misses(self) -> int:
        """Near misses that the run has stored."""
        return self.stat("pages/near_misses")

    def stat(self, name: str) -> int:
        """Return the count ``topiccrawl/<name>`` of the run's record; 0 without one."""
        run = self.data.last_run
        return 0 if run is None else int(run.stats.get(f"topiccrawl/{name}", 0))


@dataclass(frozen=True, slots=True)
class Commands:
    """What the user may type next."""

    topic: str
    store: str = ""
    """URI of the store if it is not that of the settings."""
    again: Sequence[str] = ()
    """Words of the command that continues the crawl; empty if nothing is left or it cannot be continued."""

    def lines(self) -> Iterator[str]:
        """Yield one line for each command: what it does, and the command."""
        store = ["--store", self.store] if self.store else []
        commands = {
            _("report"): ["scrapy", "report", self.topic, *store],
            _("export"): ["scrapy", "export", self.topic, "--out", f"{self.topic}.csv", *store],
            _("judge a page, yes or no"): [
                "scrapy",
                "judge",
                "URL",
                "yes",
                "--topic",
                self.topic,
                *store,
            ],
            _("continue"): self.again,
        }
        for what, words in commands.items():
            if words:
                yield _("  {what}: {command}").format(
                    what=what, command=" ".join(map(quoted, words))
                )


async def read_summary(store: Store, topic: str, run_id: str = "") -> RunSummary:
    """Read from an open *store* what is shown of the run *run_id*, or of the last run."""
    run_id = run_id or (await store.runs(topic))[-1].id
    data = await collect(store, topic, run_id=run_id, generated_at=datetime.now(UTC))
    return RunSummary(data, await store.count(topic))


def summary_lines(summary: RunSummary, commands: Commands) -> list[str]:
    """Format the end of a run; *commands* fill the last part."""
    parts = [_head(summary), _best(summary.data), _not_kept(summary.data), _near_misses(summary)]
    following = [_("Next:"), *commands.lines()]
    return [line for part in (*parts, following) if part for line in ("", *part)]


def quoted(word: str) -> str:
    """Quote *word* for a shell; unlike ``shlex.quote``, leave Chinese unquoted if possible."""
    return word if re.fullmatch(r"[\w@%+=:,./-]+", word) else shlex.quote(word)


def _head(summary: RunSummary) -> list[str]:
    data, run = summary.data, summary.data.last_run
    counts = data.counts
    lines = [
        _("{topic}: {stored} pages stored in this run, {collection} in the collection").format(
            topic=clean(data.topic), stored=counts.stored, collection=summary.collection
        ),
        _("{fetched} pages fetched, harvest rate {rate:.1%}; {waiting} links are waiting").format(
            fetched=counts.fetched, rate=counts.harvest, waiting=summary.waiting
        ),
    ]
    if run is not None and run.stop_reason:
        why = _(stop_sentence(run.stop_reason, counts.fetched))
        lines.append(_("Stopped because {why}.").format(why=why))
    return lines


def _best(data: ReportData) -> list[str]:
    if not data.best:
        return []
    lines = [_("Best pages:")]
    for page in data.best[:BEST_SHOWN]:
        lines += [f"  {page.relevance:.3f}  {clean(page.title)}", f"         {clean(page.url)}"]
    return lines


def _not_kept(data: ReportData) -> list[str]:
    if not data.reasons:
        return []
    language = 0 if user_language() == "zh" else 1
    lines = [_("Not kept, and why:")]
    for reason in data.reasons[:REASONS_SHOWN]:
        failed = _(" (failed)") if reason.verdict == "failed" else ""
        lines.append(f"  {reason.count:>5}  {reason_text(reason.reason)[language]}{failed}")
    rest = sum(reason.count for reason in data.reasons[REASONS_SHOWN:])
    if rest:
        lines.append(_("  {count:>5}  for other reasons").format(count=rest))
    return lines


def _near_misses(summary: RunSummary) -> list[str]:
    if not summary.near_misses:
        return []
    return [
        _("{count} near misses: just below the threshold, stored apart.").format(
            count=summary.near_misses
        ),
        _("  `scrapy judge URL yes` takes one in; the crawler learns from it."),
    ]
