"""The command ``topiccrawl``: all commands, from any folder.

``topiccrawl extract`` starts without Scrapy; the other commands are Scrapy's, in the project around the
current folder or, outside of any, with the settings of topiccrawl.
"""

from __future__ import annotations

import argparse
import os
import pkgutil
import sys
from typing import TYPE_CHECKING, Final

from topiccrawl import __version__
from topiccrawl.commandline.errors import (
    WrongUsageError,
    check_arguments,
    exit_code,
    prepare_interrupts,
)
from topiccrawl.commandline.helptexts import prepare_help
from topiccrawl.commandline.project import (
    assigned_settings,
    enter_project,
    light_settings,
    scrapy_settings,
)
from topiccrawl.commandline.streams import prepare_streams
from topiccrawl.language import _

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Package of the commands.
_COMMANDS: Final = "topiccrawl.commands"


def main(words: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; *words* are by default those of the command line."""
    prepare_streams()
    prepare_interrupts()
    prepare_help()
    words = list(sys.argv[1:] if words is None else words)
    first = words[0] if words else "--help"
    if first == "extract":
        return _extract(words[1:])
    if first in ("-h", "--help"):
        return exit_code(_help)
    if first == "--version":
        print(f"topiccrawl {__version__}")
        return 0
    return exit_code(lambda: _scrapy(words))


def _extract(words: list[str]) -> int:
    # One thread a process: the matrices of a page are small, and there is a process for each core.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from topiccrawl.commandline.extract_options import (
        FILE_OPTIONS,
        SYNTAX,
        add_extract_options,
        extract_description,
    )

    parser = argparse.ArgumentParser(
        prog="topiccrawl extract",
        usage=f"topiccrawl extract {SYNTAX}",
        description=extract_description(),
    )
    parser.add_argument("args", nargs="*", metavar="FILE_OR_URL", help=argparse.SUPPRESS)
    add_extract_options(parser)
    parser.add_argument(
        "-s", "--set", action="append", default=[], metavar="NAME=VALUE", help=_("set a setting")
    )
    opts = parser.parse_intermixed_args(words)
    args = opts.args
    del opts.args

    def work() -> int:
        check_arguments(args, opts, FILE_OPTIONS)
        assigned = assigned_settings(opts.set)
        # Not at module level: the help does not wait for the models.
        from topiccrawl.actions.extract import extract
        from topiccrawl.crawl.settings.extraction import ExtractionSettings

        settings = ExtractionSettings.from_settings(light_settings(enter_project(), assigned))
        return extract(args, opts, settings, lambda: scrapy_settings(assigned))

    try:
        return exit_code(work)
    except WrongUsageError as error:
        parser.error(str(error))


def _help() -> int:
    """Print the commands of topiccrawl."""
    from scrapy.settings import Settings
    from scrapy.utils.misc import load_object

    print(_("Usage: topiccrawl COMMAND [options] [arguments]") + "\n")
    package = __import__(_COMMANDS, fromlist=["__path__"])
    for module in sorted(each.name for each in pkgutil.iter_modules(package.__path__)):
        command = load_object(f"{_COMMANDS}.{module}.Command")()
        command.settings = Settings()
        print(f"  {module:<11} {command.short_desc()}")
    print("\n" + _("topiccrawl COMMAND -h explains a command. Those of Scrapy work, too."))
    return 0


def _scrapy(words: list[str]) -> int:
    """Run a command of Scrapy or of topiccrawl, which are Scrapy's in turn."""
    enter_project()
    # Not at module level: extract needs no Scrapy.
    from scrapy.cmdline import execute

    settings = scrapy_settings({})
    if not settings.get("COMMANDS_MODULE"):
        # A project of one's own that only enables the add-on.
        settings.set("COMMANDS_MODULE", _COMMANDS, "default")
    # The very list, of which Scrapy removes the command's name: others read what is left.
    sys.argv[1:] = words
    execute(sys.argv, settings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
