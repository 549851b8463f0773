"""Why the system refuses something, in the user's language."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from topiccrawl.errors import StoreLocked, StoreUnavailable, described, system_reason
from topiccrawl.language import using_language
from topiccrawl.store.sqlite.file import translated

COMMON = [
    errno.EACCES, errno.EADDRINUSE, errno.EBADF, errno.EDQUOT, errno.EEXIST, errno.EIO, errno.EISDIR, errno.EMFILE,
    errno.ENAMETOOLONG, errno.ENOENT, errno.ENOSPC, errno.ENOTDIR, errno.EPERM, errno.EROFS,
]  # fmt: skip


@pytest.mark.parametrize("number", COMMON, ids=errno.errorcode.__getitem__)
def test_common_reasons_are_shown_in_chinese(number: int) -> None:
    error = OSError(number, os.strerror(number), "file")
    assert system_reason(error) == os.strerror(number)
    with using_language("zh"):
        assert not system_reason(error).isascii()


def test_other_reasons_are_shown_as_the_system_words_them() -> None:
    with using_language("zh"):
        assert system_reason(OSError(errno.EXDEV, "Invalid cross-device link")) == (
            "Invalid cross-device link"
        )
        assert system_reason(OSError("the disk is away")) == "the disk is away"


def test_a_full_disk_that_sqlite_meets_is_one_in_both_languages() -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("PRAGMA max_page_count = 1")
        with pytest.raises(sqlite3.OperationalError, match="disk is full") as refused:
            database.execute("CREATE TABLE pages (url TEXT)")
    assert described(refused.value) == "No space left on device"
    with using_language("zh"):
        assert described(refused.value) == "磁盘空间不足"


def test_a_locked_file_and_a_full_disk_are_named_in_the_language_of_the_user(
    tmp_path: Path,
) -> None:
    path = tmp_path / "pages.sqlite"
    with (
        using_language("zh"),
        closing(sqlite3.connect(path, isolation_level=None)) as database,
        closing(sqlite3.connect(path, timeout=0)) as other,
    ):
        database.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreLocked, match="被其他程序锁定"), translated(path):
            other.execute("CREATE TABLE pages (url TEXT)")
        database.execute("ROLLBACK")
        other.execute("PRAGMA max_page_count = 1")
        with pytest.raises(StoreUnavailable, match="磁盘空间不足"), translated(path):
            other.execute("CREATE TABLE pages (url TEXT)")
