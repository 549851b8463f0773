"""What the commands that read the store have in common: options, errors, topics, progress.

The commands themselves stay in ``topiccrawl.commands``, where Scrapy takes every command class that
it finds for a command; this base class therefore lives outside.
"""

from __future__ import annotations

import asyncio
import os
import sys
from abc import abstractmethod
from contextlib import asynccontextmanager, contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from topiccrawl.crawl.settings import StoreSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.store.contract import StoreUnavailable

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator

    from topiccrawl.store.contract import Store

#: Names listed in an error message at most.
LISTED = 20

#: The progress display is told about every so many records: telling it costs 20 times a record.
TICKS_TOGETHER = 256


class CommandError(Exception):
    """The command cannot do what was asked; the message is one line for the person who asked."""


class StoreCommand(ScrapyCommand):
    """A Scrapy command that reads the store, starts no crawl and never shows a traceback.

    Subclasses implement :meth:`work`; its result is the exit code.
    """

    requires_crawler_process = False

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add ``--store`` to Scrapy's own options."""
        super().add_options(parser)
        parser.add_argument(
            "--store",
            metavar="URI",
            help="store to read (default: the setting TOPICCRAWL_STORE_URI)",
        )

    def store_uri(self, opts: argparse.Namespace) -> str:
        """Return the store's address from ``--store`` or the settings; error when there is none."""
        assert self.settings is not None
        uri = opts.store or StoreSettings.from_settings(self.settings).store_uri
        if not uri:
            raise CommandError(
                "no store is given: use --store sqlite:///path or set TOPICCRAWL_STORE_URI"
            )
        return str(uri)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do the work in an event loop of its own and set the exit code."""
        unknown = [arg for arg in args if arg.startswith("-") and arg != "-"]
        if unknown:
            raise UsageError(f"unknown option {unknown[0]}", print_help=False)
        try:
            self.exitcode = asyncio.run(self.work(args, opts))
            sys.stdout.flush()
        except (CommandError, ConfigurationError) as error:
            self.exitcode = fail(str(error))
        except StoreUnavailable as error:
            self.exitcode = fail(f"the store does not answer: {error}")
        except BrokenPipeError:
            # Whoever read our output has seen enough (`| head`).  Python flushes stdout once more
            # at exit; without this it would complain there.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except OSError as error:
            self.exitcode = fail(f"{error.strerror or error}: {error.filename or ''}".rstrip(": "))
        except KeyboardInterrupt:
            self.exitcode = 130

    @abstractmethod
    async def work(self, args: list[str], opts: argparse.Namespace) -> int:
        """Do what the command is for and return the exit code."""


def fail(message: str) -> int:
    """Print one line to standard error and return exit code 1."""
    print(f"topiccrawl: {' '.join(message.split())}", file=sys.stderr)
    return 1


def make_store(uri: str) -> Store:
    """Return the store at *uri*, not yet open; reading commands change nothing in it."""
    from topiccrawl.store.factory import open_store

    return open_store(uri, read_only=True)


@asynccontextmanager
async def opened_store(uri: str) -> AsyncIterator[Store]:
    """Open the store at *uri* for reading and close it at the end."""
    store = make_store(uri)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def choose_topic(store: Store, name: str | None) -> str:
    """Return the topic in *store* that *name* means; without a name, the only one there is.

    Traditional and simplified forms, and a topic's aliases, are the same name.  Raises
    :class:`CommandError` that lists the choices.
    """
    topics = await store.topics()
    if not topics:
        raise CommandError("the store is empty: nothing has been crawled yet")
    if name is None:
        if len(topics) == 1:
            return next(iter(topics))
        raise CommandError(f"several topics are in the store, name one: {listed(topics)}")
    if name in topics:
        return name
    from topiccrawl.text.normalize import normalize

    wanted = {normalize(name), normalize(_defined_name(name))}
    for topic in topics:
        if normalize(topic) in wanted:
            return topic
    near = get_close_matches(name, topics, n=3, cutoff=0.4)
    raise CommandError(f"topic {name!r} is not in the store; there are: {listed(near or topics)}")


def _defined_name(name: str) -> str:
    """The name under which the topic *name* (an alias, a path) is crawled; itself if unknown."""
    from topiccrawl.topics.load import find_definition

    try:
        return find_definition(name).name
    except (ConfigurationError, OSError):
        return name


def one_argument(args: list[str], what: str) -> str | None:
    """Return the only positional argument, ``None`` if there is none; error if there are more."""
    if len(args) > 1:
        raise UsageError(f"one {what} at a time, got {len(args)}", print_help=False)
    return args[0] if args else None


def listed(names: Iterable[str]) -> str:
    """Return names for an error message, not too many."""
    shown = list(names)
    tail = f" … ({len(shown)} in all)" if len(shown) > LISTED else ""
    return ", ".join(shown[:LISTED]) + tail


@contextmanager
def progress(description: str, total: int | None = None) -> Iterator[Callable[[], None]]:
    """Show a bar on standard error while records pass; silent unless that is a terminal.

    Gives a function to be called once per record.
    """
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task(description, total=total)
        waiting = 0

        def tick() -> None:
            nonlocal waiting
            waiting += 1
            if waiting == TICKS_TOGETHER:
                bar.advance(task, waiting)
                waiting = 0

        yield tick
        bar.advance(task, waiting)
