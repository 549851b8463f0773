"""The log of commands that crawl: its form, its level, and what happens when it cannot be written."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Final

from scrapy.exceptions import UsageError

from topiccrawl.commandline.errors import fail
from topiccrawl.errors import described, system_reason
from topiccrawl.language import _, listed

if TYPE_CHECKING:
    from scrapy.settings import Settings

logger = logging.getLogger(__name__)

#: Loggers of Scrapy that list versions, settings and components at the start: a hundred lines of class names.
_LISTS: Final = ("scrapy.utils.log", "scrapy.addons", "scrapy.crawler", "scrapy.middleware")
#: The logger that lists versions before anything else happens.
_VERSIONS: Final = _LISTS[0]


def writes_json(settings: Settings) -> bool:
    """Return whether the log consists of JSON objects; a wrong value is reported elsewhere."""
    try:
        return settings.getbool("TOPICCRAWL_LOG_JSON")
    except ValueError:
        return False


def check_log_level(settings: Settings) -> None:
    """Raise ``UsageError`` for a level that the log does not have, before Scrapy opens the log."""
    level = settings.get("LOG_LEVEL")
    levels = logging.getLevelNamesMapping()
    if isinstance(level, str) and level not in levels:
        names = listed(name for name, number in levels.items() if number and name != "WARN")
        raise UsageError(
            _("LOG_LEVEL must be one of {levels}, got {level!r}").format(
                levels=names, level=level[:200]
            )
        )


def check_log_file(settings: Settings) -> None:
    """Raise ``UsageError`` for a file that Scrapy cannot open for its log, which would end in a traceback."""
    if not (file := settings.get("LOG_FILE")):
        return
    try:
        with open(file, "ab"):  # noqa: PTH123 - as Scrapy opens it, also a descriptor
            pass
    except OSError as error:
        raise UsageError(
            _("LOG_FILE {file!r} cannot be written: {reason}").format(
                file=file, reason=system_reason(error)
            )
        ) from None


def prepare_log(settings: Settings) -> None:
    """Make the first lines of the log JSON, too, where that is set, and leave lists of components out on a terminal.

    Where standard error is no terminal, versions are logged before the first other line: an error of the
    configuration stands alone.  To be called by commands that start a crawl, before Scrapy makes its
    crawler process.
    """
    if writes_json(settings):
        from topiccrawl.commandline.jsonlogs import log_json_lines

        log_json_lines()
    elif _is_read_at_once(settings):
        for name in _LISTS:
            # Scrapy sets the levels of its loggers anew, but leaves their filters.
            logging.getLogger(name).addFilter(_is_more_than_information)
    elif not settings.get("LOG_FILE"):
        logging.root.addHandler(_VersionsLater(settings.get("LOG_LEVEL")))


class _VersionsLater(logging.Handler):
    """Holds the versions back until there is another line."""

    def __init__(self, level: int | str) -> None:
        super().__init__(level)
        self._held: list[logging.LogRecord] = []
        logging.getLogger(_VERSIONS).addFilter(self._hold)

    def _hold(self, record: logging.LogRecord) -> bool:
        self._held.append(record)
        return False

    def emit(self, record: logging.LogRecord) -> None:
        """Log the versions before *record*, which the handlers after this one get next."""
        self.setLevel(sys.maxsize)  # removed while handlers are called, it would hide the next one
        versions = logging.getLogger(_VERSIONS)
        versions.removeFilter(self._hold)
        for held in self._held:
            versions.handle(held)


def _is_more_than_information(record: logging.LogRecord) -> bool:
    return record.levelno > logging.INFO


def _is_read_at_once(settings: Settings) -> bool:
    """Return whether the log goes to a terminal, at its usual level."""
    on_terminal = sys.stderr.isatty() and not settings.get("LOG_FILE")
    return on_terminal and settings.get("LOG_LEVEL") == "INFO"


def fail_logged(message: str, settings: Settings) -> int:
    """Print the reason of a failed crawl and return exit code 1; where the log is a file, end it with that.

    The standard error of a job (scrapyd, cron) is not beside its log.
    """
    if settings.get("LOG_FILE"):
        logger.error(_("The command failed: %(why)s"), {"why": message})
    return fail(message)


def report_log_failures_once() -> None:
    """Replace what handlers do when the disk is full: Python prints a traceback each time."""
    original = logging.Handler.handleError
    reported: list[str] = []

    def handle(self: logging.Handler, record: logging.LogRecord) -> None:
        error = sys.exception() if hasattr(sys, "exception") else sys.exc_info()[1]
        if not isinstance(error, OSError):
            original(self, record)
        elif not reported:
            reported.append(described(error))
            why = _("the log cannot be written: {error}").format(error=reported[0])
            print(f"topiccrawl: {why}", file=sys.stderr)

    setattr(logging.Handler, "handleError", handle)  # noqa: B010 - mypy refuses the assignment
