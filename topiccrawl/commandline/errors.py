"""Error messages and exit codes of the commands."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from topiccrawl.errors import ConfigurationError, StoreUnavailable, printable
from topiccrawl.language import _

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["INTERRUPTED", "CommandError", "exit_code", "fail", "reject_unknown_options"]

#: Exit code of a process that was ended by SIGINT, as shells report it.
INTERRUPTED = 130


class CommandError(Exception):
    """The command cannot do what was asked; the message is one line for the user."""


def fail(message: str) -> int:
    """Print one line to standard error and return exit code 1."""
    print(f"topiccrawl: {printable(message)}", file=sys.stderr)
    return 1


def exit_code(work: Callable[[], int]) -> int:
    """Call *work* and return its exit code; print expected errors without a traceback."""
    try:
        code = work()
        sys.stdout.flush()
        return code
    except (CommandError, ConfigurationError) as error:
        return fail(str(error))
    except StoreUnavailable as error:
        return fail(_("the store does not answer: {error}").format(error=error))
    except BrokenPipeError:
        # The reader of the output has closed it (`| head`).  Python flushes stdout once more at
        # exit and would report the broken pipe there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return fail(f"{error.strerror or error}: {error.filename or ''}".rstrip(": "))
    except KeyboardInterrupt:
        return INTERRUPTED


def reject_unknown_options(args: list[str]) -> None:
    """Raise ``UsageError`` for arguments that look like options; ``-`` is allowed."""
    for arg in args:
        if arg.startswith("-") and arg != "-":
            raise UsageError(_("unknown option {arg}").format(arg=arg), print_help=False)
