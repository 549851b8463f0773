"""Topic files that are no files, too large, or hold numbers without end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from topiccrawl.errors import ConfigurationError
from topiccrawl.topics import folder as folder_module
from topiccrawl.topics.addresses import check_seed_url
from topiccrawl.topics.folder import load_definition

_TOPIC = 'name = "t"\n[keywords.synonym]\n"茶" = 1.0\n'


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    folder = tmp_path / "t"
    (folder / "samples").mkdir(parents=True)
    (folder / "topic.toml").write_text(_TOPIC, "utf-8")
    return folder


def test_a_sample_that_is_a_pipe_or_a_device_is_refused_unread(topic: Path) -> None:
    sample = topic / "samples" / "a.txt"
    os.mkfifo(sample)
    with pytest.raises(ConfigurationError, match=r"a\.txt: must be a file"):
        load_definition(topic)
    sample.unlink()
    sample.symlink_to("/dev/zero")
    with pytest.raises(ConfigurationError, match=r"a\.txt: must be a file"):
        load_definition(topic)


def test_judgments_that_are_no_file_are_not_passed_over(topic: Path) -> None:
    (topic / "judgments.tsv").mkdir()
    with pytest.raises(ConfigurationError, match=r"judgments\.tsv: must be a file"):
        load_definition(topic)


def test_a_file_that_is_too_large_is_refused_unread(
    topic: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_module, "MOST_BYTES", 10)
    with pytest.raises(ConfigurationError, match=r"topic\.toml: must have at most"):
        load_definition(topic)


@pytest.mark.parametrize("number", ["9" * 5_000, "0x" + "f" * 5_000, "9007199254740993"])
def test_an_integer_beyond_all_use_is_refused(topic: Path, number: str) -> None:
    (topic / "topic.toml").write_text(f"{_TOPIC}[limits]\nmax_pages = {number}\n", "utf-8")
    with pytest.raises(ConfigurationError, match=r"topic\.toml") as caught:
        load_definition(topic)
    assert len(str(caught.value)) < 500


def test_the_password_in_a_wrong_seed_is_not_shown() -> None:
    with pytest.raises(ConfigurationError) as caught:
        check_seed_url("topic.toml", "seeds[0].url", "http://me:secret@a.example:99999/")
    assert "http://***@a.example:99999/" in str(caught.value)
    assert "secret" not in str(caught.value)
