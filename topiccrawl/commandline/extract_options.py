"""The options of ``extract``, of the Scrapy command and of ``topiccrawl``."""

from __future__ import annotations

import argparse
from typing import Final

from topiccrawl.analysis.formats import DEFAULT_FORMAT, FIELDS, FORMATS
from topiccrawl.commandline.options import output_path
from topiccrawl.language import _, listed

#: Arguments after the name of the command.
SYNTAX: Final = "FILE_OR_URL… [--format FORMAT] [--out OUT] [--jobs N] [--url URL]"
#: Options whose values are file names.
FILE_OPTIONS: Final = frozenset({"args", "jsonl", "out", "files_from"})


def extract_description() -> str:
    """Return what the command does, for its help."""
    return _(
        "Write title, body, time and more of pages to OUT (default: standard output); as JSON Lines, one "
        "object a page: {fields}. Files, folders, globs and - (standard input) are read; URLs are "
        "fetched, obeying robots.txt. What cannot be read is named on standard error, the rest is "
        "written in the order of the input, and the exit code is 1."
    ).format(fields=listed(FIELDS))


def add_extract_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        help=_("format of the output: {names} (default: {default})").format(
            names=listed(FORMATS), default=DEFAULT_FORMAT
        ),
    )
    parser.add_argument(
        "--out",
        metavar="OUT",
        type=output_path,
        help=_(
            "file to write, {date} in it is the day, - for standard output; a folder (it exists, or ends "
            "in /) gets one file a page"
        ),
    )
    parser.add_argument(
        "--jsonl",
        metavar="OUT",
        type=output_path,
        help=_("short for --format jsonl --out OUT, a file or -"),
    )
    parser.add_argument(
        "--links", action="store_true", help=_("keep the links of the text, with --format markdown")
    )
    parser.add_argument(
        "--structure",
        action="store_true",
        help=_("add Markdown, images and readers' comments to each record, with --format jsonl"),
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        help=_("processes at a time (default: the processor's cores, 1 for few pages)"),
    )
    parser.add_argument(
        "--files-from",
        metavar="LIST",
        help=_("file that names more pages, one a line or separated by NUL; - for standard input"),
    )
    parser.add_argument(
        "--extractor",
        metavar="NAME",
        help=_(
            "body extractor, blocks, text-density or the dotted path of a class (default: the "
            "setting TOPICCRAWL_BODY_EXTRACTOR)"
        ),
    )
    parser.add_argument(
        "--url", metavar="URL", help=_("URL of the page, for one file (default: what it states)")
    )
