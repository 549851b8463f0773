"""Keep secrets out of log lines: URLs, errors of libraries and debug messages may contain them."""

from __future__ import annotations

import base64
import logging
import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote, quote_plus

#: Shortest value that is looked for: shorter ones are parts of ordinary words.
_LEAST_CHARS: Final = 4
#: Values that are looked for, at most, besides passwords and the latest ones: cookies of many renewals.
_MOST_VALUES: Final = 500
#: What stands in place of a secret.
_MASK: Final = "***"
_FORMATTER: Final = logging.Formatter()


class Redactor(logging.Filter):
    """A filter of log handlers that replaces secrets by asterisks."""

    def __init__(self) -> None:
        super().__init__()
        self._lasting: set[str] = set()
        self._values: dict[str, None] = {}
        self._pattern: re.Pattern[str] | None = None
        self._handlers: list[logging.Handler] = []

    def add(self, values: Iterable[str], *, lasting: bool = False) -> None:
        """Mask *values* from now on, also encoded as in URLs, forms and HTTP basic.

        Many later values replace earlier ones, except for *lasting* ones.
        """
        new = {
            form: None for value in values if len(value) >= _LEAST_CHARS for form in _forms(value)
        }
        if lasting:
            self._lasting |= new.keys()
        else:
            old = [it for it in self._values if it not in new]
            room = max(0, _MOST_VALUES - len(new))
            self._values = {**dict.fromkeys(old[max(0, len(old) - room) :]), **new}
        longest_first = sorted(self._lasting | self._values.keys(), key=len, reverse=True)
        self._pattern = (
            re.compile("|".join(map(re.escape, longest_first))) if longest_first else None
        )

    def clean(self, text: str) -> str:
        """Return *text* without secrets."""
        return text if self._pattern is None else self._pattern.sub(_MASK, text)

    def filter(self, record: logging.LogRecord) -> bool:
        """Clean the message and the traceback of *record*; keep it."""
        if self._pattern is None:
            return True
        try:
            message = record.getMessage()
        except Exception:  # its formatting fails in the handler, too
            return True
        if (cleaned := self.clean(message)) != message:
            record.msg, record.args = cleaned, None
        if record.exc_info and not record.exc_text:
            text = _FORMATTER.formatException(record.exc_info)
            if (cleaned := self.clean(text)) != text:
                record.exc_text, record.exc_info = cleaned, None
        return True

    def install(self) -> None:
        """Clean what all handlers of the root logger write."""
        for handler in logging.getLogger().handlers:
            if handler not in self._handlers:
                handler.addFilter(self)
                self._handlers.append(handler)

    def remove(self) -> None:
        """Leave the handlers as they were."""
        for handler in self._handlers:
            handler.removeFilter(self)
        self._handlers.clear()


def _forms(value: str) -> list[str]:
    """Return *value* as it may stand in a log."""
    return [
        value,
        quote(value, safe=""),
        quote_plus(value),
        quote(value.encode("gb18030", "replace"), safe=""),
        base64.b64encode(value.encode()).decode("ascii"),
    ]
