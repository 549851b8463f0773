"""``scrapy explain URL``: why a page was stored or dropped, and how its link was scored."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.text import Text
from scrapy.exceptions import UsageError

from topiccrawl.commandline.console import make_console, progress
from topiccrawl.commandline.store import (
    choose_topic,
    one_argument,
    opened_store,
    store_uri,
)
from topiccrawl.crawl.copies.parts import parts
from topiccrawl.crawl.refreshing.outlook import next_visit
from topiccrawl.crawl.settings.refresh import RefreshSettings
from topiccrawl.dedup.signing import Signer
from topiccrawl.details import translated
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import N_, _, user_language
from topiccrawl.reporting.explain import explain, find, nearest, outside
from topiccrawl.reporting.explain_text import lines, verdict_lines, verdict_word
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.versions_text import version_lines
from topiccrawl.topics.load import find_definition

if TYPE_CHECKING:
    import argparse

    from rich.console import RenderableType
    from scrapy.settings import Settings

    from topiccrawl.freshness.outlook import NextVisit
    from topiccrawl.reporting.explain import Explanation
    from topiccrawl.store.contract import Store


async def explain_url(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Print the explanation of the URL for each topic, or similar URLs if there is none."""
    url = one_argument(args, N_("URL"))
    if url is None:
        raise UsageError(_("which URL? usage: scrapy explain URL"), print_help=False)
    console = make_console(plain=True)
    async with opened_store(store_uri(opts, settings)) as store:
        named = opts.topic is not None
        topics = [await choose_topic(store, opts.topic)] if named else await store.topics()
        found = 0
        signer: Signer | None = None
        for topic in sorted(topics):
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
        if found:
            return 0
        for topic in sorted(topics):
            if (exclusion := await outside(store, topic, url)) is not None:
                why = translated(str(exclusion), user_language())
                print(f"{topic}: {clean(url)} {clean(why)}", file=sys.stderr)
        print(_("The store does not contain {url}").format(url=clean(url)), file=sys.stderr)
        with progress(_("outcomes")) as tick:
            near = await nearest(store, sorted(topics), url, tick)
    if near:
        print(_("Known URLs of the same host:"), file=sys.stderr)
    for outcome in near:
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


async def _versions(store: Store, explanation: Explanation) -> list[RenderableType]:
    """Return the lines of ``--versions``: the verdict, and the versions of the page."""
    shown: list[RenderableType] = [*verdict_lines(explanation)]
    page = explanation.page
    if page is None:
        return [*shown, Text(_("No page is stored, hence no versions."))]
    versions = await store.versions(page.topic, page.url)
    return [*shown, *version_lines(page, versions)]
