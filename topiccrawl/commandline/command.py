"""Base classes of the commands: their help and options, and an action imported when it runs."""

from __future__ import annotations

import asyncio
import re
from abc import abstractmethod
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from topiccrawl.commandline.errors import (
    WrongUsageError,
    as_given,
    check_arguments,
    exit_code,
    prepare_interrupts,
)
from topiccrawl.commandline.helptexts import prepare_help, translate_options
from topiccrawl.commandline.logs import check_log_file, check_log_level, prepare_log
from topiccrawl.commandline.options import add_store_option, set_store
from topiccrawl.commandline.streams import prepare_streams
from topiccrawl.heap import collect_later
from topiccrawl.language import _

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Coroutine

    from scrapy.settings import Settings

#: What word processors and input methods make of the hyphens of an option, and letters after it.
_WIDE_HYPHENS = re.compile("[－—–−‐‑―]+[A-Za-zＡ-Ｚａ-ｚ]")

#: What a command does with its arguments, options and the project's settings; gives the exit code.
Action: TypeAlias = (
    "Callable[[list[str], argparse.Namespace, Settings], int | Coroutine[Any, Any, int]]"
)


class TranslatedCommand(ScrapyCommand):
    """A command with texts of Scrapy, which are shown in the user's language."""

    def short_desc(self) -> str:
        """Return the line for the list of commands."""
        return _(super().short_desc())

    def long_desc(self) -> str:
        """Return the text of the command's help."""
        return _(super().long_desc())

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add Scrapy's own options."""
        super().add_options(parser)
        translate_options(parser)


class ActionCommand(TranslatedCommand):
    """A command whose work is a function elsewhere; it starts no crawl and shows no traceback.

    Scrapy imports the modules of all commands for each command.  They are therefore thin, and
    :meth:`action` imports what the command needs.
    """

    requires_crawler_process = False

    usage: ClassVar[str] = ""
    """The arguments after the command's name."""
    summary: ClassVar[str]
    """One line for the list of commands, in English; it is shown in the user's language."""
    description: ClassVar[str]
    """The text of the command's help, likewise."""

    #: Options whose values are file names; ``args`` if the positional arguments are, too.
    file_options: ClassVar[frozenset[str]] = frozenset({"out", "logfile", "pidfile", "profile"})

    def __init__(self) -> None:
        """Prepare standard streams and help: Scrapy makes all commands before it prints anything."""
        super().__init__()
        prepare_streams()
        prepare_interrupts()
        prepare_help()

    def syntax(self) -> str:
        """Return :attr:`usage`."""
        return self.usage

    def short_desc(self) -> str:
        """Return :attr:`summary` in the user's language."""
        return _(self.summary)

    def long_desc(self) -> str:
        """Return :attr:`description` in the user's language."""
        return _(self.description)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check the settings that are given, and the level of the log, which Scrapy or the action opens."""
        opts.set = [_named_value("-s", it) for it in opts.set]
        super().process_options(args, opts)
        assert self.settings is not None
        check_log_level(self.settings)

    @abstractmethod
    def action(self) -> Action:
        """Import and return the function that does the work."""

    def check_usage(self, args: list[str]) -> None:
        """Raise ``UsageError`` for a wrong number of arguments."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the action, in a new event loop if it needs one, and set the exit code."""
        assert self.settings is not None
        settings = self.settings

        def work() -> int:
            check_arguments(args, opts, self.file_options)
            code = self.action()(args, opts, settings)
            return code if isinstance(code, int) else asyncio.run(code)

        reject_unknown_options(args, opts)
        self.check_usage(args)
        try:
            self.exitcode = exit_code(work, lambda message: as_given(message, opts))
        except WrongUsageError as error:
            raise UsageError(str(error)) from None


class StoreCommand(ActionCommand):
    """A command that uses the store."""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add ``--store`` to Scrapy's own options."""
        super().add_options(parser)
        add_store_option(parser)


class SpiderStart(TranslatedCommand):
    """What the commands that start a spider share, Scrapy's own ``crawl`` too: the options, and the start."""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add ``--store`` to Scrapy's own options."""
        super().add_options(parser)
        add_store_option(parser)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Choose the store, and the form of the log before Scrapy writes its first line."""
        # Not all of them have arguments of a spider.
        opts.spargs = [_named_value("-a", it) for it in getattr(opts, "spargs", [])]
        opts.set = [_named_value("-s", it) for it in opts.set]
        super().process_options(args, opts)
        assert self.settings is not None
        set_store(opts, self.settings)
        check_log_level(self.settings)
        check_log_file(self.settings)
        prepare_log(self.settings)
        collect_later()


class SpiderCommand(SpiderStart, ActionCommand):
    """A command that runs a spider of its own, in :attr:`crawler_process`."""

    requires_project = False
    requires_crawler_process = True


def _named_value(option: str, text: str) -> str:
    """Return *text*, ``NAME=VALUE``, with an ASCII sign between; raise ``UsageError`` for another form."""
    if "=" not in text and "＝" not in text:
        raise UsageError(
            _("{option} takes NAME=VALUE, got {word!r}").format(option=option, word=text)
        )
    return text if "=" in text else text.replace("＝", "=", 1)


def reject_unknown_options(args: list[str], opts: argparse.Namespace) -> None:
    """Raise ``UsageError`` for arguments that look like options, with the nearest of *opts*; ``-`` is allowed."""
    for arg in args:
        if _WIDE_HYPHENS.match(arg):
            raise UsageError(
                _(
                    "{arg} begins with {sign}, which is no hyphen of the command line: - or --"
                ).format(arg=arg, sign=arg[0])
            )
        if arg.startswith("-") and arg != "-":
            known = [name.replace("_", "-") for name in vars(opts)]
            near = get_close_matches(arg.partition("=")[0].lstrip("-"), known, n=1)
            meant = _("; did you mean {name}?").format(name=f"--{near[0]}") if near else ""
            raise UsageError(_("unknown option {arg}").format(arg=arg) + meant)
