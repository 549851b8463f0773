"""Old Office files: OLE compound files with the streams of Word, Excel and PowerPoint."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

_SECTOR = 512
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def compound(streams: Mapping[str, bytes]) -> bytes:
    """A compound file ([MS-CFB]) with the given streams, each of at least 4,096 bytes."""
    names = sorted(streams, key=lambda name: (len(name), name.upper()))
    padded = {name: data.ljust(4096, b"\0") for name, data in streams.items()}
    sectors: list[bytes] = []
    fat: list[int] = []

    def add(data: bytes) -> int:
        start = len(sectors)
        count = -(-len(data) // _SECTOR)
        for at in range(count):
            sectors.append(data[at * _SECTOR : (at + 1) * _SECTOR].ljust(_SECTOR, b"\0"))
            fat.append(start + at + 1 if at + 1 < count else _END)
        return start

    starts = {name: add(padded[name]) for name in names}

    def entry(name: str, kind: int, start: int, size: int, child: int, right: int) -> bytes:
        raw = name.encode("utf-16-le") + b"\0\0"
        return (
            raw.ljust(64, b"\0")
            + struct.pack("<HBBIII", len(raw), kind, 1, _FREE, right, child)
            + bytes(16 + 4 + 16)
            + struct.pack("<IQ", start, size)
        )

    directory = entry("Root Entry", 5, _END, 0, 1 if names else _FREE, _FREE)
    for at, name in enumerate(names):
        right = at + 2 if at + 1 < len(names) else _FREE
        directory += entry(name, 2, starts[name], len(padded[name]), _FREE, right)
    while len(directory) % _SECTOR:
        directory += bytes(68) + struct.pack("<III", _FREE, _FREE, _FREE) + bytes(48)
    directory_start = add(directory)
    count = 1
    while (len(fat) + count) * 4 > count * _SECTOR:
        count += 1
    fat_start = len(sectors)
    fat += [_FAT] * count
    table = struct.pack(f"<{len(fat)}I", *fat).ljust(count * _SECTOR, b"\xff")
    sectors += [table[at : at + _SECTOR] for at in range(0, len(table), _SECTOR)]
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    header += struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += struct.pack("<IIIIIIIII", 0, count, directory_start, 0, 4096, _END, 0, _END, 0)
    places = [fat_start + at for at in range(count)] + [_FREE] * (109 - count)
    header += struct.pack("<109I", *places)
    return header.ljust(_SECTOR, b"\0") + b"".join(sectors)


def word97(
    body: str,
    *,
    footnotes: str = "",
    headers: str = "",
    boxes: str = "",
    pieces: int = 3,
    flags: int = 0,
    narrow: str = "",
) -> bytes:
    """A Word 97 file whose text is in several pieces; *narrow* is one of a byte per character."""
    whole = body + footnotes + headers + boxes
    main = bytearray(2048)
    struct.pack_into("<HHH", main, 0, 0xA5EC, 0x00C1, 0)
    struct.pack_into("<H", main, 6, 0x0804)
    struct.pack_into("<H", main, 0x0A, 0x0200 | flags)
    sizes = [len(narrow) + len(body), len(footnotes), len(headers), 0, 0, 0, len(boxes), 0]
    struct.pack_into("<8I", main, 0x4C, *sizes)
    ends, places = [0], []
    if narrow:
        places.append(len(main) * 2 | 0x40000000)
        main += narrow.encode("cp1252")
        ends.append(len(narrow))
    step = -(-len(whole) // pieces)
    cut = [whole[at : at + step] for at in range(0, len(whole), step)]
    # The pieces are in another order in the file than in the text.
    found = {}
    for number in reversed(range(len(cut))):
        found[number] = len(main)
        main += cut[number].encode("utf-16-le")
    for number, piece in enumerate(cut):
        places.append(found[number])
        ends.append(ends[-1] + len(piece))
    plc = struct.pack(f"<{len(ends)}I", *ends)
    plc += b"".join(struct.pack("<HIH", 0, place, 0) for place in places)
    clx = b"\x01" + struct.pack("<H", 4) + b"\0\0\0\0" + b"\x02" + struct.pack("<I", len(plc)) + plc
    struct.pack_into("<II", main, 0x01A2, 0, len(clx))
    return compound({"WordDocument": bytes(main), "1Table": clx})


def word95(text: str) -> bytes:
    """A Word 95 file, whose text is in the code page of its language."""
    raw = text.encode("gbk")
    main = bytearray(1024)
    struct.pack_into("<HHH", main, 0, 0xA5DC, 0x0068, 0)
    struct.pack_into("<H", main, 6, 0x0804)
    struct.pack_into("<II", main, 0x18, 1024, 1024 + len(raw))
    return compound({"WordDocument": bytes(main) + raw})


def biff8(rows: Sequence[Sequence[str | float]], sheet: str = "Sheet1") -> bytes:
    """An Excel 97 workbook with one sheet."""

    def record(kind: int, data: bytes) -> bytes:
        return struct.pack("<HH", kind, len(data)) + data

    strings = list(dict.fromkeys(x for row in rows for x in row if isinstance(x, str)))
    table = struct.pack("<II", len(strings), len(strings))
    for text in strings:
        table += struct.pack("<HB", len(text), 1) + text.encode("utf-16-le")
    assert len(table) < 8_000
    globals_ = record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0005, 0, 0, 0, 0x0600))
    globals_ += record(0x0042, struct.pack("<H", 1200))
    name = struct.pack("<BB", len(sheet), 0) + sheet.encode("latin-1")
    after = record(0x00FC, table) + record(0x000A, b"")
    bound_size = 4 + 6 + len(name)
    start = len(globals_) + bound_size + len(after)
    book = globals_ + record(0x0085, struct.pack("<IH", start, 0) + name) + after
    book += record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0010, 0, 0, 0, 0x0600))
    width = max(map(len, rows))
    book += record(0x0200, struct.pack("<IIHHH", 0, len(rows), 0, width, 0))
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            if isinstance(value, str):
                book += record(0x00FD, struct.pack("<HHHI", r, c, 0, strings.index(value)))
            else:
                book += record(0x0203, struct.pack("<HHHd", r, c, 0, value))
    return compound({"Workbook": book + record(0x000A, b"")})


def powerpoint97(slides: Sequence[Sequence[str]]) -> bytes:
    """A PowerPoint 97 file with a list of slide texts."""

    def record(kind: int, data: bytes, version: int = 0) -> bytes:
        return struct.pack("<HHI", version, kind, len(data)) + data

    texts = b"".join(record(0x0FA0, "\r".join(lines).encode("utf-16-le")) for lines in slides)
    listed = record(0x0FF0, texts, version=0x0F)
    return compound({"PowerPoint Document": record(0x03E8, listed, version=0x0F)})
