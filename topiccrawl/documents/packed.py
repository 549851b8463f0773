"""Members of zip archives, within limits: what a few bytes unpack to has no end."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Final

from topiccrawl.documents.text import UnreadableDocumentError

#: Most bytes that the members of a document unpack to, all together.  A guess: the text of 2 million
#: characters in a Word file has some 30 MB of XML; the sheets of a million rows 100 MB.
MAX_UNPACKED: Final = 200_000_000
#: Most members (a guess: an OFD of 1,000 pages has 3,000).
MAX_MEMBERS: Final = 20_000
#: Endings of the members that are read: pictures and fonts are not.
_READ: Final = (".xml", ".rels", ".htm", ".html", ".mht")
_PIECE: Final = 65_536
_LOCAL: Final = re.compile(rb"PK\x03\x04(.{26})", re.DOTALL)


class Archive:
    """The members of a zip archive by name; of a damaged one, those that are complete or begun.

    Raises ``UnreadableDocumentError`` if a member is encrypted, or when more is unpacked than
    :data:`MAX_UNPACKED`.
    """

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._left = MAX_UNPACKED
        self.damaged = False
        """Whether the directory, or a member that was read, is damaged."""
        self._zip: zipfile.ZipFile | None = None
        self._found: dict[str, tuple[int, int]] = {}
        try:
            self._zip = zipfile.ZipFile(BytesIO(body))
            infos = self._zip.infolist()
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError):
            self.damaged = True
            self._found = _local_members(body)
            self.names = list(self._found)
        else:
            if len(infos) > MAX_MEMBERS:
                raise UnreadableDocumentError("too-large", f"{len(infos)} members")
            read = sum(x.file_size for x in infos if x.filename.lower().endswith(_READ))
            if read > MAX_UNPACKED:
                raise UnreadableDocumentError("too-large", f"{read} bytes")
            self.names = [info.filename for info in infos]
        self._known = {plain_name(name): name for name in self.names}

    def __contains__(self, name: str) -> bool:
        """Whether there is such a member."""
        return plain_name(name) in self._known

    def read(self, name: str) -> bytes:
        """Return a member, empty if there is none."""
        return b"".join(self.pieces(name))

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield a member piece by piece; a damaged one ends early."""
        real = self._known.get(plain_name(name))
        if real is None:
            return
        stream = self._stored(real) if self._zip is None else self._unpacked(self._zip, real)
        for piece in stream:
            self._left -= len(piece)
            if self._left < 0:
                raise UnreadableDocumentError("too-large", f"more than {MAX_UNPACKED} bytes")
            yield piece

    def _unpacked(self, archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
        try:
            with archive.open(name) as member:
                while piece := member.read(_PIECE):
                    yield piece
        except RuntimeError as error:  # "File … is encrypted, password required for extraction"
            raise UnreadableDocumentError("encrypted", str(error)) from error
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError):
            self.damaged = True

    def _stored(self, name: str) -> Iterator[bytes]:
        method, start = self._found[name]
        data = memoryview(self._body)[start:]
        if method != zipfile.ZIP_DEFLATED:
            end = self._body.find(b"PK\x03\x04", start)
            yield bytes(data[: end - start if end > 0 else None])
            return
        unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            for at in range(0, len(data), _PIECE):
                piece = unpacker.decompress(data[at : at + _PIECE], 16 * _PIECE)
                yield piece
                while unpacker.unconsumed_tail:
                    yield unpacker.decompress(unpacker.unconsumed_tail, 16 * _PIECE)
                if unpacker.eof:
                    return
        except zlib.error:
            return


def plain_name(name: str) -> str:
    """Return the name of a member as it is compared: case and kind of slashes do not matter."""
    return name.replace("\\", "/").lstrip("/").lower()


def _local_members(body: bytes) -> dict[str, tuple[int, int]]:
    """Return method and start of the members whose local headers are in *body*."""
    found: dict[str, tuple[int, int]] = {}
    for match in _LOCAL.finditer(body):
        header = match[1]
        method = int.from_bytes(header[4:6], "little")
        size, extra = (int.from_bytes(header[at : at + 2], "little") for at in (22, 24))
        start = match.end()
        name = body[start : start + size].decode("utf-8", "replace")
        found.setdefault(name, (method, start + size + extra))
        if len(found) >= MAX_MEMBERS:
            break
    return found
