"""One line instead of a traceback for a server that breaks TLS in a way that Twisted does not expect."""

from __future__ import annotations

import logging
from types import TracebackType
from typing import Final

#: Where Twisted 26.10 fails with an ``IndexError`` when a server closes TLS during the handshake.  The
#: connection is lost as it should be, and the request has its outcome; only the log is wrong.
_PLACE: Final = "twisted/protocols/tls.py"


class BrokenTLS(logging.Filter):
    """Filter of the logger ``twisted``: cuts tracebacks that end in Twisted's own TLS."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten *record* if its exception comes from there; other records stay as they are."""
        error = record.exc_info and record.exc_info[1]
        if error and _innermost(error.__traceback__).endswith(_PLACE):
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.msg, record.args = "A server broke TLS: %s", (repr(error),)
            record.exc_info = record.exc_text = None
        return True


#: The filter; adding it to a logger twice has no effect.
BROKEN_TLS: Final = BrokenTLS()


def _innermost(trace: TracebackType | None) -> str:
    """Return the file in which an exception was raised."""
    file = ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename.replace("\\", "/")
        trace = trace.tb_next
    return file
