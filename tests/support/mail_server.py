"""A mail server on loopback that keeps to RFC 5321, 3207 (STARTTLS), 4954 (AUTH) and 6531 (SMTPUTF8)."""

from __future__ import annotations

import base64
import socketserver
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage


@dataclass
class MailServer:
    """A running mail server: how it answers, and the mail that it has taken."""

    host: str
    port: int = 0
    tls: ssl.SSLContext | None = None
    """For STARTTLS, without which nothing but EHLO is accepted; with ``wrapped``, from the first byte."""
    wrapped: bool = False
    accounts: Mapping[str, str] = field(default_factory=dict)
    """Passwords by user; without any, everybody may send and AUTH is not offered."""
    mechanisms: str = "PLAIN LOGIN"
    utf8: bool = False
    """Whether addresses may have other characters than ASCII."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Answers to RCPT in place of 250, by address."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """Answers in place of 250, by command; ``GREETING``, ``BODY`` (after DATA) and ``close`` are others."""
    silent: threading.Event | None = None
    """No greeting is sent before this is set."""
    connections: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    recipients: list[list[str]] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)


class _Conversation(socketserver.StreamRequestHandler):
    """One connection."""

    server: _Server

    def handle(self) -> None:
        mail = self.server.mail
        mail.connections += 1
        self.secure = self.logged_in = False
        self.sender: str | None = None
        self.to: list[str] = []
        with suppress(OSError, ValueError):  # whoever does not like the certificate leaves
            if mail.silent is not None:
                mail.silent.wait()
            if mail.wrapped:
                self._encrypt()
            self._say(mail.answers.get("GREETING", "220 mail.example ESMTP"))
            while line := self.rfile.readline():
                if not self._command(line.decode().rstrip("\r\n")):
                    return

    def _say(self, *lines: str) -> None:
        for line in lines:
            self.wfile.write(f"{line}\r\n".encode())

    def _encrypt(self) -> None:
        assert self.server.mail.tls is not None
        self.connection = self.server.mail.tls.wrap_socket(self.connection, server_side=True)
        self.rfile = self.connection.makefile("rb")
        self.wfile = self.connection.makefile("wb", buffering=0)  # type: ignore[assignment]
        self.secure = True

    def _command(self, line: str) -> bool:
        """Answer one command; return whether the connection goes on."""
        mail, verb = self.server.mail, line[:4].upper()
        given = mail.answers.get(verb)
        if given == "close":
            return False
        if given is not None:
            self._say(given)
        elif not line.isascii() and not (mail.utf8 and verb in ("MAIL", "RCPT")):
            self._say("501 5.5.2 not ASCII")
        elif verb == "EHLO":
            self._say(*self._extensions())
        elif verb == "STAR" and mail.tls is not None and not self.secure:
            self._say("220 Go ahead")
            self._encrypt()
        elif verb == "QUIT":
            self._say("221 Bye")
            return False
        elif mail.tls is not None and not self.secure:
            self._say("530 5.7.0 Must issue a STARTTLS command first")
        elif verb == "AUTH" and mail.accounts:
            self._log_in(line)
        elif mail.accounts and not self.logged_in:
            self._say("530 5.7.0 Authentication required")
        else:
            self._transaction(verb, line)
        return True

    def _extensions(self) -> list[str]:
        mail = self.server.mail
        found = ["mail.example", "8BITMIME"]
        if mail.tls is not None and not self.secure:
            found.append("STARTTLS")
        elif mail.accounts:
            found.append(f"AUTH {mail.mechanisms}")
        if mail.utf8:
            found.append("SMTPUTF8")
        return [f"250-{it}" for it in found[:-1]] + [f"250 {found[-1]}"]

    def _log_in(self, line: str) -> None:
        mail, (_verb, mechanism, *rest) = self.server.mail, line.split()
        if mechanism == "PLAIN":
            _, user, password = base64.b64decode(self._answer(rest, "")).decode().split("\0")
        elif mechanism == "LOGIN":
            user = base64.b64decode(self._answer(rest, "VXNlcm5hbWU6")).decode()
            password = base64.b64decode(self._answer([], "UGFzc3dvcmQ6")).decode()
        else:
            self._say("504 5.5.4 Unrecognized authentication type")
            return
        self.logged_in = mail.accounts.get(user) == password
        if self.logged_in:
            mail.logins.append(user)
        self._say("235 OK" if self.logged_in else f"535 5.7.8 no such account or not {password}")

    def _answer(self, given: list[str], challenge: str) -> bytes:
        if given:
            return given[0].encode()
        self._say(f"334 {challenge}")
        return self.rfile.readline().strip()

    def _transaction(self, verb: str, line: str) -> None:
        address = line.partition("<")[2].partition(">")[0]
        if verb == "MAIL":
            self.sender, self.to = address, []
            self._say("250 OK")
        elif verb == "RCPT" and self.sender is not None:
            answer = self.server.mail.refused.get(address, "250 OK")
            if answer.startswith("250"):
                self.to.append(address)
            self._say(answer)
        elif verb == "DATA" and self.to:
            self._data()
        elif verb == "DATA":
            self._say("503 5.5.1 no valid recipients")
        else:
            self._say("250 OK")

    def _data(self) -> None:
        self._say("354 Go on")
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line[1:] if line.startswith(b"..") else line)
        mail = self.server.mail
        answer = mail.answers.get("BODY", "250 OK")
        if not b"".join(lines).isascii():  # the client would have to ask for 8BITMIME
            answer = "554 5.6.1 eight-bit data are not accepted"
        if answer.startswith("250"):
            read = message_from_bytes(b"".join(lines), policy=policy.default)
            assert isinstance(read, EmailMessage)
            mail.mails.append(read)
            mail.recipients.append(list(self.to))
        self._say(answer)


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    mail: MailServer


@contextmanager
def mail_server(address: str = "127.0.0.32", **how: object) -> Iterator[MailServer]:
    """Run a mail server that answers as *how*, the fields of :class:`MailServer`, says."""
    running = MailServer(address, **how)  # type: ignore[arg-type]
    with _Server((address, 0), _Conversation) as server:
        server.mail = running
        running.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield running
        finally:
            if running.silent is not None:
                running.silent.set()
            server.shutdown()
