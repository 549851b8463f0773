"""``scrapy alerts``: rounds of warnings, tests of channels, and lists."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from topiccrawl.alerts.channels.contract import SendFailed
from topiccrawl.alerts.channels.sending import send_test
from topiccrawl.alerts.disks import disk_alerts
from topiccrawl.alerts.feed import atom_feed
from topiccrawl.alerts.reader import read_alerts
from topiccrawl.alerts.reading import Delivery, Recorded, recorded
from topiccrawl.alerts.records import Alert
from topiccrawl.alerts.service import AlertService, Round
from topiccrawl.alerts.settings import AlertSettings, ChannelSettings
from topiccrawl.alerts.summary import STATE_NAMES, rule_summary
from topiccrawl.alerts.texts import describe
from topiccrawl.alerts.watch import Watch
from topiccrawl.commandline.console import make_console
from topiccrawl.commandline.errors import CommandError, fail, system_problem
from topiccrawl.commandline.options import check_limit, output_path
from topiccrawl.commandline.store import choose_topic, one_argument, opened_store, store_uri
from topiccrawl.commandline.streams import print_json
from topiccrawl.crawl.settings.alerts import WarningSettings
from topiccrawl.errors import ConfigurationError, OptionError, StoreUnavailable, of_setting
from topiccrawl.export.atomic import output_stream
from topiccrawl.language import N_, _, bracketed, clauses, labeled, listed, ngettext, user_language
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.when import parse_when

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

    from topiccrawl.store.contract import Store

#: Least seconds between two rounds.
_LEAST_SECONDS: Final = 1.0
#: Most, four months (a guess: nobody waits so long).
_MOST_SECONDS: Final = 10_000_000


async def alerts(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Check the options, then do what they ask for."""
    if opts.every is not None and not _LEAST_SECONDS <= opts.every <= _MOST_SECONDS:
        raise OptionError(
            _("--every must be {least:g} to {most:,} seconds, got {value:g}").format(
                least=_LEAST_SECONDS, most=_MOST_SECONDS, value=opts.every
            )
        )
    check_limit(opts)
    since = parse_when("--since", opts.since, datetime.now(UTC)) if opts.since else None
    uri = store_uri(opts, settings)
    named = one_argument(args, N_("topic"))
    file = _file(opts, settings)
    if opts.list or (opts.feed and not file):
        link = _declared(file, opts, to_send=False).link if opts.feed and file else ""
        async with opened_store(uri) as store:
            topic = await choose_topic(store, named)
            await _write_feed(store, topic, link, opts.feed)
            if opts.list:
                found = await recorded(store, topic, opts.limit)
                with _beside_feed(opts.feed):
                    _show(found, as_json=opts.json)
        return 0
    if not file:
        raise CommandError(_("no rules are given: use --file alerts.toml or set TOPICCRAWL_ALERTS"))
    declared = _declared(file, opts, to_send=not (opts.check or opts.test))
    if opts.test:
        return await _test(declared, opts.test, named)
    if opts.check:
        async with opened_store(uri) as store:
            return await _check(store, await choose_topic(store, named), declared, since, opts)
    return await _rounds(uri, named, declared, since, opts)


async def _rounds(
    uri: str,
    named: str | None,
    declared: AlertSettings,
    since: datetime | None,
    opts: argparse.Namespace,
) -> int:
    """Make one round, or one every so many seconds: then a store that is away is waited for.

    Each round opens the store: a file that was moved away, or replaced by a copy of it, is noticed.
    """
    _check_feed(opts.feed)
    service: AlertService | None = None
    topic = ""
    while True:
        try:
            async with _writable(uri) as store:
                if service is None:
                    topic = await choose_topic(store, named)
                    service = AlertService(store, topic, declared)
                service.use(store)
                with _beside_feed(opts.feed):
                    code = await _round(service, uri, topic, declared, since)
                since = None
                await _write_feed(store, topic, declared.link, opts.feed)
        except (StoreUnavailable, ConfigurationError) as error:
            # Whoever watches goes on when the store is back; what was missed is found then.  A file that
            # was there is away; one that never was is a mistake.
            mistaken = service is None and isinstance(error, ConfigurationError)
            if opts.every is None or mistaken:
                raise
            code = fail(_("the store does not answer: {error}").format(error=error))
        except OSError as error:
            # A full disk, under the feed or what is printed: the next round writes again.
            if opts.every is None or service is None or isinstance(error, BrokenPipeError):
                raise
            code = fail(system_problem(error))
        if opts.every is None:
            return code
        await asyncio.sleep(opts.every)


def _check_feed(feed: str | None) -> None:
    """Raise OSError if the folder of the feed is not there, before anything is sent."""
    if feed and feed != "-" and not Path(feed).expanduser().parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), feed)


def _beside_feed(feed: str | None) -> AbstractContextManager[object]:
    """Send what is printed to standard error if the feed goes to standard output."""
    return redirect_stdout(sys.stderr) if feed == "-" else nullcontext()


def _file(opts: argparse.Namespace, settings: Settings) -> str:
    return str(opts.file or WarningSettings.from_settings(settings).alerts)


def _declared(file: str, opts: argparse.Namespace, *, to_send: bool) -> AlertSettings:
    """Return what *file* declares; an error names the setting, unless an option gives the file."""
    with nullcontext() if opts.file else of_setting("TOPICCRAWL_ALERTS"):
        return read_alerts(Path(file), to_send=to_send)


@asynccontextmanager
async def _writable(uri: str) -> AsyncIterator[Store]:
    # A store that does not exist is an error, not created.
    async with opened_store(uri):
        pass
    async with opened_store(uri, read_only=False) as store:
        yield store


async def _round(
    service: AlertService,
    uri: str,
    topic: str,
    declared: AlertSettings,
    since: datetime | None,
) -> int:
    more = disk_alerts(topic, uri, declared, datetime.now(UTC))
    made = await service.round(since=since, more=more)
    for line in _round_lines(made):
        print(line)
    sys.stdout.flush()  # a log shows each round when it was made
    if made.delivered.error:
        return fail(
            ngettext(
                "{n} message could not be sent: {error}",
                "{n} messages could not be sent: {error}",
                made.delivered.failed,
            ).format(n=made.delivered.failed, error=made.delivered.error)
        )
    return 0


def _round_lines(made: Round) -> list[str]:
    done = made.delivered
    line = ngettext("{n} new warning", "{n} new warnings", len(made.found)).format(
        n=len(made.found)
    )
    line += ngettext(
        ", {sent} message sent, {waiting} wait", ", {sent} messages sent, {waiting} wait", done.sent
    ).format(sent=done.sent, waiting=done.waiting)
    lines = [line, *(f"  {_line(it)}" for it in made.found)]
    if done.unconfirmed:
        lines.append(
            ngettext(
                "{n} message is unconfirmed: a process ended while it sent it",
                "{n} messages are unconfirmed: a process ended while it sent them",
                done.unconfirmed,
            ).format(n=done.unconfirmed)
        )
    if done.given_up:
        lines.append(
            ngettext(
                "{n} message was given up", "{n} messages were given up", done.given_up
            ).format(n=done.given_up)
        )
    return lines


def _line(alert: Alert) -> str:
    described = describe(alert, user_language())
    details = clauses(described.details)
    if not details:
        return described.headline
    return _("{kind}: {headline} ({details})").format(
        kind=described.label, headline=described.headline, details=details
    )


async def _check(
    store: Store,
    topic: str,
    declared: AlertSettings,
    since: datetime | None,
    opts: argparse.Namespace,
) -> int:
    found = await Watch(store, topic, declared).look(since)
    if opts.json:
        print_json([_value(it) for it in found.alerts[: opts.limit]])
        return _check_channels(declared)
    console = make_console(plain=True)
    console.print(
        _("Rules: {rules}; channels: {channels} ({names})").format(
            rules=len(declared.rules),
            channels=len(declared.channels),
            names=listed(declared.channel_names) or _("none"),
        )
    )
    for rule in (it for it in declared.rules if it.takes_topic(topic)):
        name, kind, condition, _channels = map(clean, rule_summary(rule))
        count = sum(rule.name in it.rules for it in found.alerts)
        console.print(f"  {count:>5}  {name}{bracketed(labeled(kind, condition))}", soft_wrap=True)
    console.print(
        ngettext(
            "{n} warning since {when}; nothing is recorded or sent",
            "{n} warnings since {when}; nothing is recorded or sent",
            len(found.alerts),
        ).format(n=len(found.alerts), when=_time(found.start))
    )
    for alert in found.alerts[: opts.limit]:
        console.print(f"  {_line(alert)}", soft_wrap=True)
    return _check_channels(declared)


def _check_channels(declared: AlertSettings) -> int:
    """Say which channels cannot send."""
    return max([0, *map(fail, declared.problems)])


async def _test(declared: AlertSettings, name: str, topic: str | None) -> int:
    chosen = [it for it in declared.channels if name in (it.name, "all")]
    if not declared.channels:
        raise CommandError(_("the rules name no channel that could be tested"))
    if not chosen:
        known = listed(declared.channel_names) or _("none")
        raise CommandError(
            _("there is no channel {name!r}; there are: {names}").format(name=name, names=known)
        )
    codes = [await _test_one(channel, topic or "—", declared.link) for channel in chosen]
    return max(codes)


async def _test_one(channel: ChannelSettings, topic: str, link: str) -> int:
    try:
        await send_test(channel, topic, link, datetime.now(UTC))
    except SendFailed as error:
        return fail(labeled(channel.name, str(error)))
    print(_("{channel}: sent").format(channel=channel.name))
    return 0


async def _write_feed(store: Store, topic: str, link: str, out: str | None) -> None:
    if not out:
        return
    found = await recorded(store, topic)
    feed = atom_feed(topic, [it.alert for it in found], user_language(), link)
    with output_stream(output_path(out)) as stream:
        stream.write(feed)


def _show(found: Sequence[Recorded], *, as_json: bool) -> None:
    if as_json:
        values = [
            {
                **_value(it.alert),
                "deliveries": [
                    {
                        "channel": d.channel,
                        "state": d.state,
                        "attempts": d.attempts,
                        "error": d.error,
                    }
                    for d in it.deliveries
                ],
            }
            for it in found
        ]
        print_json(values)
        return
    if not found:
        print(_("no warnings are recorded"), file=sys.stderr)
    console = make_console(plain=True)
    for it in found:
        states = listed(map(_delivered, it.deliveries))
        line = f"{_time(it.alert.at)}  {_line(it.alert)}"
        console.print(f"{line}  [{clean(states)}]" if states else line, soft_wrap=True)


def _delivered(one: Delivery) -> str:
    """Return what became of a message: its channel, its state, and why it was not accepted."""
    state = f"{one.channel} {_(STATE_NAMES[one.state])}"
    return _("{state} ({why})").format(state=state, why=one.error) if one.error else state


def _value(alert: Alert) -> dict[str, object]:
    return {"key": alert.key, "at": alert.at.isoformat(), **alert.value()}


def _time(moment: datetime) -> str:
    return f"{moment.astimezone(CHINA_TIME):%Y-%m-%d %H:%M}"
