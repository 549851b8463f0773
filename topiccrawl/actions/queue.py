"""``scrapy queue TOPIC``: what is in a topic's queue, and a new one in place of a damaged one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.commandline.store import opened_store, store_uri, topic_argument
from topiccrawl.crawl.queue.rebuilding import fill, known_links
from topiccrawl.crawl.queue.redis_client import redis_client
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.language import _
from topiccrawl.topics.load import find_definition

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

    from topiccrawl.frontier.contract import Frontier, FrontierSize
    from topiccrawl.frontier.salvage import Salvage


async def queue(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Print the counts, after rebuilding if that was asked for."""
    name = topic_argument(args, "queue")
    uri = store_uri(opts, settings)
    settings.set("TOPICCRAWL_STORE_URI", uri, "cmdline")
    config = CrawlSettings.from_settings(settings)
    topic = _topic_name(name)
    backend = frontier_backend(config, lambda: redis_client(settings))
    if not opts.rebuild:
        now = backend.size(topic)
        if now is None:
            raise ConfigurationError(
                _(
                    "{topic!r} has no queue; a crawl makes one: scrapy crawl topic -a topic={topic}"
                ).format(topic=topic)
            )
        _print(topic, now)
        return 0
    async with opened_store(uri) as store:
        known = await known_links(store, topic)
    complete = [True]

    def refill(frontier: Frontier, old: Salvage) -> None:
        complete[0] = old.complete
        fill(frontier, known, old)

    size, kept = backend.rebuild(topic, refill)
    if kept:
        print(_("the old queue is kept: {path}").format(path=kept))
    if not complete[0]:
        print(
            _(
                "parts of the old queue could not be read; links known only there are found again "
                "with -a fresh=1"
            )
        )
    _print(topic, size)
    return 0


def _print(topic: str, size: FrontierSize) -> None:
    counts = _(
        "{queued} queued, {delayed} delayed, {leased} in work, {done} done, {given_up} given up"
    ).format(
        queued=size.queued,
        delayed=size.delayed,
        leased=size.leased,
        done=size.done,
        given_up=size.given_up,
    )
    print(_("{name}: {value}").format(name=topic, value=counts))


def _topic_name(name: str) -> str:
    """Return the name under which *name*, an alias, a path or a bare word, is crawled."""
    try:
        return find_definition(name).name
    except ConfigurationError:
        # A bare word needs seeds; its name does not depend on them.
        return find_definition(name, seeds=["http://seed.invalid/"]).name
