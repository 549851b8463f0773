"""What channels have in common: the message, the result of sending, and limits of texts."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from topiccrawl.alerts.texts import Described
from topiccrawl.errors import system_reason
from topiccrawl.language import Language, _, bracketed
from topiccrawl.reporting.scale import moment

#: Seconds for one attempt (a guess: mail servers may take ten for a greeting).
TIMEOUT_SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True)
class Message:
    """A message to one channel."""

    key: str
    """The same for each attempt: receivers recognize a repetition by it."""
    topic: str
    at: datetime
    title: str
    alerts: Sequence[Described]
    language: Language
    link: str = ""
    """Address of the view in the console; empty for none."""
    attempt: int = 1
    left: Sequence[str] = ()
    """Addresses that have not got the message, of a channel whose others have; empty: all."""

    @property
    def number(self) -> str:
        """Short form of the key, so that a reader recognizes a repeated message."""
        return self.key[:8]

    @property
    def last_line(self) -> str:
        """When it was written, in China's time as everything else, and its number."""
        return f"{moment(self.at)}{bracketed('UTC+8', self.language)} · {self.number}"


class SendFailed(Exception):  # noqa: N818 - an outcome, not a fault of the program
    """The receiver was not reached or did not accept the message; the text has no secrets."""

    def __init__(self, why: str, left: Sequence[str] = ()) -> None:
        """*left* are the addresses that have not got the message, if others have."""
        super().__init__(why)
        self.left = tuple(left)


def transport_reason(error: object) -> str:
    """Return why a server was not reached, without the address that an error may quote."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return _("its certificate is not trusted ({why})").format(why=error.verify_message)
    if isinstance(error, ssl.SSLError) and error.reason == "WRONG_VERSION_NUMBER":
        return _("it does not speak TLS at this port")
    if isinstance(error, TimeoutError):
        return _("no answer within {n} seconds").format(n=round(TIMEOUT_SECONDS))
    if isinstance(error, socket.gaierror):
        return _("its name is not known")
    if isinstance(error, OSError) and error.strerror and error.errno is not None:
        return system_reason(error)
    return type(error).__name__


def redacted(text: str, secrets: Iterable[str]) -> str:
    """Return *text* as one line of at most 300 characters, without *secrets*."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "***")
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:300]


def cut_bytes(text: str, most: int) -> str:
    """Return *text* cut to *most* bytes of UTF-8, with an ellipsis if something is missing."""
    if len(text.encode()) <= most:
        return text
    room = most - len("…".encode())
    if room < 0:
        return ""
    return text.encode()[:room].decode(errors="ignore") + "…"


def fitted(parts: Sequence[Sequence[str]], most: int) -> list[list[str]]:
    """Return the lines of each part such that all parts have their first line, within *most* bytes.

    Later lines are left out where they do not fit into the part's share, a first line is cut.
    """
    share = most // max(len(parts), 1)
    chosen: list[list[str]] = []
    for lines in parts:
        left = share
        kept: list[str] = []
        for position, line in enumerate(lines):
            size = len(line.encode()) + 1
            if size <= left:
                kept.append(line)
                left -= size
            elif position == 0:
                kept.append(cut_bytes(line, left - 1))
                left -= len(kept[0].encode()) + 1
        chosen.append(kept)
    return chosen
