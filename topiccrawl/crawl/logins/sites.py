"""The session of one login: log in once for all that wait, and renew it when it is lost."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from scrapy.utils.httpobj import urlparse_cached

from topiccrawl.access.attempt import Access, address_of
from topiccrawl.access.logging_in import log_in
from topiccrawl.access.renewal import Decision, RenewalRules
from topiccrawl.access.verdicts import Outcome, Verdict
from topiccrawl.access.walls import Evidence, PageSigns, signs_of
from topiccrawl.access.words import LOGOUT_ADDRESS, LOGOUT_LINK
from topiccrawl.backoff import exponential_delay
from topiccrawl.crawl.logins.messages import advice
from topiccrawl.crawl.logins.requests import ScrapyAnswer, repeated
from topiccrawl.crawl.requests.refused import LoginNeeded, LoginRests
from topiccrawl.language import _

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

    from topiccrawl.access.exchange import Fetch
    from topiccrawl.access.login import Login
    from topiccrawl.crawl.logins.redaction import Redactor
    from topiccrawl.scoring.evidence import LinkEvidence

logger = logging.getLogger(__name__)

#: Tries of a login whose server does not answer, before the crawl goes on without it (a guess).
MOST_TRIES: Final = 3


class _State(Enum):
    CLOSED = "closed"
    OPEN = "open"
    STOPPED = "stopped"
    """No further try in this run."""


@dataclass(frozen=True, slots=True, eq=False)
class SessionMark:
    """With which session a page was requested, in ``meta``."""

    session: SiteSession
    access: Access | None
    """``None``: without a session, because there is none."""
    generation: int
    used: bool


class SiteSession:
    """The session of one login.

    *pause* are the seconds between tries that did not help, doubled each time; *redactor* keeps cookies and tokens
    of the session out of logs.
    """

    def __init__(
        self,
        login: Login,
        fetch: Fetch,
        clock: Callable[[], float],
        *,
        pause: float,
        redactor: Redactor,
        count: Callable[[str], None],
    ) -> None:
        self.login = login
        self.verdict: Verdict | None = None
        self._fetch = fetch
        self._clock = clock
        self._pause = pause
        self._redactor = redactor
        self._count = count
        self._rules = RenewalRules(pause)
        self._access = Access()
        self._state = _State.CLOSED
        self._generation = 0
        self._pages = 0
        self._logout_seen = False
        self._said = False
        self._tries = 0
        self._not_before = 0.0
        #: Values of the cookies of the file, as they were when it was read last.
        self._exported: frozenset[str] = frozenset()
        self._task: asyncio.Task[None] | None = None

    # -- out -----------------------------------------------------------------------------------

    async def mark(self) -> SessionMark:
        """Return the mark of a request for a page; log in before if that is to be done.

        Raises ``LoginRests`` if the server of the login does not answer; the page is requested later.
        """
        if self._state is _State.CLOSED:
            await self._open()
        if self._state is not _State.OPEN:
            return SessionMark(self, None, self._generation, used=False)
        return SessionMark(self, self._access, self._generation, used=self._pages > 0)

    def is_login_address(self, request: Request, evidence: LinkEvidence) -> bool:
        """Whether *request*, for a link, would begin or end a session.

        What the user has named, and a front page that is the login page, may be requested.
        """
        parts = urlparse_cached(request)
        if LOGOUT_ADDRESS.search(f"{parts.path}?{parts.query}"):
            return True
        if evidence.anchor and LOGOUT_LINK.fullmatch(evidence.anchor.strip()):
            return True
        if evidence.named or evidence.parent is None or parts.path in ("", "/"):
            return False
        return address_of(request.url) in self._access.addresses

    def authorize(self, request: Request, access: Access) -> None:
        """Write cookies and headers of the session into *request*."""
        if cookie := access.jar.header(request.url):
            request.headers["Cookie"] = cookie
        # A token that was got by TLS is not sent without.
        if request.url.startswith("http://") and self.login.by_tls:
            return
        for name, value in access.headers.items():
            request.headers[name] = value
        if access.authorization is not None:
            request.headers["Authorization"] = access.authorization.header(
                request.method, request.url
            )

    # -- back ----------------------------------------------------------------------------------

    def signs(self, response: Response) -> PageSigns:
        """Return what a response shows of the session."""
        return signs_of(
            ScrapyAnswer(response),
            self.login,
            self._access.addresses,
            logout_expected=self._logout_seen,
        )

    def came_through(self, request: Request, mark: SessionMark, signs: PageSigns) -> None:
        """Record a page that is content."""
        self._rules.came_through(request.url)
        if mark.generation == self._generation:
            self._pages += 1
        self._logout_seen = self._logout_seen or signs.logout

    async def behind_wall(
        self, request: Request, response: Response, mark: SessionMark, evidence: Evidence
    ) -> Request | Response:
        """Return how to treat a page that was answered without a session.

        Raises ``LoginNeeded`` or ``LoginRests`` if it is given up, or tried later.
        """
        self._count(f"login/wall/{evidence.name.lower()}")
        if mark.access is None or self._stopped():
            return self._without(response, evidence)
        decision = self._rules.behind_wall(
            request.url, evidence, mark.generation, self._generation, self._clock(), used=mark.used
        )
        if decision is Decision.CONTENT:
            return response
        if decision is Decision.RENEW:
            self._count("login/lost")
            with suppress(LoginRests):  # then the repeated request waits for the next try
                await self._renew(mark.generation)
            if self._stopped():
                return self._without(response, evidence)
        elif decision is not Decision.REPEAT:
            self._say_if_exhausted()
            if decision is Decision.LATER:
                raise LoginRests(self.login.name, self._rules.not_before)
            raise LoginNeeded(self.login.name)
        self._count("login/repeated")
        return repeated(request)

    def _without(self, response: Response, evidence: Evidence) -> Response:
        """Return a page that was requested without a session, if it is content."""
        if evidence.weak:
            return response
        raise LoginNeeded(self.login.name)

    def _stopped(self) -> bool:
        return self._state is _State.STOPPED

    def _say_if_exhausted(self) -> None:
        if self._rules.exhausted and not self._said:
            self._said = True
            logger.warning(
                _(
                    "Login %(login)s: pages stay behind the login after every renewal; the session "
                    "is not renewed any more"
                ),
                {"login": self.login.name},
            )

    # -- logging in ----------------------------------------------------------------------------

    async def _renew(self, generation: int) -> None:
        if self._state is _State.OPEN and generation == self._generation:
            self._state = _State.CLOSED
        await self._open()

    async def _open(self) -> None:
        """Log in, once for all that wait."""
        if self._state is not _State.CLOSED:
            return
        if self._task is None:
            if self._clock() < self._not_before:
                raise LoginRests(self.login.name, self._not_before)
            self._task = asyncio.ensure_future(self._try())
            self._task.add_done_callback(self._ended)
        # The login goes on when a request that waits for it is canceled.
        await asyncio.shield(self._task)
        if self._state is _State.CLOSED:
            raise LoginRests(self.login.name, self._not_before)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._task = None
        if not task.cancelled() and task.exception() is not None:
            self._stop()

    async def _try(self) -> None:
        access, verdict = await log_in(self.login, self._fetch)
        self.verdict = verdict
        # A browser exports the cookies of all sites; those of others are never sent.
        self._redactor.add(access.jar.values(self.login.hosts))
        self._redactor.add(value.removeprefix("Bearer ") for value in access.headers.values())
        self._count(f"login/tried/{verdict.outcome.name.lower()}")
        if verdict.open and self._is_stale(access):
            verdict = self.verdict = Verdict(Outcome.REFUSED, "same cookies")
        if verdict.open:
            self._tries = 0
            self._generation += 1
            self._pages = 0
            access.addresses |= self._access.addresses
            self._access = access
            self._state = _State.OPEN
            logger.info(_("Login %(login)s: logged in"), {"login": self.login.name})
            return
        self._tries += 1
        again = verdict.outcome is Outcome.UNREACHABLE and self._tries < MOST_TRIES
        self._say(verdict, again=again)
        if again:
            self._not_before = self._clock() + exponential_delay(self._tries, base=self._pause)
        else:
            self._stop()

    def _is_stale(self, access: Access) -> bool:
        """Whether a renewal brought the cookies that were lost: the person has exported no others."""
        if self.login.kind != "cookies":
            return False
        before, self._exported = self._exported, frozenset(access.jar.values())
        return self._exported <= before

    def _stop(self) -> None:
        self._state = _State.STOPPED

    def _say(self, verdict: Verdict, *, again: bool) -> None:
        end = (
            _("tried again later")
            if again
            else _("the crawl goes on without it, and keeps no page that asks for it")
        )
        logger.warning(
            _("Login %(login)s: %(problem)s; %(end)s"),
            {
                "login": self.login.name,
                "problem": self._redactor.clean(advice(self.login, verdict)),
                "end": end,
            },
        )
