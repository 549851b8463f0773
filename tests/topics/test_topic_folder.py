from __future__ import annotations

from codecs import BOM_UTF16_LE
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.errors import ConfigurationError
from topiccrawl.topics.definition import Keyword, Limits, Sample, Seed, Thresholds
from topiccrawl.topics.folder import load_definition

FULL = """
name = "侨情"
aliases = ["僑情", "qiaoqing"]
description = "海外侨胞"
language = "zh"
classification = ["D634.1", "D6"]
queries = ["{keyword} site:{site}", "{keyword} {category}"]
[keywords.synonym]
"侨民" = 1
[keywords.core]
"侨情" = 1.0
"僑務" = 0.9
[negative]
"华侨城" = 0.0
[url_tokens]
qiaowu = 1.0
"/hr/" = 0.7
[[seeds]]
name = "国务院侨务办公室"
url = "http://www.gqb.gov.cn/"
[[seeds]]
url = "https://侨网.example:8080/a?b=c"
[thresholds]
relevance = 0.25
link = 0.4
[limits]
max_pages = 1000
"""

SMALL = 'name = "侨情"\n[keywords.core]\n"侨情" = 1.0\n'


def make(
    root: Path, toml: str | bytes, samples: dict[str, bytes] | None = None, name: str = "侨情"
) -> Path:
    folder = root / name
    (folder / "samples").mkdir(parents=True)
    (folder / "topic.toml").write_bytes(toml.encode() if isinstance(toml, str) else toml)
    for file, data in (samples or {}).items():
        (folder / "samples" / file).write_bytes(data)
    return folder


def test_every_key_of_a_folder_is_read(tmp_path: Path) -> None:
    samples = {"b.txt": "侨胞回乡".encode(), "a.TXT": b"\xef\xbb\xbftext", "note.md": b"\xff"}
    definition = load_definition(make(tmp_path, FULL, samples))
    assert definition.name == "侨情"
    assert definition.aliases == ("僑情", "qiaoqing")
    assert definition.description == "海外侨胞"
    assert definition.language == "zh"
    assert definition.classification == ("D634.1", "D6")
    assert definition.queries == ("{keyword} site:{site}", "{keyword} {category}")
    # In the order of the relations, not of the file.
    assert definition.keywords == (
        Keyword("侨情", 1.0, "core"),
        Keyword("僑務", 0.9, "core"),
        Keyword("侨民", 1.0, "synonym"),
    )
    assert definition.negatives == (Keyword("华侨城", 0.0, "negative"),)
    assert definition.url_tokens == {"qiaowu": 1.0, "/hr/": 0.7}
    assert definition.seeds == (
        Seed("http://www.gqb.gov.cn/", "国务院侨务办公室"),
        Seed("https://侨网.example:8080/a?b=c"),
    )
    assert definition.thresholds == Thresholds(0.25, 0.4)
    assert definition.limits == Limits(1000, 0)
    assert definition.samples == (Sample("a.TXT", "text"), Sample("b.txt", "侨胞回乡"))
    assert definition.source == str(tmp_path / "侨情")


def test_missing_keys_have_defaults(tmp_path: Path) -> None:
    definition = load_definition(make(tmp_path, SMALL))
    assert definition.thresholds == Thresholds(None, 0.5)
    assert definition.limits == Limits(0, 0)
    assert definition.language == "zh"
    assert definition.samples == ()


def test_samples_alone_define_a_topic(tmp_path: Path) -> None:
    folder = make(tmp_path, 'name = "侨情"', {"a.txt": "侨胞".encode()})
    assert load_definition(folder).keywords == ()


def test_a_byte_order_mark_is_allowed(tmp_path: Path) -> None:
    assert load_definition(make(tmp_path, b"\xef\xbb\xbf" + SMALL.encode())).name == "侨情"


@pytest.mark.parametrize("folder", ["僑情", "侨情"])
def test_the_folder_may_be_traditional(tmp_path: Path, folder: str) -> None:
    assert load_definition(make(tmp_path, SMALL, name=folder)).name == "侨情"


def test_the_working_directory_has_a_name_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(make(tmp_path, SMALL))
    assert load_definition(Path()).name == "侨情"


WRONG = [
    ('name = "侨情\n', r"not valid TOML: .*line 1", "broken TOML names the line"),
    ('name = "侨情"\nname = "侨情"\n', r"not valid TOML: .*line 2", "a key twice"),
    ("a = " + "[" * 9000, r"not valid TOML: nested too deeply", "nesting"),
    ("description = ''", r"name is missing", "no name"),
    ('name = " "', r"name must not be empty, got ' '", "empty name"),
    ("name = 3", r"name must be a string, got 3", "a number for a name"),
    ('name = "茶"', r"name must equal the folder's name '侨情', got '茶'", "another folder"),
    ('name = "侨情"', r"keywords or samples/\*.txt must exist", "nothing defines it"),
    (SMALL + "[keywrods]\n", r"keywrods is not a known key \(did you mean 'keywords'", "typo"),
    (SMALL + "[zzz]\n", r"zzz is not a known key \(known keys: name, aliases", "far from all"),
    (SMALL + "[limits]\nmax_page = 1", r"limits.max_page .*'max_pages'", "typo in a table"),
    (SMALL + "[keywords.nearly]\n侨=1", r"TOML", "bare Chinese keys are no TOML"),
    (SMALL + '[keywords.nearly]\n"侨" = 1', r"keywords.nearly .*'near'", "unknown relation"),
    (SMALL + '[[seeds]]\nurl="http://a.cn"\nlink="x"', r"seeds\[0\].link .*known", "seed key"),
    (SMALL + "keywords.near = 3", r"keywords.core.keywords .*must be a number", "wrong place"),
    ('name = "侨情"\nkeywords = ["侨"]', r"keywords must be a table, got \['侨'\]", "a list"),
    ('name = "侨情"\n[keywords.core]\n"侨" = "1"', r"core.侨 must be a number in \(0, 1\]", "text"),
    ('name = "侨情"\n[keywords.core]\n"侨" = true', r"core.侨 must be a number", "a truth value"),
    ('name = "侨情"\n[keywords.core]\n"侨" = 0', r"core.侨 must be in \(0, 1\], got 0", "zero"),
    ('name = "侨情"\n[keywords.core]\n"侨" = 1.01', r"must be in \(0, 1\], got 1.01", "over 1"),
    ('name = "侨情"\n[keywords.core]\n"侨" = nan', r"must be in \(0, 1\], got nan", "nan"),
    ('name = "侨情"\n[keywords.core]\n"，。" = 1', r"must contain a letter, a digit or", "no word"),
    (
        SMALL + '[keywords.near]\n"僑情" = 1',
        r"keywords.near.僑情 is the same term as keywords.core.侨情 after",
        "equal after simplification",
    ),
    (SMALL + '[negative]\n"侨情" = 0.1', r"negative.侨情 is the same term as", "for and against"),
    (SMALL + '[negative]\n"华侨城" = 0.6', r"negative.华侨城 must be in \[0, 0.5\]", "too high"),
    (SMALL + "[url_tokens]\nqiao = 0", r"url_tokens.qiao must be in \(0, 1\]", "zero"),
    (SMALL + '[url_tokens]\n"//" = 1', r"url_tokens.// must contain more than slashes", "slashes"),
    (SMALL + "[url_tokens]\nqiao = 1\nQIAO = 1", r"url_tokens.QIAO occurs twice", "twice"),
    (SMALL + "[thresholds]\nrelevance = 1", r"thresholds.relevance must be in \(0, 1\)", "1"),
    (SMALL + "[thresholds]\nlink = 0.0", r"thresholds.link must be in \(0, 1\), got 0.0", "0"),
    (SMALL + "[limits]\nmax_depth = -1", r"max_depth must be a whole number >= 0, got -1", "-1"),
    (SMALL + "[limits]\nmax_pages = 1.5", r"max_pages must be a whole number", "a fraction"),
    (SMALL + "[limits]\nmax_pages = true", r"max_pages must be a whole number", "true"),
    ('language = "fr"\n' + SMALL, r"language must be one of zh, en, got 'fr'", "language"),
    ('aliases = "a"\n' + SMALL, r"aliases must be a list of strings, got 'a'", "not a list"),
    ('aliases = ["a", ""]\n' + SMALL, r"aliases\[1\] must be a non-empty string", "empty"),
    ("aliases = [1]\n" + SMALL, r"aliases\[0\] must be a non-empty string, got 1", "number"),
    ('classification = ["D6", "Y1"]\n' + SMALL, r"classification\[1\] must be a code", "code"),
    ('queries = ["{word}"]\n' + SMALL, r"queries\[0\] may contain the placeholders {keyw", "query"),
    ('seeds = ["http://a.cn"]\n' + SMALL, r"seeds must be tables, written \[\[seeds", "strings"),
    (SMALL + '[[seeds]]\nname = "x"', r"seeds\[0\].url is missing", "no URL"),
    (SMALL + "[[seeds]]\nurl = 1", r"seeds\[0\].url must be an http or https URL", "number"),
    (SMALL + '[[seeds]]\nurl = "ftp://a.cn/"', r"seeds\[0\].url must be an http", "scheme"),
    (SMALL + '[[seeds]]\nurl = "www.a.cn"', r"seeds\[0\].url must be an http", "no scheme"),
    (SMALL + '[[seeds]]\nurl = "http:///x"', r"seeds\[0\].url .* with a host", "no host"),
    (SMALL + '[[seeds]]\nurl = "http://a:b/"', r"seeds\[0\].url must be an http", "port"),
    (SMALL + '[[seeds]]\nurl = "http://[a/"', r"seeds\[0\].url must be an http", "brackets"),
    (SMALL + '[[seeds]]\nurl = "http://a b/"', r"seeds\[0\].url must be an http", "space"),
    (
        SMALL + '[[seeds]]\nurl = "http://a.cn"\n' * 2,
        r"seeds\[1\].url is the same URL as seeds\[0\].url",
        "twice",
    ),
    (
        "description = “侨情”\n" + SMALL,
        "not valid TOML: .*line 1, column 15.*must be ASCII: “”",
        "full-width quotation marks",
    ),
    (SMALL + '"侨"＝1.0', "not valid TOML: .*must be ASCII: ＝", "a full-width sign"),
    (SMALL + "[limits]\nmax_pages = １０", "not valid TOML: .*must be ASCII: １０", "wide digits"),
    (
        (BOM_UTF16_LE.decode("utf-16-le") + SMALL).encode("utf-16-le"),
        r"must be UTF-8 text; line 1 .*\(UTF-16, perhaps",
        "a file saved as UTF-16",
    ),
    (
        b"name = '\xc7\xc8\xc7\xe9'\n",
        r"must be UTF-8 text; line 1 holds the byte 0xc7.*\(GB18030, perhaps",
        "a file saved as GB18030",
    ),
]


@pytest.mark.parametrize(("toml", "message", "why"), WRONG, ids=[w[2] for w in WRONG])
def test_the_error_of_a_wrong_file_names_file_key_and_rule(
    tmp_path: Path, toml: str | bytes, message: str, why: str
) -> None:
    folder = make(tmp_path, toml)
    with pytest.raises(ConfigurationError, match=message) as caught:
        load_definition(folder)
    assert str(caught.value).startswith(str(folder / "topic.toml")), why


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("侨胞".encode("gb18030"), r"a.txt: must be UTF-8 text; line 1"),
        ("第一行\n".encode() + "僑胞".encode("big5"), r"a.txt: must be UTF-8 text; line 2"),
        (b" \n\t", r"a.txt: must not be empty"),
    ],
)
def test_the_error_of_a_wrong_sample_names_it(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        load_definition(make(tmp_path, SMALL, {"a.txt": data}))


def test_a_folder_without_topic_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"topic.toml: there is no such file"):
        load_definition(tmp_path)


@given(st.binary(max_size=60))
def test_arbitrary_bytes_raise_configuration_errors_only(data: bytes) -> None:
    from importlib.resources.abc import Traversable
    from typing import cast

    class File:
        def is_file(self) -> bool:
            return True

        def read_bytes(self) -> bytes:
            return data

    class Folder:
        name = "侨情"

        def __truediv__(self, name: str) -> File:
            return File()

    with pytest.raises(ConfigurationError):
        load_definition(cast("Traversable", Folder()))
