"""Options that several commands have."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, cast

from topiccrawl.commandline.errors import WrongUsageError
from topiccrawl.errors import OptionError
from topiccrawl.language import _, user_language

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

#: Rows of a printed list without ``--limit`` (a choice: they fit on a screen).
PRINTED_ROWS: Final = 20
#: Largest number of a port (RFC 9293, section 3.1: 16 bits).
_MOST_PORT: Final = 2**16 - 1


def add_store_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--store``."""
    # Not at module level: Scrapy imports the modules of all commands for each command.
    from topiccrawl.store.uri import address_of

    parser.add_argument(
        "--store",
        metavar="FILE_OR_URI",
        type=address_of,
        help=_("store: a SQLite file or an address (default: the setting TOPICCRAWL_STORE_URI)"),
    )


def set_store(opts: argparse.Namespace, settings: Settings) -> None:
    """Make the store that ``--store`` names that of the settings."""
    if opts.store:
        settings.set("TOPICCRAWL_STORE_URI", opts.store, "cmdline")


def add_table_options(
    parser: argparse.ArgumentParser, out: argparse._ActionsContainer | None = None
) -> None:
    """Add ``--out``, ``--format`` and ``--lang`` of commands that write a table.

    *out* is a group for ``--out``, such as one of options that exclude each other.
    """
    (out or parser).add_argument(
        "--out",
        metavar="FILE",
        type=output_path,
        help=_(
            "write a table to FILE.{csv,jsonl,xlsx}; {date} in it is the day; - for standard output"
        ),
    )
    parser.add_argument(
        "--format", metavar="FORMAT", help=_("format of --out (default: from FILE)")
    )
    parser.add_argument(
        "--lang",
        choices=("zh", "en", "fields"),
        default=user_language(),
        help=_("headings of tables: Chinese, English or names of fields (default: by locale)"),
    )


def add_unmasked_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--unmasked``."""
    parser.add_argument(
        "--unmasked", action="store_true", help=_("do not mask personal data in the file")
    )


def check_no_arguments(args: list[str]) -> None:
    """Raise WrongUsageError if there are positional arguments, for a command that takes none."""
    if args:
        raise WrongUsageError(_("unknown argument {argument}").format(argument=args[0]))


def check_port(opts: argparse.Namespace) -> None:
    """Raise WrongUsageError if ``--port`` is given and cannot be the number of a port."""
    if opts.port is not None and not 0 <= opts.port <= _MOST_PORT:
        raise WrongUsageError(
            _("--port must be 0 … {most}, got {port}").format(most=_MOST_PORT, port=opts.port)
        )


def check_limit(opts: argparse.Namespace) -> None:
    """Raise OptionError if ``--limit`` is below 1."""
    if opts.limit is not None and opts.limit < 1:
        raise OptionError(
            _("--limit must be a whole number >= 1, got {text!r}").format(text=str(opts.limit))
        )


def add_row_limit(parser: argparse.ArgumentParser) -> None:
    """Add ``--limit`` of commands that print rows, or write them to a file or as JSON."""
    parser.add_argument(
        "--limit",
        metavar="N",
        type=int,
        help=_("at most N rows (default: {n}, and all with --out and --json)").format(
            n=PRINTED_ROWS
        ),
    )


def row_limit(opts: argparse.Namespace) -> int | None:
    """Return the most rows that the options ask for; ``None`` for all.

    Raises ``OptionError`` if ``--limit`` is below 1.
    """
    check_limit(opts)
    if opts.limit is None and not (opts.out or opts.json):
        return PRINTED_ROWS
    return cast("int | None", opts.limit)


def output_path(given: str, now: datetime | None = None) -> str:
    """Return the path of a file to write: the home folder for ``~``, the day in China for ``{date}``.

    >>> output_path("report-{date}.html", datetime(2024, 4, 30, 20, tzinfo=UTC))
    'report-2024-05-01.html'
    """
    path = os.path.expanduser(given)  # noqa: PTH111 - Path would cut the slash of a folder
    if "{date}" not in path:
        return path
    # Not at module level, as above.
    from topiccrawl.reporting.scale import china_day

    return path.replace("{date}", str(china_day(now or datetime.now(UTC))))
