"""Folders and archives become entries; everything else is left out, with its reason."""

from __future__ import annotations

import gc
import gzip
import io
import lzma
import os
import random
import tarfile
import tracemalloc
import warnings
import zipfile
import zlib
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

import pytest

from topiccrawl.imports.entries import Entry, File, LeftOut
from topiccrawl.imports.folder import file_on_disk
from topiccrawl.imports.limits import Limits
from topiccrawl.imports.walk import Walk

PAGE = "<html><head><title>侨乡</title></head><body><p>侨乡文化</p></body></html>".encode()


def entries(path: Path, limits: Limits | None = None) -> list[Entry]:
    walk = Walk(path, limits=limits or Limits())
    return [it for it in walk.found() if isinstance(it, Entry)]


def left_out(path: Path, limits: Limits | None = None) -> dict[str, str]:
    walk = Walk(path, limits=limits or Limits())
    return {it.name: it.reason for it in walk.found() if isinstance(it, LeftOut)}


def write_zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return path


def tar_bytes(members: dict[str, bytes], mode: str = "w:gz") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for name, body in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body))
    return buffer.getvalue()


class OddTime(type(Path())):  # type: ignore[misc]
    """A path whose file has a time that no calendar has."""

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        found = super().stat(follow_symlinks=follow_symlinks)
        return os.stat_result([*found[:7], 0, 1e13, 0])


def test_a_file_with_a_time_beyond_the_calendar_is_a_file_without_one(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(PAGE)
    found = file_on_disk(OddTime(tmp_path / "a.html"), "a.html")
    assert isinstance(found, File)
    assert found.modified is None


def test_a_member_called_like_its_folder_does_not_hide_the_others(tmp_path: Path) -> None:
    packed = write_zip(tmp_path / "a.zip", {".": b"x", "b.html": PAGE})
    assert [it.name for it in entries(packed)] == ["a.zip/b.html"]
    assert left_out(packed) == {"a.zip/.": "unsafe-name"}


def test_pages_of_a_folder_come_in_the_order_of_their_names_with_file_urls(tmp_path: Path) -> None:
    (tmp_path / "下").mkdir()
    (tmp_path / "下" / "二 #1.html").write_bytes(PAGE)
    (tmp_path / "a.htm").write_bytes(PAGE)
    (tmp_path / "no-ending").write_bytes(PAGE)
    found = entries(tmp_path)
    assert [it.name for it in found] == ["a.htm", "no-ending", "下/二 #1.html"]
    assert [it.kind for it in found] == ["page"] * 3
    assert found[2].url.isascii()
    assert "#" not in found[2].url
    assert unquote(found[2].url) == f"file://{tmp_path.resolve()}/下/二 #1.html"
    assert [it.url for it in entries(tmp_path)] == [it.url for it in found]


def test_what_is_no_page_is_left_out_with_its_reason(tmp_path: Path) -> None:
    files = {
        "style.css": b"p {}",
        "data.json": b"{}",
        "empty.html": b" \n",
        "urls.txt": b"http://a.example.cn/\nhttp://b.example.cn/\n",
        "old.rar": b"Rar!\x1a\x07\x00....",
        "noise.bin": bytes(range(256)) * 20,
        ".hidden.html": PAGE,
        "torn.zip": b"PK\x03\x04 torn",
    }
    for name, body in files.items():
        (tmp_path / name).write_bytes(body)
    (tmp_path / "link.html").symlink_to(tmp_path / "empty.html")
    os.mkfifo(tmp_path / "pipe.html")
    assert left_out(tmp_path) == {
        "style.css": "asset",
        "data.json": "asset",
        "empty.html": "empty",
        "urls.txt": "url-list",
        "old.rar": "other-archive",
        "noise.bin": "unknown",
        ".hidden.html": "hidden",
        "torn.zip": "damaged",
        "link.html": "link",
        "pipe.html": "not-a-file",
    }
    assert entries(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.pdf", b"%PDF-1.4\n%\xe2\xe3\n"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)),
        ("no-ending", b"{\\rtf1 text}"),
        ("a.docx", b"PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00[Content_Types].xml"),
        ("wrong.html", b"%PDF-1.4\n"),
        ("note.txt", "侨乡文化".encode()),
    ],
)
def test_documents_are_recognized_by_their_content(tmp_path: Path, name: str, body: bytes) -> None:
    (tmp_path / name).write_bytes(body)
    assert [it.kind for it in entries(tmp_path)] == ["document"]


def test_frames_and_pictures_that_a_browser_has_saved_with_a_page_are_no_pages(
    tmp_path: Path,
) -> None:
    for folder in ("侨乡_files", "my_files", "旧页.files"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "saved_resource.html").write_bytes(PAGE)
    (tmp_path / "侨乡.html").write_bytes(PAGE)
    (tmp_path / "旧页.htm").write_bytes(PAGE)
    members = {"x/侨乡_files/ad.html": PAGE, "x/侨乡.html": PAGE}
    write_zip(tmp_path / "saved.zip", members)
    assert [it.name for it in entries(tmp_path)] == [
        "my_files/saved_resource.html",
        "saved.zip/x/侨乡.html",
        "侨乡.html",
        "旧页.htm",
    ]


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_tar_archives_are_read_in_every_packing(tmp_path: Path, mode: str) -> None:
    (tmp_path / "t.tar").write_bytes(tar_bytes({"d/a.html": PAGE, "d/b.html": PAGE}, mode))
    assert [(it.name, it.body) for it in entries(tmp_path / "t.tar")] == [
        ("t.tar/d/a.html", PAGE),
        ("t.tar/d/b.html", PAGE),
    ]


@pytest.mark.parametrize("name", ["t.tar.gz", "t.tar.bz2", "t.tar.xz", "page.html.gz"])
def test_packed_files_are_closed(tmp_path: Path, name: str) -> None:
    packing = name.rpartition(".")[2]
    packed = gzip.compress(PAGE) if "page" in name else tar_bytes({"a.html": PAGE}, f"w:{packing}")
    (tmp_path / name).write_bytes(packed)
    with warnings.catch_warnings(
        record=True, action="always", category=ResourceWarning
    ) as left_open:
        assert len(entries(tmp_path / name)) == 1
        gc.collect()
    assert [str(it.message) for it in left_open] == []


def test_archives_in_archives_are_read_to_a_depth(tmp_path: Path) -> None:
    inner = tar_bytes({"a.html": PAGE})
    write_zip(tmp_path / "one.zip", {"inner.tar.gz": inner, "page.html.gz": gzip.compress(PAGE)})
    names = [it.name for it in entries(tmp_path)]
    assert names == ["one.zip/inner.tar.gz/a.html", "one.zip/page.html.gz/page.html"]
    body = inner
    for depth in range(4):
        body = write_zip(tmp_path / "deep.zip", {f"{depth}.zip": body}).read_bytes()
    assert entries(tmp_path / "deep.zip") == []
    assert set(left_out(tmp_path / "deep.zip").values()) == {"nesting"}


def test_names_that_lead_out_of_an_archive_are_refused_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    bad = ["../evil.html", "/abs.html", "a/../../evil.html", "C:\\evil.html", "..\\evil.html"]
    write_zip(folder / "z.zip", dict.fromkeys([*bad, "good.html"], PAGE))
    (folder / "t.tar").write_bytes(tar_bytes(dict.fromkeys([*bad, "good.html"], PAGE)))
    before = sorted(tmp_path.rglob("*"))
    assert [it.name for it in entries(folder)] == ["t.tar/good.html", "z.zip/good.html"]
    assert Counter(left_out(folder).values()) == {"unsafe-name": 10}
    assert sorted(tmp_path.rglob("*")) == before


def test_links_and_devices_in_a_tar_archive_are_not_followed(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "t.tar", "w") as archive:
        for name, kind in {"s.html": tarfile.SYMTYPE, "h.html": tarfile.LNKTYPE}.items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
        info = tarfile.TarInfo("d.html")
        info.type = tarfile.CHRTYPE
        archive.addfile(info)
    assert Counter(left_out(tmp_path / "t.tar").values()) == {"link": 2, "not-a-file": 1}


def test_gbk_names_in_a_zip_archive_are_decoded(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "z.zip", {"AAAA.html": PAGE})
    path.write_bytes(path.read_bytes().replace(b"AAAA", "侨乡".encode("gbk")))
    assert [it.name for it in entries(path)] == ["z.zip/侨乡.html"]


def test_encrypted_members_are_left_out(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "z.zip", {"a.html": PAGE})
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"PK\x03\x04") + 6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(raw))
    assert left_out(path) == {"z.zip/a.html": "encrypted"}


@pytest.mark.parametrize("packing", ["zip", "zip-bzip2", "zip-lzma", "tar", "gzip", "pax"])
def test_a_bomb_ends_with_a_reason_in_little_memory(tmp_path: Path, packing: str) -> None:
    limits = Limits(file_bytes=1 << 20, archive_floor=8 << 20)
    zeros = b"<html>" + b" " * (64 << 20)
    path = tmp_path / f"bomb.{packing}"
    if packing == "zip":
        inner = write_zip(tmp_path / "inner.zip", {"a.html": zeros}).read_bytes()
        (tmp_path / "inner.zip").unlink()
        write_zip(path, {f"{n}/inner.zip": inner for n in range(3)})
    elif packing.startswith("zip-"):
        method = {"zip-bzip2": zipfile.ZIP_BZIP2, "zip-lzma": zipfile.ZIP_LZMA}[packing]
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr("a.html", zeros)
    elif packing == "gzip":
        path.write_bytes(gzip.compress(gzip.compress(zeros)))
    elif packing == "pax":
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
            info = tarfile.TarInfo("a.html")
            info.pax_headers = {"comment": "x" * (64 << 20)}
            archive.addfile(info)
        path.write_bytes(buffer.getvalue())
        del buffer
    else:
        path.write_bytes(tar_bytes({"a.html": zeros, "b.html": PAGE}))
    del zeros
    assert path.stat().st_size < 1 << 20
    tracemalloc.start()
    try:
        found = list(Walk(path, limits=limits).found())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [it for it in found if isinstance(it, Entry)] == []
    reasons = {it.reason for it in found if isinstance(it, LeftOut)}
    assert reasons <= {"bomb", "too-large"}
    assert reasons
    assert peak < 30 << 20


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_members_packed_with_bzip2_or_lzma_are_read(tmp_path: Path, method: int) -> None:
    page = PAGE + bytes(random.Random(1).choices(b"abcdefgh\n", k=300_000))
    with zipfile.ZipFile(tmp_path / "z.zip", "w", method) as archive:
        archive.writestr("a.html", page)
        archive.writestr("b.html", page[::-1] + PAGE)
    assert [it.body for it in entries(tmp_path)] == [page, page[::-1] + PAGE]


def test_a_zip_member_of_lzma_without_a_mark_at_its_end_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "z.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.html", PAGE)
    raw = bytearray((tmp_path / "z.zip").read_bytes())
    for magic, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(magic) + at] &= ~2
    (tmp_path / "z.zip").write_bytes(raw)
    assert [it.body for it in entries(tmp_path)] == [PAGE]


def test_damaged_members_packed_with_bzip2_or_lzma_are_left_out(tmp_path: Path) -> None:
    for name, method in {"b": zipfile.ZIP_BZIP2, "l": zipfile.ZIP_LZMA}.items():
        path = tmp_path / f"{name}.zip"
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr("a.html", PAGE * 99)
        raw = bytearray(path.read_bytes())
        raw[70:90] = b"\xff" * 20
        path.write_bytes(raw)
    assert set(left_out(tmp_path).values()) == {"damaged"}


def test_an_xz_archive_that_asks_for_gigabytes_of_memory_is_left_out(tmp_path: Path) -> None:
    packed = bytearray(lzma.compress(tar_bytes({"a.html": PAGE}, mode="w")))
    # The header of the first block: its length, flags, filter LZMA2 (0x21), length and size of the dictionary.
    end = 12 + (packed[12] + 1) * 4
    assert packed[14:16] == b"\x21\x01"
    packed[16] = 40  # 4 GiB
    packed[end - 4 : end] = zlib.crc32(packed[12 : end - 4]).to_bytes(4, "little")
    (tmp_path / "t.tar.xz").write_bytes(packed)
    assert left_out(tmp_path) == {"t.tar.xz": "damaged"}


def test_xz_archives_in_several_streams_are_read_to_their_end(tmp_path: Path) -> None:
    tar = tar_bytes({"a.html": PAGE, "b.html": PAGE + b" "}, mode="w")
    streams = [lzma.compress(tar[at : at + 700]) for at in range(0, len(tar), 700)]
    (tmp_path / "t.tar.xz").write_bytes(b"".join(streams) + b"garbage")
    assert [it.name for it in entries(tmp_path)] == ["t.tar.xz/a.html", "t.tar.xz/b.html"]


def test_a_file_that_is_larger_than_allowed_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(PAGE + b" " * 1000)
    assert left_out(tmp_path, Limits(file_bytes=500)) == {"a.html": "too-large"}


def test_entries_that_are_known_are_not_read_again_until_they_change(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(PAGE)
    write_zip(tmp_path / "z.zip", {"b.html": PAGE})
    keys = {it.key for it in entries(tmp_path)}
    assert len(keys) == 2
    (tmp_path / "a.html").write_bytes(PAGE + b"<!-- changed -->")
    again = list(Walk(tmp_path, keys.__contains__).found())
    assert [it.name for it in again if isinstance(it, Entry)] == ["a.html"]
    assert [it.reason for it in again if isinstance(it, LeftOut)] == ["before"]
