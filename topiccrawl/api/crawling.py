"""``crawl``: run a crawl in a process of its own and return its results."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from topiccrawl.api.collection import Collection, open_store, project_store, store_address
from topiccrawl.api.commands import run_command, scrapy_words, settings_words
from topiccrawl.language import _

if TYPE_CHECKING:
    from topiccrawl.store.contract import RunRecord


class CrawlError(RuntimeError):
    """The crawl could not run, or stored nothing; the message is that of the command."""


@dataclass(frozen=True, slots=True)
class CrawlResult:
    """The results of a run."""

    topic: str
    """Name under which its pages are stored."""
    store: str
    """Address of the store, for :func:`~topiccrawl.open_store`."""
    run: str
    """Identity of the run."""
    stop_reason: str
    stats: Mapping[str, Any] = field(repr=False)
    """All statistics of the run (docs/stats.md)."""
    summary: str = field(default="", repr=False)
    """What ``scrapy crawl`` prints at the end."""

    @property
    def pages(self) -> int:
        """Pages fetched and analyzed."""
        return int(self.stats.get("topiccrawl/pages/analyzed", 0))

    @property
    def stored(self) -> int:
        """Pages stored, without copies."""
        return int(self.stats.get("topiccrawl/pages/stored", 0))

    @property
    def harvest_rate(self) -> float:
        """Share of the fetched pages that were kept, in [0, 1]."""
        return float(self.stats.get("topiccrawl/harvest_rate", 0.0))

    def open(self) -> Collection:
        """Open the store for reading."""
        return open_store(self.store)


def crawl(
    topic: str,
    *,
    seeds: Sequence[str] | str = (),
    pages: int | None = None,
    store: str | os.PathLike[str] | None = None,
    fresh: bool = False,
    settings: Mapping[str, object] | None = None,
    arguments: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> CrawlResult:
    """Run ``scrapy crawl topic`` to its end; the same call again continues the crawl.

    Raises ``CrawlError`` if it could not run, fetched no page or was blocked.

    Parameters
    ----------
    topic
        A name, an alias, the folder of a topic, or any word together with *seeds*.
    seeds
        URLs where the crawl starts, in place of the topic's: a list, or a text as for ``-a seeds=``, which may
        name the file of a list.
    pages
        Pages after which the run ends.
    store
        The file of a SQLite store, or an address; by default that of the project's settings.  An address with
        a password belongs there: every user of the machine can read the arguments of a process.
    fresh
        Erase the queue and the list of fetched pages first; stored pages stay.
    settings
        Settings, as with ``-s``: ``{"DOWNLOAD_DELAY": 1}``.
    arguments
        More arguments of the spider, as with ``-a``: ``{"whole": "1"}``.
    environment
        More variables of the process.
    """
    from topiccrawl.commandline.store import defined_name

    given: dict[str, object] = {"LOG_LEVEL": "WARNING", **(settings or {})}
    if store is not None:
        address = os.fspath(store)
        given["TOPICCRAWL_STORE_URI"] = (
            address if "://" in address else store_address(Path(address))
        )
    words = ["crawl", "topic", "-a", f"topic={topic}"]
    options = dict(arguments or {})
    if isinstance(seeds, str):
        options["seeds"] = seeds
    elif seeds:
        # Commas separate them; to topiccrawl, an encoded one is the same address.
        options["seeds"] = ",".join(seed.strip().replace(",", "%2C") for seed in seeds)
    if pages is not None:
        options["pages"] = str(pages)
    if fresh:
        options["fresh"] = "yes"
    for name, value in options.items():
        words += ["-a", f"{name}={value}"]
    done = run_command(scrapy_words(*words, *settings_words(given)), more=environment)
    if done.returncode:
        raise CrawlError(_error(done.stderr))
    uri = str(given.get("TOPICCRAWL_STORE_URI", "")) or None
    with open_store(uri) as opened:
        name = defined_name(topic)
        run = opened.runs(name)[-1]
    return _result(name, uri or project_store(), run, done.stderr)


def _result(topic: str, store: str, run: RunRecord, summary: str) -> CrawlResult:
    return CrawlResult(topic, store, run.id, run.stop_reason, dict(run.stats), summary.strip())


def _error(output: str) -> str:
    """Return the error message of a failed command: the last line of its own, else the last line."""
    lines = [line for line in output.splitlines() if line.strip()]
    own = [line for line in lines if line.startswith("topiccrawl: ")]
    return (own or lines or [_("the crawl could not run; see the log")])[-1].removeprefix(
        "topiccrawl: "
    )
