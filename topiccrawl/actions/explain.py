"""``scrapy explain URL``: why a page was stored or dropped, and how its link was scored."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.text import Text

from topiccrawl.commandline.console import make_console, progress
from topiccrawl.commandline.errors import WrongUsageError
from topiccrawl.commandline.store import choose_topic, one_argument, opened_store, store_uri
from topiccrawl.crawl.account.waiting import local_time
from topiccrawl.crawl.copies.parts import parts
from topiccrawl.crawl.refreshing.outlook import next_visit
from topiccrawl.crawl.settings.frontier import FrontierSettings
from topiccrawl.crawl.settings.politeness import PolitenessSettings
from topiccrawl.crawl.settings.refresh import RefreshSettings
from topiccrawl.dedup.signing import Signer
from topiccrawl.details import translated
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import N_, _, user_language
from topiccrawl.politeness.windows import HostWindows
from topiccrawl.reporting.explain import Explanation, HostCounts, explain, find, nearest, outside
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.text.explanation import lines, verdict_lines, verdict_word
from topiccrawl.reporting.text.versions import version_lines
from topiccrawl.reporting.words.stats import PREFIX
from topiccrawl.text.numerals import natural_key
from topiccrawl.topics.load import find_definition

if TYPE_CHECKING:
    import argparse

    from rich.console import RenderableType
    from scrapy.settings import Settings

    from topiccrawl.freshness.outlook import NextVisit
    from topiccrawl.store.contract import Store


async def explain_url(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Print the explanation of the URL for each topic, or similar URLs if there is none."""
    url = one_argument(args, N_("URL"))
    if url is None:
        raise WrongUsageError(_("which URL? usage: scrapy explain URL"))
    console = make_console(plain=True)
    async with opened_store(store_uri(opts, settings)) as store:
        named = opts.topic is not None
        topics = [await choose_topic(store, opts.topic)] if named else await store.topics()
        found = 0
        signer: Signer | None = None
        for topic in sorted(topics, key=natural_key):
            outcome = await find(store, topic, url)
            if outcome is None:
                continue
            explanation = await explain(store, outcome)
            page = explanation.page
            if not opts.versions and page is not None and page.withdrawn_at is None:
                signer = signer or Signer()
                shared = await parts(store, page, signer)
                explanation = replace(
                    explanation, gathered=shared.gathered, excerpt_of=shared.excerpt_of
                )
            if not opts.versions:
                following = await _next_visit(store, topic, outcome.url, settings)
                explanation = replace(explanation, next_visit=following)
            if found:
                console.rule()
            found += 1
            shown = await _versions(store, explanation) if opts.versions else lines(explanation)
            for line in shown:
                console.print(line, soft_wrap=True)
            if outcome.verdict == "queued" and (why := _closed(outcome.site, settings)):
                console.print(Text(why), soft_wrap=True)
        if found:
            return 0
        for topic in sorted(topics, key=natural_key):
            if (exclusion := await outside(store, topic, url)) is not None:
                why = translated(str(exclusion), user_language())
                line = _("{name}: {value}").format(name=topic, value=f"{clean(url)} {clean(why)}")
                print(line, file=sys.stderr)
        print(_("The store does not contain {url}").format(url=clean(url)), file=sys.stderr)
        with progress(_("outcomes")) as tick:
            near = await nearest(store, sorted(topics, key=natural_key), url, tick)
        for topic, counts in near.hosts.items():
            if why := await _over_budget(store, topic, counts, settings):
                print(_("{name}: {value}").format(name=topic, value=why), file=sys.stderr)
    if near.outcomes:
        print(_("Known URLs of the same host:"), file=sys.stderr)
    for outcome in near.outcomes:
        verdict = verdict_word(outcome.verdict)
        print(f"  {clean(outcome.url)}  ({outcome.topic}, {verdict})", file=sys.stderr)
    return 1


async def _next_visit(store: Store, topic: str, url: str, settings: Settings) -> NextVisit | None:
    """Return when the page is visited next, by the settings of this project."""
    try:
        seeds = [seed.url for seed in find_definition(topic).seeds]
    except (ConfigurationError, OSError):
        seeds = []  # A topic that was given as words.
    refresh = RefreshSettings.from_settings(settings)
    with progress(_("pages")) as tick:
        return await next_visit(store, topic, url, refresh, time.time(), seeds=seeds, tick=tick)


def _closed(host: str, settings: Settings) -> str:
    """Return until when *host* is outside its time window; empty if it is not."""
    politeness = PolitenessSettings.from_settings(settings)
    opens = HostWindows(politeness.windows, politeness.timezone).opens_at(host, time.time())
    if opens is None:
        return ""
    return _("{host} is outside its time window until {time} (TOPICCRAWL_HOST_WINDOWS).").format(
        host=clean(host), time=local_time(opens)
    )


async def _over_budget(store: Store, topic: str, counts: HostCounts, settings: Settings) -> str:
    """Return why no more links of a host may be fetched; empty if they are.

    Only the queue knows the budget: pages that were kept extend it unless they are lists or copies.
    """
    frontier = FrontierSettings.from_settings(settings)
    least = frontier.host_budget
    most = least + frontier.host_budget_growth * counts.kept
    if not least or counts.tried < least:
        return ""
    if counts.tried >= most:
        return _(
            "Its host has reached its budget: {n} links were tried (TOPICCRAWL_HOST_BUDGET_PAGES, and "
            "TOPICCRAWL_HOST_BUDGET_GROWTH for each page kept, make {most})."
        ).format(n=counts.tried, most=most)
    runs = await store.runs(topic)
    if not (runs and runs[-1].stats.get(f"{PREFIX}frontier/over_budget")):
        return ""
    return _(
        "Its host may have reached its budget, and the last run left out links for that: {n} links were "
        "tried, and the budget is {least} to {most} (TOPICCRAWL_HOST_BUDGET_PAGES, and "
        "TOPICCRAWL_HOST_BUDGET_GROWTH for each new page on the topic)."
    ).format(n=counts.tried, least=least, most=most)


async def _versions(store: Store, explanation: Explanation) -> list[RenderableType]:
    """Return the lines of ``--versions``: the verdict, and the versions of the page."""
    shown: list[RenderableType] = [*verdict_lines(explanation)]
    name = _("{name}: {value}").format(name=_("topic"), value=explanation.outcome.topic)
    shown.append(Text(name))
    page = explanation.page
    if page is None:
        return [*shown, Text(_("No page is stored, hence no versions."))]
    versions = await store.versions(page.topic, page.url)
    return [*shown, *version_lines(page, versions)]
