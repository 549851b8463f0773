"""Decoding: from the bytes of a page to its text."""

from topiccrawl.page.decoding.detection import Decoded, decode

__all__ = ["Decoded", "decode"]
