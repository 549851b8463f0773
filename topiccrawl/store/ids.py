"""Primary keys of records."""

from __future__ import annotations

import hashlib

from topiccrawl.store.values import storable


def record_id(topic: str, url: str) -> str:
    """Return the primary key of *url* within *topic*: 128 bits of BLAKE2b as 32 hex digits.

    The key depends on the content only, so that a repeated write replaces its own document.
    """
    key = f"{storable(topic)}\x00{storable(url)}"
    return hashlib.blake2b(key.encode(), digest_size=16).hexdigest()
