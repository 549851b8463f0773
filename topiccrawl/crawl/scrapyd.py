"""Crawls on a scrapyd server, through its JSON API.

scrapyd can start and cancel jobs; it cannot pause them.  Jobs on this machine are in the folder of the
crawls as all others, and can be paused there.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote, urlencode, urlsplit, urlunsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _

#: Seconds to wait for an answer: the page that shows the jobs waits, too (a guess).
_TIMEOUT: Final = 5.0
#: Bytes of an answer, at most: the list of some 10,000 jobs.
_MOST_BYTES: Final = 4_000_000
#: Jobs that are shown of each state.
_MOST_JOBS: Final = 100
_ID: Final = re.compile(r"[\w.-]{1,200}", re.ASCII)


class ScrapydError(ConnectionError):
    """The server does not answer, or refuses; the message has no password."""


@dataclass(frozen=True, slots=True)
class ScrapydJob:
    """A job of the spider ``topic``, or another one of the project."""

    id: str
    spider: str
    state: str
    """``pending``, ``running`` or ``finished``."""
    start: str = ""
    end: str = ""
    pid: int = 0


def checked_servers(addresses: str) -> tuple[str, ...]:
    """Return the addresses in *addresses*, separated by blanks; ``ValueError`` for a wrong one."""
    found = tuple(addresses.split())
    for address in found:
        try:
            parts = urlsplit(address)
            good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:  # the port, or the brackets of IPv6
            good = False
        if not good:
            raise ValueError(
                _("must be addresses such as http://127.0.0.1:6800, got {address!r}").format(
                    address=shown_address(address)
                )
            )
    return found


def shown_address(address: str) -> str:
    """Return *address* without its password."""
    __, at, tail = address.rpartition("@")
    scheme = re.match(r"[a-z]{1,10}://", address, re.IGNORECASE)
    return f"{scheme[0] if scheme else ''}***@{tail}" if at else address


class Scrapyd:
    """One server and project.

    *address* is ``http://[user:password@]host:port``; environment proxies and redirects are ignored.
    """

    def __init__(self, address: str, project: str = "topiccrawl") -> None:
        parts = urlsplit(address)
        user, __, host = parts.netloc.rpartition("@")
        self._base = urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))
        self._project = project
        self._headers = {}
        if user:
            token = base64.b64encode(unquote(user).encode()).decode("ascii")
            self._headers["Authorization"] = f"Basic {token}"
        self._opener = build_opener(ProxyHandler({}), _NoRedirects())

    @property
    def name(self) -> str:
        """The server's address without credentials."""
        return self._base

    def jobs(self) -> list[ScrapydJob]:
        """Return the jobs: running, pending, then the last finished ones; :class:`ScrapydError`."""
        answer = self._call(f"listjobs.json?{urlencode({'project': self._project})}")
        found: list[ScrapydJob] = []
        for state in ("running", "pending", "finished"):
            entries = answer.get(state)
            entries = entries if isinstance(entries, list) else []
            jobs = [_job(it, state) for it in entries if isinstance(it, dict)]
            found += jobs[:_MOST_JOBS] if state != "finished" else jobs[-_MOST_JOBS:][::-1]
        return found

    def schedule(
        self, topic: str, *, pages: int = 0, settings: Mapping[str, str] | None = None
    ) -> str:
        """Start a crawl of *topic* and return the job's id; raises :class:`ScrapydError`."""
        fields = [("project", self._project), ("spider", "topic"), ("topic", topic)]
        fields += [("pages", str(pages))] if pages else []
        fields += [("setting", f"{name}={value}") for name, value in (settings or {}).items()]
        return str(self._call("schedule.json", fields).get("jobid", ""))

    def cancel(self, job: str) -> None:
        """Ask a job to stop in order; raises :class:`ScrapydError`."""
        if _ID.fullmatch(job) is None:
            raise ScrapydError(_("{job!r} is no job").format(job=job[:100]))
        self._call("cancel.json", [("project", self._project), ("job", job)])

    def _call(self, path: str, fields: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
        data = urlencode(list(fields), quote_via=quote).encode() if fields else None
        request = Request(f"{self._base}/{path}", data, self._headers)
        try:
            with self._opener.open(request, timeout=_TIMEOUT) as answer:
                body = answer.read(_MOST_BYTES)
        except HTTPError as error:
            raise self._error(f"HTTP {error.code}") from None
        except (URLError, OSError, ValueError) as error:
            raise self._error(str(getattr(error, "reason", error))) from None
        except HTTPException as error:  # another protocol, or an answer that breaks off
            raise self._error(type(error).__name__) from None
        try:
            parsed = json.loads(body)
        except (ValueError, RecursionError):
            raise self._error(_("the answer is not JSON")) from None
        if not isinstance(parsed, dict) or parsed.get("status") != "ok":
            message = parsed.get("message") if isinstance(parsed, dict) else None
            raise self._error(str(message or _("it refused"))[:300])
        return parsed

    def _error(self, reason: str) -> ScrapydError:
        return ScrapydError(
            _("scrapyd at {address}: {reason}").format(address=self._base, reason=reason)
        )


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *arguments: Any) -> None:
        """Follow no redirect: credentials and forms belong to this server."""
        return


def _job(entry: Mapping[str, Any], state: str) -> ScrapydJob:
    pid = entry.get("pid")
    return ScrapydJob(
        str(entry.get("id", ""))[:200],
        str(entry.get("spider", ""))[:100],
        state,
        str(entry.get("start_time") or "")[:40],
        str(entry.get("end_time") or "")[:40],
        pid if isinstance(pid, int) else 0,
    )


def servers(addresses: str) -> list[Scrapyd]:
    """Return the servers at *addresses*; raises :class:`ConfigurationError` for a wrong one."""
    try:
        return [Scrapyd(it) for it in checked_servers(addresses)]
    except ValueError as error:
        raise ConfigurationError(f"TOPICCRAWL_SCRAPYD: {error}") from None
