"""Pages saved as one file with all their parts: MHTML (RFC 2557)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from email import policy
from email.message import EmailMessage, Message
from email.parser import BytesParser
from itertools import islice
from typing import Final

from topiccrawl.imports.entries import Origin
from topiccrawl.imports.origins import http_url, origin_of, rfc_date

#: Parts that hold others (a guess: saved pages have one or two); the parser looks for the ends of all of them in
#: each line.
_MOST_NESTED: Final = 20
_NESTED: Final = re.compile(rb"^content-type:\s{0,9}multipart/", re.IGNORECASE | re.MULTILINE)
_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})


@dataclass(frozen=True, slots=True)
class SavedPage:
    """The page in an MHTML file."""

    body: bytes
    content_type: str
    origin: Origin = field(default_factory=Origin)


def read_mhtml(raw: bytes) -> SavedPage | None:
    """Return the page in an MHTML file; ``None`` if it has none.  Never raises.

    That is the part that the header names as the root, else the first page.
    """
    if len(list(islice(_NESTED.finditer(raw), _MOST_NESTED + 1))) > _MOST_NESTED:
        return None
    try:
        message = BytesParser(policy=policy.compat32).parsebytes(raw.lstrip())
        pages = [part for part in message.walk() if part.get_content_type() in _HTML]
        if not pages:
            return None
        wanted = {_header(message, "Snapshot-Content-Location"), _start(message)} - {""}
        root = next((it for it in pages if wanted & set(_names(it))), pages[0])
        body, charset = root.get_payload(decode=True), root.get_content_charset()
    except (LookupError, ValueError, TypeError, AttributeError, RecursionError):
        return None  # the parser of the standard library is lenient, but not with everything
    if not isinstance(body, bytes) or not body.strip():
        return None
    stated = origin_of(body)
    named = (_header(message, "Snapshot-Content-Location"), *_names(root))
    url = next(filter(None, map(http_url, named)), "")
    return SavedPage(
        body,
        f"{root.get_content_type()}; charset={charset}" if charset else root.get_content_type(),
        Origin(
            url or stated.url,
            bool(url) or stated.sure,
            rfc_date(_header(message, "Date")) or stated.saved_at,
            stated.published_at,
            stated.publisher,
        ),
    )


def _names(part: Message | EmailMessage) -> tuple[str, str]:
    return _header(part, "Content-Location"), _header(part, "Content-ID").strip("<>")


def _start(message: Message | EmailMessage) -> str:
    start = message.get_param("start")
    return start.strip("<>") if isinstance(start, str) else ""


def _header(part: Message | EmailMessage, name: str) -> str:
    # Long URLs are folded over several lines.
    return (
        "".join(str(part.get(name) or "").split()) if name != "Date" else str(part.get(name) or "")
    )
