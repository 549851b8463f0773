"""How much of a packed body is unpacked, fetched or recorded: each layer and each member takes time."""

from __future__ import annotations

from typing import Final

#: Layers of compression of one response; curl accepts as many (CVE-2023-23916).
MAX_CODINGS: Final = 5
#: Members of a gzip file or frames of Zstandard in one layer.  A guess: servers send one; block-wise gzip
#: has one in 64 KiB.
MAX_MEMBERS: Final = 1_000
#: How packed bodies begin (RFC 1952, 2.3.1; RFC 8878, 3.1); Brotli has no sign.
GZIP_BEGINNING: Final = b"\x1f\x8b\x08"
ZSTD_BEGINNING: Final = b"\x28\xb5\x2f\xfd"
