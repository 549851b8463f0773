from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import topiccrawl
from topiccrawl.errors import ConfigurationError
from topiccrawl.text.analyzer import TextAnalyzer
from topiccrawl.topics.definition import Keyword, Seed
from topiccrawl.topics.load import (
    BARE_WORD,
    UnknownTopicError,
    find_definition,
    seeds_root,
    topic_folders,
)
from topiccrawl.topics.topic import Topic

#: Modules and packages that topics import.
NEEDED = {
    "__init__.py", "bounded.py", "details.py", "errors.py", "language.py", "locale", "scoring",
    "sharedfiles.py", "tables.py", "text", "topics", "urls", "userfiles.py",
}  # fmt: skip


def add(seeds: Path, name: str, aliases: str = "[]", broken: bool = False) -> Path:
    folder = seeds / name
    folder.mkdir(parents=True)
    text = f'name = "{name}"\naliases = {aliases}\n[keywords.core]\n"{name}" = 1.0\n'
    text += '[[seeds]]\nurl = "http://own.example/"\n' + ("=" if broken else "")
    (folder / "topic.toml").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "scrapy.cfg").touch()
    seeds = tmp_path / "seeds"
    add(seeds, "侨情", '["qiaoqing", "华侨"]')
    add(seeds, "Tea Culture", '["茶文化"]')
    add(seeds, "坏", '["茶艺"]', broken=True)
    add(seeds, "深", "[" * 3_000)
    (seeds / "README.md").touch()
    (seeds / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("wanted", "name", "why"),
    [
        ("侨情", "侨情", "its name"),
        ("僑情", "侨情", "traditional"),
        (" 侨情 ", "侨情", "white space around it"),
        ("QIAOQING", "侨情", "an alias in capitals"),
        ("ｑｉａｏｑｉｎｇ", "侨情", "an alias in full width"),
        ("華僑", "侨情", "a traditional alias"),
        ("tea culture", "Tea Culture", "case"),
        ("seeds/侨情", "侨情", "a path"),
        ("./seeds/侨情/", "侨情", "a path with a slash"),
        ("seeds/侨情/topic.toml", "侨情", "the file itself"),
    ],
)
def test_a_topic_is_found_by(project: Path, wanted: str, name: str, why: str) -> None:
    assert find_definition(wanted).name == name, why


@pytest.mark.parametrize("below", ["a", "a/b"])
def test_the_project_is_found_from_a_subfolder(
    project: Path, monkeypatch: pytest.MonkeyPatch, below: str
) -> None:
    (project / below).mkdir(parents=True)
    monkeypatch.chdir(project / below)
    assert seeds_root() == project / "seeds"


def test_the_nearest_project_is_used(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = project / "inner"
    add(inner / "seeds", "茶")
    (inner / "scrapy.cfg").touch()
    monkeypatch.chdir(inner)
    assert [folder.name for folder in topic_folders()] == ["茶"]


def test_seeds_replace_those_of_a_known_topic(project: Path) -> None:
    assert find_definition("侨情").seeds == (Seed("http://own.example/"),)
    found = find_definition("侨情", ["http://a.cn/", "https://b.cn/"])
    assert found.seeds == (Seed("http://a.cn/"), Seed("https://b.cn/"))
    assert found.keywords == (Keyword("侨情", 1.0, "core"),)


def test_a_bare_word_with_seeds_is_a_topic(project: Path) -> None:
    found = find_definition("紫砂壶", ("http://a.cn/",))
    assert (found.name, found.source, found.language) == ("紫砂壶", BARE_WORD, "zh")
    assert found.keywords == (Keyword("紫砂壶", 1.0, "core"),)
    assert found.seeds == (Seed("http://a.cn/"),)
    assert find_definition("Tropical cyclone", ["http://a.cn/"]).language == "en"


@pytest.mark.parametrize("word", ["新冠/COVID-19", "TCP/IP", ".NET", "C++"])
def test_a_word_with_signs_is_a_topic_as_soon_as_there_are_seeds(project: Path, word: str) -> None:
    found = find_definition(word, ["http://a.cn/"])
    assert (found.name, found.source) == (word, BARE_WORD)
    assert Topic.learn(found).relevance(TextAnalyzer([word]).terms(f"关于{word}的消息")).score > 0
    with pytest.raises(UnknownTopicError):  # unless a queue is there to go on with
        find_definition(word)


@pytest.mark.parametrize(
    ("wanted", "seeds", "message"),
    [
        ("侨务", (), r"'侨务' is not known; near: 侨情; known: Tea Culture, 侨情, 坏"),
        ("tea cultur", (), r"near: Tea Culture"),
        ("xyz", (), r"'xyz' is not known; known: .* give seeds"),
        ("", (), r"topic must not be empty"),
        ("，", ("http://a.cn/",), r"'，' has neither letters nor digits"),
        ("侨情", ("a.cn",), r"seeds: URL 1 must be an http or https URL with a host, got 'a.cn'"),
        ("nowhere/侨情", (), r"there is no nowhere/侨情/topic.toml\. To crawl for a word .* seeds"),
        ("/nowhere/侨情", ("http://a.cn/",), r"there is no /nowhere/侨情/topic.toml$"),
        ("./x", ("http://a.cn/",), r"there is no x/topic.toml"),
        ("坏", (), r"坏/topic.toml: is not valid TOML"),
        ("a\x00b", (), r"is not known"),
        ("长" * 500, (), r"is not known"),
        ("长" * 67, ("http://a.cn/",), r"topic name must have at most 200 bytes in UTF-8, got '长"),
    ],
)
def test_the_error_of_an_unknown_topic_explains(
    project: Path, wanted: str, seeds: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        find_definition(wanted, seeds)


def test_an_alias_of_two_topics_is_refused(project: Path) -> None:
    add(project / "seeds", "乌龙", '["華僑"]')
    with pytest.raises(ConfigurationError, match=r"alias of more than one topic: 乌龙, 侨情"):
        find_definition("华侨")


def test_without_any_topics_the_message_contains_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("topiccrawl.topics.load.files", lambda package: tmp_path)
    assert seeds_root() is None
    assert topic_folders() == []
    where = re.escape(str(tmp_path / "seeds"))
    with pytest.raises(ConfigurationError, match=rf"known: none \(there is no folder {where}\)"):
        find_definition("茶")


def test_topics_of_the_package_stay_known_beside_own_ones_with_other_names(
    project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path_factory.mktemp("installed")
    add(package / "_seeds", "图书馆学", '["library-science"]')
    add(package / "_seeds", "侨情", '["overseas"]')
    add(package / "_seeds", "茶", '["茶文化"]')
    monkeypatch.setattr("topiccrawl.topics.load.files", lambda _package: package)
    assert find_definition("library-science").name == "图书馆学"
    assert find_definition("侨情").source == str(project / "seeds" / "侨情")
    assert find_definition("茶文化").name == "Tea Culture"
    with pytest.raises(UnknownTopicError, match="known: Tea Culture, 侨情, 图书馆学, 坏, 深"):
        find_definition("overseas")


def test_topics_are_read_from_a_zipped_egg(tmp_path: Path) -> None:
    package = Path(topiccrawl.__file__).parent
    egg = tmp_path / "topiccrawl-1-py3.11.egg"
    with zipfile.ZipFile(egg, "w") as archive:
        for file in sorted(package.rglob("*")):
            room = file.relative_to(package).parts[0]
            if file.is_file() and room in NEEDED:
                archive.write(file, Path("topiccrawl") / file.relative_to(package))
        folder = add(tmp_path / "made", "侨情", '["qiaoqing"]')
        archive.write(folder / "topic.toml", "topiccrawl/_seeds/侨情/topic.toml")
        archive.writestr("topiccrawl/_seeds/侨情/samples/一.txt", "海外侨胞回国参加侨务座谈会。")
    program = (
        "import topiccrawl; assert '.egg' in topiccrawl.__file__, topiccrawl.__file__\n"
        "from topiccrawl.topics.load import find_definition\n"
        "from topiccrawl.topics.topic import Topic\n"
        "topic = Topic.learn(find_definition('僑情'))\n"
        "assert [s.name for s in topic.definition.samples] == ['一.txt']\n"
        "assert topic.relevance(topic.analyzer.terms('侨情')).score > 0\n"
        "print(find_definition('qiaoqing').source)\n"
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(egg), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "_seeds/侨情" in done.stdout
