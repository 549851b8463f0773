"""Error messages and exit codes of the commands."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from topiccrawl.commandline.streams import discard_output
from topiccrawl.errors import (
    ConfigurationError,
    OptionError,
    StoreUnavailable,
    check_text,
    described,
    located,
    printable,
    system_reason,
)
from topiccrawl.language import _

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Container, Iterator
    from types import FrameType, TracebackType

#: Exit code for a wrong command line, as Scrapy and argparse give it.
WRONG_USAGE = 2
#: Exit code of a process that was ended by SIGINT, as shells report it.
INTERRUPTED = 130


class CommandError(Exception):
    """The command cannot do what was asked; the message is one line for the user."""


class WrongUsageError(Exception):
    """The command line is wrong; the message is one line for the user.

    For code that does not import Scrapy; commands raise Scrapy's ``UsageError`` for it.
    """


def fail(message: str) -> int:
    """Print one line to standard error and return exit code 1."""
    with suppress(OSError):  # a log on a full disk: the exit code remains
        print(f"topiccrawl: {printable(message)}", file=sys.stderr)
    return 1


def interrupted(message: str = "") -> int:
    """Print that the command was interrupted, or a *message* that says more; return its exit code."""
    fail(message or _("interrupted"))
    return INTERRUPTED


def prepare_interrupts() -> None:
    """Show Ctrl-C as a line, not as a traceback, also while modules are imported."""
    former = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if kind is KeyboardInterrupt:
            interrupted()
        else:
            former(kind, error, trace)

    if former is sys.__excepthook__:
        sys.excepthook = hook


def system_problem(error: OSError) -> str:
    """Return the reason of *error* in the user's language, and the file that it is about."""
    reason = system_reason(error)
    if not error.filename:
        return reason
    return _("{name}: {value}").format(name=reason, value=error.filename)


def as_given(message: str, opts: argparse.Namespace) -> str:
    """Return *message* with ``--store`` in place of the setting, if that option names the store."""
    given = getattr(opts, "store", None)
    return message.replace("TOPICCRAWL_STORE_URI", "--store") if given else message


def exit_code(work: Callable[[], int], shown: Callable[[str], str] = str) -> int:
    """Call *work* and return its exit code; print expected errors without a traceback.

    *shown* returns the text that is shown of an error.  SIGTERM ends *work* as Ctrl-C does, so that no
    half-written file stays, and then the process.
    """
    with _signals_interrupt():
        return _exit_code(work, shown)


def _exit_code(work: Callable[[], int], shown: Callable[[str], str]) -> int:
    try:
        code = work()
        sys.stdout.flush()
        return code
    except OptionError as error:
        fail(shown(str(error)))
        return WRONG_USAGE
    except (CommandError, ConfigurationError) as error:
        return fail(shown(str(error)))
    except StoreUnavailable as error:
        return fail(_("the store does not answer: {error}").format(error=error))
    except BrokenPipeError:
        discard_output()  # its reader has closed it (`| head`)
        return 0
    except OSError as error:
        try:
            sys.stdout.flush()
        except OSError:
            discard_output()
        return fail(system_problem(error))
    except KeyboardInterrupt as error:
        return interrupted(str(error))
    except Exception as error:
        # Whatever could raise an error of SQLite has loaded it; this module does not, for a quick start.
        sqlite3 = sys.modules.get("sqlite3")
        if sqlite3 is None or not isinstance(error, sqlite3.Error):
            raise
        # Of the queue's file, which a note names; errors of stores are StoreUnavailable.
        why = _("the queue cannot be used: {error}").format(error=described(error))
        return fail(located(why, error))


@contextmanager
def _signals_interrupt() -> Iterator[None]:
    """Raise ``KeyboardInterrupt`` on SIGTERM, and on SIGHUP, which a terminal sends that is closed.

    End with that signal, for those who see how it ended (systemd).  What is ignored (nohup) stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGTERM, signal.SIGHUP)
    handled = [it for it in numbers if signal.getsignal(it) is signal.SIG_DFL]
    received: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        received.append(number)
        handler = signal.getsignal(signal.SIGINT)
        if callable(handler):  # that of asyncio cancels its task
            handler(signal.SIGINT, frame)
        else:  # scripts start what runs in the background with SIGINT ignored
            raise KeyboardInterrupt

    for it in handled:
        signal.signal(it, interrupt)
    try:
        yield
    finally:
        for it in handled:
            signal.signal(it, signal.SIG_DFL)
        if received:
            with suppress(OSError):
                sys.stdout.flush()
            os.kill(os.getpid(), received[0])


def check_arguments(args: list[str], opts: argparse.Namespace, files: Container[str]) -> None:
    """Raise :class:`ConfigurationError` for an argument that is not text.

    File names may be any bytes: *files* names the options that hold some, and ``args`` if the
    positional arguments do.
    """
    words = {} if "args" in files else {f"argument {n}": arg for n, arg in enumerate(args, 1)}
    options = {f"--{name}": value for name, value in vars(opts).items() if name not in files}
    for name, value in {**words, **options}.items():
        for word in value if isinstance(value, list) else [value]:
            if isinstance(word, str):
                check_text(name, word)
