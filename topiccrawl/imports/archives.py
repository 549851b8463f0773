"""Members of zip and tar archives as files; nothing is written to disk under a member's name."""

from __future__ import annotations

import bz2
import copy
import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from functools import partial
from io import BufferedReader
from pathlib import PurePosixPath
from typing import BinaryIO, Final, cast

from topiccrawl.imports.entries import File, LeftOut
from topiccrawl.imports.folder import file_time, is_part_of_saved_page, quoted_path
from topiccrawl.imports.limits import Budget, BudgetSpent, CountedReader
from topiccrawl.imports.unpacking import Unpacker, new_bzip2, new_lzma, new_xz
from topiccrawl.page.dates import CHINA_TIME

#: What the standard library raises for damaged archives and unknown methods of compression.
DAMAGE: Final = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,  # a password is needed
    ValueError,
    IndexError,
)
_UTF8_NAME: Final = 0x800
_ENCRYPTED: Final = 0x1
#: The end of an LZMA member is marked in it, instead of known by its size (APPNOTE.TXT, 4.4.4).
_END_MARKED: Final = 0x2
#: Bytes before the properties of LZMA: version of the packer, length of the properties (APPNOTE.TXT, 5.8.8).
_LZMA_VERSION: Final = 4
_PACKERS: Final[tuple[tuple[bytes, Callable[[BinaryIO], BinaryIO]], ...]] = (
    (b"\x1f\x8b", lambda stream: cast("BinaryIO", gzip.GzipFile(fileobj=stream))),
    (b"BZh", lambda stream: cast("BinaryIO", bz2.BZ2File(stream))),
    (b"\xfd7zXZ\x00", lambda stream: cast("BinaryIO", Unpacker(stream, new_xz))),
)


def zip_files(archive: File, budget: Budget) -> Iterator[File | LeftOut]:
    """Yield the members of a zip archive, in the order of its directory; *archive* must be seekable.

    Raises :class:`BudgetSpent`, or one of :data:`DAMAGE`.
    """
    with archive.open() as stream, zipfile.ZipFile(stream) as zipped:
        members = [(info, _zip_name(info)) for info in zipped.infolist() if not info.is_dir()]
        names = {name for __, name in members}
        for info, name in members:
            budget.member()
            shown = f"{archive.name}/{name}"
            if (reason := _refused(name, names)) is not None:
                yield LeftOut(shown, reason)
            elif info.flag_bits & _ENCRYPTED:
                yield LeftOut(shown, "encrypted")
            else:
                yield File(
                    shown,
                    _member_url(archive, name),
                    info.file_size,
                    _zip_time(info),
                    partial(_open_member, zipped, info, budget),
                )


def tar_files(archive: File, budget: Budget) -> Iterator[File | LeftOut]:
    """Yield the members of a tar archive, packed or not; each must be read before the next one.

    Raises :class:`BudgetSpent`, or one of :data:`DAMAGE`.
    """
    # What a browser saves beside a page comes after the page, or before it.
    names: set[str] = set()
    with (
        closing(_unpacked(archive, budget)) as stream,
        tarfile.open(fileobj=stream, mode="r|", errorlevel=0) as tar,
    ):
        for info in tar:
            budget.member()
            if info.isdir():
                continue
            shown = f"{archive.name}/{info.name}"
            names.add(info.name)
            if (reason := _refused(info.name, names)) is not None:
                yield LeftOut(shown, reason)
            elif not info.isreg() or info.issparse():
                yield LeftOut(shown, "link" if info.issym() or info.islnk() else "not-a-file")
            else:
                if info.size > budget.bytes_left:
                    raise BudgetSpent
                yield File(
                    shown,
                    _member_url(archive, info.name),
                    info.size,
                    file_time(info.mtime),
                    partial(_open_tar_member, tar, info),
                )


def packed_file(archive: File, budget: Budget) -> File:
    """Return the one file in a gzip file: ``page.html`` in ``page.html.gz``."""
    name = PurePosixPath(archive.name).stem
    return File(
        f"{archive.name}/{name}",
        _member_url(archive, name),
        0,  # unknown before it is read
        archive.modified,
        partial(_unpacked, archive, budget),
    )


def _unpacked(archive: File, budget: Budget) -> BinaryIO:
    stream = archive.open()
    head = stream.read(6)
    stream.seek(0)
    for magic, unpack in _PACKERS:
        if head.startswith(magic):
            return cast("BinaryIO", CountedReader(unpack(stream), budget, stream))
    return cast("BinaryIO", CountedReader(stream, budget))


def _open_member(zipped: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> BinaryIO:
    return cast("BinaryIO", CountedReader(_unpacked_member(zipped, info), budget))


def _unpacked_member(zipped: zipfile.ZipFile, info: zipfile.ZipInfo) -> BinaryIO:
    """Return the content of a member; :mod:`zipfile` itself unpacks bzip2 and LZMA without limits.

    At each read, it unpacks all that 4 KB become: 3 GB of a bzip2 member of 2 KB.
    """
    if info.compress_type not in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        return cast("BinaryIO", zipped.open(info))
    packed = copy.copy(info)
    packed.compress_type, packed.file_size = zipfile.ZIP_STORED, info.compress_size
    del packed.CRC  # that of the unpacked bytes
    stream = cast("BinaryIO", zipped.open(packed))
    if info.compress_type == zipfile.ZIP_BZIP2:
        return cast("BinaryIO", Unpacker(stream, new_bzip2))
    stream.read(_LZMA_VERSION)
    size = None if info.flag_bits & _END_MARKED else info.file_size
    return cast("BinaryIO", Unpacker(stream, partial(new_lzma, size)))


def _open_tar_member(tar: tarfile.TarFile, info: tarfile.TarInfo) -> BinaryIO:
    found = tar.extractfile(info)
    if found is None:
        raise tarfile.TarError("not a file")
    return cast("BinaryIO", cast("BufferedReader", found))


def _refused(name: str, names: set[str]) -> str | None:
    """Return why a member is left out because of its name."""
    path = PurePosixPath(name.replace("\\", "/"))
    if not path.parts or path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
        return "unsafe-name"
    if any(part.startswith(".") or part == "__MACOSX" for part in path.parts):
        return "hidden"
    return "part-of-page" if is_part_of_saved_page(str(path), names) else None


def _member_url(archive: File, name: str) -> str:
    path = name.replace("\\", "/")
    return f"{archive.url}/{quoted_path(path)}"


def _zip_name(info: zipfile.ZipInfo) -> str:
    """Return the name of a member; without a flag it is in the encoding of its Windows."""
    if info.flag_bits & _UTF8_NAME:
        return info.filename
    raw = info.orig_filename.encode("cp437", "replace")
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding).partition("\0")[0]
        except UnicodeDecodeError:
            continue
    return info.filename


def _zip_time(info: zipfile.ZipInfo) -> datetime | None:
    """Return the time of a member, which has no time zone; most are packed in China."""
    try:
        return datetime(*info.date_time, tzinfo=CHINA_TIME)
    except ValueError:
        return None
