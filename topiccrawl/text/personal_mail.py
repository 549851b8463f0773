"""E-mail addresses in a text whose characters have their ASCII forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

#: What stands for a period, besides itself.
_DOT: Final = r"(?:\.|\s?[(\[{【]\s?(?:dot|点)\s?[)\]}】]\s?)"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
#: Name, what stands for the at sign, the labels of the host.
_MAIL: Final = re.compile(
    r"(?<![A-Za-z0-9._%+-])(?P<name>[A-Za-z0-9_](?:[A-Za-z0-9._%+-]{0,62}[A-Za-z0-9_+-])?)"
    r"(?P<at>\s?@\s?|\s?[(\[{【]\s?(?:at|@|a)\s?[)\]}】]\s?|\sat\s|#)"
    rf"(?P<host>{_LABEL}(?:{_DOT}{_LABEL}){{0,4}}{_DOT}[A-Za-z]{{2,18}})(?![A-Za-z0-9@-])",
    re.IGNORECASE | re.ASCII,
)
#: Hosts of personal mail: after ``#`` and an unbracketed ``at``, only these make an address.
_MAIL_HOST: Final = re.compile(
    r"(?:\w+\.)*(?:\w*mail|qq|163|126|139|189|yeah|sina|sohu|outlook|yahoo|icloud|live|tom|21cn|aliyun)\.[a-z.]+",
    re.IGNORECASE,
)
#: Ends that are those of a file, not of a host: icon@2x.png, vue@latest.js.
_FILE: Final = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|ico|bmp|m?js|ts|css|map|json|x?html?|php|pdf|md)$", re.IGNORECASE
)


def mail_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, mask) of the e-mail addresses in *text*.

    >>> list(mail_spans("投稿：li.hua@example.cn"))
    [(3, 20, 'l***@example.cn')]
    """
    for found in _MAIL.finditer(text):
        host = re.sub(_DOT, ".", found["host"], flags=re.IGNORECASE)
        if _FILE.search(host):
            continue
        at = found["at"].strip().lower()
        if at in ("#", "at") and _MAIL_HOST.fullmatch(host) is None:
            continue
        yield found.start(), found.end(), f"{found['name'][0]}***@{host.lower()}"
