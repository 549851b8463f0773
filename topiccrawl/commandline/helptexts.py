"""Help and errors of the command line in the user's language, also those that argparse and Scrapy write."""

from __future__ import annotations

import argparse
from typing import Final

from topiccrawl.language import N_, _, ngettext

__all__ = ["prepare_help", "translate_options"]

#: Texts of argparse and of the options that Scrapy gives all its commands, for the catalog.
TEXTS: Final = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("Global Options"),
    N_("show this help message and exit"),
    N_("%(prog)s: error: %(message)s\n"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("expected one argument"),
    N_("expected at most one argument"),
    N_("expected at least one argument"),
    N_("ignored explicit argument %r"),
    N_("invalid %(type)s value: %(value)r"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("not allowed with argument %s"),
    N_("one of the arguments %s is required"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("log file. if omitted stderr will be used"),
    N_("log level (default: INFO)"),
    N_("disable logging completely"),
    N_("write python cProfile stats to FILE"),
    N_("write process ID to FILE"),
    N_("set/override setting (may be repeated)"),
    N_("enable pdb on failure (uses ipdb if installed)"),
    N_("set spider argument (may be repeated)"),
    N_(
        "append scraped items to the end of FILE (use - for stdout), to define format set a colon at "
        "the end of the output URI (i.e. -o FILE:FORMAT)"
    ),
    N_(
        "dump scraped items into FILE, overwriting any existing file, to define format set a colon at "
        "the end of the output URI (i.e. -O FILE:FORMAT)"
    ),
)


def prepare_help() -> None:
    """Let argparse take its texts from the catalog of topiccrawl; to be called before a parser is made."""
    setattr(argparse, "_", _)  # noqa: B010 - mypy knows no such names
    setattr(argparse, "ngettext", ngettext)  # noqa: B010


def translate_options(parser: argparse.ArgumentParser) -> None:
    """Translate headings and options of *parser* that Scrapy wrote."""
    for group in parser._action_groups:
        group.title = group.title and _(group.title)
    for action in parser._actions:
        action.help = action.help and _(action.help)
