"""Files that several processes use: replacement in one step."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from topiccrawl.sharedfiles import new_folder, replace_file


@pytest.mark.parametrize("flush", [True, False])
def test_the_target_of_a_link_is_replaced_and_keeps_its_permissions(
    tmp_path: Path, flush: bool
) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    replace_file(link, b"new", flush=flush)
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_failed_replacement_leaves_the_old_content_and_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "file"
    file.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        replace_file(file, b"new")
    assert [it.name for it in tmp_path.iterdir()] == ["file"]
    assert file.read_bytes() == b"old"


def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    with new_folder(tmp_path / "made" / "whole") as draft:
        (draft / "file").touch()
        assert not (tmp_path / "made" / "whole").exists()
    with pytest.raises(OSError, match="full"), new_folder(tmp_path / "made" / "torn"):
        raise OSError("full")
    assert [it.name for it in (tmp_path / "made").iterdir()] == ["whole"]
    assert (tmp_path / "made" / "whole" / "file").exists()
