"""Checks of URLs that users give: of seeds, and of pages that they judge."""

from __future__ import annotations

import re
from typing import Final

from topiccrawl.language import _
from topiccrawl.tables import reject
from topiccrawl.urls.fetchable import MAX_URL_CHARS, fetchable_url

#: User and password of a URL.
_CREDENTIALS: Final = re.compile(r"//[^/?#]*@")
#: Schemes of FTP (RFC 1738).
_FTP: Final = ("ftp://", "ftps://", "sftp://")


def check_seed_url(file: str, key: str, url: object) -> str:
    """Return *url* without surrounding white space.

    Raises ``ConfigurationError``, which names *file* and *key*, if it is not an absolute http(s) URL with a host.
    """
    rule = _("must be an http or https URL with a host")
    if not isinstance(url, str):
        reject(file, key, rule, url)
    if url.strip().lower().startswith(_FTP):
        rule = _(
            "must be an http or https URL: ftp is not fetched, because an FTP server may direct the "
            "crawler to any address, and announces neither types nor sizes; download the folder (wget -r) "
            "and import it (scrapy import FOLDER)"
        )
    try:
        return fetchable_url(url)
    except ValueError:
        # Neither a terminal nor a log gets the password of a user.
        reject(file, key, rule, _CREDENTIALS.sub("//***@", url[: 2 * MAX_URL_CHARS]))


def check_page_url(file: str, url: str) -> str:
    """Return *url* if a page may have it: one like a seed's, or the ``file:`` URL of an imported page.

    Raises ``ConfigurationError`` if it is neither.
    """
    text = url.strip()
    if text.startswith("file:///") and text.isprintable() and " " not in text:
        return text
    return check_seed_url(file, "URL", url)
