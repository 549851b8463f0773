"""A login as its user describes it, and secrets that never show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, get_args

from topiccrawl.access.sites import HostPatterns, has_port, site_of
from topiccrawl.urls.hosts import host_of

#: How a login works.
Kind = Literal["form", "json", "basic", "digest", "cookies"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that no ``repr``, log line or traceback shows."""

    value: str = field(repr=False)

    def __str__(self) -> str:
        """Return asterisks."""
        return "***"

    def __bool__(self) -> bool:
        """Whether there is a value."""
        return bool(self.value)


#: No secret.
NONE: Final = Secret("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """One table of ``[[logins]]``; docs/access.md describes every key."""

    name: str
    kind: Kind = "form"
    url: str = ""
    sites: HostPatterns
    """Hosts that get the session."""
    through: HostPatterns
    """Further hosts that a login may pass through, and send the password to."""
    user: Secret = NONE
    password: Secret = NONE
    cookies_file: Path | None = None
    page: str = ""
    """Page that is visited before a JSON login."""
    fields: Mapping[str, str] = field(default_factory=dict)
    user_field: str = ""
    password_field: str = ""
    transform: tuple[str, ...] = ()
    form: str = ""
    action: str = ""
    """Where the form is sent, if a script of the page decides that."""
    csrf_field: str = ""
    csrf_header: str = ""
    csrf_pattern: str = ""
    token: str = ""
    token_header: str = ""
    token_format: str = ""
    token_cookie: str = ""
    check: str = ""
    logged_in_when: str = ""
    lost_when: str = ""

    @property
    def by_tls(self) -> bool:
        """Whether its secrets are sent by https, so that what was got for them is not sent without."""
        return (self.url or self.check).startswith("https://")

    @property
    def hosts(self) -> HostPatterns:
        """All hosts that get cookies of the session or of the login."""
        own = (site_of(it) for it in (self.url, self.page, self.action, self.check) if it)
        return HostPatterns((*self.sites.patterns, *self.through.patterns, *own))

    def may_pass(self, url: str) -> bool:
        """Whether the login may send its secrets to the host of *url*; not if its port cannot be one."""
        if not has_port(url):
            return False
        patterns = (self.sites, self.through)
        return any(it.match(url) for it in patterns) or self._is_own_host(url)

    def _is_own_host(self, url: str) -> bool:
        return any(it and host_of(it) == host_of(url) for it in (self.url, self.page, self.action))
