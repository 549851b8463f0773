"""E-mail: plain text, with a Message-ID that is the same for each attempt."""

from __future__ import annotations

import base64
import smtplib
import ssl
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from topiccrawl.alerts.channels.contract import TIMEOUT_SECONDS, Message, SendFailed, redacted
from topiccrawl.alerts.settings import ChannelSettings
from topiccrawl.language import _

__all__ = ["email", "send", "text"]


def text(message: Message) -> str:
    """Return the body."""
    lines: list[str] = []
    for each in message.alerts:
        lines += [f"{each.label}: {each.headline}", *(f"  {it}" for it in each.details)]
        for page in each.pages:
            lines += [f"  {page.title} — {page.origin}", *([f"  {page.url}"] if page.url else [])]
        lines.append("")
    if message.link:
        lines += [message.link, ""]
    lines.append(f"{message.at:%Y-%m-%d %H:%M} UTC · {message.number}")
    return "\n".join(lines) + "\n"


def email(channel: ChannelSettings, message: Message) -> EmailMessage:
    """Return *message* as an e-mail."""
    mail = EmailMessage(policy=SMTP)
    mail["Subject"] = message.title
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
    """Send *message* to all addresses; raise :class:`SendFailed` if the server refuses one."""
    mail = email(channel, message)
    try:
        with _connected(channel) as server:
            if channel.user:
                _log_in(server, channel.user.value, channel.password.value)
            refused = server.send_message(mail, channel.sender, list(channel.to))
    except (smtplib.SMTPException, OSError, ssl.SSLError) as error:
        raise SendFailed(redacted(_why(error), channel.secrets)) from None
    if refused:
        why = _("the server refuses {n} of {all} addresses")
        raise SendFailed(why.format(n=len(refused), all=len(channel.to)))


def _log_in(server: smtplib.SMTP, user: str, password: str) -> None:
    """Log in; ``smtplib`` itself has ASCII only, RFC 4616 has UTF-8."""
    if (user + password).isascii():
        server.login(user, password)
        return
    server.ehlo_or_helo_if_needed()
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
        except BaseException:
            server.close()
            raise
    return server


def _why(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        answer = error.smtp_error
        shown = answer.decode(errors="replace") if isinstance(answer, bytes) else str(answer)
        return _("the mail server answers {code} {text}").format(code=error.smtp_code, text=shown)
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return _("the mail server refuses all addresses")
    name = getattr(error, "strerror", None) or type(error).__name__
    return _("the mail server cannot be reached: {why}").format(why=name)
