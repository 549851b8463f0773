"""``scrapy crawls``: running crawls on the terminal."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from topiccrawl.commandline.errors import fail
from topiccrawl.commandline.store import defined_name, one_argument, store_uri
from topiccrawl.crawl.queue.redis_client import redis_client
from topiccrawl.crawl.runs.folder import FoundRun, crawls_folder, find_runs
from topiccrawl.crawl.runs.words import health_word
from topiccrawl.crawl.settings.frontier import FrontierSettings
from topiccrawl.crawl.settings.operation import OperationSettings
from topiccrawl.errors import ConfigurationError, needs_extra, printable
from topiccrawl.language import N_, _, labeled, ngettext
from topiccrawl.reporting.scale import moment
from topiccrawl.text.normalize import normalize

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from scrapy.settings import Settings

    from topiccrawl.crawl.runs.state import RunState
    from topiccrawl.frontier.redis.living import LivingWorker


def crawls(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Print the crawls, or ask them for something; return the exit code."""
    topic = one_argument(args, N_("topic"))
    frontier = FrontierSettings.from_settings(settings)
    folder = crawls_folder(
        store_uri(opts, settings),
        frontier.frontier_dir,
        OperationSettings.from_settings(settings).control_dir,
    )
    with suppress(FileNotFoundError):
        next(folder.iterdir(), None)  # a folder that cannot be read is an error here
    found = find_runs(folder)
    others = []
    if frontier.frontier_backend == "redis" and not (opts.run or opts.wanted):
        others = _elsewhere(found, frontier, settings)
    if topic is not None:
        names = {normalize(topic), normalize(defined_name(topic))}
        found = [it for it in found if normalize(it.state.topic) in names]
        others = [it for it in others if normalize(it.topic) in names]
    if opts.run:
        found = [it for it in found if it.files.run == opts.run]
    if opts.wanted:
        found = [it for it in found if it.alive]
        for each in found:
            each.files.ask(opts.wanted)
        found = [replace(it, wanted=it.files.wanted) for it in found]
    if not (found or others):
        text = (
            _("no such crawl is in {folder}")
            if topic is not None or opts.run or opts.wanted
            else _("no crawl has left its state in {folder}")
        )
        problem, asked = text.format(folder=folder), topic or opts.run
        return fail(labeled(asked, problem) if asked else problem)
    _print(found, as_json=opts.json)
    for worker in others:
        _print_worker(worker, folder, as_json=opts.json)
    return 0


def _elsewhere(
    found: Sequence[FoundRun], frontier: FrontierSettings, settings: Settings
) -> list[LivingWorker]:
    """Return the workers of the shared queue that are not among the crawls that were *found*."""
    with needs_extra("cluster", "TOPICCRAWL_FRONTIER_BACKEND redis"):  # optional dependency
        from topiccrawl.frontier.redis.living import living_workers, names_of_process
    try:
        workers = living_workers(
            redis_client(settings), frontier.frontier_prefix, frontier.worker_seconds
        )
    except ConfigurationError as error:
        fail(str(error))  # what is on this machine is shown all the same
        return []
    # One that was killed has its last heartbeat, too.
    here = tuple(names_of_process(it.state.pid) for it in found)
    return [it for it in workers if not it.name.startswith(here)]


def _print_worker(worker: LivingWorker, folder: Path, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(asdict(worker) | {"health": "elsewhere"}, ensure_ascii=False))
        return
    text = _("{worker}  {topic}  on another machine, last heartbeat {n:.0f} s ago")
    if worker.is_here:
        text = _(
            "{worker}  {topic}  on this machine, without a state in {folder}, last heartbeat {n:.0f} s ago"
        )
    line = text.format(worker=worker.name, topic=worker.topic, folder=folder, n=worker.silent)
    print(printable(line))


def _print(found: Sequence[FoundRun], *, as_json: bool) -> None:
    for each in found:
        state = each.state
        if as_json:
            document = json.loads(state.as_json()) | {"health": each.health, "wanted": each.wanted}
            print(json.dumps(document, ensure_ascii=False))
            continue
        line = ngettext(
            "{run}  {topic}  {health}: {pages} page, {stored} stored, harvest rate {rate:.1%} as "
            "first judged, queue {queued}, since {since} (UTC+8)",
            "{run}  {topic}  {health}: {pages} pages, {stored} stored, harvest rate {rate:.1%} as "
            "first judged, queue {queued}, since {since} (UTC+8)",
            state.pages,
        ).format(
            run=state.run,
            topic=state.topic,
            health=health_word(each),
            pages=state.pages,
            stored=state.stored,
            rate=state.harvest_rate,
            queued=state.queued + state.delayed,
            since=moment(datetime.fromtimestamp(state.started_at, UTC)),
        )
        if state.visits:
            line = ngettext(
                "{line}, {visits} revisit", "{line}, {visits} revisits", state.visits
            ).format(line=line, visits=state.visits)
        if state.left or state.entered:
            line += _("; judged again: {left} left, {entered} entered").format(
                left=state.left, entered=state.entered
            )
        print(printable(line))
        if each.alive:
            for more in _trouble(state):
                print(f"    {printable(more)}")


def _trouble(state: RunState) -> Iterator[str]:
    """Yield what a running crawl waits for, and its last warning or error."""
    if state.waits_for:
        yield state.waits_for
    if state.problems:
        last = max(state.problems, key=lambda entry: entry.at)
        yield _("{time} (UTC+8) {level}: {message}").format(
            time=moment(datetime.fromtimestamp(last.at, UTC)),
            level=last.level,
            message=last.message,
        )
