"""``scrapy brief``: propose a briefing of a period, or take a kept one, and write it to files."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, cast

from topiccrawl.actions.report import dated
from topiccrawl.briefing.files import choose_format, content
from topiccrawl.briefing.making import make_briefing
from topiccrawl.briefing.masking import masked_briefing
from topiccrawl.briefing.proposal import Limits
from topiccrawl.briefing.reading import Period
from topiccrawl.commandline.console import progress
from topiccrawl.commandline.errors import CommandError
from topiccrawl.commandline.store import choose_topic, one_argument, opened_store, store_uri
from topiccrawl.export.atomic import output_stream
from topiccrawl.export.selection import parse_span
from topiccrawl.language import N_, _

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

    from topiccrawl.briefing.model import Briefing
    from topiccrawl.language import Language
    from topiccrawl.store.contract import Store

#: Most entries of a section: a file of more is no briefing (a choice).
_MOST_ENTRIES: Final = 500


async def brief(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Check the options, then propose the briefing and write it."""
    now = datetime.now(UTC)
    if not 1 <= opts.entries <= _MOST_ENTRIES:
        raise CommandError(
            _("--entries must be 1 to {most}, got {n}").format(most=_MOST_ENTRIES, n=opts.entries)
        )
    if not opts.out:
        raise CommandError(_("--out FILE is needed; extensions: docx, html, md"))
    formats = [choose_format(out, opts.format) for out in opts.out]
    async with opened_store(store_uri(opts, settings)) as store:
        topic = await choose_topic(store, one_argument(args, N_("topic")))
        briefing = await _proposal(store, topic, opts, now)
    shown = briefing if opts.unmasked else masked_briefing(briefing)
    count = sum(1 for _entry in briefing.entries())
    for out, format_ in zip(opts.out, formats, strict=True):
        path = dated(out, now)
        data = content(shown, format_, cast("Language", opts.lang))
        with output_stream(path) as stream:
            stream.write(data)
        if path != "-":
            print(
                _("{path}: {count} of {stories} stories").format(
                    path=path, count=count, stories=briefing.stories
                )
            )
    return 0


async def _proposal(store: Store, topic: str, opts: argparse.Namespace, now: datetime) -> Briefing:
    """Return the proposal that the options ask for."""
    span = parse_span("", opts.since, opts.until, now)
    limits = Limits(opts.entries, opts.entries, min(opts.entries, Limits().category))
    with progress(_("pages")) as tick:
        briefing = await make_briefing(
            store, topic, Period(span.since, span.until), now=now, limits=limits, tick=tick
        )
    return replace(briefing, title=opts.title or "", organization=opts.organization or "")
