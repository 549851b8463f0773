"""Content sniffing: detect binary data that is served as HTML."""

from __future__ import annotations

_PROBE_BYTES = 4_096
# Share of control bytes in the probe from which a body is binary (a guess; text has none).
_CONTROL_SHARE = 0.02
_MAGIC = (
    b"%PDF-",
    b"\x89PNG\r\n",
    b"GIF8",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"Rar!\x1a",
    b"7z\xbc\xaf",
    b"\x1f\x8b\x08",
    b"\xd0\xcf\x11\xe0",
    b"RIFF",
    b"ID3",
    b"OggS",
    b"\x7fELF",
    b"MZ\x90",
    b"wOFF",
    b"wOF2",
    b"\x00\x00\x01\x00",
    b"BZh",
    b"FWS",
    b"CWS",
    b"{\\rtf",
    b"SQLite format 3",
)
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_PAGE_TYPES = ("html", "xml", "text/plain", "octet-stream", "unknown")
# All control bytes except tab, line feed, form feed, carriage return and escape (ISO-2022).
_CONTROLS = bytes(b for b in range(0x20) if b not in {0x09, 0x0A, 0x0C, 0x0D, 0x1B})


def looks_like_html(body: bytes, content_type: str = "") -> bool:
    """Return False for data that cannot be a page: images, archives, PDF and the like.

    Parameters
    ----------
    body : bytes
        The response body; only the first 4,096 bytes are examined.
    content_type : str
        The Content-Type header, empty if there is none.

    Returns
    -------
    bool
        True for anything that may be HTML, including an empty body. UTF-16 is recognized by its
        byte order mark or by the regular positions of its zero bytes.
    """
    kind = content_type.partition(";")[0].strip().lower()
    if kind and not any(word in kind for word in _PAGE_TYPES):
        return False
    if body.startswith(_UTF16_MARKS):
        return True
    if body.startswith(_MAGIC):
        return False
    probe = body[:_PROBE_BYTES]
    zeros = probe.count(0)
    one_side = max(probe[::2].count(0), probe[1::2].count(0)) >= 0.95 * zeros
    if zeros >= 0.05 * len(probe) and zeros and one_side and b"<" in probe:
        return True
    controls = len(probe) - len(probe.translate(None, _CONTROLS))
    return controls <= _CONTROL_SHARE * len(probe)
