"""What ``alerts.toml`` declares: rules, and channels with their secrets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from topiccrawl.access.login import NONE, Secret
from topiccrawl.alerts.rules import Rule
from topiccrawl.language import Language

R = TypeVar("R", bound=Rule)

#: What happens to a message of which nobody knows whether it arrived.
AfterCrash = Literal["repeat", "skip"]
Tls = Literal["starttls", "tls", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelSettings:
    """One table of ``[[channels]]``; docs/alerts.md describes every key."""

    name: str
    kind: str
    """A key of :data:`~topiccrawl.alerts.channels.kinds.KINDS`."""
    url: Secret = NONE
    """Address of a webhook or robot; it contains a token."""
    secret: Secret = NONE
    """Key with which messages are signed."""
    host: str = ""
    port: int = 0
    tls: Tls = "starttls"
    user: Secret = NONE
    password: Secret = NONE
    sender: str = ""
    to: Sequence[str] = ()
    language: Language | None = None
    """Language of the messages; ``None`` for the user's."""
    after_crash: AfterCrash = "repeat"
    per_minute: int = 15
    """Messages within a minute at most."""
    problem: str = ""
    """Why nothing can be sent: a secret is missing, and nothing else of the channel was read."""

    @property
    def secrets(self) -> list[str]:
        """Values that no log line and no record may contain."""
        given = (self.url, self.secret, self.user, self.password)
        return [it.value for it in given if it]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertSettings:
    """Rules and channels."""

    rules: Sequence[Rule]
    channels: Sequence[ChannelSettings]
    link: str = ""
    """Address of the console, for links in messages; empty for none."""

    def rules_of(self, kind: type[R], topic: str) -> list[R]:
        """Return the rules of one kind that are about *topic*."""
        return [it for it in self.rules if isinstance(it, kind) and it.takes_topic(topic)]

    @property
    def problems(self) -> tuple[str, ...]:
        """Why channels cannot send."""
        return tuple(it.problem for it in self.channels if it.problem)

    @property
    def channel_names(self) -> tuple[str, ...]:
        """Names of all channels."""
        return tuple(it.name for it in self.channels)
