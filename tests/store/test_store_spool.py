"""The spool: what was appended comes back, whatever happened to the process or the file."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.support.store_records as make
from topiccrawl.errors import ConfigurationError
from topiccrawl.store.records import Record
from topiccrawl.store.spool import Spool
from topiccrawl.store.spool_format import from_json, to_json


@pytest.fixture
def spool(tmp_path: Path) -> Iterator[Spool]:
    spool = Spool(tmp_path / "spool", "侨情", "mongodb://host")
    spool.open()
    yield spool
    spool.close()


def again(spool: Spool) -> Spool:
    """The spool as the next run finds it."""
    spool.close()
    fresh = Spool(spool.folder.parent, "侨情", "mongodb://host")
    fresh.open()
    return fresh


def content(spool: Spool, size: int = 100) -> list[Record]:
    return [
        record
        for segment in spool.segments()
        for batch in spool.read(segment, size)
        for record in batch
    ]


RECORDS: Sequence[Record] = [
    make.page(1),
    make.outcome(1),
    make.run(1),
    make.page(2),
    make.outcome(2, verdict="queued"),
]


def test_records_of_all_kinds_come_back_in_order(spool: Spool) -> None:
    spool.append(RECORDS[:2])
    spool.append(RECORDS[2:])
    assert content(spool) == RECORDS
    assert content(again(spool)) == RECORDS


def test_a_spool_that_was_not_needed_creates_nothing(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool", "侨情")
    spool.open()
    assert not spool.waiting()
    spool.close()
    assert not (tmp_path / "spool").exists()


def test_topics_and_stores_have_spools_of_their_own(tmp_path: Path) -> None:
    pairs = [("侨情", "a"), ("侨情", "b"), ("僑情", "a"), ("a/b", ""), ("a:b", ""), ("..", "")]
    folders = {Spool(tmp_path, topic, store).folder for topic, store in pairs}
    assert len(folders) == len(pairs)
    assert {folder.parent for folder in folders} == {tmp_path}
    assert any("侨情" in folder.name for folder in folders)


def test_a_new_password_finds_the_spool_of_the_old_one(tmp_path: Path) -> None:
    old = Spool(tmp_path, "侨情", "mongodb://me:old@host/db").folder
    assert Spool(tmp_path, "侨情", "mongodb://me:new@host/db?w=1").folder == old


def test_read_returns_batches_of_the_size_asked_for(spool: Spool) -> None:
    spool.append(RECORDS)
    (segment,) = spool.segments()
    assert [len(batch) for batch in spool.read(segment, 2)] == [2, 2, 1]


def test_a_removed_segment_leaves_nothing_behind(spool: Spool) -> None:
    spool.append(RECORDS)
    (segment,) = spool.segments()
    spool.remove(segment)
    assert not spool.waiting()
    assert not spool.folder.exists()
    spool.append(RECORDS[:1])
    assert content(spool) == RECORDS[:1]


def test_a_large_spool_is_split_and_keeps_its_order(tmp_path: Path) -> None:
    spool = Spool(tmp_path, "侨情", segment_bytes=3000)
    spool.open()
    records = [make.page(number) for number in range(12)]
    for record in records:
        spool.append([record])
    assert len(spool.segments()) > 2
    assert content(spool) == records
    spool.close()


@settings(max_examples=30, deadline=None)
@given(cut=st.integers(1, 2000))
def test_a_torn_tail_costs_only_what_was_never_confirmed(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    spool = Spool(tmp_path_factory.mktemp("spool"), "侨情", "mongodb://host")
    spool.open()
    spool.append(RECORDS)
    (segment,) = spool.segments()
    data = segment.read_bytes()
    lines = data.splitlines(keepends=True)
    kept = data[: max(0, len(data) - cut)]
    segment.write_bytes(kept)
    fresh = again(spool)
    assert content(fresh) == RECORDS[: kept.count(b"\n")]
    assert len(lines) == len(RECORDS)
    fresh.close()


def test_damage_in_the_middle_is_reported_kept_and_stepped_over(
    spool: Spool, caplog: pytest.LogCaptureFixture
) -> None:
    spool.append(RECORDS)
    (segment,) = spool.segments()
    lines = segment.read_bytes().splitlines(keepends=True)
    lines[1] = b"\xff" + lines[1][1:]
    segment.write_bytes(b"".join(lines))
    assert content(spool) == [RECORDS[0], *RECORDS[2:]]
    assert "1 damaged line in the spool" in caplog.text
    assert segment.with_suffix(".damaged").read_bytes() == b"".join(lines)


def test_a_last_line_of_a_newer_version_is_not_taken_for_a_torn_one(
    spool: Spool, caplog: pytest.LogCaptureFixture
) -> None:
    kind, document = json.loads(to_json(RECORDS[0]))
    payload = json.dumps([kind, {**document, "later": 1}]).encode()
    newer = b"%08x %s\n" % (zlib.crc32(payload), payload)
    spool.append(RECORDS[1:])
    (segment,) = spool.segments()
    segment.write_bytes(segment.read_bytes() + newer)
    assert content(spool) == RECORDS[1:]
    assert "1 damaged line in the spool" in caplog.text
    assert segment.with_suffix(".damaged").read_bytes().endswith(newer)


def test_a_failed_write_is_not_half_kept(spool: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    spool.append(RECORDS[:1])

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            spool.append(RECORDS[1:3])
    spool.append(RECORDS[3:])
    assert content(spool) == [RECORDS[0], *RECORDS[3:]]


HOLD = """
import sys
sys.path[:0] = sys.argv[2:]
from pathlib import Path
import tests.support.store_records as make
from topiccrawl.store.spool import Spool

spool = Spool(Path(sys.argv[1]), "侨情", "mongodb://host")
spool.open()
spool.append([make.page(7)])
print("ready", flush=True)
sys.stdin.readline()
"""


def test_segments_of_a_living_process_are_left_alone_and_those_of_a_killed_one_taken(
    spool: Spool,
) -> None:
    paths = [folder for folder in sys.path if folder]
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(spool.folder.parent), *paths],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        assert spool.open() == 0
    finally:
        other.kill()
        other.communicate()
    assert spool.open() == 1
    assert content(spool) == [make.page(7)]


def test_rejected_records_are_kept_with_their_reason(spool: Spool) -> None:
    spool.reject(RECORDS[0], "太大\nzu groß")
    spool.reject(make.page(2, relevance=float("nan")), "relevance must be finite")
    first, second = spool.rejected_path.read_text("ascii").splitlines()
    assert json.loads(first)["reason"] == "太大\nzu groß"
    assert from_json(json.dumps(json.loads(first)["record"])) == RECORDS[0]
    assert "http://www.qiaowang.example/news/2.html" in json.loads(second)["record"]


def test_a_spool_folder_that_cannot_be_written_is_refused_at_start(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match="TOPICCRAWL_STORE_SPOOL_DIR"):
        Spool(tmp_path / "file" / "spool", "侨情").open()


def test_a_spool_folder_without_rights_is_refused_at_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's answer is replaced: root, as in many containers, may write anywhere."""
    monkeypatch.setattr(os, "access", lambda path, _: path != tmp_path)
    with pytest.raises(ConfigurationError, match="must be a folder that can be written"):
        Spool(tmp_path / "spool", "侨情").open()


def test_json_of_a_record_is_readable_by_people_and_other_programs() -> None:
    kind, document = json.loads(to_json(make.outcome(1)))
    assert kind == "outcome"
    assert document["title"] == "天气预报"
    assert document["at"] == 1_740_830_401_000
