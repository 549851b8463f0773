"""Changes of topic.toml keep its comments, are checked, backed up, and lose no change of others."""

from __future__ import annotations

import shutil
import threading
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.errors import ConfigurationError
from topiccrawl.topics.editing import add_seed, remove_seed, set_entry
from topiccrawl.topics.saving import check_topic, copy_topic, open_topic, save_topic

ROOT = Path(__file__).parents[2]
TEXT = """\
# the topic
name = "绿化"   # as the folder

[keywords.core]
"绿化" = 1.0  # main word
# more words
"植树" = 0.9

# -- limits
[limits]
max_pages = 10

# first seed
[[seeds]]
name = "甲"
url = "http://a.example/"

# second seed
[[seeds]]
url = "http://b.example/"
"""


def test_a_word_is_added_changed_and_removed_and_everything_else_stays() -> None:
    added = set_entry(TEXT, ("keywords", "core"), '造"林', 0.5)
    assert added.splitlines()[:7] == [*TEXT.splitlines()[:7]]
    assert tomllib.loads(added)["keywords"]["core"]['造"林'] == 0.5
    assert set_entry(added, ("keywords", "core"), '造"林', None) == TEXT
    changed = set_entry(TEXT, ("keywords", "core"), "植树", 0.4)
    assert [*changed.splitlines()][6] == '"植树" = 0.4'
    assert "# more words" in changed


def test_a_new_table_is_appended() -> None:
    text = set_entry(TEXT, ("thresholds",), "relevance", 0.25)
    assert text.startswith(TEXT)
    assert tomllib.loads(text)["thresholds"] == {"relevance": 0.25}


def test_seeds_are_added_at_the_end_and_removed_with_their_block() -> None:
    text = add_seed(TEXT, "http://c.example/", "丙", whole=True)
    assert text.startswith(TEXT)
    assert tomllib.loads(text)["seeds"][-1] == {
        "name": "丙", "url": "http://c.example/", "whole": True,
    }  # fmt: skip
    gone = remove_seed(text, "http://a.example/")
    urls = [seed["url"] for seed in tomllib.loads(gone)["seeds"]]
    assert urls == ["http://b.example/", "http://c.example/"]
    assert "# second seed" in gone
    with pytest.raises(ConfigurationError, match="there is no seed"):
        remove_seed(TEXT, "http://z.example/")


@pytest.mark.parametrize(
    "text",
    [
        'name = "a"\nseeds = [{url = "http://a.example/"}]\n',
        'name = "a"\nkeywords = {core = {"b" = 1.0}}\n',
        'name = "a"\n[keywords.core]\nb = [\n 1,\n 2]\n',
    ],
)
def test_an_unusual_form_is_refused_or_changed_rightly_but_never_broken(text: str) -> None:
    for change in (
        lambda: add_seed(text, "http://c.example/"),
        lambda: remove_seed(text, "http://a.example/"),
        lambda: set_entry(text, ("keywords", "core"), "b", 0.5),
        lambda: set_entry(text, ("keywords", "core"), "c", 0.5),
    ):
        try:
            tomllib.loads(change())
        except ConfigurationError:
            continue


@given(st.text(min_size=1, max_size=8), st.floats(0.01, 1))
def test_any_word_can_be_added_and_removed_again(word: str, value: float) -> None:
    if any("\ud800" <= c <= "\udfff" for c in word) or word in ("绿化", "植树"):
        return
    text = set_entry(TEXT, ("keywords", "core"), word, value)
    assert tomllib.loads(text)["keywords"]["core"][word] == value
    assert set_entry(text, ("keywords", "core"), word, None) == TEXT


@pytest.mark.parametrize(
    "name", sorted(it.name for it in (ROOT / "seeds").iterdir() if it.is_dir())
)
def test_all_topics_of_the_project_can_be_edited(name: str) -> None:
    text = (ROOT / "seeds" / name / "topic.toml").read_text("utf-8")
    changed = add_seed(text, "http://new.example/")
    changed = set_entry(changed, ("keywords", "core"), "某个新词", 0.5)
    check_topic(ROOT / "seeds" / name, changed)
    assert (
        remove_seed(changed, "http://new.example/").strip()
        == set_entry(text, ("keywords", "core"), "某个新词", 0.5).strip()
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "绿化"
    made.mkdir()
    (made / "topic.toml").write_text(TEXT, "utf-8")
    return made


def test_a_saved_file_has_a_backup_and_a_wrong_one_is_not_saved(folder: Path) -> None:
    opened = open_topic(folder)
    backup = save_topic(folder, add_seed(TEXT, "http://c.example/"), opened.digest)
    assert backup.read_text("utf-8") == TEXT
    saved = open_topic(folder)
    with pytest.raises(ConfigurationError, match=r"seeds\[2\]\.url"):
        save_topic(folder, saved.text.replace("http://c", "ftp://c"), saved.digest)
    with pytest.raises(ConfigurationError, match="not valid TOML"):
        save_topic(folder, "name = ", saved.digest)
    assert open_topic(folder) == saved


def test_a_change_of_somebody_else_is_not_overwritten(folder: Path) -> None:
    opened = open_topic(folder)
    (folder / "topic.toml").write_text(TEXT + "\n# mine\n", "utf-8")
    with pytest.raises(ConfigurationError, match="changed meanwhile"):
        save_topic(folder, TEXT, opened.digest)
    assert "# mine" in open_topic(folder).text


def test_only_the_last_backups_are_kept(folder: Path) -> None:
    for number in range(25):
        opened = open_topic(folder)
        save_topic(folder, TEXT + f"# {number}\n", opened.digest)
    assert len(list(folder.glob("topic.toml.bak-*"))) == 20


def test_a_topic_of_the_package_is_copied_into_the_project_once(tmp_path: Path) -> None:
    (tmp_path / "scrapy.cfg").write_text("")
    source = ROOT / "seeds" / "侨情"
    made = copy_topic(source, "侨情", tmp_path)
    assert made == tmp_path / "seeds" / "侨情"
    assert sorted(it.name for it in made.rglob("*")) == sorted(it.name for it in source.rglob("*"))
    with pytest.raises(ConfigurationError, match="exists already"):
        copy_topic(source, "侨情", tmp_path)
    shutil.rmtree(made)
    with pytest.raises(ConfigurationError, match="name of a folder"):
        copy_topic(source, "../x", tmp_path)


def test_of_changes_at_the_same_time_one_is_saved_and_the_others_are_refused(
    folder: Path,
) -> None:
    for number in range(5):
        digest = open_topic(folder).digest
        barrier = threading.Barrier(4)

        def save(mine: int, digest: str = digest, barrier: threading.Barrier = barrier) -> bool:
            barrier.wait()
            try:
                save_topic(folder, f"{TEXT}# {number} {mine}\n", digest)  # noqa: B023
            except ConfigurationError:
                return False
            return True

        with ThreadPoolExecutor(4) as threads:
            assert sorted(threads.map(save, range(4))) == [False, False, False, True]
