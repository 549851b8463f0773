"""Decoding: from the bytes of a page to its text."""

from topiccrawl.page.decoding.detection import Decoded, decode
from topiccrawl.page.decoding.encodings import charset_of_header

__all__ = ["Decoded", "charset_of_header", "decode"]
