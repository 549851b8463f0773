"""E-mail: plain text, with a Message-ID that is the same for each attempt."""

from __future__ import annotations

import base64
import smtplib
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from topiccrawl.alerts.channels.contract import (
    TIMEOUT_SECONDS,
    Message,
    SendFailed,
    redacted,
    transport_reason,
)
from topiccrawl.alerts.settings import ChannelSettings
from topiccrawl.language import _, labeled, listed


def text(message: Message) -> str:
    """Return the body."""
    lines: list[str] = []
    for each in message.alerts:
        lines += [
            labeled(each.label, each.headline, message.language),
            *(f"  {it}" for it in each.details),
        ]
        for page in each.pages:
            lines += [f"  {page.title} — {page.origin}", *([f"  {page.url}"] if page.url else [])]
        lines.append("")
    if message.link:
        lines += [message.link, ""]
    lines.append(message.last_line)
    return "\n".join(lines) + "\n"


def email(channel: ChannelSettings, message: Message) -> EmailMessage:
    """Return *message* as an e-mail."""
    # Not every server takes bytes that are not ASCII (RFC 6152).
    mail = EmailMessage(policy=SMTP.clone(cte_type="7bit"))
    # Text of a page must not be an encoded word (RFC 2047): Python decodes it, and its line ends would begin
    # headers and a body of the page's own.
    mail["Subject"] = message.title.replace("=?", "＝?")
    mail["From"] = channel.sender
    mail["To"] = ", ".join(channel.to)
    mail["Date"] = format_datetime(message.at)
    domain = channel.sender.rpartition("@")[2]
    mail["Message-ID"] = f"<{message.key}@{domain}>"
    # RFC 3834: no automatic answers.
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(text(message))
    return mail


def send(channel: ChannelSettings, message: Message, now: float) -> None:
    """Send *message* to the addresses that have not got it.

    Raises :class:`SendFailed` if the server refuses one of them; it names those that are left.
    """
    to = [it for it in channel.to if not message.left or it in message.left]
    if not to:
        return  # those that were left are no longer in the file
    mail = email(channel, message)
    try:
        with _session(channel) as server:
            if channel.user:
                _log_in(server, channel.user.value, channel.password.value)
            refused = server.send_message(mail, channel.sender, to)
    except (smtplib.SMTPException, OSError) as error:
        raise SendFailed(redacted(_why(error), channel.secrets)) from None
    if refused:
        raise SendFailed(redacted(_refusal(refused), channel.secrets), tuple(refused))


@contextmanager
def _session(channel: ChannelSettings) -> Iterator[smtplib.SMTP]:
    """Connect, and take leave; what the server answers to that says nothing about the message.

    ``smtplib`` raises an error for any answer but 221, with which a message that was accepted would count
    as failed.  The servers of QQ send zeros.
    """
    server = _connected(channel)
    try:
        yield server
    finally:
        with suppress(smtplib.SMTPException, OSError):
            server.quit()
        server.close()


def _log_in(server: smtplib.SMTP, user: str, password: str) -> None:
    """Log in; ``smtplib`` itself has ASCII only, RFC 4616 has UTF-8."""
    server.ehlo_or_helo_if_needed()
    if not server.has_extn("auth"):
        raise SendFailed(_("the mail server offers no login on this connection"))
    if (user + password).isascii():
        server.login(user, password)
        return
    plain = base64.b64encode(f"\0{user}\0{password}".encode()).decode()
    code, answer = server.docmd("AUTH", f"PLAIN {plain}")
    if code != 235:  # RFC 4954
        raise smtplib.SMTPAuthenticationError(code, answer)


def _connected(channel: ChannelSettings) -> smtplib.SMTP:
    if channel.tls == "tls":
        context = ssl.create_default_context()
        return smtplib.SMTP_SSL(
            channel.host, channel.port, timeout=TIMEOUT_SECONDS, context=context
        )
    server = smtplib.SMTP(channel.host, channel.port, timeout=TIMEOUT_SECONDS)
    if channel.tls == "starttls":
        try:
            server.starttls(context=ssl.create_default_context())
        except smtplib.SMTPNotSupportedError:
            server.close()
            why = _("the mail server does not offer STARTTLS at port {port}: set tls or port")
            raise SendFailed(why.format(port=channel.port)) from None
        except BaseException:
            server.close()
            raise
    return server


def _why(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        if error.smtp_code < 0:  # an answer without a number
            return _("what answers at this port is no mail server: check host and port")
        return _("the mail server answers {answer}").format(
            answer=_answer(error.smtp_code, error.smtp_error)
        )
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return _refusal(error.recipients)
    if isinstance(error, smtplib.SMTPServerDisconnected):
        # Its context is the error of the connection, if there was one.
        cause = error.__context__
        if not isinstance(cause, OSError):
            return _("the mail server has closed the connection")
        return _not_reached(cause)
    if isinstance(error, smtplib.SMTPException) and not isinstance(error, smtplib.SMTPConnectError):
        return _("the mail server offers no login of the kinds PLAIN, LOGIN and CRAM-MD5")
    return _not_reached(error)


def _not_reached(error: Exception) -> str:
    return _("the mail server cannot be reached: {why}").format(why=transport_reason(error))


def _refusal(refused: Mapping[str, tuple[int, bytes]]) -> str:
    """Return which addresses the server refuses, with its answer to the first one."""
    code, answer = next(iter(refused.values()))
    return _("the mail server refuses {addresses}: {answer}").format(
        addresses=listed(refused), answer=_answer(code, answer)
    )


def _answer(code: int, text: bytes | str) -> str:
    shown = text.decode(errors="replace") if isinstance(text, bytes) else text
    return f"{code} {shown}"
