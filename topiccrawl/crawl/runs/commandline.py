"""The command line of a crawl, as others may see it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

#: Settings whose values are numbers and flags, and no secrets.
_HARMLESS: Final = re.compile(r"[-+\w.]{0,20}", re.ASCII)
#: Credentials of an address.
_CREDENTIALS: Final = re.compile(r"(?<=://)[^\s,]*@")
_LONGEST: Final = 300
_MOST_WORDS: Final = 100


def shown_command(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a command without what may be secret.

    Values of settings are shown if they are short words or numbers and the name of the setting does not
    look like that of a secret; credentials of addresses never are.

    >>> shown_command(["crawl", "topic", "-a", "topic=侨情", "-s", "REDIS_URL=redis://:x@a/0"])
    ('crawl', 'topic', '-a', 'topic=侨情', '-s', 'REDIS_URL=***')
    """
    shown: list[str] = []
    for before, word in zip(("", *words), words[:_MOST_WORDS], strict=False):
        if before in ("-s", "--set"):
            shown.append(_setting(word))
        elif word.startswith(("-s", "--set=")) and "=" in word.removeprefix("--set="):
            head = "--set=" if word.startswith("--set=") else "-s"
            shown.append(head + _setting(word.removeprefix(head)))
        else:
            shown.append(_CREDENTIALS.sub("***@", word)[:_LONGEST])
    return tuple(shown)


def _setting(word: str) -> str:
    name, _equal, value = word.partition("=")
    secret = re.search(r"PASS|SECRET|TOKEN|KEY|AUTH|COOKIE|WEBHOOK", name.upper())
    harmless = _HARMLESS.fullmatch(value) is not None and not secret
    return f"{name[:100]}={value if harmless else '***'}"
