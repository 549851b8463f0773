"""Log lines as JSON objects, one for each record."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime
from typing import Final

import scrapy.utils.log

#: Characters that end a line for some readers, or that not every encoding of a stream has: escaped in
#: JSON's own way.
_ESCAPED: Final = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\U00010000-\U0010ffff]")


class JsonFormatter(logging.Formatter):
    """One JSON object for each record, in one line.

    Keys: ``time`` (ISO 8601, UTC, milliseconds), ``level``, ``logger``, ``message``; ``topic`` and
    ``run`` once they are known, and ``exception``, the traceback.
    """

    def __init__(self) -> None:
        super().__init__()
        self.context: dict[str, str] = {}
        """Keys that every line has."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without a line break; never raises."""
        time = datetime.fromtimestamp(record.created, UTC)
        try:
            message = record.getMessage()
        except Exception:  # wrong arguments of a library's message
            message = f"{record.msg!r} {record.args!r}"
        line: dict[str, object] = {
            "time": time.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname,
            "logger": record.name,
            "message": message,
            **self.context,
        }
        if record.exc_text:
            line["exception"] = record.exc_text
        elif record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        text = json.dumps(line, ensure_ascii=False)
        return _ESCAPED.sub(lambda found: json.dumps(found[0])[1:-1], text)


def log_json_lines() -> None:
    """Make the log handlers of Scrapy write JSON from now on.

    To be called before Scrapy makes its handler, so that its first lines are JSON, too.  Scrapy has no
    setting for the class of the formatter: its function that makes one is replaced.
    """

    def formatter(handler: logging.Handler, settings: object) -> logging.Formatter:
        return JsonFormatter()

    setattr(scrapy.utils.log, "_get_formatter", formatter)  # noqa: B010 - not declared
    handler = scrapy.utils.log.get_scrapy_root_handler()
    if handler is not None and not isinstance(handler.formatter, JsonFormatter):
        handler.setFormatter(JsonFormatter())


def set_log_context(**context: str) -> None:
    """Add keys to every line that is written from now on."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler.formatter, JsonFormatter):
            handler.formatter.context.update(context)
