"""Help and errors of the command line in the user's language, also those that argparse and Scrapy write."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Final

from topiccrawl.commandline.program import called
from topiccrawl.language import N_, _, ngettext
from topiccrawl.text.columns import columns, wrapped

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
    N_("evaluate the code in the shell, print the result and exit"),
    N_("use this spider"),
    N_("do not handle HTTP 3xx status codes and print response as-is"),
    N_("Parse URL (using its spider) and print the results"),
    N_("Interactive scraping console"),
    N_(
        "Interactive console for scraping the given url or file. Use ./file.html syntax or full path for "
        "local file."
    ),
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
    """Translate headings and options of *parser* that Scrapy wrote, and let :class:`HelpFormatter` format them."""
    parser.prog = called()  # argparse would name __main__.py
    parser.formatter_class = HelpFormatter
    for group in parser._action_groups:
        group.title = group.title and _(group.title)
    for action in parser._actions:
        action.help = action.help and _(action.help)


class HelpFormatter(argparse.HelpFormatter):
    """Help as Scrapy formats it, in lines that fit the terminal in Chinese, too: argparse counts characters."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        ascii_only = text.isascii()
        lines = super()._split_lines(text, width) if ascii_only else [*wrapped(text, width)]
        # A part of the help that ends with a colon is a heading.
        return [f"{line} " if line.endswith(":") else line for line in lines]

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.isascii():
            return super()._fill_text(text, width, indent)
        return "\n".join(indent + line for line in wrapped(text, width - len(indent)))

    def _join_parts(self, part_strings: Iterable[str]) -> str:
        usage = _("usage: ")
        parts = []
        for part in part_strings:
            if part and part.startswith(usage):
                parts += [_underlined(_("Usage")), "  ", part.removeprefix(usage)]
            elif part and part.endswith(":\n"):
                parts.append(_underlined(part.removesuffix(":\n")))
            else:
                parts.append(part)
        return super()._join_parts(parts)


def _underlined(heading: str) -> str:
    line = "-" if heading == _("Global Options") else "="
    return f"{heading.title()}\n{line * columns(heading)}\n"
