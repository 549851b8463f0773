"""Messages in the Markdown of DingTalk and WeCom.

Their dialects have no reliable escape: what would be markup, a mention or a link is replaced by its full-width
form.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from topiccrawl.alerts.channels.contract import Message, cut_bytes, fitted

_FULL_WIDTH: Final = str.maketrans({c: chr(ord(c) + 0xFEE0) for c in "<>[]*_`#@~|!\\&"})


def plain(text: str) -> str:
    """Return *text* without anything that these robots take for markup, a mention or an address."""
    return text.translate(_FULL_WIDTH).replace("://", "：//")


def link_target(url: str) -> str:
    """Return *url* with everything escaped that could end a link."""
    return quote(url, safe=":/?#@!$&'*+,;=%~-._")


def markdown(message: Message, most: int) -> str:
    """Return the message in at most *most* bytes; each warning has its headline."""
    head = f"### {plain(message.title)}"
    foot = [f"[{message.link}]({message.link})"] if message.link else []
    foot.append(message.last_line)
    one = len(message.alerts) == 1
    parts = []
    for each in message.alerts:
        lines = [] if one else [f"**{plain(each.label)}** {plain(each.headline)}"]
        for page in each.pages[: 5 if one else 1]:
            text = plain(page.title if one or each.alert.kind != "story" else page.origin)
            line = f"[{text}]({link_target(page.url)})" if page.url else text
            origin = f" {plain(page.origin)}" if one else ""
            lines.append(f"> {line}{origin}")
        lines += [f"> {plain(it)}" for it in each.details]
        parts.append(lines or [plain(each.headline)])
    head = cut_bytes(head, most // 4)
    room = most - len(head.encode()) - sum(len(it.encode()) + 2 for it in foot) - 4
    lines = [line for part in fitted(parts, room - 2 * len(parts)) for line in [*part, ""]]
    return "\n".join([head, "", *lines, *foot])
