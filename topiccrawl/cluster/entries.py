"""Entries of the list of start URLs: read them from Redis, and check them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from topiccrawl import details
from topiccrawl.urls.fetchable import fetchable_url

if TYPE_CHECKING:
    import redis

#: Longest entry that is read, in bytes: a URL of 8,000 characters, as JSON with escapes (a guess).
MAX_ENTRY_BYTES: Final = 64 * 1024
#: Characters of a bad entry that are logged and recorded.
SHOWN_CHARS: Final = 200
#: Keys of a JSON entry.
_KNOWN: Final = frozenset({"url", "again"})

# Returns the first entries and the beginnings of those that are too long, which are removed here: one
# may have 512 MB.  Entries are looked at one by one, so that Redis holds one at a time.
_READ: Final = """
local found, dropped, at = {}, {}, 0
for _ = 1, tonumber(ARGV[1]) do
  local entry = redis.call('LINDEX', KEYS[1], at)
  if not entry then break end
  if #entry > tonumber(ARGV[2]) then
    redis.call('LREM', KEYS[1], 1, entry)
    dropped[#dropped + 1] = string.sub(entry, 1, tonumber(ARGV[3]))
  else
    found[#found + 1] = entry
    at = at + 1
  end
end
return {found, dropped}
"""


def read_entries(server: redis.Redis, key: str, most: int) -> tuple[list[bytes], list[bytes]]:
    """Return up to *most* entries of the list *key*, and the beginnings of others that were too long.

    The former stay in the list until the caller removes them; the latter are removed.
    """
    found, dropped = server.eval(_READ, 1, key, str(most), str(MAX_ENTRY_BYTES), str(SHOWN_CHARS))
    return found, dropped


def parse_entry(data: bytes, encoding: str = "utf-8") -> tuple[str, bool]:
    """Return the URL of an entry, and whether a page that was fetched before is fetched again.

    Raises ``ValueError`` with the rule that the entry breaks.
    """
    text = data.decode(encoding).strip()
    given: Any = {"url": text}
    if text.startswith("{"):
        try:
            given = json.loads(text)
        except RecursionError:
            raise ValueError("the JSON is nested too deeply") from None
    unknown = sorted(set(given) - _KNOWN)
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r}; known: {', '.join(sorted(_KNOWN))}")
    url = given.get("url")
    if not isinstance(url, str):
        raise ValueError(details.SCHEME())
    return fetchable_url(url), given.get("again", False) is True


def shown(data: bytes) -> str:
    """Return the beginning of an entry as one line of printable text."""
    text = data[:SHOWN_CHARS].decode("utf-8", "backslashreplace")
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return line[:SHOWN_CHARS]
