"""All logins of one crawl."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from topiccrawl.crawl.logins.redaction import Redactor
from topiccrawl.crawl.logins.requests import fetch_with
from topiccrawl.crawl.logins.sites import SiteSession

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

    from topiccrawl.access.login import Login


class CrawlLogins:
    """The sessions of a crawl, by the sites that they belong to.

    Of *logins*, the first that names a host counts.  *download* downloads a request past the queue, with all
    middlewares, and may raise anything; *pause* are the seconds between tries of a login that did not help.
    """

    def __init__(
        self,
        logins: Sequence[Login],
        download: Callable[[Request], Awaitable[Response]],
        clock: Callable[[], float],
        *,
        pause: float,
        count: Callable[[str], None],
    ) -> None:
        self.redactor = Redactor()
        for login in logins:
            user, password = login.user.value, login.password.value
            # HTTP basic sends the two as one value, in whose base64 the password's own does not occur.
            self.redactor.add([password, f"{user}:{password}" if password else ""], lasting=True)
        self.sessions = [
            SiteSession(
                login,
                fetch_with(download, login.name, self.redactor),
                clock,
                pause=pause,
                redactor=self.redactor,
                count=count,
            )
            for login in logins
        ]

    def of(self, url: str) -> SiteSession | None:
        """Return the session that belongs to the host of *url*, ``None`` for other hosts."""
        return next((it for it in self.sessions if it.login.sites.match(url)), None)

    def open(self) -> None:
        """Keep the secrets out of logs from now on."""
        self.redactor.install()

    def close(self) -> None:
        """Forget the handlers of logs."""
        self.redactor.remove()
