"""The file of judgments: what is read, what is refused, and how it is changed."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.errors import ConfigurationError
from topiccrawl.topics.definition import Judgment
from topiccrawl.topics.folder import load_definition
from topiccrawl.topics.judgments import delete_judgments, load_judgments, save_judgments

MOMENT = datetime(2026, 5, 1, 8, 30, tzinfo=UTC)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "侨情" / "judgments.tsv"


def write(file: Path, text: str | bytes) -> Path:
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def test_judgments_are_read_with_canonical_urls_times_and_notes(file: Path) -> None:
    write(
        file,
        "\ufeff# 注释\r\n\r\n"
        "HTTP://A.example:80/侨?b=1#top\tYES\t2026-05-01T08:30:00+00:00\t很好\t的\r\n"
        "  http://a.example/2 \t no\t2026-05-01\r\n"
        "http://a.example/3\tno",
    )
    assert load_judgments(file) == (
        Judgment("http://a.example/%E4%BE%A8?b=1", True, MOMENT, "很好\t的"),
        Judgment("http://a.example/2", False, datetime(2026, 5, 1, tzinfo=UTC)),
        Judgment("http://a.example/3", False),
    )


def test_a_topic_without_the_file_has_no_judgments(file: Path) -> None:
    assert load_judgments(file) == ()


def test_the_folder_of_a_topic_contains_its_judgments(file: Path) -> None:
    write(file, "http://a.example/\tyes\n")
    (file.parent / "topic.toml").write_text('name = "侨情"\n[keywords.core]\n"侨情" = 1.0\n')
    assert load_definition(file.parent).judgments == (Judgment("http://a.example/", True),)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("http://a.example/ yes", "line 2: must be a URL and yes or no, separated by a tab, got"),
        ("a.example\tyes", "line 2: URL must be an http or https URL with a host, got 'a.example'"),
        ("http://a.example/\t是", "line 2: judgment must be yes or no, got '是'"),
        ("http://a.example/\tno\t昨天", "line 2: time must be a date .*, got '昨天'"),
        (
            "http://a.example/\tno\nhttp://A.example/#x\tyes",
            "line 3: URL must not be judged twice; line 2 judges it too, got 'http://a.example/'",
        ),
    ],
)
def test_a_wrong_line_is_named_with_its_rule_and_left_as_it_is(
    file: Path, line: str, message: str
) -> None:
    write(file, f"# 判断\n{line}\n")
    before = file.read_bytes()
    with pytest.raises(ConfigurationError, match=f"judgments.tsv, {message}"):
        load_judgments(file)
    with pytest.raises(ConfigurationError, match=message):
        save_judgments(file, [Judgment("http://b.example/", True)])
    assert file.read_bytes() == before


def test_text_that_is_not_utf_8_is_refused_with_its_line(file: Path) -> None:
    write(file, "# a\n# 判断\n".encode() + "http://a.example/\tyes\t\t好".encode("gbk"))
    with pytest.raises(ConfigurationError, match=r"judgments.tsv: must be UTF-8 text; line 3"):
        load_judgments(file)


def test_changing_ones_mind_replaces_the_line_and_leaves_the_others(file: Path) -> None:
    write(file, "# mine\nhttp://a.example/1\tyes\t\t好\n\n# other\nhttp://a.example/2\tno\n")
    save_judgments(
        file,
        [Judgment("http://a.example/1", False, MOMENT), Judgment("http://a.example/3", True)],
    )
    assert file.read_text("utf-8") == (
        "# mine\nhttp://a.example/1\tno\t2026-05-01T08:30:00+00:00\n\n# other\n"
        "http://a.example/2\tno\nhttp://a.example/3\tyes\n"
    )
    assert [path.name for path in file.parent.iterdir()] == ["judgments.tsv"]


def test_taking_judgments_back_deletes_their_lines_and_leaves_the_others(file: Path) -> None:
    kept = "# http://a.example/1\tyes\n\nhttp://a.example/2\tno\n"
    write(file, f"{kept}HTTP://A.example:80/1#top\tyes\t\t好\n")
    urls = {"http://a.example/1", "http://a.example/3"}
    assert delete_judgments(file, urls) == 1
    assert file.read_text("utf-8") == kept
    assert delete_judgments(file, urls) == 0
    assert file.read_text("utf-8") == kept
    assert delete_judgments(file.parent / "none" / "judgments.tsv", urls) == 0


def test_imported_pages_are_judged_by_the_urls_of_their_files(file: Path) -> None:
    write(file, "file:///data/pages/1.html\tyes\n")
    assert load_judgments(file) == (Judgment("file:///data/pages/1.html", True),)
    for url in ("file:///data/a b.html", "file://host/1.html", "file:///data/\x07.html"):
        write(file, f"{url}\tyes\n")
        with pytest.raises(ConfigurationError, match="must be an http or https URL"):
            load_judgments(file)


def test_a_new_file_explains_itself(file: Path) -> None:
    save_judgments(file, [Judgment("http://a.example/1", True)])
    assert "scrapy judge" in file.read_text("utf-8").splitlines()[0]
    assert load_judgments(file) == (Judgment("http://a.example/1", True),)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match=r"file/judgments.tsv: cannot be written: "):
        save_judgments(tmp_path / "file" / "judgments.tsv", [Judgment("http://a.example/", True)])


notes = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)


@given(st.dictionaries(st.integers(0, 9), st.tuples(st.booleans(), notes), max_size=5))
def test_what_is_saved_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, drawn: dict[int, tuple[bool, str]]
) -> None:
    file = tmp_path_factory.mktemp("judgments") / "judgments.tsv"
    judgments = [
        Judgment(f"http://a.example/{number}", relevant, MOMENT, note)
        for number, (relevant, note) in drawn.items()
    ]
    save_judgments(file, judgments)
    assert [(it.url, it.relevant, it.note) for it in load_judgments(file)] == [
        (it.url, it.relevant, " ".join(it.note.split())) for it in judgments
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="no locks of folders")
def test_judgments_that_are_saved_at_the_same_time_are_all_kept(file: Path) -> None:
    def save(number: int) -> None:
        save_judgments(file, [Judgment(f"http://a.example/{number}", relevant=True)])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(save, range(40)))
    assert {it.url for it in load_judgments(file)} == {f"http://a.example/{n}" for n in range(40)}
